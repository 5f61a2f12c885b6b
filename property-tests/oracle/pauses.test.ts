/**
 * Tests of the oracle against hand-worked projections with pauses. Repayment starts in December
 * 2026, so March 2027 is month 3 and July 2028 is month 19. A loan of 12,000 at 6 percent bears
 * 60.00 a month. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { graduatedSteps } from "./amortization.ts"
import { decimal, ZERO } from "./decimal.ts"
import { type OracleProjection, oracleProject, type WirePause, type WireScenario } from "./oracle.ts"
import { direct, dollars, free, type Loans, loanOf, projected, scenarioOf, shown, start } from "./worked/asking.ts"

type Scenario = Partial<WireScenario> & Pick<WireScenario, "planType">

const standard = { planType: "STANDARD" }
const rap = { planType: "REPAYMENT ASSISTANCE" }
/** Pays nothing, because there is no income. */
const nothing = { planType: "INCOME BASED", adjustedGrossIncome: 0 }
const twelve = { principalBalance: 12_000, interestRate: 0.06 }

const paused = (scenario: Scenario, loans: Loans, ...pauses: ReadonlyArray<WirePause>) =>
  projected({ ...scenario, pauses }, loans)

const untilMarch = (kind: string): WirePause => ({ kind, until: "2027-03" })
const forbearance = (from: string, until: string, loans?: ReadonlyArray<number>): WirePause => ({
  kind: "Forbearance",
  from,
  until,
  ...(loans === undefined ? {} : { loans })
})

type Part = "accrued" | "paid" | "waived" | "matched" | "principal" | "interest" | "timeBased"

const amounts = (answer: OracleProjection, part: Part, ...months: ReadonlyArray<number>) =>
  months.map((month) => shown(answer.exact.months[month]![part]))

const outcomeOf = (answer: OracleProjection) => [
  shown(answer.exact.firstPayment),
  dollars(answer.totalOutOfPocket),
  dollars(answer.amountForgiven),
  answer.payoffOrForgivenessDate?.slice(0, "YYYY-MM".length)
]

describe("a student in school until May 2027", () => {
  const head = { filingStatus: "HeadOfHousehold", dependents: 1, adjustedGrossIncome: 29_000, state: "OH" }
  const loans = [
    { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 3_500, interestRate: 0.055 },
    { principalBalance: 6_000, interestRate: 0.055 }
  ]
  const cases = [
    ["STANDARD", ["104.59", "12548.58", "0.00", "2037-04"]],
    ["REPAYMENT ASSISTANCE", ["10.00", "3600.00", "6037.50", "2057-04"]]
  ] as const
  it.each(cases)("repays on %s from then on", (planType, outcome) => {
    const answer = paused({ ...head, planType }, loans, { kind: "InSchool", until: "2027-05" })
    expect(outcomeOf(answer)).toEqual(outcome)
    expect(amounts(answer, "paid", 4, 5)).toEqual(["0.00", outcome[0]])
  })
})

describe("a county employee with 80 payments of public service", () => {
  const county = {
    ...rap,
    adjustedGrossIncome: 71_000,
    state: "NC",
    dependents: 1,
    workingTowardsPslf: true
  }
  const loans = [
    { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 18_000, interestRate: 0.042, interestBalance: 900 },
    { principalBalance: 25_000, interestRate: 0.051, interestBalance: 1_500 },
    {
      loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED",
      principalBalance: 20_000,
      interestRate: 0.061,
      interestBalance: 1_500
    }
  ].map((loan) => ({ ...loan, idrMonthsInRepayment: 80, pslfCount: 80 }))

  it("is forgiven three months later after three months of forbearance", () => {
    expect(outcomeOf(projected(county, loans))).toEqual(["364.17", "14566.67", "61002.29", "2030-03"])
    expect(outcomeOf(paused(county, loans, untilMarch("Forbearance")))).toEqual([
      "364.17",
      "14566.67",
      "61815.04",
      "2030-06"
    ])
  })

  it("is forgiven less with a budget of 600", () => {
    expect(outcomeOf(projected({ ...county, monthlyBudget: 600 }, loans))).toEqual([
      "364.17",
      "24000.00",
      "51651.51",
      "2030-03"
    ])
  })
})

describe("the interest of a loan paused until March 2027", () => {
  /** The interest of months 0 and 3: 60.90 if 180.00 joined principal. */
  const cases = [
    ["DIRECT STAFFORD UNSUBSIDIZED", ["60.00", "60.00"], ["60.00", "60.90"], ["60.00", "60.00"]],
    ["DIRECT STAFFORD SUBSIDIZED", ["0.00", "60.00"], ["0.00", "60.00"], ["60.00", "60.00"]],
    ["DIRECT CONSOLIDATED SUBSIDIZED", ["0.00", "60.00"], ["0.00", "60.00"], ["60.00", "60.00"]],
    ["DIRECT PLUS GRADUATE", ["60.00", "60.90"], ["60.00", "60.90"], ["60.00", "60.00"]],
    ["DIRECT CONSOLIDATED UNSUBSIDIZED", ["60.00", "60.90"], ["60.00", "60.90"], ["60.00", "60.00"]],
    ["FFEL STAFFORD UNSUBSIDIZED", ["60.00", "60.90"], ["60.00", "60.90"], ["60.00", "60.90"]],
    ["FFEL STAFFORD SUBSIDIZED", ["0.00", "60.00"], ["0.00", "60.00"], ["60.00", "60.90"]],
    ["FEDERALLY INSURED (FISL)", ["60.00", "60.90"], ["60.00", "60.90"], ["60.00", "60.90"]],
    ["FEDERAL PERKINS", ["0.00", "60.00"], ["0.00", "60.00"], ["60.00", "60.00"]],
    ["HEALTH PROFESSIONS STUDENT LOAN (HPSL)", ["0.00", "60.00"], ["0.00", "60.00"], ["60.00", "60.00"]],
    ["INCOME CONTINGENT (ICL)", ["60.00", "60.00"], ["60.00", "60.00"], ["60.00", "60.00"]]
  ] as const
  it.each(cases)("of type %s accrues and joins principal by kind", (loanType, inSchool, deferment, forborne) => {
    const under = (kind: string) =>
      amounts(paused(standard, [{ ...twelve, loanType }], untilMarch(kind)), "accrued", 0, 3)
    expect([under("InSchool"), under(" deferment"), under("FORBEARANCE")]).toEqual([inSchool, deferment, forborne])
  })

  it("joins principal as in deferment if the loan has counted months or was due before", () => {
    const inMarch = (loan: object, ...pauses: ReadonlyArray<WirePause>) =>
      amounts(paused(nothing, [{ ...twelve, ...loan }], ...pauses), "accrued", 6)
    const late = { kind: "InSchool", from: "2027-03", until: "2027-06" }
    expect(inMarch({ idrMonthsInRepayment: 1 }, untilMarch("InSchool"))).toEqual(["60.90"])
    expect(inMarch({ pslfCount: 1 }, untilMarch("InSchool"))).toEqual(["60.90"])
    expect(inMarch({}, late)).toEqual(["60.90"])
    expect(inMarch({}, untilMarch("InSchool"), late)).toEqual(["60.00"])
    expect(inMarch({}, untilMarch("Deferment"), late)).toEqual(["60.90"])
  })

  it("joins principal at the end of each of two pauses that touch", () => {
    // 180.00 in three months, then 3 * 60.90; the older 500.00 never
    const second = { kind: "Deferment", from: "2027-03", until: "2027-06" }
    const answer = paused(nothing, [{ ...twelve, interestBalance: 500 }], untilMarch("Deferment"), second)
    expect(amounts(answer, "principal", 2, 3, 5, 6)).toEqual(["12000.00", "12180.00", "12180.00", "12362.70"])
    expect(amounts(answer, "interest", 2, 3, 5, 6)).toEqual(["680.00", "560.90", "682.70", "561.81"])
  })

  it("joins principal as far as it is from month 0 on and still unpaid", () => {
    const principal = (loan: object, more: Partial<WireScenario> = {}) =>
      amounts(
        projected({ ...nothing, pauses: [{ ...untilMarch("Deferment"), from: "2020-01" }], ...more }, [
          { ...twelve, ...loan }
        ]),
        "principal",
        3
      )
    expect(principal({ interestBalance: 500 })).toEqual(["12180.00"])
    // 120.00 accrued by January 2027 and 100.00 paid; 60.00 more
    expect(principal({}, { lumpSums: [{ on: "2027-01", amount: 100 }] })).toEqual(["12080.00"])
  })
})

describe("a fixed plan with a pause", () => {
  it("sets the level amount from what is owed when a later pause ends", () => {
    // 100.00 for 3 months; then 12,000 - 300 - 3,000 over 117 months: 74.36
    const scenario = { ...standard, lumpSums: [{ on: "2027-04", amount: 3_000 }] }
    const answer = paused(scenario, [direct(12_000)], forbearance("2027-03", "2027-06"))
    expect(amounts(answer, "paid", 2, 3, 4, 6)).toEqual(["100.00", "0.00", "3000.00", "74.36"])
    expect([dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual(["12000.00", 122])
  })

  it("and prior months has the rest of the term", () => {
    // 6,000 / 60 = 100.00
    const answer = paused(standard, [direct(6_000, { idrMonthsInRepayment: 60 })], untilMarch("Forbearance"))
    expect([amounts(answer, "paid", 3), answer.monthsToFinish]).toEqual([["100.00"], 62])
  })

  it("pays what is owed in the last due month of the term", () => {
    const loan = direct(200, { idrMonthsInRepayment: 116 })
    const answer = paused(standard, [loan], forbearance("2027-03", "2027-06"))
    expect(amounts(answer, "paid", 0, 1, 2, 3, 6)).toEqual(["50.00", "50.00", "50.00", "0.00", "50.00"])
    expect(answer.monthsToFinish).toBe(6)
  })

  it("has its least payment of 50 over the loans that are due", () => {
    // 3,000 / 120 = 25.00, alone 50.00; 2,400 / 120 = 20.00 beside 50.00
    const answer = paused(standard, [direct(3_000), direct(2_400)], { ...untilMarch("Forbearance"), loans: [1] })
    expect(amounts(answer, "paid", 0, 3)).toEqual(["50.00", "70.00"])
  })

  it("scales to 50 only the amounts that are set", () => {
    // 45.00 in all, so 27.78 and 22.22. In month 6: (2,400 - 3 * 22.22 - 1,900) / 117 = 3.70,
    // raised to 22.22
    const scenario = { ...standard, lumpSums: [{ on: "2027-04", amount: 1_900 }] }
    const loans = [direct(3_000), direct(2_400, { interestRate: 0.000001 })]
    const answer = paused(scenario, loans, forbearance("2027-03", "2027-06", [1]))
    expect(amounts(answer, "paid", 0, 3, 4, 6)).toEqual(["50.00", "27.78", "1927.78", "50.00"])
  })

  it("that is graduated runs over the months left", () => {
    const graduated = { planType: "GRADUATED" }
    const [plain, later] = [
      projected(graduated, [twelve]),
      paused(graduated, [direct(12_000)], forbearance("2028-12", "2029-03"))
    ]
    const shifted = paused(graduated, [{ ...twelve, loanType: "DIRECT STAFFORD SUBSIDIZED" }], {
      kind: "InSchool",
      until: "2028-12"
    })
    expect(shifted.exact.months.slice(24).map(({ paid }) => paid)).toEqual(plain.exact.months.map(({ paid }) => paid))
    // 24 payments of 53.60
    const paid = later.exact.months[0]!.paid * 24n
    const steps = graduatedSteps(decimal("12000") - paid, ZERO, ZERO, 96)
    expect(amounts(later, "paid", 27, 51)).toEqual([shown(steps[0]!), shown(steps[1]!)])
    expect(later.monthsToFinish).toBe(122)
  })
})

describe("an income-driven plan with a pause", () => {
  it("pays what it bills on the loans that are due", () => {
    const answer = paused({ planType: "INCOME BASED" }, [direct(60_000), direct(60_000)], {
      ...untilMarch("Forbearance"),
      loans: [1]
    })
    expect(amounts(answer, "paid", 0, 3)).toEqual(["300.50", "300.50"])
  })

  it("is capped with the loans that are paused, as they are when the first is due", () => {
    const rich = { planType: "INCOME BASED", adjustedGrossIncome: 1_000_000 }
    const two = [direct(12_000), direct(6_000)]
    expect(amounts(paused(rich, two, { ...untilMarch("Forbearance"), loans: [1] }), "paid", 0, 3)).toEqual([
      "150.00",
      "150.00"
    ])
    // 100.00 and 133.22 of 12,000 at 6 percent: without the 60.00 that it accrues in the month
    const accruing = [direct(12_000), loanOf(twelve)]
    expect(amounts(paused(rich, accruing, { ...untilMarch("Forbearance"), loans: [1] }), "paid", 0)).toEqual(["233.22"])
    // 12,000 - 2,400 over 120 months
    const scenario = { ...rich, lumpSums: [{ on: "2026-12", amount: 2_400 }] }
    expect(amounts(paused(scenario, [direct(12_000)], untilMarch("Forbearance")), "paid", 3)).toEqual(["80.00"])
    // 24,000 at 6 percent over 120 months, without the interest of month 0 of the paused loan
    const bearing = paused(rich, [twelve, twelve], { ...untilMarch("Forbearance"), loans: [1] })
    expect(amounts(bearing, "paid", 0)).toEqual(["266.45"])
  })

  it("pools, waives and matches what is due alone", () => {
    // Both: 250.00 - 200.00 is matched with 0. One: 250.00 - 100.00, and 100.00 of the other accrue.
    const loans = [loanOf({ principalBalance: 20_000 }), loanOf({ principalBalance: 20_000 })]
    const answer = paused(rap, loans, { ...untilMarch("Forbearance"), loans: [0] })
    expect([answer.exact.months[0]!.principal, answer.exact.months[0]!.interest].map(shown)).toEqual([
      "39850.00",
      "100.00"
    ])
    const poor = paused({ ...rap, adjustedGrossIncome: 0 }, loans, { ...untilMarch("Forbearance"), loans: [0] })
    expect([amounts(poor, "waived", 0, 3), amounts(poor, "matched", 0, 3)]).toEqual([
      ["90.00", "189.85"],
      ["10.00", "10.00"]
    ])
  })

  it("forgives by due months", () => {
    const loan = direct(100_000, { idrMonthsInRepayment: 238 })
    expect(paused(nothing, [loan], untilMarch("Deferment")).monthsToFinish).toBe(4)
    expect(paused(nothing, [loan], forbearance("2027-01", "2027-03")).monthsToFinish).toBe(3)
    const servant = { ...nothing, workingTowardsPslf: true }
    expect(
      paused(servant, [direct(100_000, { pslfCount: 118 })], forbearance("2027-01", "2027-03")).monthsToFinish
    ).toBe(3)
  })

  it("has its 36 subsidized months from the first that is due, paused ones too", () => {
    const loan = { ...twelve, loanType: "DIRECT STAFFORD SUBSIDIZED" }
    const inForce = paused(nothing, [loan], forbearance("2027-10", "2028-01"))
    expect(amounts(inForce, "waived", 9, 10, 12, 13, 35, 36)).toEqual([
      "60.00",
      "0.00",
      "0.00",
      "60.00",
      "60.00",
      "0.00"
    ])
    expect(amounts(paused(nothing, [loan], untilMarch("Deferment")), "waived", 2, 3, 38, 39)).toEqual([
      "0.00",
      "60.00",
      "60.00",
      "0.00"
    ])
  })

  it("goes on counting the years of income", () => {
    const rising = { planType: "INCOME BASED", annualIncomeGrowth: 0.1 }
    // 10 % * (66,000 - 23,940) / 12
    expect(
      amounts(paused(rising, [direct(100_000)], { kind: "Forbearance", until: "2028-01" }), "paid", 12, 13)
    ).toEqual(["0.00", "350.50"])
  })
})

describe("a pause over July 2028", () => {
  const icr = { planType: "INCOME CONTINGENT", adjustedGrossIncome: 0 }
  const parents = (idrMonthsInRepayment: number) =>
    free("DIRECT PARENT PLUS CONSOLIDATED", 10_000, { idrMonthsInRepayment })

  it("ends under the successor", () => {
    const answer = paused({ planType: "PAY AS YOU EARN" }, [direct(100_000)], forbearance("2028-06", "2028-09"))
    expect(amounts(answer, "paid", 17, 18, 19, 20, 21)).toEqual(["300.50", "0.00", "0.00", "0.00", "250.00"])
  })

  it("forgives a count that is complete in the first due month", () => {
    // due in 0 to 9 and from 30 on: 290 and 10 more
    expect(paused(icr, [parents(280)], forbearance("2027-10", "2029-06")).monthsToFinish).toBe(39)
    expect(paused(icr, [parents(299)], { kind: "Forbearance", until: "2028-10" }).monthsToFinish).toBe(22)
    // INCOME BASED asks for 240, INCOME CONTINGENT for 300
    const newBorrower = { ...icr, firstBorrowedOn: "2015-01-01" }
    const forborne = { kind: "Forbearance", until: "2028-10" }
    expect(paused(newBorrower, [parents(250)], forborne).monthsToFinish).toBe(22)
    // 280 + 20 = 300 in month 19
    expect(paused(icr, [parents(280)]).monthsToFinish).toBe(19)
  })

  it("sets the ten-year cap of the successor in the first due month", () => {
    // 100.00 for 18 months, 5,400 in month 19: (12,000 - 1,800 - 5,400) / 120
    const scenario = { ...icr, adjustedGrossIncome: 1_000_000, lumpSums: [{ on: "2028-07", amount: 5_400 }] }
    const loan = free("DIRECT PARENT PLUS CONSOLIDATED", 120_000)
    const answer = paused(scenario, [loan], forbearance("2028-06", "2028-10"))
    const owed = answer.exact.months[21]!.principal
    expect(amounts(answer, "paid", 18, 19, 21, 22)).toEqual(["0.00", "5400.00", "0.00", shown(owed / 120n)])
  })
})

describe("a pause", () => {
  it("that is over changes nothing", () => {
    const over = [{ kind: "Deferment", until: "2026-12" }, forbearance("1958-09", "2026-11")]
    expect(paused(nothing, [twelve], ...over)).toEqual(projected(nothing, [twelve]))
  })

  it("of a book that is never due leaves the first payment at 0", () => {
    const scenario = { ...standard, lumpSums: [{ on: "2027-01", amount: 20_000 }] }
    const answer = paused(scenario, [direct(12_000)], untilMarch("Deferment"))
    expect([answer.year1MonthlyPayment, dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual([
      0n,
      "12000.00",
      1
    ])
  })

  it("does not move what is refused", () => {
    const pauses = [untilMarch("Forbearance")]
    const loans = [loanOf({ idrMonthsInRepayment: 119 })]
    expect(oracleProject({ scenario: scenarioOf({ ...standard, pauses }), loans }, start).kind).toBe("artifact")
  })
})
