/**
 * Tests of the oracle against hand-worked figures under price growth of 10 percent: what rises with
 * prices (the poverty guideline, the incomes of the ICR factors, the federal brackets and
 * deduction) and what does not. The borrower is single and has $60,000. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { direct, dollars, projected, shown } from "./worked/asking.ts"

const rising = { annualPriceGrowth: 0.1 }

const paidIn = (scenario: Parameters<typeof projected>[0], months: ReadonlyArray<number>, balance = 100_000) => {
  const answer = projected({ ...rising, ...scenario }, [direct(balance)])
  return months.map((month) => shown(answer.exact.months[month]!.paid))
}

describe("with price growth", () => {
  it("the guideline rises each year from the second", () => {
    // 10 % * (60,000 - 23,940) / 12, then 26,334 and 28,967.40
    const payments = ["300.50", "300.50", "280.55", "280.55", "258.61"]
    expect(paidIn({ planType: "INCOME BASED" }, [0, 11, 12, 23, 24])).toEqual(payments)
  })

  it("the cap of the ten-year amount does not rise", () => {
    expect(paidIn({ planType: "INCOME BASED" }, [0, 12, 24], 30_000)).toEqual(["250.00", "250.00", "250.00"])
  })

  it("the incomes of the ICR factors rise", () => {
    // 100,000 / 144 = 694.4444 * 95.12 %
    // between 57,708.20 and 72,377.80: 88.77 + 11.23 * 2,291.80 / 14,669.60 = 90.5244
    // 694.4444 * 90.52 %; 20 % * (60,000 - 17,556) / 12 = 707.40
    expect(paidIn({ planType: "INCOME CONTINGENT" }, [0, 12])).toEqual(["660.56", "628.61"])
    // 20 % * (20,000 - 15,960) / 12, then 17,556
    expect(paidIn({ planType: "INCOME CONTINGENT", adjustedGrossIncome: 20_000 }, [0, 12])).toEqual(["67.33", "40.73"])
  })

  it("the payments of 5 and 10 do not rise", () => {
    // 10 % * (25,000 - 23,940) / 12 = 8.83 is lifted to 10; (27,300 - 26,334) / 120 = 8.05 too
    const scenario = { planType: "INCOME BASED", adjustedGrossIncome: 25_000, annualIncomeGrowth: 0.092 }
    expect(paidIn(scenario, [0, 12])).toEqual(["10.00", "10.00"])
  })

  it("nothing of REPAYMENT ASSISTANCE rises, also not as a successor", () => {
    expect(paidIn({ planType: "REPAYMENT ASSISTANCE", dependents: 1 }, [0, 12, 24])).toEqual([
      "200.00",
      "200.00",
      "200.00"
    ])
    // the second year holds July 2028
    expect(paidIn({ planType: "PAY AS YOU EARN" }, [0, 12, 18, 19, 24])).toEqual([
      "300.50",
      "280.55",
      "280.55",
      "250.00",
      "250.00"
    ])
  })

  it("the federal brackets and deduction of the year of forgiveness rise, state tables do not", () => {
    // Month 12 forgives 100,000 - 12 * 300.50 - 280.55 = 96,113.45. The deduction is 17,710.00.
    // 42,290.00: 1,364.00 + 12 % * 28,650.00 = 4,802.00
    // 138,403.45: 1,364.00 + 12 % * 41,800.00 + 22 % * 60,830.00 + 24 % * 22,133.45 = 25,074.628
    // North Carolina: 3.99 % * 96,113.45 = 3,834.9267
    const taxIn = (state: string) => {
      const scenario = { ...rising, planType: "INCOME BASED", state }
      const answer = projected(scenario, [direct(100_000, { idrMonthsInRepayment: 227 })])
      expect([answer.monthsToFinish, dollars(answer.amountForgiven)]).toEqual([12, "96113.45"])
      return dollars(answer.forgivenessTaxesOwed)
    }
    expect([taxIn("TX"), taxIn("NC")]).toEqual(["20272.63", "24107.56"])
  })

  it("the first year does not differ", () => {
    const taxOf = (annualPriceGrowth: number) => {
      const scenario = { planType: "INCOME BASED", annualPriceGrowth }
      return projected(scenario, [direct(100_000, { idrMonthsInRepayment: 239 })]).forgivenessTaxesOwed
    }
    expect(taxOf(0.1)).toBe(taxOf(0))
  })
})
