/**
 * Tests of the oracle against hand-worked cases of DIRECT PLUS CONSOLIDATED, a consolidation made
 * before July 2006: its terms under the fixed plans, and its effect on the rest of a book. Most
 * loans bear no interest. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import type { WireLoan } from "./oracle.ts"
import {
  direct,
  dollars,
  electable,
  ffel,
  free,
  type Loans,
  plusConsolidation,
  projected,
  refusalOf,
  shown
} from "./worked/asking.ts"

const standard = { planType: "STANDARD" }
const extended = { planType: "EXTENDED" }
const graduated = { planType: "GRADUATED" }

const firstAndLast = (scenario: { readonly planType: string }, loans: Loans) => {
  const answer = projected(scenario, loans)
  return [shown(answer.exact.firstPayment), answer.monthsToFinish]
}

describe("a DIRECT PLUS CONSOLIDATED", () => {
  it("of 25,000 at 4.5 percent has ten years on STANDARD, twenty on EXTENDED and GRADUATED", () => {
    // i = 0.00375: 25,000 i / (1 - 1.00375^-120) = 259.0960, and with 240 months 158.1623
    const loan = plusConsolidation(25_000, { interestRate: 0.045 })
    expect(firstAndLast(standard, [loan])).toEqual(["259.10", 119])
    expect(dollars(projected(standard, [loan]).totalOutOfPocket)).toBe("31091.52")
    expect(firstAndLast(extended, [loan])).toEqual(["158.16", 239])
    expect(dollars(projected(extended, [loan]).totalOutOfPocket)).toBe("37958.96")
    // half of the ten-year amount; ten levels of 24 months, g = 1.051548
    const { months } = projected(graduated, [loan]).exact
    expect([months.length, shown(months[0]!.paid), shown(months[216]!.paid)]).toEqual([240, "129.55", "203.65"])
  })

  const edges = [
    [9_999.99, 144],
    [10_000, 180],
    [19_999.99, 180],
    [20_000, 240],
    [39_999.99, 240],
    [40_000, 300],
    [59_999.99, 300],
    [60_000, 360]
  ] as const
  it.each(edges)("with Direct loans of %d in all has %d months", (total, months) => {
    expect(projected(extended, [plusConsolidation(total)]).monthsToFinish).toBe(months - 1)
    const others = [ffel(50_000), free("FEDERAL PERKINS", 50_000)]
    const otherDirect = direct(Number((total - 6_000).toFixed(2)), { interestBalance: 1_000 })
    const book = [plusConsolidation(5_000, { interestRate: 0.06 }), otherDirect, ...others]
    expect(projected(graduated, book).monthsToFinish).toBe(months - 1)
    expect(projected(standard, book).monthsToFinish).toBe(119)
  })

  it("needs no 30,000 for EXTENDED, unlike the loans next to it", () => {
    // Direct 15,000: 10,000 / 180 = 55.5556; on STANDARD 5,000 / 120 = 41.6667, raised to 50
    expect(firstAndLast(extended, [plusConsolidation(10_000), direct(5_000)])).toEqual(["105.56", 179])
    // Direct 30,000.01: 10,000.01 / 240 = 41.6667; 20,000 / 300 = 66.6667
    expect(firstAndLast(extended, [plusConsolidation(10_000.01), direct(20_000)])).toEqual(["108.33", 299])
    const plans = electable([plusConsolidation(10_000), direct(20_000)])
    expect(plans.map((each) => each.includes("EXTENDED"))).toEqual([true, false])
  })

  it("is tested alone in eligibility, and with the other Direct loans in a projection", () => {
    // alone 9,000: 144 - 143 = 1 payment left; with 1,000 more 180 - 143 = 37
    const counted = plusConsolidation(9_000, { idrMonthsInRepayment: 143 })
    expect(electable([counted, direct(1_000)])[0]).toEqual([])
    for (const planType of ["EXTENDED", "GRADUATED"]) {
      expect(refusalOf(planType, [counted])).toEqual({ kind: "artifact", loans: [0] })
      expect(refusalOf(planType, [counted, direct(1_000)])).toBeNull()
    }
    expect(electable([{ ...counted, idrMonthsInRepayment: 118 }])[0]).toEqual(["STANDARD", "EXTENDED", "GRADUATED"])
  })

  it("counts PSLF payments on STANDARD, as the plan or outside another plan", () => {
    // 12,000 / (120 - 60) = 200
    const half = plusConsolidation(12_000, { pslfCount: 60 })
    expect(firstAndLast(standard, [half])).toEqual(["200.00", 59])
    // 12,000 / 120 = 100 in the first month, then forgiven
    const rap = { planType: "REPAYMENT ASSISTANCE", workingTowardsPslf: true }
    const done = projected(rap, [direct(30_000), { ...half, pslfCount: 120 }])
    expect([shown(done.exact.firstPayment), shown(done.exact.months[0]!.pslf)]).toEqual(["350.00", "11900.00"])
  })
})

describe("a DIRECT PLUS CONSOLIDATED on GRADUATED", () => {
  const at = (balance: number, interestRate: number, more: Partial<WireLoan> = {}) =>
    plusConsolidation(balance, { interestRate, ...more })
  const monthsOf = (loan: Partial<WireLoan>) => projected(graduated, [loan]).exact.months
  const steps = (loan: Partial<WireLoan>) => {
    const months = monthsOf(loan)
    return months.filter((_, month) => month % 24 === 0).map(({ paid }) => shown(paid))
  }

  it("of 50,000 at 4 percent begins at half of the ten-year amount and stays below one and a half", () => {
    // i = 0.04 / 12: 50,000 i / (1 - (1 + i)^-120) = 506.2257; 166.67 of interest
    const months = monthsOf(at(50_000, 0.04))
    expect([months.length, shown(months[0]!.paid)]).toEqual([300, "253.11"])
    // g = 1.0087589, g^12 = 1.110321
    expect(shown(months[298]!.paid)).toBe("281.04")
    expect(months.every(({ paid }) => shown(paid) <= "759.34")).toBe(true)
  })

  it("of 9,000 at 8 percent begins above the interest, and ends at one and a half times the ten-year amount", () => {
    // 9,000 in 120 months: 109.1948, a half 54.60, one and a half times 163.7923; 60.00 of interest
    // from 60.00 it would end at 170.52, so it begins at 62.1557, with g = 1.213843
    expect(steps(at(9_000, 0.08))).toEqual(["62.16", "75.45", "91.58", "111.17", "134.94", "163.79"])
    expect(shown(projected(graduated, [at(9_000, 0.08)]).exact.months[143]!.paid)).toBe("163.79")
  })

  it("of 60,000 at 9 percent begins at the month's interest", () => {
    // half of the ten-year amount: 380.03; g = 1.017228
    const months = monthsOf(at(60_000, 0.09))
    expect([0, 24, 348].map((month) => shown(months[month]!.paid))).toEqual(["450.00", "457.75", "571.57"])
    expect(shown(months[23]!.principal)).toBe("60000.00")
  })

  it("has its unpaid interest in the bounds, but not in the month's interest", () => {
    // 12,000 at 8 percent in ten years: 145.5931, a half of it; fifteen years, g = 1.169801
    const loan = at(9_000, 0.08, { interestBalance: 3_000 })
    expect(steps(loan).slice(0, 3)).toEqual(["72.80", "85.16", "99.62"])
  })

  it("pays a level amount if half of the ten-year amount is no less", () => {
    // 240 months: 25,000 / 240; then 50,000 / 240, of 300 months; 60,000 / 240, of 360
    for (const [balance, paid] of [
      [25_000, "104.17"],
      [50_000, "208.33"],
      [60_000, "250.00"]
    ] as const) {
      const months = monthsOf(plusConsolidation(balance))
      expect([months.length, shown(months[0]!.paid), shown(months[238]!.paid)]).toEqual([240, paid, paid])
    }
    // 60,000 at 4 percent: 303.74, more than 286.45 in 360 months; i = 0.04 / 12:
    // -ln(1 - 60,000 i / 303.7354) / ln(1 + i) = 322.8
    const months = monthsOf(at(60_000, 0.04))
    expect([months.length, shown(months[0]!.paid), shown(months[321]!.paid)]).toEqual([323, "303.74", "303.74"])
  })

  it("pays a level amount over the months left if they are few, even above the bounds", () => {
    const left = (months: number) => at(9_000, 0.08, { idrMonthsInRepayment: 144 - months })
    // one level of 24 months; two of them, which one and a half times the ten-year amount is below
    expect(steps(left(24))).toEqual(["407.05"])
    expect(steps(left(48))).toEqual(["219.72", "219.72"])
    // 84 months: four levels up to 163.79
    expect(steps(left(84))).toEqual(["127.01", "138.25", "150.48", "163.79"])
  })

  it("of a few cents has the same steps", () => {
    // a hundred thousandth of 9,000: 0.00062156, ..., 0.00163792
    const months = monthsOf(at(0.09, 0.08))
    expect(shown(100_000n * months[0]!.paid)).toBe("62.16")
    expect(shown(100_000n * months[120]!.paid)).toBe("163.79")
  })

  it("at 100 percent begins at the interest", () => {
    // 9,000 / 12 = 750.00; in 144 months g = 1.0000575
    expect(steps(at(9_000, 1))).toEqual(["750.00", "750.04", "750.09", "750.13", "750.17", "750.22"])
  })

  it("keeps the schedule of later loans for the loans next to it", () => {
    // 30,000 at 6 percent in ten years begins at 190.46; 50,000 of Direct loans in all have 300 months
    const later = direct(30_000, { interestRate: 0.06 })
    const months = projected(graduated, [at(20_000, 0.04), later]).exact.months
    // half of 202.4903
    expect(shown(months[0]!.paid)).toBe("291.70")
  })
})

describe("a book with a DIRECT PLUS CONSOLIDATED", () => {
  it("counts it among the other loans for the term of a consolidation", () => {
    // 5,000 and up to 5,000 of 20,000: 10,000, fifteen years, where 25,000 would give twenty
    // 5,000 / 180 = 27.7778; 20,000 / 120 = 166.6667
    const consolidation = free("DIRECT CONSOLIDATED UNSUBSIDIZED", 5_000)
    expect(firstAndLast(standard, [consolidation, plusConsolidation(20_000)])).toEqual(["194.44", 179])
    // FFEL: 5,000 and 4,999.99: 9,999.99, twelve years
    const ffelConsolidation = free("FFEL CONSOLIDATED", 5_000)
    expect(firstAndLast(standard, [ffelConsolidation, plusConsolidation(4_999.99)])[1]).toBe(143)
  })

  it("repays it in ten years outside an income-driven plan", () => {
    // 250.00 at an income of 60,000; 9,000 / 120 = 75
    const answer = projected({ planType: "REPAYMENT ASSISTANCE" }, [direct(30_500), plusConsolidation(9_000)])
    expect(shown(answer.exact.firstPayment)).toBe("325.00")
  })

  it("is refused under INCOME BASED and PAY AS YOU EARN", () => {
    const refused = { kind: "ineligible", loans: [0, 1] }
    const book = [direct(10_000), plusConsolidation(0.005)]
    expect([refusalOf("INCOME BASED", book), refusalOf("PAY AS YOU EARN", book)]).toEqual([refused, refused])
    const others = [
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "REVISED PAY AS YOU EARN",
      "SAVE",
      "REPAYMENT ASSISTANCE"
    ]
    expect(others.filter((plan) => refusalOf(plan, book) !== null)).toEqual([])
    expect(others.filter((plan) => refusalOf(plan, [plusConsolidation(10_000)])?.kind !== "ineligible")).toEqual([])
    const dust = [direct(10_000), plusConsolidation(0.004)]
    expect([refusalOf("INCOME BASED", dust), refusalOf("PAY AS YOU EARN", dust)]).toEqual([null, null])
  })
})
