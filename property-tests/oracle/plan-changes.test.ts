/**
 * Tests of the oracle against hand-worked projections with changes of plan. Repayment starts in
 * December 2026, so January 2027 is month 1, July 2028 month 19 and August 2028 month 20. A single
 * person with $60,000 pays $300.50 under INCOME BASED and PAY AS YOU EARN, $250.00 under REPAYMENT
 * ASSISTANCE and $450.75 under INCOME BASED (OLD). The engine is not involved.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs, seedOr } from "../../test/support/random.ts"
import { monthText } from "./calendar.ts"
import { type Decimal, ONE, ZERO } from "./decimal.ts"
import { type OracleProjection, oracleProject, type Start, type WirePlanChange, type WireScenario } from "./oracle.ts"
import {
  direct,
  dollars,
  ffel,
  free,
  type Loans,
  loanOf,
  projected,
  scenarioOf,
  shown,
  start
} from "./worked/asking.ts"

type Scenario = Partial<WireScenario>

const rap = "REPAYMENT ASSISTANCE"
const ibr = "INCOME BASED"
const old = "INCOME BASED (OLD)"
const paye = "PAY AS YOU EARN"
const icr = "INCOME CONTINGENT"

/** Plans and the months between them: `[first, 20, second, ...]`. */
function planned(plans: ReadonlyArray<string | number>, scenario: Scenario = {}): WireScenario {
  const planChanges: Array<WirePlanChange> = []
  for (let i = 1; i < plans.length; i += 2) {
    planChanges.push({ from: monthText(start, Number(plans[i])), planType: String(plans[i + 1]) })
  }
  return scenarioOf({ ...scenario, planType: String(plans[0]), planChanges })
}

const changing = (plans: ReadonlyArray<string | number>, loans: Loans, scenario: Scenario = {}): OracleProjection =>
  projected(planned(plans, scenario), loans)

function refused(plans: ReadonlyArray<string | number>, loans: Loans, scenario: Scenario = {}, from: Start = start) {
  const answer = oracleProject({ scenario: planned(plans, scenario), loans: loans.map(loanOf) }, from)
  return answer.kind === "projection" ? null : [answer.kind, answer.change, answer.reason, ...answer.loans]
}

/** A double next to a decimal. */
const numberOf = (value: Decimal): number => Number(value / (ONE / 10n ** 9n)) / 1e9

type Part = "accrued" | "paid" | "waived" | "principal" | "interest"

const amounts = (answer: OracleProjection, part: Part, ...months: ReadonlyArray<number>) =>
  months.map((month) => shown(answer.exact.months[month]![part]))

const poor = { adjustedGrossIncome: 0 }
const twelve = { principalBalance: 12_000, interestRate: 0.06 }
const parents = (balance: number, more = {}) => free("DIRECT PARENT PLUS CONSOLIDATED", balance, more)

describe("90,000 at 6.6 percent with 60 months counted", () => {
  const loan = { principalBalance: 90_000, interestRate: 0.066, idrMonthsInRepayment: 60 }
  const cases = [
    [[paye], ["93136.17", "17392.92"]],
    [
      [paye, 18, ibr],
      ["57090.00", "27636.40"]
    ],
    [[ibr], ["57090.00", "27636.40"]]
  ] as const
  it.each(cases)("under %j", (plans, figures) => {
    const answer = changing(plans, [loan], { adjustedGrossIncome: 62_000 })
    expect([answer.totalOutOfPocket, answer.forgivenessTaxesOwed].map(dollars)).toEqual(figures)
  })
})

describe("a change that has happened", () => {
  it("is the plan of month 0, of several the last", () => {
    const answer = changing(["SAVE", -9, "STANDARD", -1, "EXTENDED", 0, rap], [direct(100_000)])
    expect(answer).toEqual(changing([rap], [direct(100_000)]))
    expect(answer.planType).toBe(rap)
  })

  it("may be to a plan that cannot be elected, and is refused as planType is", () => {
    expect(changing([rap, 0, "SAVE"], [direct(100_000)]).planType).toBe("SAVE")
    expect(refused([rap, -3, "STANDARD", 0, ibr], [free("FEDERAL PERKINS", 1_000)])).toEqual([
      "ineligible",
      1,
      undefined,
      0
    ])
    expect(refused([rap, -3, "STANDARD"], [direct(1_000, { idrMonthsInRepayment: 119 })])).toEqual([
      "artifact",
      0,
      undefined,
      0
    ])
  })

  it("is the plan that a later change leaves", () => {
    expect(refused(["STANDARD", 0, ibr, 1, "EXTENDED"], [direct(100_000)])).toEqual([
      "change",
      1,
      "leaves INCOME BASED"
    ])
    expect(refused([ibr, 0, "STANDARD", 1, "EXTENDED"], [direct(100_000)])).toBeNull()
  })
})

describe("a change is refused", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string | number>, string | null]> = [
    [["STANDARD", 1, "SAVE"], "not electable"],
    [["STANDARD", 1, "REVISED PAY AS YOU EARN"], "not electable"],
    [["STANDARD", 18, paye], null],
    [["STANDARD", 19, paye], "ended"],
    [["STANDARD", 20, icr], "ended"],
    [[paye, 19, icr], "ended"],
    [["STANDARD", 1, "STANDARD"], "in force"],
    [["SAVE", 1, rap], null],
    [["SAVE", 1, "SAVE"], "not electable"],
    [[ibr, 1, "EXTENDED"], "leaves INCOME BASED"],
    [[ibr, 1, "GRADUATED"], "leaves INCOME BASED"],
    [[ibr, 1, old], "leaves INCOME BASED"],
    [[old, 1, ibr], "leaves INCOME BASED"],
    [[ibr, 18, paye], "leaves INCOME BASED"],
    [[ibr, 18, icr], "leaves INCOME BASED"],
    [[ibr, 1, rap], null],
    [[old, 1, "STANDARD"], null],
    [[ibr, 1, "STANDARD", 2, "EXTENDED"], null],
    // 3.6 moves the loan to REPAYMENT ASSISTANCE.
    [[paye, 19, rap], null],
    [[paye, 20, rap], "in force"],
    [[paye, 20, ibr], null],
    [[paye, 20, "EXTENDED"], null]
  ]
  it.each(cases)("%j: %s", (plans, reason) => {
    const position = plans.length / 2 - 1.5
    expect(refused(plans, [direct(500_000)])).toEqual(reason === null ? null : ["change", position, reason])
  })

  it("when it takes no loan that is open then, by what is owed then", () => {
    // 30,010 - 20 * 250.08; with 290.00 of unpaid interest a month 29,000 is over 30,000 in month 4
    expect(refused(["STANDARD", 20, "EXTENDED"], [direct(500), direct(29_510)])).toEqual([
      "change",
      0,
      "takes no loan",
      0,
      1
    ])
    const growing = [{ principalBalance: 29_000, interestRate: 0.12 }]
    expect(refused([icr, 3, "EXTENDED"], growing, poor)).toEqual(["change", 0, "takes no loan", 0])
    expect(refused([icr, 4, "EXTENDED"], growing, poor)).toBeNull()
    // 30,160 at 12 percent over 296 months
    expect(amounts(changing([icr, 4, "EXTENDED"], growing, poor), "paid", 4)).toEqual(["318.34"])
  })

  it("when a consolidation of PLUS loans has no due month under an income-driven plan", () => {
    expect(refused([icr, 1, ibr], [parents(50_000)])).toBeNull()
    expect(refused(["STANDARD", 1, ibr], [parents(50_000)])).toEqual(["change", 0, "takes no loan", 0])
    const pauses = [{ kind: "Forbearance", until: "2027-01" }]
    expect(refused([icr, 1, ibr], [parents(50_000)], { pauses })).toEqual(["change", 0, "takes no loan", 0])
    expect(refused([icr, 2, ibr], [parents(50_000)], { pauses })).toBeNull()
  })

  it("when a new schedule has at most a month", () => {
    expect(refused([rap, 118, "STANDARD"], [direct(500_000)])).toBeNull()
    expect(refused([rap, 119, "STANDARD"], [direct(500_000)])).toEqual(["change", 0, "a month left at most", 0])
    const counted = [direct(500_000), direct(500_000, { idrMonthsInRepayment: 60 })]
    expect(refused([rap, 59, "STANDARD"], counted)).toEqual(["change", 0, "a month left at most", 1])
    expect(refused([rap, 58, "STANDARD"], counted)).toBeNull()
    expect(refused([rap, 59, "EXTENDED"], counted)).toBeNull()
  })

  it("before the plan of month 0 if its months do not matter, and after it otherwise", () => {
    const perkins = [free("FEDERAL PERKINS", 1_000)]
    expect(refused([rap, 1, "SAVE"], perkins)).toEqual(["change", 0, "not electable"])
    expect(refused([rap, 1, "EXTENDED"], perkins)).toEqual(["ineligible", undefined, undefined, 0])
    expect(refused(["STANDARD", 1, ibr, 2, "SAVE"], perkins)).toEqual(["change", 1, "not electable"])
  })

  it("after the last month only for what needs no months", () => {
    const small = [direct(500)]
    const short = changing(["STANDARD"], small)
    expect(short.monthsToFinish).toBe(9)
    for (const plans of [
      ["STANDARD", 10, "EXTENDED"],
      ["STANDARD", 400, rap, 600, "GRADUATED"]
    ]) {
      expect(changing(plans, small)).toEqual(short)
    }
    expect(refused(["STANDARD", 10, "SAVE"], small)).toEqual(["change", 0, "not electable"])
    expect(refused(["STANDARD", 400, paye], small)).toEqual(["change", 0, "ended"])
    expect(refused(["STANDARD", 10, rap, 11, rap], small)).toEqual(["change", 1, "in force"])
  })
})

describe("a fixed plan after a change", () => {
  it("has the months of its term that are left", () => {
    // 12,000 over 120 - 20, over 120 - 60 - 20, and over 120 - 18 with two months paused
    const toStandard = (more = {}, scenario = {}) =>
      changing([ibr, 20, "STANDARD"], [direct(12_000, more)], { ...poor, ...scenario })
    const counted = toStandard({ idrMonthsInRepayment: 30, pslfCount: 60 })
    expect([amounts(toStandard(), "paid", 19, 20), toStandard().monthsToFinish]).toEqual([["0.00", "120.00"], 119])
    expect([amounts(counted, "paid", 20), counted.monthsToFinish]).toEqual([["300.00"], 59])
    const paused = toStandard({}, { pauses: [{ kind: "Forbearance", until: "2027-02" }] })
    expect([amounts(paused, "paid", 20), paused.monthsToFinish]).toEqual([["117.65"], 121])
  })

  it("sets its amounts in the first due month", () => {
    const pauses = [{ kind: "Forbearance", from: "2028-06", until: "2028-10" }]
    // due in 0 to 17 and from 22 on: 120 - 18 months
    const answer = changing([ibr, 20, "STANDARD"], [direct(12_000)], { ...poor, pauses })
    expect([amounts(answer, "paid", 20, 21, 22), answer.monthsToFinish]).toEqual([["0.00", "0.00", "117.65"], 123])
  })

  it("goes on beside the plan on a schedule that was STANDARD's, and begins another otherwise", () => {
    // FFEL beside: 12,000 / 120 before and after; Direct: 60 counted, 20 due, 40 left of 12,000 - 5,000
    const plenty = { adjustedGrossIncome: 60_000 }
    const before = changing([rap, 20, "STANDARD"], [direct(12_000, { idrMonthsInRepayment: 60 }), ffel(12_000)], plenty)
    expect(amounts(before, "paid", 0, 20, 59, 60, 119)).toEqual(["350.00", "275.00", "275.00", "100.00", "100.00"])
    // 60 counted: 12,000 / 60 as an own loan, and the same beside REPAYMENT ASSISTANCE
    const after = changing(["STANDARD", 20, rap], [direct(300_000), ffel(12_000, { idrMonthsInRepayment: 60 })], plenty)
    expect(amounts(after, "paid", 0, 20, 59, 60)).toEqual(["2700.00", "450.00", "450.00", "250.00"])
    // 60,000 / 300 = 200; beside from month 20 on: 56,000 / 120
    const fresh = changing(["EXTENDED", 20, rap], [direct(300_000), ffel(60_000)], plenty)
    expect(amounts(fresh, "paid", 0, 20, 139, 140)).toEqual(["1200.00", "716.67", "716.67", "250.00"])
  })

  it("takes the loans that fit, wherever they were before", () => {
    // Perkins stays at 60,000 / 120. FFEL and Direct: 60,000 / 120 for 20 months, then 50,000 / 280
    const loans = [direct(60_000), ffel(60_000), free("FEDERAL PERKINS", 60_000)]
    const answer = changing(["STANDARD", 20, "EXTENDED"], loans)
    expect(amounts(answer, "paid", 19, 20, 119, 120)).toEqual(["1500.00", "857.14", "857.14", "357.14"])
    expect(answer.monthsToFinish).toBe(299)
  })

  it("keeps the term of a consolidation that the start gave it", () => {
    // 22,000 and 12,000: 240 months, of which 20 pay nothing
    const loans = [free("DIRECT CONSOLIDATED UNSUBSIDIZED", 22_000), direct(12_000)]
    const answer = changing([ibr, 20, "STANDARD"], loans, poor)
    expect(amounts(answer, "paid", 20, 119, 120)).toEqual(["220.00", "220.00", "100.00"])
    expect(answer.monthsToFinish).toBe(239)
  })

  it("is a new tier, by the principal of the Direct loans that are open then", () => {
    // 30,000 / 180; REPAYMENT ASSISTANCE leaves 30,000 - 24 * 250.00 = 24,000: 24,000 / 120
    const loan = direct(30_000, { madeOn: "2026-08-01" })
    expect(amounts(changing(["STANDARD"], [loan]), "paid", 0)).toEqual(["166.67"])
    const answer = changing([rap, 24, "STANDARD"], [loan])
    expect([amounts(answer, "paid", 24), answer.monthsToFinish]).toEqual([["200.00"], 143])
  })

  it("pays at least 50 with the amounts that were set before", () => {
    // Beside: 3,600 / 120 for two loans, of which a lump sum pays off one. Then 20.00, not 1,000 / 120.
    const loans = [direct(1_000), ffel(3_600), ffel(3_600, { interestRate: 0.01 })]
    const pauses = [{ kind: "Forbearance", until: "2028-08", loans: [0] }]
    const lumpSums = [{ on: "2026-12", amount: 3_600 }]
    const answer = changing([rap, 20, "STANDARD"], loans, { pauses, lumpSums })
    expect(amounts(answer, "paid", 19, 20)).toEqual(["30.00", "50.00"])
  })
})

describe("an income-driven plan after a change", () => {
  it("is capped by what is owed then", () => {
    // STANDARD pays 20 * 500; the cap is 50,000 / 120
    const rich = { adjustedGrossIncome: 1_000_000 }
    const answer = changing(["STANDARD", 20, ibr], [direct(60_000)], rich)
    expect(amounts(answer, "paid", 19, 20)).toEqual(["500.00", "416.67"])
  })

  it("uses the income of the year of the change, and a new one in the next year", () => {
    // 66,000: 10 % * (66,000 - 23,940) / 12 = 350.50. 72,600: 405.50
    const answer = changing(["STANDARD", 20, ibr], [direct(60_000)], { annualIncomeGrowth: 0.1 })
    expect(amounts(answer, "paid", 19, 20, 23, 24)).toEqual(["500.00", "350.50", "350.50", "405.50"])
  })

  it("shares with a spouse by what its loans owed in month 0", () => {
    // 250.00 * 60,000 / 100,000 and * 20,000 / 60,000: the other loan is paid off in month 0
    const scenario = { filingStatus: "MFJ", spouseFederalLoanBalance: 40_000 }
    const whole = changing(["STANDARD", 20, rap], [direct(60_000)], scenario)
    expect(amounts(whole, "paid", 20)).toEqual(["150.00"])
    const lumpSums = [{ on: "2026-12", amount: 39_666.67 }]
    const loans = [direct(40_000, { interestRate: 0.01 }), direct(20_000)]
    const rest = changing(["STANDARD", 20, rap], loans, { ...scenario, lumpSums })
    expect(amounts(rest, "paid", 20)).toEqual(["83.33"])
  })

  it("divides its payment with the FFEL loans that are open then", () => {
    // 300.50 * 1/2 and 500.00; the FFEL loan is paid off in month 0
    const beside = changing(["STANDARD", 12, paye], [direct(60_000), ffel(60_000)])
    expect(amounts(beside, "paid", 12)).toEqual(["650.25"])
    const lumpSums = [{ on: "2026-12", amount: 60_000 }]
    const alone = changing(["STANDARD", 12, paye], [direct(60_000), ffel(60_000, { interestRate: 0.01 })], { lumpSums })
    expect(amounts(alone, "paid", 12)).toEqual(["300.50"])
  })

  it("capitalizes where a loan leaves INCOME BASED, and nowhere else", () => {
    // 20 months of 60.00 unpaid; 13,200 bear 66.00
    const accrued = (plans: ReadonlyArray<string | number>) => {
      const answer = changing(plans, [twelve], poor)
      return [amounts(answer, "accrued", 19, 20), amounts(answer, "interest", 19, 20)].flat()
    }
    for (const planType of [ibr, old]) {
      expect(accrued([planType, 20, rap])).toEqual(["60.00", "66.00", "1200.00", "0.00"])
      expect(accrued([planType, 20, "STANDARD"])).toEqual(["60.00", "66.00", "1200.00", "0.00"])
    }
    expect(accrued(["REVISED PAY AS YOU EARN", 20, rap])).toEqual(["60.00", "60.00", "600.00", "600.00"])
    const icrToRap = changing([icr, 18, rap], [twelve], poor)
    expect(amounts(icrToRap, "interest", 17, 18)).toEqual(["1080.00", "1080.00"])
  })

  it("counts the 36 subsidized months of REVISED PAY AS YOU EARN apart", () => {
    const loan = { ...twelve, loanType: "DIRECT STAFFORD SUBSIDIZED" }
    const answer = changing(["REVISED PAY AS YOU EARN", 20, ibr], [loan], poor)
    expect(amounts(answer, "waived", 0, 20, 55, 56)).toEqual(["60.00", "60.00", "60.00", "0.00"])
  })

  it("lets the 36 subsidized months stand still under another plan", () => {
    // 10 months under PAY AS YOU EARN, 10 of 10.00 matched, 26 more months
    const loan = { ...twelve, loanType: "DIRECT STAFFORD SUBSIDIZED" }
    const answer = changing([paye, 9, rap, 19, ibr], [loan], poor)
    expect(amounts(answer, "waived", 8, 9, 19, 45, 46)).toEqual(["60.00", "50.00", "59.50", "59.50", "0.00"])
  })
})

describe("the counts of months", () => {
  const finish = (plans: ReadonlyArray<string | number>, loan = direct(500_000), scenario: Scenario = poor) =>
    changing(plans, [loan], scenario).monthsToFinish

  it("grow under STANDARD of ten years, and not under EXTENDED and GRADUATED", () => {
    expect([finish(["STANDARD", 20, ibr]), finish(["STANDARD", 20, rap])]).toEqual([239, 359])
    expect([finish(["EXTENDED", 20, ibr]), finish(["GRADUATED", 20, ibr])]).toEqual([259, 259])
    expect([finish(["EXTENDED", 20, rap]), finish(["GRADUATED", 20, rap])]).toEqual([379, 379])
    const consolidated = free("DIRECT CONSOLIDATED UNSUBSIDIZED", 500_000)
    expect(finish(["STANDARD", 20, ibr], consolidated)).toBe(259)
  })

  it("of REPAYMENT ASSISTANCE grow under Tiered Standard", () => {
    expect(finish(["STANDARD", 20, rap], direct(500_000, { madeOn: "2026-08-01" }))).toBe(359)
  })

  it("grow under STANDARD beside a plan", () => {
    // Consolidations beside: 3,700 has ten years, 5,000 fifteen; each pays 50.00 for 20 months.
    const forgiven = (balance: number) => {
      const loans = [parents(balance, { idrMonthsInRepayment: 200 }), direct(500_000)]
      const answer = changing([rap, 20, old], loans, poor)
      return [99, 119].map((month) => shown(answer.exact.months[month]!.timeBased))
    }
    expect(forgiven(3_700)).toEqual(["2700.00", "0.00"])
    expect(forgiven(5_000)).toEqual(["0.00", "4000.00"])
  })

  it("of other plans grow under REPAYMENT ASSISTANCE where it pays the ten-year amount", () => {
    const plans = [rap, 24, ibr]
    const scenario = { changes: [{ fromYear: 3, adjustedGrossIncome: 0 }] }
    const of = (principal: number) => finish(plans, direct(principal), scenario)
    // 250.00 a month, and 30,000 / 120
    expect([of(29_999), of(30_000), of(30_000.00005), of(30_000.0001), of(30_001)]).toEqual([239, 239, 239, 263, 263])
    expect(finish([rap, 24, ibr])).toBe(263)
    // The least ten-year amount is 50.00: 4 percent of 40,000 in a year is 133.33, less 100.00.
    const family = { adjustedGrossIncome: 40_000, dependents: 2, changes: [{ fromYear: 3, adjustedGrossIncome: 0 }] }
    expect(finish(plans, { principalBalance: 5_000, interestRate: 0 }, { ...family, dependents: 1 })).toBe(239)
    expect(finish(plans, { principalBalance: 5_000, interestRate: 0 }, family)).toBe(263)
  })

  it("of REPAYMENT ASSISTANCE grow under every income-driven plan", () => {
    for (const planType of [ibr, old, paye, icr, "SAVE", "REVISED PAY AS YOU EARN"]) {
      expect(finish([planType, 18, rap])).toBe(359)
    }
  })

  it("that are complete already forgive in the first due month", () => {
    const counted = direct(500_000, { idrMonthsInRepayment: 250 })
    expect(finish(["EXTENDED", 20, ibr], counted)).toBe(20)
    const pauses = [{ kind: "Forbearance", from: "2028-08", until: "2028-11" }]
    expect(finish(["EXTENDED", 20, ibr], counted, { ...poor, pauses })).toBe(23)
  })

  it("of public service grow under the plan in force", () => {
    const servant = { ...poor, workingTowardsPslf: true }
    expect(finish(["EXTENDED", 20, ibr], direct(500_000), servant)).toBe(139)
    expect(finish(["STANDARD", 20, ibr], direct(500_000), servant)).toBe(119)
    expect(finish([ibr, 20, "STANDARD", 30, "EXTENDED", 40, rap], direct(500_000), servant)).toBe(129)
  })
})

describe("changes of plan around July 2028", () => {
  it("come first in that month", () => {
    expect(amounts(changing([paye, 19, ibr], [direct(100_000)]), "paid", 18, 19)).toEqual(["300.50", "300.50"])
    expect(amounts(changing([paye], [direct(100_000)]), "paid", 18, 19)).toEqual(["300.50", "250.00"])
  })

  it("move a loan that has come under a plan that ends", () => {
    expect(amounts(changing(["STANDARD", 18, paye], [direct(120_000)]), "paid", 17, 18, 19)).toEqual([
      "1000.00",
      "300.50",
      "250.00"
    ])
  })

  it("leave the successor that a loan is under, or stay under it", () => {
    const loans = [
      { ...twelve, loanType: "DIRECT PARENT PLUS CONSOLIDATED" },
      { ...twelve, principalBalance: 24_000 }
    ]
    const ends = (planType: string) => refused([icr, 24, planType], loans, poor)
    expect(["STANDARD", rap, old].map(ends)).toEqual([null, null, null])
    for (const planType of ["EXTENDED", "GRADUATED", ibr]) {
      expect(ends(planType)).toEqual(["change", 0, "leaves INCOME BASED"])
    }
    // Interest of months 18 and 24, less the match of 10.00 in months 19 to 23.
    const staying = changing([icr, 24, old], loans, poor)
    expect(amounts(staying, "accrued", 18, 24)).toEqual(["180.00", "179.75"])
    // 24 * 60.00 join the principal of the loan that goes beside REPAYMENT ASSISTANCE.
    expect(amounts(changing([icr, 24, rap], loans, poor), "accrued", 24)).toEqual(["186.95"])
    // One that was never due does not fit INCOME BASED (OLD) any more: 20 * 60.00 join principal.
    const pauses = [{ kind: "Forbearance", until: "2028-12", loans: [0] }]
    const never = changing([icr, 20, old], [loans[0]!, direct(24_000)], { ...poor, pauses })
    expect(amounts(never, "accrued", 19, 20)).toEqual(["60.00", "66.00"])
    expect(refused([icr, 24, old, 30, "EXTENDED"], loans, poor)).toEqual(["change", 1, "leaves INCOME BASED"])
  })

  it("are refused to the plan under which all own loans are", () => {
    const loans = [parents(50_000), free("DIRECT PLUS PARENT", 50_000)]
    expect(refused([icr, 19, old], loans)).toBeNull()
    expect(refused([icr, 20, old], loans)).toEqual(["change", 0, "in force"])
    expect(refused([icr, 20, rap], loans)).toEqual(["change", 0, "takes no loan", 0, 1])
  })
})

describe("from a change on, a loan is repaid", () => {
  const fixed = ["STANDARD", "EXTENDED", "GRADUATED"]

  /** The months that a request of the change's month would send. */
  const countedAt = (first: string, second: string, counted: number, month: number): number =>
    fixed.includes(second) || !(first === "EXTENDED" || first === "GRADUATED") ? counted + month : counted

  it("as a request of that month with that plan would have it", () => {
    const borrowers = fc.record({
      first: fc.constantFrom("STANDARD", "EXTENDED", "GRADUATED", ibr, old, paye, icr, "SAVE"),
      second: fc.constantFrom("STANDARD", "EXTENDED", "GRADUATED", ibr, old, paye, icr, rap),
      years: fc.integer({ min: 1, max: 8 }),
      adjustedGrossIncome: fc.integer({ min: 0, max: 150_000 }),
      principalBalance: fc.integer({ min: 1_000, max: 150_000 }),
      interestBalance: fc.integer({ min: 0, max: 5_000 }),
      interestRate: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 1_000),
      counted: fc.integer({ min: 0, max: 250 })
    })
    const property = fc.property(borrowers, ({ adjustedGrossIncome, counted, first, second, years, ...balances }) => {
      // Month 19 moves a loan to REPAYMENT ASSISTANCE, of which few months count under other plans.
      fc.pre(years === 1 || (first !== paye && first !== icr))
      const month = 12 * years
      const loan = { ...loanOf(balances), idrMonthsInRepayment: counted }
      const scenario = planned([first, month, second], { adjustedGrossIncome })
      const whole = oracleProject({ scenario, loans: [loan] }, start)
      fc.pre(whole.kind === "projection" && whole.exact.months.length > month)
      const { months } = (whole as OracleProjection).exact
      const { interest, principal } = months[month - 1]!
      const capitalized = first === ibr || first === old ? interest : ZERO
      const later = {
        ...loan,
        principalBalance: numberOf(principal + capitalized),
        interestBalance: numberOf(interest - capitalized),
        idrMonthsInRepayment: countedAt(first, second, counted, month)
      }
      const rest = oracleProject(
        { scenario: { ...scenario, planType: second, planChanges: null }, loans: [later] },
        { ...start, year: start.year + years }
      )
      fc.pre(rest.kind === "projection")
      const paid = (answer: OracleProjection, from: number) =>
        answer.exact.months.slice(from).map((each) => [shown(each.paid), shown(each.timeBased)])
      const [ofWhole, ofRest] = [paid(whole as OracleProjection, month), paid(rest as OracleProjection, 0)]
      expect(ofWhole.length).toBe(ofRest.length)
      ofWhole.forEach((amounts, i) => {
        amounts.forEach((amount, j) => {
          expect(Math.abs(Number(amount) - Number(ofRest[i]![j]))).toBeLessThan(0.011)
        })
      })
    })
    fc.assert(property, { numRuns: runs(60, 250), seed: seedOr(20261129) })
  })
})
