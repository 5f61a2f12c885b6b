/**
 * Tests of the oracle on mixed and empty books (a book is all loans of a request), and of its
 * refusals, comparison, eligibility and keyless calculator. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { oracleCalculate, oracleCompare, oracleEligibility, oracleProject, type WireLoan } from "./oracle.ts"
import { dollars, loanOf, projected, scenarioOf, shown, start } from "./worked/asking.ts"

describe("the oracle on a book with loans outside the plan", () => {
  const parentPlus = { loanType: "DIRECT PARENT PLUS", principalBalance: 12_000, interestRate: 0, pslfCount: 60 }
  const rap = { planType: "REPAYMENT ASSISTANCE" }

  it("repays them on STANDARD over a full term", () => {
    const answer = projected(rap, [{ principalBalance: 30_000 }, { ...parentPlus, idrMonthsInRepayment: 40 }])
    expect(shown(answer.exact.firstPayment)).toBe("350.00")
    expect(dollars(answer.totalOutOfPocket)).toBe("57929.10")
  })

  it("applies a minimum payment of 50 to them", () => {
    const answer = projected(rap, [{ principalBalance: 30_000 }, { ...parentPlus, principalBalance: 600 }])
    expect(shown(answer.exact.firstPayment)).toBe("300.00")
    expect(dollars(answer.totalOutOfPocket)).toBe("46529.10")
  })

  it("forgives a Direct loan among them after its own 120 PSLF payments", () => {
    const answer = projected({ ...rap, workingTowardsPslf: true }, [
      { principalBalance: 80_000, interestRate: 0.065, pslfCount: 60 },
      parentPlus
    ])
    expect(dollars(answer.amountForgiven)).toBe("83000.00")
    expect([answer.monthsToFinish, answer.forgivenessType]).toEqual([59, "Pslf"])
  })

  it("forgives a loan with a complete PSLF count among them after one payment", () => {
    const books = [{ principalBalance: 30_000 }, { ...parentPlus, pslfCount: 120 }]
    const answer = projected({ ...rap, workingTowardsPslf: true }, books)
    expect(shown(answer.exact.months[0]!.pslf)).toBe("11900.00")
  })
})

describe("a refusal of the oracle", () => {
  const refusalOf = (planType: string, loans: ReadonlyArray<Partial<WireLoan>>, workingTowardsPslf = false) => {
    const scenario = scenarioOf({ planType, workingTowardsPslf })
    const answer = oracleProject({ scenario, loans: loans.map(loanOf) }, start)
    return answer.kind === "projection" ? null : { kind: answer.kind, loans: answer.loans }
  }

  it("comes if the plan takes no loan with a balance", () => {
    const plus = { loanType: "direct plus parent " }
    expect(refusalOf("SAVE", [plus, { principalBalance: 0.004 }, plus])).toEqual({ kind: "ineligible", loans: [0, 2] })
  })

  const counts = [
    ["STANDARD", { idrMonthsInRepayment: 118 }, false],
    ["STANDARD", { idrMonthsInRepayment: 119 }, true],
    ["STANDARD", { pslfCount: 119 }, true],
    ["GRADUATED", { pslfCount: 120 }, false],
    ["GRADUATED", { idrMonthsInRepayment: 600 }, true],
    ["EXTENDED", { idrMonthsInRepayment: 298 }, false],
    ["EXTENDED", { idrMonthsInRepayment: 299 }, true],
    ["INCOME BASED", { idrMonthsInRepayment: 239 }, false],
    ["INCOME BASED", { idrMonthsInRepayment: 240 }, true],
    ["INCOME BASED (OLD)", { idrMonthsInRepayment: 300 }, true],
    ["REPAYMENT ASSISTANCE", { idrMonthsInRepayment: 359 }, false],
    ["REPAYMENT ASSISTANCE", { idrMonthsInRepayment: 360 }, true],
    ["SAVE", { principalBalance: 12_000, idrMonthsInRepayment: 120 }, true],
    ["SAVE", { principalBalance: 12_000.01, idrMonthsInRepayment: 131 }, false],
    ["REVISED PAY AS YOU EARN", { loanType: "DIRECT PLUS GRADUATE", idrMonthsInRepayment: 299 }, false]
  ] as const
  it.each(counts)("%s with %o is an artifact: %s", (plan, loan, artifact) => {
    expect(refusalOf(plan, [loan])).toEqual(artifact ? { kind: "artifact", loans: [0] } : null)
  })

  it("names every loan that is an artifact, and no loan outside the plan", () => {
    const spent = { idrMonthsInRepayment: 360 }
    const outside = { ...spent, loanType: "FEDERAL PERKINS" }
    expect(refusalOf("EXTENDED", [{}, spent, outside, spent])).toEqual({ kind: "artifact", loans: [1, 3] })
    expect(refusalOf("EXTENDED", [{}, outside])).toBeNull()
  })

  it("comes for a complete PSLF count under a qualifying plan, only for Direct loans", () => {
    const done = { pslfCount: 120 }
    expect(refusalOf("SAVE", [done], true)).toEqual({ kind: "artifact", loans: [0] })
    expect(refusalOf("SAVE", [done])).toBeNull()
    expect(refusalOf("INCOME BASED (OLD)", [{ ...done, loanType: "FFEL STAFFORD SUBSIDIZED" }], true)).toBeNull()
  })

  it("does not come for an empty book, which gets zeros and only year 0", () => {
    const answer = projected({ planType: "SAVE" }, [
      { loanType: "FEDERAL PERKINS", principalBalance: 0.004, interestRate: 0.05, idrMonthsInRepayment: 600 },
      { principalBalance: 0, interestBalance: 0.003, interestRate: 0.07 }
    ])
    expect([answer.totalOutOfPocket, answer.monthsToFinish, answer.payoffOrForgivenessDate]).toEqual([
      0n,
      0,
      "2026-12-01T00:00:00Z"
    ])
    expect(answer.yearly!.map((point) => [point.year, point.principalBalance, point.interestBalance])).toEqual([
      [0, 0n, 0n]
    ])
    expect(answer.weightedAverageInterestRate).toBe(50_000n)
  })
})

describe("the oracle's other answers", () => {
  it("label the first of the cheapest arms and name every refused arm", () => {
    const arm = (planType: string, label: string | null, idrMonthsInRepayment = 0) => ({
      scenario: scenarioOf({ planType, label }),
      loans: [loanOf({ principalBalance: 30_000.01, idrMonthsInRepayment })]
    })
    const cheapest = oracleCompare({ arms: [arm("EXTENDED", "a"), arm("STANDARD", "b"), arm("STANDARD", "c")] }, start)
    expect(cheapest).toMatchObject({ kind: "comparison", lowestCostLabel: "b" })
    const refused = oracleCompare(
      { arms: [arm("STANDARD", "a", 119), arm("EXTENDED", "b"), arm("SAVE", "c", 240)] },
      start
    )
    expect(refused).toMatchObject({ kind: "refused arms", arms: [{ arm: 0 }, { arm: 2 }] })
  })

  it("list the plans of each loan in the order of the plan types", () => {
    const { loans } = oracleEligibility({
      loans: [
        loanOf({ principalBalance: 29_999 }),
        loanOf({ loanType: "DIRECT PLUS CONSOLIDATED", principalBalance: 1.01, idrMonthsInRepayment: 120 }),
        loanOf({ loanType: "FFEL CONSOLIDATED", principalBalance: 30_000 }),
        loanOf({ loanType: "INCOME CONTINGENT (ICL)" })
      ]
    })
    expect(loans.map((loan) => loan.eligiblePlanTypes)).toEqual([
      // Direct loans owe 30,000.01; the consolidation closes INCOME BASED and PAY AS YOU EARN
      ["STANDARD", "EXTENDED", "GRADUATED", "INCOME BASED (OLD)", "INCOME CONTINGENT", "REPAYMENT ASSISTANCE"],
      // STANDARD: 120 - 120 months left; EXTENDED and GRADUATED of 1.01 alone: 144 - 120 = 24
      ["EXTENDED", "GRADUATED"],
      ["STANDARD", "GRADUATED", "INCOME BASED (OLD)"],
      ["STANDARD"]
    ])
  })

  it("require one counted month of a later consolidation of PLUS loans", () => {
    const plansWith = (idrMonthsInRepayment: number) =>
      oracleEligibility({
        loans: [loanOf({ loanType: "DIRECT PARENT PLUS CONSOLIDATED", principalBalance: 30_000, idrMonthsInRepayment })]
      }).loans[0]!.eligiblePlanTypes
    expect(plansWith(0)).toEqual(["STANDARD", "GRADUATED", "INCOME CONTINGENT"])
    expect(plansWith(1)).toEqual(["STANDARD", "GRADUATED", "INCOME BASED", "INCOME BASED (OLD)", "INCOME CONTINGENT"])
  })

  it("put every plan of the calculator in one of the two lists", () => {
    const calculated = (loanType: string, more = {}) =>
      oracleCalculate({ balance: 30_000, ratePct: 6, borrowerAgi: 60_000, loanType, ...more }, start).excludedPlans
    expect(calculated("direct_unsubsidized", { priorIdrMonths: 240 })).toEqual([
      { plan: "standard", kind: "artifact" },
      { plan: "tiered_standard", kind: "loan date" },
      { plan: "extended", kind: "balance" },
      { plan: "graduated", kind: "artifact" },
      { plan: "ibr_2014", kind: "artifact" },
      { plan: "paye", kind: "artifact" },
      { plan: "repaye", kind: "closed" },
      { plan: "save", kind: "closed" }
    ])
    const isNew = { borrowedOnOrAfterJul12026: true }
    expect(calculated("parent_plus", isNew).filter((plan) => plan.kind === "loan date").length).toBe(3)
    expect(calculated("parent_plus", isNew)).toContainEqual({ plan: "rap", kind: "loan type" })
  })
})
