/**
 * Tests of the oracle against hand-worked cases of DIRECT PLUS CONSOLIDATED, a consolidation made
 * before July 2006: its terms under the fixed plans, and its effect on the rest of a book. Most
 * loans bear no interest. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
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
    // ten levels of 24 months, g = 3^(1/9): 25,000 / (24 * (1 + g + ... + g^9)) = 56.5980, then
    // three times that
    const { months } = projected(graduated, [plusConsolidation(25_000)]).exact
    expect([months.length, shown(months[0]!.paid), shown(months[216]!.paid)]).toEqual([240, "56.60", "169.79"])
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
    const book = [plusConsolidation(5_000), otherDirect, ...others]
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
