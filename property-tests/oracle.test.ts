/**
 * Tests of the oracle against numbers worked by hand from the law: first payments, whole
 * projections, Tiered Standard and tax. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { fromNumber } from "./oracle/decimal.ts"
import { oracleCalculate } from "./oracle/oracle.ts"
import { taxOnForgiveness } from "./oracle/tax.ts"
import { readBorrower } from "./oracle/wire.ts"
import { dollars, projected, scenarioOf, shown, start, sumOf } from "./oracle/worked/asking.ts"
import { assistancePayments, contingentPayments, discretionaryPayments } from "./oracle/worked/payments.ts"
import { fixedPlans, type ProjectionCase, wholeProjections } from "./oracle/worked/projections.ts"
import { taxCases } from "./oracle/worked/taxes.ts"
import { householdIn } from "./oracle/years.ts"

describe("the oracle's first payment equals the hand-worked one of", () => {
  it.each([...assistancePayments, ...discretionaryPayments, ...contingentPayments])("case $id: $what", (worked) => {
    const answer = projected(worked.scenario, worked.loans ?? [{}])
    expect(shown(answer.exact.firstPayment)).toBe(worked.payment)
  })
})

describe("the oracle's first month of REPAYMENT ASSISTANCE equals the hand-worked one of", () => {
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

describe("the oracle's projection equals the hand-worked one of", () => {
  it.each([...fixedPlans, ...wholeProjections])("case $id: $what", expectWorked)
})

describe("the oracle's Tiered Standard equals the hand-worked one of", () => {
  const cases = [
    { id: "58 below", balance: 24_999, ratePct: 6.52, payment: "284.11", paid: "34093.57", last: 119 },
    { id: "58 at", balance: 25_000, ratePct: 6.52, payment: "218.05", paid: "39249.32", last: 179 },
    { id: "59", balance: 50_000, ratePct: 6.52, payment: "373.38", paid: "89610.13", last: 239 },
    { id: "60", balance: 100_000, ratePct: 8.07, payment: "776.46", paid: "232937.73", last: 299 }
  ]
  it.each(cases)("case $id: $balance at $ratePct percent", ({ balance, last, paid, payment, ratePct }) => {
    const answer = oracleCalculate({ balance, ratePct, borrowerAgi: 60_000, borrowedOnOrAfterJul12026: true }, start)
    const tiered = answer.plans.find((plan) => plan.plan === "tiered_standard")!
    expect([dollars(tiered.monthlyPayment), dollars(tiered.totalPaid), tiered.monthsToPayoff]).toEqual([
      payment,
      paid,
      last
    ])
    expect(answer.plans.map((plan) => plan.plan)).toEqual(["tiered_standard", "rap"])
  })
})

describe("Tiered Standard in the oracle", () => {
  const tiered = (balance: number, more: object) =>
    oracleCalculate({ balance, ratePct: 0, borrowerAgi: 60_000, borrowedOnOrAfterJul12026: true, ...more }, start)

  it("is not shortened by counted months, and is open to a parent's Direct loan", () => {
    // 30,000 / 180 = 166.67
    const { plans } = tiered(30_000, { priorIdrMonths: 60, loanType: "parent_plus" })
    expect(plans.map((plan) => [plan.plan, dollars(plan.monthlyPayment), plan.monthsToPayoff])).toEqual([
      ["tiered_standard", "166.67", 179]
    ])
  })

  it("is not shortened by PSLF payments", () => {
    // 24,000 / 120 = 200
    const { plans } = tiered(24_000, { pursuingPslf: true, pslfCreditedMonths: 60 })
    expect(dollars(plans[0]!.monthlyPayment)).toBe("200.00")
  })

  it("is open with any number of counted months", () => {
    const isOpen = (priorIdrMonths: number) =>
      tiered(30_000, { priorIdrMonths }).plans.some(({ plan }) => plan === "tiered_standard")
    expect([isOpen(178), isOpen(179), isOpen(600)]).toEqual([true, true, true])
  })
})

describe("the oracle's tax on forgiveness", () => {
  it.each(taxCases)("equals the hand-worked example $id: $filingStatus, $state", (worked) => {
    const borrower = readBorrower(
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
    const tax = taxOnForgiveness(householdIn(borrower, worked.year ?? 0), fromNumber(worked.forgiven), [])
    expect([shown(tax.federal), shown(tax.state)]).toEqual([worked.federal, worked.stateTax])
  })

  it("is 0 on PSLF, in Mississippi too, and positive on time-based forgiveness", () => {
    const loan = { principalBalance: 90_000, pslfCount: 60 }
    const rap = { planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: 65_000, state: "MS" }
    expect(projected({ ...rap, workingTowardsPslf: true }, [loan]).forgivenessTaxesOwed).toBe(0n)
    const withoutPslf = projected({ ...rap, adjustedGrossIncome: 30_000 }, [loan])
    expect(withoutPslf.forgivenessType).toBe("TimeBased")
    expect(withoutPslf.forgivenessTaxesOwed).toBeGreaterThan(0n)
  })
})
