/**
 * Tests of the oracle against hand-worked payments beyond the scheduled ones (extra payments,
 * budgets, lump sums): the order of the loans, what they do not change, and their end. A single person with $60,000 pays $250.00 under REPAYMENT ASSISTANCE. Most
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

it("an amount below half a cent is 0", () => {
  const plain = projected(nothing, [direct(12_000)])
  for (const sent of [{ extraMonthlyPayment: 0.004 }, { monthlyBudget: 0.004 }]) {
    expect(projected({ ...nothing, ...sent }, [direct(12_000)])).toEqual(plain)
    expect(projected({ ...nothing, changes: [{ fromYear: 2, ...sent }] }, [direct(12_000)])).toEqual(plain)
  }
})

describe("a monthly budget", () => {
  /** $100 and $10 a month. */
  const two = [direct(12_000), direct(1_200, { interestRate: 1e-9 })]
  const paidIn = (scenario: Partial<WireScenario>, loans: Loans, ...months: ReadonlyArray<number>) => {
    const answer = projected({ ...standard, ...scenario }, loans)
    return months.map((month) => shown(answer.exact.months[month]!.paid))
  }

  it("is what is paid in all", () => {
    // 13,200 / 200
    const answer = projected({ ...standard, monthlyBudget: 200 }, two)
    expect([answer.year1MonthlyPayment, answer.monthsToFinish]).toEqual([110n, 65])
    expect(paidIn({ monthlyBudget: 200 }, two, 0, 12, 65)).toEqual(["200.00", "200.00", "200.00"])
  })

  it("below what is due changes nothing", () => {
    const plain = projected(standard, two)
    for (const monthlyBudget of [0, 0.004, 50, 109.99]) {
      expect(projected({ ...standard, monthlyBudget }, two)).toEqual(plain)
    }
    // 10 % * (72,000 - 23,940) / 12
    const rising = { planType: "INCOME BASED", annualIncomeGrowth: 0.2, monthlyBudget: 350 }
    expect(paidIn(rising, [direct(100_000)], 0, 12)).toEqual(["350.00", "400.50"])
  })

  it("goes whole to the loans that are due", () => {
    // the first loan is paused for nine months, and the second owes nothing after six
    const pauses = [{ kind: "Forbearance", until: "2027-09", loans: [0] }]
    expect(paidIn({ monthlyBudget: 200, pauses }, two, 0, 5, 6, 8, 9)).toEqual([
      "200.00",
      "200.00",
      "0.00",
      "0.00",
      "200.00"
    ])
    // the least payment of the one that is due is 50.00
    expect(paidIn({ extraMonthlyPayment: 150, pauses }, two, 0, 6)).toEqual(["200.00", "0.00"])
  })

  it("follows an extra payment and ends by a change", () => {
    const changes = [
      { fromYear: 2, extraMonthlyPayment: 0, monthlyBudget: 200 },
      { fromYear: 3, monthlyBudget: 0 },
      { fromYear: 4, extraMonthlyPayment: 25 }
    ]
    expect(paidIn({ extraMonthlyPayment: 50, changes }, [direct(12_000)], 11, 12, 23, 24, 36)).toEqual([
      "150.00",
      "200.00",
      "200.00",
      "100.00",
      "125.00"
    ])
  })
})

describe("a lump sum", () => {
  const lump = (on: string, amount: number) => ({ on, amount })
  const withLumps = (scenario: Scenario, loans: Loans, ...lumpSums: ReadonlyArray<ReturnType<typeof lump>>) =>
    projected({ ...scenario, lumpSums }, loans)

  it("shortens a plan whose first payment it does not change, in month 0 too", () => {
    const answer = withLumps(standard, [direct(12_000)], lump("2026-12", 1_000), lump("2026-12", 1_000))
    expect([answer.year1MonthlyPayment, answer.monthsToFinish, shown(answer.exact.months[0]!.paid)]).toEqual([
      100n,
      99,
      "2100.00"
    ])
  })

  it("of more than is owed pays all", () => {
    const answer = withLumps(standard, [direct(12_000), direct(6_000)], lump("2027-03", 100_000))
    expect([dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual(["18000.00", 3])
  })

  it("before month 0 or after the last month changes nothing", () => {
    const plain = projected(standard, [direct(12_000)])
    expect(withLumps(standard, [direct(12_000)], lump("2026-11", 500), lump("2036-12", 500))).toEqual(plain)
  })

  it("goes to the loan with the highest rate, paused or not", () => {
    // month 0: 6,000 to the paused loan, of which 60.00 interest; then 6,060.00 * 6 % / 12
    const loans = [direct(12_000), { principalBalance: 12_000, interestRate: 0.06 }]
    const pauses = [{ kind: "Forbearance", until: "2027-03", loans: [1] }]
    const answer = withLumps({ ...standard, pauses }, loans, lump("2026-12", 6_000))
    expect(shown(answer.exact.months[1]!.accrued)).toBe("30.30")
  })

  it("waives and matches nothing, and is paid in the month of forgiveness", () => {
    // interest 500.00: 250.00 paid, 250.00 waived; match 50.00
    const scenario = { ...rap, workingTowardsPslf: true }
    const answer = withLumps(scenario, [loanOf({ principalBalance: 100_000, pslfCount: 119 })], lump("2026-12", 10_000))
    const { matched, paid, pslf, waived } = answer.exact.months[0]!
    expect([paid, waived, matched, pslf].map(shown)).toEqual(["10250.00", "250.00", "50.00", "89950.00"])
  })
})

describe("four loans of 21,000", () => {
  const rates = [
    [8_000, 0.068],
    [5_500, 0.0386],
    [4_000, 0.0466],
    [3_500, 0.034]
  ] as const
  const loans = rates.map(([principalBalance, interestRate]) => ({ principalBalance, interestRate }))

  it("cost less with a budget, and less still with a lump sum", () => {
    const outcome = (more: Partial<WireScenario>) => {
      const answer = projected({ ...standard, monthlyBudget: 327.37, ...more }, loans)
      return [dollars(answer.totalOutOfPocket), answer.monthsToFinish]
    }
    expect(outcome({})).toEqual(["24196.37", 73])
    expect(outcome({ lumpSums: [{ on: "2027-03", amount: 5_000 }] })).toEqual(["22657.06", 53])
  })
})

describe("the present value", () => {
  const valueOf = (discountRate: number | null, scenario: Scenario, loan: Loans[number]) => {
    const { presentValue } = projected({ ...scenario, discountRate }, [loan])
    return presentValue === null ? null : dollars(presentValue)
  }

  it("discounts each month's payment from month 0 on", () => {
    // 24 * 50.00; 50.00 * (1 - q^24) / (1 - q) with q = 1.1^(-1/12)
    const values = [null, 0, 0.1].map((rate) => valueOf(rate, standard, direct(1_200)))
    expect(values).toEqual([null, "1200.00", "1096.91"])
  })

  it("discounts the tax of the first year by a year", () => {
    // 100,000 - 16,100: 1,240 + 12 % * 38,000 + 22 % * 33,500 = 13,170
    const forgiven = direct(100_000, { idrMonthsInRepayment: 239 })
    expect([0, 0.1].map((rate) => valueOf(rate, nothing, forgiven))).toEqual(["13170.00", "11972.73"])
  })
})
