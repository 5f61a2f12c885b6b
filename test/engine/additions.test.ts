/**
 * What a request may add: dates, price growth, changes and extra payments. Figures are worked by
 * hand from the law; property-tests/ compares thousands of requests with the oracle.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { eligiblePlans } from "../../src/engine/eligibility.ts"
import { explain } from "../../src/engine/explanation.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { monthlyPayments } from "../../src/engine/months.ts"
import { type Projection, project } from "../../src/engine/projection.ts"
import { refusalMessages } from "../../src/messages/refusals.ts"
import { household, loan } from "../support/requests.ts"

const START = { year: 2026, month: 12 }
const decode = Schema.decodeUnknownSync(ProjectionRequest)

const ask = (scenario: object, ...loans: ReadonlyArray<object>) =>
  decode({ scenario: { ...household, planType: "STANDARD", ...scenario }, loans, includeYearly: true })
const answered = (scenario: object, ...loans: ReadonlyArray<object>): Projection => {
  const outcome = project(currentLaw, ask(scenario, ...loans), START)
  if (outcome._tag === "Refusal") throw new Error(refusalMessages(currentLaw, outcome, []).join("\n"))
  return outcome
}
const refused = (scenario: object, ...loans: ReadonlyArray<object>): ReadonlyArray<string> => {
  const outcome = project(currentLaw, ask(scenario, ...loans), START)
  return outcome._tag === "Refusal" ? refusalMessages(currentLaw, outcome, []) : []
}
const free = (principalBalance: number, others: object = {}) => ({
  ...loan,
  principalBalance,
  interestRate: 0,
  ...others
})

describe("a loan made since July 2026", () => {
  const book = [
    free(20_000, { madeOn: "2019-08-26" }),
    free(20_000, { madeOn: "2026-08-26" }),
    free(20_000, { madeOn: "2019-01-15" })
  ]
  const SENTENCE =
    "You have a loan made on or after 1 July 2026 (loans[1]). All your Direct loans can now be repaid only under REPAYMENT ASSISTANCE or Tiered Standard (send STANDARD)."

  it("leaves all Direct loans REPAYMENT ASSISTANCE and Tiered Standard, by the principal of all", () => {
    // 60,000 dollars: 240 months (34 CFR 685.208(c)(1)(iii)), 250 dollars each without interest.
    expect(answered({}, ...book)).toMatchObject({ firstMonthPayment: 250, monthsToFinish: 239 })
    // 60,000 dollars of income: 5 percent of it over twelve months.
    expect(answered({ planType: "REPAYMENT ASSISTANCE" }, ...book).firstMonthPayment).toBe(250)
    for (const planType of PLAN_TYPES.filter((plan) => !["STANDARD", "REPAYMENT ASSISTANCE"].includes(plan)))
      expect([planType, refused({ planType }, ...book)]).toEqual([planType, [SENTENCE]])
  })

  it("is told from the day of the first debt too, and to parents in their own words", () => {
    expect(refused({ planType: "GRADUATED", firstBorrowedOn: "2026-07-01" }, free(10_000))).toEqual([
      "You first borrowed on or after 1 July 2026. All your Direct loans can now be repaid only under REPAYMENT ASSISTANCE or Tiered Standard (send STANDARD)."
    ])
    const parents = free(10_000, { loanType: "DIRECT PLUS PARENT", madeOn: "2026-07-01" })
    expect(refused({ planType: "GRADUATED" }, parents)).toEqual([
      "You have a loan made on or after 1 July 2026 (loans[0]). Your Parent PLUS loans, and consolidations that repaid one, can now be repaid only under Tiered Standard (send STANDARD)."
    ])
  })

  it("leaves FFEL loans their plans, and their own minimum on STANDARD", () => {
    // Direct 1,200 over 120 months is 10, raised to 50; FFEL 1,200 over 120 months likewise.
    const ffel = free(1_200, { loanType: "FFEL STAFFORD UNSUBSIDIZED", idrMonthsInRepayment: 12 })
    const both = [free(1_200, { madeOn: "2026-08-01" }), ffel]
    expect(answered({}, ...both).firstMonthPayment).toBe(100)
    const listed = eligiblePlans(currentLaw, Schema.decodeUnknownSync(EligibilityRequest)({ loans: both }))
    expect(listed[0]!.eligiblePlanTypes).toEqual(["STANDARD", "REPAYMENT ASSISTANCE"])
    expect(listed[1]!.eligiblePlanTypes).toContain("GRADUATED")
  })

  it("has no months behind it, and no PSLF, under Tiered Standard", () => {
    const served = free(12_000, { madeOn: "2026-08-01", idrMonthsInRepayment: 100, pslfCount: 100 })
    expect(answered({ workingTowardsPslf: true }, served)).toMatchObject({
      firstMonthPayment: 100,
      monthsToFinish: 119,
      forgivenessType: "None"
    })
  })

  it("is cited, and the omissions about dates are not told", () => {
    const { citations, omissions } = answered({}, ...book)
    expect(citations).toEqual(
      expect.arrayContaining(["new-loan-plans-2026-07", "tiered-standard-plan-terms", "new-borrower-tests"])
    )
    expect(omissions).not.toContain("omission-loan-dates")
    expect(omissions).not.toContain("omission-tiered-standard")
  })
})

describe("dates", () => {
  const older = (madeOn: string) => free(40_000, { madeOn })

  it.each([
    ["INCOME BASED", "2014-06-30", "it is for new borrowers of 1 July 2014, and loans[0] is older"],
    [
      "INCOME BASED (OLD)",
      "2014-07-01",
      "it is for borrowers who owed a loan before 1 July 2014, and you first borrowed since: send INCOME BASED"
    ],
    ["PAY AS YOU EARN", "2007-09-30", "it is for new borrowers of 1 October 2007, and loans[0] is older"],
    [
      "PAY AS YOU EARN",
      "2011-09-30",
      "it needs a Direct loan, other than a Parent PLUS loan, made on or after 1 October 2011, and all of yours are older"
    ],
    ["EXTENDED", "1998-10-06", "it is for borrowers without a Direct loan made before 7 October 1998"]
  ])("%s is closed by a loan of %s", (planType, madeOn, why) => {
    expect(refused({ planType }, older(madeOn))).toEqual([
      `${planType} cannot take loans[0] (DIRECT STAFFORD UNSUBSIDIZED): ${why}`
    ])
  })

  it.each([
    ["INCOME BASED", "2014-07-01"],
    ["INCOME BASED (OLD)", "2014-06-30"],
    ["PAY AS YOU EARN", "2011-10-01"],
    ["EXTENDED", "1998-10-07"]
  ])("%s is open with a loan of %s", (planType, madeOn) => {
    expect(refused({ planType }, older(madeOn))).toEqual([])
  })

  it("say who passes to INCOME BASED in July 2028", () => {
    // The consolidation of a parent's loan goes on under income-based repayment: 10 or 15 percent.
    const parents = free(90_000, { loanType: "DIRECT PARENT PLUS CONSOLIDATED", madeOn: "2020-01-01" })
    const icr = { planType: "INCOME CONTINGENT", adjustedGrossIncome: 30_000 }
    const sinceJuly2028 = (scenario: object) =>
      (monthlyPayments(currentLaw, ask({ ...icr, ...scenario }, parents), START, 20) as Float64Array)[19]
    // 30,000 - 1.5 x 15,960 = 6,060; a tenth of it over twelve months is 50.50, and 15 percent 75.75.
    expect(sinceJuly2028({ firstBorrowedOn: "2014-07-01" })).toBeCloseTo(50.5, 9)
    expect(sinceJuly2028({ firstBorrowedOn: "2014-06-30" })).toBeCloseTo(75.75, 9)
    expect(sinceJuly2028({})).toBeCloseTo(75.75, 9)
  })
})

describe("price growth", () => {
  it("raises the guideline: the payment by income falls, and the omission is not told", () => {
    const ibr = { planType: "INCOME BASED", adjustedGrossIncome: 40_000, annualPriceGrowth: 0.1 }
    const paid = monthlyPayments(currentLaw, ask(ibr, free(90_000)), START, 13) as Float64Array
    // A tenth of 40,000 - 1.5 x 15,960 x 1.1^year, over twelve months.
    expect(paid[0]).toBeCloseTo((40_000 - 23_940) / 120, 9)
    expect(paid[12]).toBeCloseTo((40_000 - 26_334) / 120, 9)
    expect(answered(ibr, free(90_000)).omissions).not.toContain("omission-guideline-indexation")
  })
})

describe("changes", () => {
  it("hold from the first month of their year, and incomes grow from there", () => {
    const rap = {
      planType: "REPAYMENT ASSISTANCE",
      annualIncomeGrowth: 0.1,
      changes: [{ fromYear: 3, adjustedGrossIncome: 30_000, dependents: 1 }]
    }
    const paid = monthlyPayments(currentLaw, ask(rap, free(90_000)), START, 37) as Float64Array
    // 60,000: 5 percent. 66,000: 6 percent. 30,000: 2 percent, less 50. 33,000: 3 percent, less 50.
    expect([paid[0], paid[12], paid[24], paid[36]].map((one) => Math.round(one! * 1e6) / 1e6)).toEqual([
      250, 330, 10, 32.5
    ])
  })

  it("count a month for public service only while it lasts", () => {
    const serving = { planType: "INCOME BASED", adjustedGrossIncome: 0, workingTowardsPslf: true }
    const changes = [
      { fromYear: 2, workingTowardsPslf: false },
      { fromYear: 4, workingTowardsPslf: true }
    ]
    // 100 counted and twelve in the first year; the last eight are those of the fourth year.
    expect(answered({ ...serving, changes }, free(9_000, { pslfCount: 100 }))).toMatchObject({
      monthsToFinish: 43,
      forgivenessType: "Pslf"
    })
    const later = { ...serving, workingTowardsPslf: false, changes: [{ fromYear: 3, workingTowardsPslf: true }] }
    expect(answered(later, free(9_000, { pslfCount: 120 })).monthsToFinish).toBe(24)
  })
})

describe("extra payments", () => {
  it("go to the loan with the highest rate, then to the next, and end the projection sooner", () => {
    const low = { ...loan, principalBalance: 12_000, interestRate: 0 }
    const high = { ...loan, principalBalance: 1_200, interestRate: 0.12 }
    const plain = answered({}, low, high)
    const faster = answered({ extraMonthlyPayment: 100 }, low, high)
    expect(faster.year1MonthlyPayment).toBe(plain.year1MonthlyPayment)
    expect(faster.totalOutOfPocket).toBeLessThan(plain.totalOutOfPocket)
    expect(faster.monthsToFinish!).toBeLessThan(plain.monthsToFinish!)
    const paid = monthlyPayments(currentLaw, ask({ extraMonthlyPayment: 100 }, low), START, 3) as Float64Array
    expect([...paid]).toEqual([200, 200, 200])
  })

  it("come before forgiveness, and are a part of the explanation", () => {
    const forgiven = free(1_000, { idrMonthsInRepayment: 239 })
    const ibr = { planType: "INCOME BASED", adjustedGrossIncome: 0, extraMonthlyPayment: 300 }
    expect(answered(ibr, forgiven)).toMatchObject({ amountForgiven: 700, totalOutOfPocket: 300, monthsToFinish: 0 })
    const explanation = explain(currentLaw, ask(ibr, forgiven), START, 0)
    if (explanation._tag === "Refusal") return expect.fail(explanation.kind)
    const [own, extra] = explanation.parts
    expect([explanation.payment, own!.payment, extra!.group, extra!.payment]).toEqual([300, 0, "extra", 300])
    expect(own!.loans[0]).toMatchObject({ forgiven: 0, principalLeft: 1_000 })
    expect(extra!.loans[0]).toMatchObject({ payment: 300, toPrincipal: 300, forgiven: 700, principalLeft: 0 })
  })

  it("are not matched, and waive nothing, under REPAYMENT ASSISTANCE", () => {
    const rap = { planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: 30_000, extraMonthlyPayment: 30 }
    // 2 percent of 30,000 over twelve months is 50, less than the interest of 120 and falling: the rest
    // of that is waived, and principal falls by 50, matched, and by 30.
    const { yearly } = answered(rap, { ...loan, principalBalance: 12_000, interestRate: 0.12 })
    expect(yearly![1]).toMatchObject({ paymentsThisYear: 960, principalBalance: 12_000 - 12 * 80, interestBalance: 0 })
  })
})
