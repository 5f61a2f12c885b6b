/**
 * Tests of the oracle against hand-worked extra payments: the order of the loans, what they do not
 * change, and their end. A single person with $60,000 pays $250.00 under REPAYMENT ASSISTANCE. Most
 * loans bear no interest. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import type { WireScenario } from "./oracle.ts"
import { direct, dollars, free, type Loans, loanOf, projected, shown } from "./worked/asking.ts"

const standard = { planType: "STANDARD" }
const rap = { planType: "REPAYMENT ASSISTANCE" }
/** Pays nothing, because there is no income. */
const nothing = { planType: "INCOME BASED", adjustedGrossIncome: 0 }

type Scenario = Partial<WireScenario> & Pick<WireScenario, "planType">

const withExtra = (extraMonthlyPayment: number, scenario: Scenario, loans: Loans) =>
  projected({ ...scenario, extraMonthlyPayment }, loans)

const monthsOf = (extra: number, scenario: Scenario, loans: Loans) => withExtra(extra, scenario, loans).exact.months

describe("an extra payment", () => {
  it("shortens a level plan, whose scheduled payment it does not change", () => {
    const answer = withExtra(100, standard, [direct(12_000)])
    expect([answer.year1MonthlyPayment, answer.monthsToFinish, dollars(answer.totalOutOfPocket)]).toEqual([
      100n,
      59,
      "12000.00"
    ])
    expect(answer.yearly!.slice(0, 3).map((point) => dollars(point.cumulativePaid))).toEqual([
      "0.00",
      "2400.00",
      "4800.00"
    ])
  })

  it("of a cent lowers the last payment", () => {
    // 12,000 - 119 * 100.01
    const months = monthsOf(0.01, standard, [direct(12_000)])
    expect([0, 118, 119].map((month) => shown(months[month]!.paid))).toEqual(["100.01", "100.01", "98.81"])
    expect(shown(months[119]!.extra)).toBe("0.00")
  })

  it("of more than is owed pays all", () => {
    const answer = withExtra(1_000_000, standard, [direct(12_000), direct(6_000, { interestBalance: 500 })])
    expect([answer.year1MonthlyPayment, answer.monthsToFinish, dollars(answer.totalOutOfPocket)]).toEqual([
      154n,
      0,
      "18500.00"
    ])
    expect(answer.forgivenessType).toBe("None")
  })

  it("pays unpaid interest before principal", () => {
    const months = monthsOf(100, nothing, [direct(10_000, { interestBalance: 500 })])
    const balances = [0, 4, 5].map((month) => [shown(months[month]!.interest), shown(months[month]!.principal)])
    expect(balances).toEqual([
      ["400.00", "10000.00"],
      ["0.00", "10000.00"],
      ["0.00", "9900.00"]
    ])
  })

  it("comes after waivers, and pays interest that the month left", () => {
    // 12,000 * 6 % / 12 = 60.00
    const loan = { principalBalance: 12_000, interestRate: 0.06 }
    const [unsubsidized] = monthsOf(100, nothing, [loan])
    expect([unsubsidized!.principal, unsubsidized!.interest, unsubsidized!.waived].map(shown)).toEqual([
      "11960.00",
      "0.00",
      "0.00"
    ])
    const [subsidized] = monthsOf(100, nothing, [{ ...loan, loanType: "DIRECT STAFFORD SUBSIDIZED" }])
    expect([subsidized!.principal, subsidized!.interest, subsidized!.waived].map(shown)).toEqual([
      "11900.00",
      "0.00",
      "60.00"
    ])
  })

  it("waives and matches nothing under REPAYMENT ASSISTANCE, and takes nothing of either", () => {
    const first = (principalBalance: number) => {
      const [month] = monthsOf(100, rap, [loanOf({ principalBalance })])
      return [month!.paid, month!.waived, month!.matched, month!.principal].map(shown)
    }
    // interest 500.00: 250.00 paid, 250.00 waived; match 50.00
    expect(first(100_000)).toEqual(["350.00", "250.00", "50.00", "99850.00"])
    // interest 210.00: 40.00 to principal; match 10.00
    expect(first(42_000)).toEqual(["350.00", "0.00", "10.00", "41850.00"])
  })

  it("is not passed on when a loan is closed, and neither is the loan's own payment", () => {
    // 1,200 / 120 = 10 and 12,000 / 120 = 100
    const months = monthsOf(1_190, standard, [direct(1_200), direct(12_000)])
    expect([0, 1].map((month) => shown(months[month]!.paid))).toEqual(["1300.00", "1290.00"])
  })

  it("takes nothing of a loan below half a cent", () => {
    const [month] = monthsOf(10, standard, [direct(50.004)])
    expect([shown(month!.paid), shown(month!.extra), shown(month!.dust * 10n)]).toEqual(["50.00", "0.00", "0.04"])
  })

  it("is paid in the month of forgiveness", () => {
    const answer = withExtra(100, nothing, [direct(100_000, { idrMonthsInRepayment: 239 })])
    expect([dollars(answer.totalOutOfPocket), dollars(answer.amountForgiven), answer.monthsToFinish]).toEqual([
      "100.00",
      "99900.00",
      0
    ])
  })

  it("neither adds nor takes a month of forgiveness", () => {
    // 240 payments of 100 and nothing else
    const answer = withExtra(100, nothing, [direct(100_000)])
    expect([dollars(answer.amountForgiven), answer.monthsToFinish]).toEqual(["76000.00", 239])
    const servant = { ...nothing, workingTowardsPslf: true }
    const served = withExtra(100, servant, [direct(100_000, { pslfCount: 60 })])
    expect([dollars(served.amountForgiven), served.monthsToFinish]).toEqual(["94000.00", 59])
  })
})

/**
 * The order of loans shows in what PSLF forgives at the end of month 0: REPAYMENT ASSISTANCE leaves
 * 11,750 of the plan's own loan, and STANDARD 11,900 of the parent's loan.
 */
describe("an extra payment over loans in the plan and outside it", () => {
  const servant = { ...rap, workingTowardsPslf: true }
  const own = direct(12_000, { pslfCount: 119 })
  const parents = free("DIRECT PARENT PLUS", 12_000)

  const forgivenAfter = (extra: number, loans: Loans) => shown(monthsOf(extra, servant, loans)[0]!.pslf)

  it("goes to the first of two loans with one rate", () => {
    expect(forgivenAfter(10_000, [parents, own])).toBe("11750.00")
    expect(forgivenAfter(10_000, [own, parents])).toBe("1750.00")
  })

  it("goes to the loan with the highest rate", () => {
    expect(forgivenAfter(10_000, [own, { ...parents, interestRate: 1e-9 }])).toBe("11750.00")
    expect(forgivenAfter(10_000, [parents, { ...own, interestRate: 1e-9 }])).toBe("1750.00")
  })

  it("goes to the next loan when the first owes nothing", () => {
    // 12,000 - 11,900 = 100 for the loan of the plan
    expect(forgivenAfter(12_000, [parents, own])).toBe("11650.00")
  })

  it("changes the shares of the next payment by income", () => {
    // The cap is 12,000 / 120 = 100. Month 0: 5,950 each; 500 lower the first to 5,450.
    // Month 1: 100 * 5,950 / 11,400 = 52.1930 to the second, which is forgiven at 5,897.8070.
    const scenario = { planType: "INCOME BASED", workingTowardsPslf: true }
    const months = monthsOf(500, scenario, [direct(6_000), direct(6_000, { pslfCount: 118 })])
    expect(shown(months[1]!.pslf)).toBe("5897.81")
  })

  it("goes to the loans of both successor plans", () => {
    // INCOME CONTINGENT of nothing; in month 19 both groups owe what was left by 19 * 1,000
    const scenario = { planType: "INCOME CONTINGENT", adjustedGrossIncome: 0 }
    const book = [free("DIRECT PARENT PLUS CONSOLIDATED", 20_000), direct(10_000)]
    const months = monthsOf(1_000, scenario, book)
    // month 19 pays 1,000 to the consolidation: INCOME BASED (OLD) bills 0, the other group 10 and
    // matches nothing, because the payment lowers principal by all of 10
    expect([18, 19, 20].map((month) => shown(months[month]!.paid))).toEqual(["1000.00", "1010.00", "1010.00"])
    expect([18, 19, 20].map((month) => shown(months[month]!.principal))).toEqual(["11000.00", "9990.00", "8980.00"])
  })
})
