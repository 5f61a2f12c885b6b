/**
 * Tests of the oracle against hand-worked projections across July 1, 2028, the end of INCOME
 * CONTINGENT and PAY AS YOU EARN. Repayment starts in December 2026, so July 2028 is month 19. A
 * single person with $60,000 pays $300.50 under PAY AS YOU EARN, $250.00 under REPAYMENT ASSISTANCE
 * and $450.75 under INCOME BASED (OLD). Most loans bear no interest. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { type OracleProjection, oracleCalculate, oracleProject, type Start, type WireLoan } from "./oracle.ts"
import { dollars, loanOf, projected, scenarioOf, shown, start } from "./worked/asking.ts"

const paye = { planType: "PAY AS YOU EARN" }
const icr = { planType: "INCOME CONTINGENT" }
const hundred: Partial<WireLoan> = { principalBalance: 100_000, interestRate: 0 }
const july2028: Start = { year: 2028, month: 7 }
const couple = { filingStatus: "MFJ", spouseFederalLoanBalance: 100_000 }

const paidIn = (answer: OracleProjection, month: number): string => shown(answer.exact.months[month]!.paid)

const outcomeOf = (answer: OracleProjection) => [
  dollars(answer.totalOutOfPocket),
  dollars(answer.amountForgiven),
  answer.forgivenessType,
  answer.monthsToFinish
]

describe("REPAYMENT ASSISTANCE as a successor", () => {
  it("follows PAY AS YOU EARN after 19 payments and runs to the 360th month", () => {
    // 19 * 300.50 + 341 * 250.00 = 5,709.50 + 85,250.00
    // left: 100,000 - 341 * 50.00 matched, and 19 * (566.67 - 300.50) = 5,057.17 of older interest
    const answer = projected(paye, [{ principalBalance: 100_000, interestRate: 0.068 }])
    expect([paidIn(answer, 18), paidIn(answer, 19)]).toEqual(["300.50", "250.00"])
    expect(outcomeOf(answer)).toEqual(["90959.50", "88007.17", "TimeBased", 359])
    expect(shown(answer.exact.months[358]!.interest)).toBe("5057.17")
  })

  it("follows in the calculator too", () => {
    const asked = { balance: 100_000, ratePct: 6.8, borrowerAgi: 60_000 }
    const planFrom = (from: Start) => oracleCalculate(asked, from).plans.find(({ plan }) => plan === "paye")!
    expect([planFrom(start).monthlyPayment, planFrom(start).totalPaid]).toEqual([30_050n, 9_095_950n])
    expect([planFrom(start).forgivenessAtMonth, planFrom(start).forgivenBalance]).toEqual([359, 8_800_717n])
    expect(planFrom(july2028).monthlyPayment).toBe(25_000n)
  })

  it("pays the month's interest, then the unpaid interest carried over, in one pool", () => {
    // Income 20,000, 30,000 and 45,000; 12,000 at 5 percent bears 50.00 a month.
    // PAY AS YOU EARN pays 0 for 12 months and 50.50 for 7: 12 * 50.00 - 7 * 0.50 = 596.50 unpaid.
    // REPAYMENT ASSISTANCE pays 50.00 from month 19.
    // Interest falls by 50.00 * 5 % / 12 = 0.2083 with each match,
    // so 0.2083 * (0 + 1 + 2 + 3 + 4) = 2.0833 goes to older interest: 594.42.
    // Month 24 pays 150.00: 48.9583 and 101.0417.
    const scenario = { ...paye, adjustedGrossIncome: 20_000, annualIncomeGrowth: 0.5 }
    const answer = projected(scenario, [{ principalBalance: 12_000, interestRate: 0.05 }])
    const { months } = answer.exact
    expect([0, 12, 19, 24].map((month) => paidIn(answer, month))).toEqual(["0.00", "50.50", "50.00", "150.00"])
    expect([18, 19, 23, 24].map((month) => shown(months[month]!.interest))).toEqual([
      "596.50",
      "596.50",
      "594.42",
      "493.38"
    ])
    expect(shown(months[24]!.principal)).toBe("11700.00")
  })

  it("uses the income of the year of July 2028, and a new one in the next year", () => {
    // 66,000: 10 % * (66,000 - 23,940) / 12 = 350.50; 6 % / 12 = 330.00. 72,600: 7 % / 12 = 423.50
    const answer = projected({ ...paye, annualIncomeGrowth: 0.1 }, [hundred])
    expect([11, 12, 18, 19, 23, 24].map((month) => paidIn(answer, month))).toEqual([
      "300.50",
      "350.50",
      "350.50",
      "330.00",
      "330.00",
      "423.50"
    ])
  })

  it("keeps the couple's share from the start", () => {
    // 10 % * (60,000 - 32,460) / 12 = 229.50, half of it 114.75; half of 250.00
    const answer = projected({ ...paye, ...couple }, [hundred])
    expect([paidIn(answer, 18), paidIn(answer, 19), paidIn(answer, 300)]).toEqual(["114.75", "125.00", "125.00"])
  })
})

describe("REPAYMENT ASSISTANCE after PAY AS YOU EARN of a couple with FFEL loans", () => {
  it("has a share of its own, without the FFEL loans", () => {
    // until then 10 % * (100,000 - 32,460) / 12 * 60 / 120 * 30 / 60 = 140.7083
    // 9 % * 100,000 / 12 = 750.00, of which 30,000 / (30,000 + 60,000)
    // FFEL, 30,000 at 6 percent in ten years: 333.0615
    const book = [
      { principalBalance: 30_000, interestRate: 0.06 },
      { loanType: "FFEL STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.06 }
    ]
    const scenario = { ...paye, ...couple, adjustedGrossIncome: 100_000, spouseFederalLoanBalance: 60_000 }
    const answer = projected(scenario, book)
    expect([paidIn(answer, 18), paidIn(answer, 19)]).toEqual(["473.77", "583.06"])
    // 333.0615 less: 250.00
    expect(paidIn(projected(scenario, book, july2028), 0)).toBe("583.06")
  })
})

describe("both successors of one book", () => {
  const book = [
    { loanType: "DIRECT PARENT PLUS CONSOLIDATED", principalBalance: 40_000, interestRate: 0 },
    { principalBalance: 60_000, interestRate: 0 }
  ]

  it("have a full payment each, capped by the ten-year amount", () => {
    // INCOME CONTINGENT: 100,000 / 144 * 95.12 % = 660.5556, in 19 months 12,550.5556, split 40:60
    // INCOME BASED (OLD): (40,000 - 5,020.2222) / 120 = 291.4981 < 450.75, in 120 months
    // REPAYMENT ASSISTANCE: 250.00, (60,000 - 7,530.3333) / 250 = 209.9, so 210 months
    const answer = projected(icr, book)
    expect([paidIn(answer, 18), paidIn(answer, 19)]).toEqual(["660.56", "541.50"])
    expect([paidIn(answer, 138), paidIn(answer, 139)]).toEqual(["541.50", "250.00"])
    expect(outcomeOf(answer)).toEqual(["100000.00", "0.00", "None", 228])
  })

  it("forgive after their own months each, below the ten-year cap", () => {
    // 20 % * 14,040 / 12 = 234.00; 19 * 234.00 = 4,446.00, split 1,778.40 and 2,667.60
    // 15 % * 6,060 / 12 = 75.75 in months 19 to 299: 281 * 75.75 = 21,285.75, forgiven 16,935.85
    // 2 % * 30,000 / 12 = 50.00 in months 19 to 359: 341 * 50.00 = 17,050.00, forgiven 40,282.40
    const answer = projected({ ...icr, adjustedGrossIncome: 30_000 }, book)
    expect([paidIn(answer, 18), paidIn(answer, 19), paidIn(answer, 300)]).toEqual(["234.00", "125.75", "50.00"])
    expect([shown(answer.exact.months[299]!.timeBased), shown(answer.exact.months[359]!.timeBased)]).toEqual([
      "16935.85",
      "40282.40"
    ])
    expect(outcomeOf(answer)).toEqual(["42781.75", "57218.25", "TimeBased", 359])
  })

  it("have a couple's share each, by the loans that pass to them, where INCOME CONTINGENT has none", () => {
    // 20 % * 38,360 / 12 = 639.3333, in 19 months 12,147.33, 40 % of it 4,858.93
    // 15 % * 27,540 / 12 * 40 / 140 = 98.3571, under (40,000 - 4,858.93) / 120 = 292.84
    // 250.00 * 60 / 160 = 93.75
    const answer = projected({ ...icr, ...couple }, book)
    expect([paidIn(answer, 18), paidIn(answer, 19)]).toEqual(["639.33", "192.11"])
    // from July 2028 on, with 20,000 of unpaid interest: 344.25 * 60 / 160 = 129.0938
    const unpaid = [{ ...book[0], interestBalance: 20_000 }, book[1]!]
    expect(paidIn(projected({ ...icr, ...couple }, unpaid, july2028), 0)).toBe("222.84")
  })

  it("count in a couple's share what the loans that pass to them owed at the start", () => {
    // the second loan is forgiven in month 0: 250.00 * 60 / 160
    const answer = projected({ ...icr, ...couple }, [book[1]!, { ...hundred, idrMonthsInRepayment: 299 }])
    expect(paidIn(answer, 19)).toBe("93.75")
  })

  it("take a consolidation of PLUS loans without a counted month, and charge its uncovered interest", () => {
    // No discretionary income, so nothing is paid.
    // 300 months of 12,000 * 5 % / 12 = 50.00 are forgiven with the loan.
    const poor = { ...icr, adjustedGrossIncome: 15_960 }
    const answer = projected(poor, [
      { loanType: "DIRECT PARENT PLUS CONSOLIDATED", principalBalance: 12_000, interestRate: 0.05 }
    ])
    expect(outcomeOf(answer)).toEqual(["0.00", "27000.00", "TimeBased", 299])
  })

  it("do not change a loan outside the plan", () => {
    const perkins = { loanType: "FEDERAL PERKINS", principalBalance: 12_000, interestRate: 0 }
    const answer = projected(paye, [hundred, perkins])
    expect([paidIn(answer, 18), paidIn(answer, 19)]).toEqual(["400.50", "350.00"])
  })
})

describe("a loan that ends near July 2028", () => {
  const counted = [
    // forgiven by PAY AS YOU EARN in month 240 - 221 - 1 = 18: 100,000 - 19 * 300.50
    ["PAY AS YOU EARN", 221, "5709.50", 18],
    // not forgiven before month 19; then in month 360 - 220 - 1 = 139, after 121 more payments of
    // 250.00
    ["PAY AS YOU EARN", 220, "35959.50", 139],
    // 100,000 / 144 * 95.12 % = 660.5556, 19 times; then 79 - 18 = 61 of 250.00
    ["INCOME CONTINGENT", 281, "12550.56", 18],
    ["INCOME CONTINGENT", 280, "27800.56", 79]
  ] as const
  it.each(counted)("under %s with %d counted months pays %s until month %d", (planType, months, paid, last) => {
    const answer = projected({ planType }, [{ ...hundred, idrMonthsInRepayment: months }])
    expect([dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual([paid, last])
    expect(answer.forgivenessType).toBe("TimeBased")
  })

  it("and is a consolidation of PLUS loans keeps its 300 months", () => {
    // 12,550.56, and in month 19 one payment of 450.75, under 87,449.44 / 120 = 728.75
    const loan = { ...hundred, loanType: "DIRECT PARENT PLUS CONSOLIDATED", idrMonthsInRepayment: 280 }
    expect(outcomeOf(projected(icr, [loan]))).toEqual(["13001.31", "86998.69", "TimeBased", 19])
  })

  const service = [
    [101, "5709.50", "94290.50", 18],
    [100, "5959.50", "94040.50", 19],
    [99, "6209.50", "93790.50", 20]
  ] as const
  it.each(service)("with %d PSLF payments pays %s, and %s is forgiven in month %d", (pslfCount, ...expected) => {
    const answer = projected({ ...paye, workingTowardsPslf: true }, [{ ...hundred, pslfCount }])
    const [paid, forgiven, last] = expected
    expect(outcomeOf(answer)).toEqual([paid, forgiven, "Pslf", last])
  })

  it("is tested again for whether PSLF or time comes first", () => {
    // forgiveness by time was due in month 240 - 200 - 1 = 39 and is now in 159; PSLF is in month
    // 59
    const passed = { ...hundred, idrMonthsInRepayment: 200, pslfCount: 60 }
    const servant = { ...paye, workingTowardsPslf: true }
    expect(outcomeOf(projected(servant, [passed]))).toEqual(["15959.50", "84040.50", "Pslf", 59])
    // forgiveness by time in month 14 is before PSLF in month 20 and before July 2028
    const before = { ...hundred, idrMonthsInRepayment: 225, pslfCount: 99 }
    expect(outcomeOf(projected(servant, [before]))).toEqual(["4507.50", "95492.50", "TimeBased", 14])
  })

  it("and is paid off in June 2028 does not move to a successor, but moves with one cent more", () => {
    // the cap is at least 50 a month: 19 * 50 = 950
    const small = (principalBalance: number) => projected(paye, [{ principalBalance, interestRate: 0 }])
    expect(outcomeOf(small(950))).toEqual(["950.00", "0.00", "None", 18])
    expect(outcomeOf(small(950.004))).toEqual(["950.00", "0.00", "None", 18])
    expect(outcomeOf(small(950.01))).toEqual(["950.01", "0.00", "None", 19])
    // 250.00 in month 19, the rest in month 20
    expect(outcomeOf(small(1_210))).toEqual(["1210.00", "0.00", "None", 20])
  })
})

describe("a projection that starts near or after July 2028", () => {
  it("pays under the plan once if it starts in June 2028, and never if later", () => {
    const from = (year: number, month: number) => {
      const answer = projected(paye, [hundred], { year, month })
      return [answer.year1MonthlyPayment, paidIn(answer, 0), paidIn(answer, 1)]
    }
    expect(from(2028, 6)).toEqual([301n, "300.50", "250.00"])
    expect(from(2028, 7)).toEqual([250n, "250.00", "250.00"])
    expect(from(2028, 9)).toEqual([250n, "250.00", "250.00"])
    expect(from(2027, 12)).toEqual([301n, "300.50", "300.50"])
  })

  it("computes the ten-year cap from the book as sent", () => {
    // INCOME BASED (OLD): 36,000 / 120 = 300 < 450.75
    const loan = {
      loanType: "DIRECT PARENT PLUS CONSOLIDATED",
      principalBalance: 30_000,
      interestBalance: 6_000,
      interestRate: 0
    }
    expect(paidIn(projected(icr, [loan], july2028), 0)).toBe("300.00")
  })

  it("still tests the counted months against the requested plan", () => {
    const loans = (idrMonthsInRepayment: number) => [loanOf({ ...hundred, idrMonthsInRepayment })]
    const refused = oracleProject({ scenario: scenarioOf(paye), loans: loans(240) }, july2028)
    expect(refused).toMatchObject({ kind: "artifact", loans: [0] })
    // 360 - 239 - 1 = 120, so 121 payments of 250.00
    expect(outcomeOf(projected(paye, loans(239), july2028))).toEqual(["30250.00", "69750.00", "TimeBased", 120])
  })

  it("is the same as an early one under the other plans", () => {
    const plans = ["INCOME BASED", "INCOME BASED (OLD)", "REVISED PAY AS YOU EARN", "SAVE", "REPAYMENT ASSISTANCE"]
    for (const planType of plans) {
      const [early, late] = [start, july2028].map((from) => projected({ planType }, [hundred], from).exact.months)
      expect(early).toEqual(late)
    }
    // 240 * 300.50
    const revised = projected({ planType: "REVISED PAY AS YOU EARN" }, [hundred])
    expect(outcomeOf(revised)).toEqual(["72120.00", "27880.00", "TimeBased", 239])
  })
})
