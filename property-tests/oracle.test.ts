/**
 * The oracle against numbers worked by hand from the law: first payments, whole projections, Tiered Standard and tax.
 * They show that the oracle reads the law right; the laws at the end show that its books balance. The engine is not
 * involved.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decimal, distance, fromNumber, ONE, power, root, ZERO } from "./oracle/decimal.ts"
import { incomeInYear } from "./oracle/household.ts"
import {
  type OracleProjection,
  oracleCalculate,
  oracleCompare,
  oracleEligibility,
  oracleProject,
  type WireLoan,
  type WireScenario
} from "./oracle/oracle.ts"
import { toCents, toDollars, toMillionths } from "./oracle/rounding.ts"
import { taxOnForgiveness } from "./oracle/tax.ts"
import { readHousehold } from "./oracle/wire.ts"
import { assistancePayments, contingentPayments, discretionaryPayments } from "./oracle/worked/payments.ts"
import { fixedPlans, type ProjectionCase, wholeProjections } from "./oracle/worked/projections.ts"
import { taxCases } from "./oracle/worked/taxes.ts"
import { projectionRequests } from "./requests.ts"

const start = { year: 2026, month: 12 }

const scenarioOf = (part: Partial<WireScenario> & Pick<WireScenario, "planType">): WireScenario => ({
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false,
  ...part
})

const loanOf = (part: Partial<WireLoan>): WireLoan => ({
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: 500_000,
  interestRate: 0.06,
  ...part
})

function projected(
  scenario: Partial<WireScenario> & Pick<WireScenario, "planType">,
  loans: ReadonlyArray<Partial<WireLoan>>
): OracleProjection {
  const answer = oracleProject({ scenario: scenarioOf(scenario), loans: loans.map(loanOf), includeYearly: true }, start)
  if (answer.kind !== "projection") throw new Error(`refused: ${answer.kind} ${answer.loans.join()}`)
  return answer
}

const dollars = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`

const shown = (value: bigint): string => dollars(toCents(value))

const sumOf = (values: ReadonlyArray<bigint>): bigint => values.reduce((sum, value) => sum + value, 0n)

describe("first payments worked by hand", () => {
  it.each([...assistancePayments, ...discretionaryPayments, ...contingentPayments])("case $id: $what", (worked) => {
    const answer = projected(worked.scenario, worked.loans ?? [{}])
    expect(shown(answer.exact.firstPayment)).toBe(worked.payment)
  })
})

describe("first months of REPAYMENT ASSISTANCE worked by hand", () => {
  const cases = [
    {
      id: 23,
      income: 50_000,
      loans: [[30_000, 0.06]],
      paid: "166.67",
      waived: "0.00",
      matched: "33.33",
      left: "29950.00"
    },
    {
      id: 24,
      income: 60_000,
      loans: [
        [20_000, 0.05],
        [30_000, 0.07]
      ],
      paid: "250.00",
      waived: "8.33",
      matched: "50.00",
      left: "49950.00"
    },
    {
      id: 25,
      income: 9_000,
      loans: [[20_000, 0.05]],
      paid: "10.00",
      waived: "73.33",
      matched: "10.00",
      left: "19990.00"
    }
  ]
  it.each(cases)("case $id", ({ income, left, loans, matched, paid, waived }) => {
    const book = loans.map(([principalBalance = 0, interestRate = 0]) => ({ principalBalance, interestRate }))
    const scenario = { planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: income }
    const month = projected(scenario, book).exact.months[0]!
    expect([month.paid, month.waived, month.matched, month.principal].map(shown)).toEqual([paid, waived, matched, left])
  })
})

function expectWorked(worked: ProjectionCase) {
  const answer = projected(worked.scenario, [worked.loan])
  const { months } = answer.exact
  expect(dollars(answer.totalOutOfPocket)).toBe(worked.paid)
  expect(dollars(answer.amountForgiven)).toBe(worked.forgiven ?? "0.00")
  expect(answer.forgivenessType).toBe(worked.type ?? "None")
  if (worked.payments !== undefined) expect(answer.monthsToFinish).toBe(worked.payments - 1)
  if (worked.waived !== undefined) expect(shown(sumOf(months.map((month) => month.waived)))).toBe(worked.waived)
  if (worked.matched !== undefined) expect(shown(sumOf(months.map((month) => month.matched)))).toBe(worked.matched)
  if (worked.accruedLeft !== undefined)
    expect(shown(months.at(-2)!.interest + months.at(-1)!.accrued - months.at(-1)!.paid)).toBe(worked.accruedLeft)
  const steps = worked.steps ?? { months: 1, amounts: [] }
  expect(steps.amounts.map((_, step) => shown(months[step * steps.months]!.paid))).toEqual(steps.amounts)
  const principal = worked.principal ?? []
  expect(principal.map((_, month) => shown(months[month]!.principal))).toEqual(principal)
}

describe("whole projections worked by hand", () => {
  it.each([...fixedPlans, ...wholeProjections])("case $id: $what", expectWorked)
})

describe("Tiered Standard worked by hand", () => {
  const cases = [
    { id: "58 below", balance: 24_999, ratePct: 6.52, payment: "284.11", paid: "34093.57", last: 119 },
    { id: "58 at", balance: 25_000, ratePct: 6.52, payment: "218.05", paid: "39249.32", last: 179 },
    { id: "59", balance: 50_000, ratePct: 6.52, payment: "373.38", paid: "89610.13", last: 239 },
    { id: "60", balance: 100_000, ratePct: 8.07, payment: "776.46", paid: "232937.73", last: 299 }
  ]
  it.each(cases)("case $id: $balance at $ratePct percent", ({ balance, last, paid, payment, ratePct }) => {
    const answer = oracleCalculate({ balance, ratePct, borrowerAgi: 60_000, borrowedOnOrAfterJul12026: true })
    const tiered = answer.plans.find((plan) => plan.plan === "tiered_standard")!
    expect([dollars(tiered.monthlyPayment), dollars(tiered.totalPaid), tiered.monthsToPayoff]).toEqual([
      payment,
      paid,
      last
    ])
    expect(answer.plans.map((plan) => plan.plan)).toEqual(["tiered_standard", "rap"])
  })
})

describe("tax on forgiveness worked by hand", () => {
  it.each(taxCases)("example $id: $filingStatus, $state", (worked) => {
    const household = readHousehold(
      scenarioOf({
        planType: "SAVE",
        adjustedGrossIncome: worked.income,
        spouseAdjustedGrossIncome: worked.spouseIncome ?? null,
        annualIncomeGrowth: worked.growth ?? 0,
        filingStatus: worked.filingStatus,
        dependents: worked.dependents ?? 0,
        state: worked.state
      })
    )
    const tax = taxOnForgiveness(household, incomeInYear(household, worked.year ?? 0), fromNumber(worked.forgiven), [])
    expect([shown(tax.federal), shown(tax.state)]).toEqual([worked.federal, worked.stateTax])
  })

  it("is 0 on PSLF, in Mississippi too, and is priced on time-based forgiveness", () => {
    const loan = { principalBalance: 90_000, pslfCount: 60 }
    const rap = { planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: 65_000, state: "MS" }
    expect(projected({ ...rap, workingTowardsPslf: true }, [loan]).forgivenessTaxesOwed).toBe(0n)
    const withoutPslf = projected({ ...rap, adjustedGrossIncome: 30_000 }, [loan])
    expect(withoutPslf.forgivenessType).toBe("TimeBased")
    expect(withoutPslf.forgivenessTaxesOwed).toBeGreaterThan(0n)
  })
})

describe("mixed books", () => {
  const parentPlus = { loanType: "DIRECT PARENT PLUS", principalBalance: 12_000, interestRate: 0, pslfCount: 60 }
  const rap = { planType: "REPAYMENT ASSISTANCE" }

  it("repays beside the plan what the plan cannot take, over a full term", () => {
    const answer = projected(rap, [{ principalBalance: 30_000 }, { ...parentPlus, idrMonthsInRepayment: 40 }])
    expect(shown(answer.exact.firstPayment)).toBe("350.00")
    expect(dollars(answer.totalOutOfPocket)).toBe("57929.10")
  })

  it("keeps a least payment of 50 for the loans beside the plan", () => {
    const answer = projected(rap, [{ principalBalance: 30_000 }, { ...parentPlus, principalBalance: 600 }])
    expect(shown(answer.exact.firstPayment)).toBe("300.00")
    expect(dollars(answer.totalOutOfPocket)).toBe("46529.10")
  })

  it("forgives a Direct loan beside the plan after its own 120 PSLF payments", () => {
    const answer = projected({ ...rap, workingTowardsPslf: true }, [
      { principalBalance: 80_000, interestRate: 0.065, pslfCount: 60 },
      parentPlus
    ])
    expect(dollars(answer.amountForgiven)).toBe("83000.00")
    expect([answer.monthsToFinish, answer.forgivenessType]).toEqual([59, "Pslf"])
  })

  it("forgives a loan beside the plan with a complete count after one payment", () => {
    const books = [{ principalBalance: 30_000 }, { ...parentPlus, pslfCount: 120 }]
    const answer = projected({ ...rap, workingTowardsPslf: true }, books)
    expect(shown(answer.exact.months[0]!.pslf)).toBe("11900.00")
  })
})

describe("refusals and empty books", () => {
  const refusalOf = (planType: string, loans: ReadonlyArray<Partial<WireLoan>>, workingTowardsPslf = false) => {
    const scenario = scenarioOf({ planType, workingTowardsPslf })
    const answer = oracleProject({ scenario, loans: loans.map(loanOf) }, start)
    return answer.kind === "projection" ? null : { kind: answer.kind, loans: answer.loans }
  }

  it("refuses a plan that fits no loan with a balance", () => {
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

  it("names every loan that is an artifact, and none beside the plan", () => {
    const spent = { idrMonthsInRepayment: 360 }
    const beside = { ...spent, loanType: "FEDERAL PERKINS" }
    expect(refusalOf("EXTENDED", [{}, spent, beside, spent])).toEqual({ kind: "artifact", loans: [1, 3] })
    expect(refusalOf("EXTENDED", [{}, beside])).toBeNull()
  })

  it("refuses a complete PSLF count under a qualifying plan for Direct loans only", () => {
    const done = { pslfCount: 120 }
    expect(refusalOf("SAVE", [done], true)).toEqual({ kind: "artifact", loans: [0] })
    expect(refusalOf("SAVE", [done])).toBeNull()
    expect(refusalOf("INCOME BASED (OLD)", [{ ...done, loanType: "FFEL STAFFORD SUBSIDIZED" }], true)).toBeNull()
  })

  it("answers a book that owes nothing with zeros and year 0 alone", () => {
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

describe("comparison, eligibility and the calculator", () => {
  it("labels the first of the cheapest arms and names every refused arm", () => {
    const arm = (planType: string, label: string | null, idrMonthsInRepayment = 0) => ({
      scenario: scenarioOf({ planType, label }),
      loans: [loanOf({ principalBalance: 30_000, idrMonthsInRepayment })]
    })
    const cheapest = oracleCompare({ arms: [arm("EXTENDED", "a"), arm("STANDARD", "b"), arm("STANDARD", "c")] }, start)
    expect(cheapest).toMatchObject({ kind: "comparison", lowestCostLabel: "b" })
    const refused = oracleCompare(
      { arms: [arm("STANDARD", "a", 119), arm("EXTENDED", "b"), arm("SAVE", "c", 240)] },
      start
    )
    expect(refused).toMatchObject({ kind: "refused arms", arms: [{ arm: 0 }, { arm: 2 }] })
  })

  it("lists the plans of each loan in the order of the plan types", () => {
    const { loans } = oracleEligibility({
      loans: [
        loanOf({ principalBalance: 29_999 }),
        loanOf({ loanType: "DIRECT PLUS CONSOLIDATED", principalBalance: 1.01, idrMonthsInRepayment: 120 }),
        loanOf({ loanType: "FFEL CONSOLIDATED", principalBalance: 30_000 }),
        loanOf({ loanType: "INCOME CONTINGENT (ICL)" })
      ]
    })
    expect(loans.map((loan) => loan.eligiblePlanTypes)).toEqual([
      [
        "STANDARD",
        "EXTENDED",
        "GRADUATED",
        "INCOME BASED",
        "INCOME BASED (OLD)",
        "INCOME CONTINGENT",
        "PAY AS YOU EARN",
        "REPAYMENT ASSISTANCE"
      ],
      ["EXTENDED", "INCOME BASED", "INCOME BASED (OLD)", "INCOME CONTINGENT"],
      ["STANDARD", "GRADUATED", "INCOME BASED (OLD)"],
      ["STANDARD"]
    ])
  })

  it("puts every plan of the calculator in one of the two lists", () => {
    const calculated = (loanType: string, more = {}) =>
      oracleCalculate({ balance: 30_000, ratePct: 6, borrowerAgi: 60_000, loanType, ...more }).excludedPlans
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

describe("decimals and rounding", () => {
  it("reads a number as the decimal that was sent", () => {
    expect([fromNumber(0.1), fromNumber(1e-7), fromNumber(1e21)]).toEqual([
      ONE / 10n,
      ONE / 10n ** 7n,
      ONE * 10n ** 21n
    ])
  })

  it("finds roots to the last digit", () => {
    for (let k = 1; k <= 14; k++) expect(distance(power(root(decimal("3"), k), k), decimal("3"))).toBeLessThan(1_000n)
  })

  it("counts a value just below a half as the half", () => {
    expect([toCents(decimal("33.3349999")), toCents(decimal("33.3349998"))]).toEqual([3334n, 3333n])
    expect([toDollars(decimal("0.4999999")), toDollars(decimal("0.4999"))]).toEqual([1n, 0n])
    expect([toCents(decimal("1000000000.0049996")), toMillionths(decimal("0.0543215"))]).toEqual([
      100_000_000_001n,
      54_322n
    ])
  })
})

describe("laws of the oracle", () => {
  const runs = { numRuns: 150 }
  const SMALLEST = decimal("0.000000000001")

  it("conserves money, closes every book and adds its years up", () => {
    fc.assert(
      fc.property(projectionRequests(), (request) => {
        const answer = oracleProject({ ...request, includeYearly: true }, start)
        if (answer.kind !== "projection") return
        const { months } = answer.exact
        const opening = answer.yearly![0]!.exact
        const total = (part: "accrued" | "paid" | "waived" | "matched" | "pslf" | "timeBased" | "dust") =>
          sumOf(months.map((month) => month[part]))
        const came = opening.principalBalance + opening.interestBalance + total("accrued")
        const went =
          total("paid") + total("waived") + total("matched") + total("pslf") + total("timeBased") + total("dust")
        const nothingOwed = months.length === 0
        if (!nothingOwed)
          expect(distance(came, went)).toBeLessThanOrEqual(SMALLEST + decimal("0.005") * BigInt(request.loans.length))
        expect(answer.monthsToFinish).not.toBeNull()
        expect(answer.monthsToFinish).toBeLessThan(360)
        expect(sumOf(answer.yearly!.map((point) => point.paymentsThisYear))).toBe(answer.totalOutOfPocket)
        expect(sumOf(answer.yearly!.map((point) => point.forgivenThisYear))).toBe(answer.amountForgiven)
        expect(answer.yearly!.at(-1)!.date).toBe(answer.payoffOrForgivenessDate)
        if (!nothingOwed) expect(answer.yearly!.at(-1)!.exact.principalBalance).toBe(ZERO)
      }),
      runs
    )
  })

  it("does not depend on the order of the loans", () => {
    fc.assert(
      fc.property(projectionRequests(), (request) => {
        const forward = oracleProject(request, start)
        const backward = oracleProject({ ...request, loans: request.loans.toReversed() }, start)
        expect(forward.kind).toBe(backward.kind)
        if (forward.kind !== "projection" || backward.kind !== "projection") return
        expect(distance(forward.exact.totalOutOfPocket, backward.exact.totalOutOfPocket)).toBeLessThan(SMALLEST)
        expect(forward.monthsToFinish).toBe(backward.monthsToFinish)
      }),
      runs
    )
  })
})
