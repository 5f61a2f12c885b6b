/**
 * Tests of the oracle's keyless calculator: plans open to loans made before and after July 1, 2026,
 * the reasons that close the others, the day of the first borrowing, and the term of Tiered
 * Standard. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { oracleCalculate, type WireCalculation } from "./oracle.ts"
import { dollars, start } from "./worked/asking.ts"

const calculated = (more: Partial<WireCalculation>) =>
  oracleCalculate({ balance: 30_000, ratePct: 6, borrowerAgi: 60_000, ...more }, start)

const isNew = { borrowedOnOrAfterJul12026: true }

const reasons = { closed: "closed", "loan type": "type", "loan date": "date", balance: "balance", artifact: "artifact" }

/** "open" or the reason of exclusion of each plan, in the order of the answer. */
function outcomes(more: Partial<WireCalculation>): string {
  const { excludedPlans, plans } = calculated(more)
  const outcomeOf = new Map<string, string>([
    ...plans.map(({ plan }) => [plan, "open"] as const),
    ...excludedPlans.map(({ kind, plan }) => [plan, reasons[kind]] as const)
  ])
  const ids = "standard tiered_standard extended graduated ibr_2014 ibr paye icr repaye save rap"
  return ids
    .split(" ")
    .map((id) => outcomeOf.get(id))
    .join(" ")
}

describe("in the calculator, a loan made on or after July 1, 2026", () => {
  const direct = [
    ["direct_unsubsidized", "date open date date date date date date closed closed open"],
    ["direct_consolidation", "date open date date date date date date closed closed open"],
    ["parent_plus", "date open date date type type type type closed closed type"],
    ["DIRECT PARENT PLUS", "date open date date type type type type closed closed type"],
    ["direct_consolidation_with_plus", "date open date date type type type date closed closed type"],
    ["DIRECT PLUS CONSOLIDATED", "date date date date type type type type closed closed type"]
  ] as const
  it.each(direct)("of type %s has the outcomes %s", (loanType, expected) => {
    expect(outcomes({ ...isNew, loanType })).toBe(expected)
  })

  it("that consolidates PLUS loans and has a counted month is too new for INCOME BASED", () => {
    expect(outcomes({ ...isNew, loanType: "direct_consolidation_with_plus", priorIdrMonths: 1 })).toBe(
      "date open date date date date type date closed closed type"
    )
  })

  const others = [
    ["FFEL STAFFORD SUBSIDIZED", "open type balance open type open type type closed closed type"],
    ["FFEL PLUS PARENT", "open type balance open type type type type closed closed type"],
    ["FEDERALLY INSURED (FISL)", "open type type open type open type type closed closed type"],
    ["FEDERAL PERKINS", "open type type type type type type type closed closed type"]
  ] as const
  it.each(others)("of type %s has the same outcomes for any date: %s", (loanType, expected) => {
    for (const borrowedOnOrAfterJul12026 of [true, false, null]) {
      expect(outcomes({ loanType, borrowedOnOrAfterJul12026 })).toBe(expected)
    }
  })

  it("of type DIRECT PLUS CONSOLIDATED has no plan", () => {
    const answer = calculated({ ...isNew, loanType: "DIRECT PLUS CONSOLIDATED" })
    expect([answer.plans, answer.lowestMonthlyPlan, answer.lowestLifetimeCostPlan]).toEqual([[], null, null])
  })
})

describe("in the calculator, an older loan", () => {
  it("is too old for Tiered Standard", () => {
    expect(outcomes({})).toBe("open date balance open open open open open closed closed open")
    expect(outcomes({ loanType: "parent_plus" })).toBe("open date balance open type type type type closed closed type")
  })

  it("of type direct_consolidation_with_plus is a consolidation of PLUS loans made after 2006", () => {
    // a consolidation of 30,000 alone: twenty years
    const loanType = "direct_consolidation_with_plus"
    expect(outcomes({ loanType })).toBe("open date balance open type type type open closed closed type")
    expect(outcomes({ loanType, priorIdrMonths: 1 })).toBe(
      "open date balance open open open type open closed closed type"
    )
    expect(calculated({ loanType }).plans[0]!.monthsToPayoff).toBe(239)
  })

  it("of type DIRECT PLUS CONSOLIDATED has its own terms and needs no 30,000", () => {
    const loan = { loanType: "DIRECT PLUS CONSOLIDATED", balance: 25_000, ratePct: 4.5 }
    expect(outcomes(loan)).toBe("open date open open type type type type closed closed type")
    const [standard, extended, graduated] = calculated(loan).plans
    expect([standard, extended].map((plan) => dollars(plan!.monthlyPayment))).toEqual(["259.10", "158.16"])
    expect([standard, extended, graduated].map((plan) => plan!.monthsToPayoff)).toEqual([119, 239, 239])
  })
})

describe("in the calculator, the day of the first borrowing", () => {
  const days = [
    ["2007-09-30", "open date balance open date open date open closed closed open"],
    ["2007-10-01", "open date balance open date open open open closed closed open"],
    ["2014-06-30", "open date balance open date open open open closed closed open"],
    ["2014-07-01", "open date balance open open date open open closed closed open"],
    ["2026-06-30", "open date balance open open date open open closed closed open"],
    ["2026-07-01", "date open date date date date date date closed closed open"]
  ] as const
  it.each(days)("%s has the outcomes %s", (firstBorrowedOn, expected) => {
    expect(outcomes({ firstBorrowedOn })).toBe(expected)
    expect(outcomes({ firstBorrowedOn, borrowedOnOrAfterJul12026: null })).toBe(expected)
  })

  it("does not make a new loan old", () => {
    expect(outcomes({ ...isNew, firstBorrowedOn: "2013-09-01" })).toBe(outcomes(isNew))
    expect(outcomes({ firstBorrowedOn: "2015-09-01", borrowedOnOrAfterJul12026: false })).toBe(
      outcomes({ firstBorrowedOn: "2015-09-01" })
    )
  })

  it("of an old type is earlier than what is sent", () => {
    for (const loanType of ["FFEL STAFFORD SUBSIDIZED", "FEDERALLY INSURED (FISL)", "DIRECT PLUS CONSOLIDATED"]) {
      expect(outcomes({ loanType, firstBorrowedOn: "2026-07-01" })).toBe(outcomes({ loanType }))
    }
  })

  it("decides the successor plan of July 2028", () => {
    // 19 * 660.5556 + 221 * 300.50; see dates.test.ts
    const { plans } = calculated({
      balance: 100_000,
      ratePct: 0,
      loanType: "direct_consolidation_with_plus",
      firstBorrowedOn: "2014-07-01"
    })
    const icr = plans.find(({ plan }) => plan === "icr")!
    expect([dollars(icr.totalPaid), icr.forgivenessAtMonth]).toEqual(["78961.06", 239])
  })
})

describe("in the calculator, Tiered Standard", () => {
  const tiered = (more: Partial<WireCalculation>) => {
    const plan = calculated({ ...isNew, ...more }).plans.find(({ plan }) => plan === "tiered_standard")!
    return [dollars(plan.monthlyPayment), dollars(plan.totalPaid), plan.monthsToPayoff]
  }

  it("has a term that counted months neither shorten nor use up", () => {
    // i = 0.0652 / 12: 30,000 i / (1 - (1 + i)^-180) = 261.6622, 180 times
    const whole = ["261.66", "47099.19", 179]
    for (const priorIdrMonths of [0, 12, 178, 179, 180, 600]) {
      expect(tiered({ ratePct: 6.52, priorIdrMonths })).toEqual(whole)
    }
    expect(tiered({ ratePct: 6.52, pursuingPslf: true, pslfCreditedMonths: 120 })).toEqual(whole)
  })

  it("is the only plan of a new parent loan", () => {
    // 30,000 / 180 = 166.6667
    expect(tiered({ ratePct: 0, loanType: "parent_plus", priorIdrMonths: 60 })).toEqual(["166.67", "30000.00", 179])
  })
})
