/**
 * Tests of the oracle against hand-worked payments of households that change: marriage, divorce,
 * income, dependents, family size, and public service that ends and begins. A single person with $60,000 pays
 * $300.50 under INCOME BASED and $250.00 under REPAYMENT ASSISTANCE. No loan bears interest. The
 * engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { oracleCalculate, type WireChange } from "./oracle.ts"
import { direct, dollars, free, projected, refusalOf, shown, start } from "./worked/asking.ts"

const incomeBased = { planType: "INCOME BASED" }
const rap = { planType: "REPAYMENT ASSISTANCE" }

const paidIn = (
  scenario: Parameters<typeof projected>[0],
  changes: ReadonlyArray<WireChange>,
  months: ReadonlyArray<number>
) => {
  const answer = projected({ ...scenario, changes }, [direct(100_000)])
  return months.map((month) => shown(answer.exact.months[month]!.paid))
}

describe("a household that changes", () => {
  it("marries in the third year and divorces in the fifth", () => {
    // 10 % * (100,000 - 32,460) / 12 = 562.8333, half of it: 100,000 at the start of 200,000
    const wedding = {
      fromYear: 3,
      filingStatus: "MFJ",
      spouseAdjustedGrossIncome: 40_000,
      spouseFederalLoanBalance: 100_000
    }
    const changes = [wedding, { fromYear: 5, filingStatus: "Single" }]
    expect(paidIn(incomeBased, changes, [0, 23, 24, 47, 48])).toEqual([
      "300.50",
      "300.50",
      "281.42",
      "281.42",
      "300.50"
    ])
    // 9 % * 100,000 / 12 * 50 %
    expect(paidIn(rap, changes, [23, 24, 48])).toEqual(["250.00", "375.00", "250.00"])
  })

  it("keeps what was sent before the wedding, grown", () => {
    // 10 % * (66,000 + 44,000 - 32,460) / 12
    const engaged = { ...incomeBased, spouseAdjustedGrossIncome: 40_000, annualIncomeGrowth: 0.1 }
    // 10 % * (66,000 - 23,940) / 12
    expect(paidIn(engaged, [], [12])).toEqual(["350.50"])
    expect(paidIn(engaged, [{ fromYear: 2, filingStatus: "MFJ" }], [0, 12])).toEqual(["300.50", "646.17"])
  })

  it("repays the loans of the spouse", () => {
    const couple = { ...rap, filingStatus: "MFJ", spouseFederalLoanBalance: 100_000 }
    expect(paidIn(couple, [{ fromYear: 2, spouseFederalLoanBalance: 0 }], [11, 12])).toEqual(["125.00", "250.00"])
  })

  it("has the income sent for a year in that year, and growth from there", () => {
    // 10 % * (80,000 - 23,940) / 12 and 10 % * (88,000 - 23,940) / 12
    const raise = [{ fromYear: 2, adjustedGrossIncome: 80_000 }]
    expect(paidIn({ ...incomeBased, annualIncomeGrowth: 0.1 }, raise, [0, 12, 24])).toEqual([
      "300.50",
      "467.17",
      "533.83"
    ])
  })

  it("has another income from a change of dependents alone", () => {
    // 10 % * (60,000 - 32,460) / 12, and 250.00 - 50.00
    const birth = [{ fromYear: 2, dependents: 1, adjustedGrossIncome: null, filingStatus: null }]
    expect(paidIn(incomeBased, birth, [11, 12])).toEqual(["300.50", "229.50"])
    expect(paidIn(rap, birth, [11, 12])).toEqual(["250.00", "200.00"])
  })

  it("may have no income, which null does not mean", () => {
    expect(paidIn(incomeBased, [{ fromYear: 2, adjustedGrossIncome: 0 }], [11, 12])).toEqual(["300.50", "0.00"])
    const child = { ...rap, dependents: 2 }
    expect(paidIn(child, [{ fromYear: 2, dependents: 0 }], [11, 12])).toEqual(["150.00", "250.00"])
  })

  it("has another column of the ICR factors", () => {
    // 87.61 + 12.39 * 7,538 / 13,335 = 94.6138; 100,000 / 144 * 94.61 %
    const scenario = { planType: "INCOME CONTINGENT" }
    expect(paidIn(scenario, [{ fromYear: 2, filingStatus: "HOH" }], [11, 12])).toEqual(["660.56", "657.01"])
  })

  it("moves to the successor plan as it is in that year", () => {
    // 10 % * (30,000 - 23,940) / 12, 2 % * 30,000 / 12, then at least 10
    const changes = [
      { fromYear: 2, adjustedGrossIncome: 30_000 },
      { fromYear: 3, dependents: 1 }
    ]
    expect(paidIn({ planType: "PAY AS YOU EARN" }, changes, [11, 12, 18, 19, 23, 24])).toEqual([
      "300.50",
      "50.50",
      "50.50",
      "50.00",
      "50.00",
      "10.00"
    ])
  })

  it("is taxed as in the year of forgiveness", () => {
    // Month 12 forgives 100,000 - 12 * 300.50 - 562.8333 = 95,831.1667; the deduction is 32,200.
    // 67,800: 2,480 + 12 % * 43,000 = 7,640
    // 163,631.1667: 2,480 + 12 % * 76,000 + 22 % * 62,831.1667 = 25,422.8567
    const changes = [{ fromYear: 2, filingStatus: "MFJ", spouseAdjustedGrossIncome: 40_000 }]
    const answer = projected({ ...incomeBased, changes }, [direct(100_000, { idrMonthsInRepayment: 227 })])
    expect([dollars(answer.amountForgiven), dollars(answer.forgivenessTaxesOwed)]).toEqual(["95831.17", "17782.86"])
  })

  it("is not changed by null, an empty list, or a change after the end", () => {
    const months = (changes: ReadonlyArray<WireChange> | null) =>
      projected({ ...incomeBased, changes }, [direct(100_000)]).exact.months
    expect(months(null)).toEqual(months([]))
    expect(months([{ fromYear: 50, dependents: 3 }])).toEqual(months([]))
  })
})

describe("a family size", () => {
  const family = (familySize: number, changes: ReadonlyArray<WireChange>, planType = "INCOME BASED") =>
    paidIn({ planType, familySize, dependents: 2 }, changes, [0, 12, 24])

  it("takes the place of that of the return until another is sent", () => {
    // 10 % * (60,000 - 23,940) / 12, then 1.5 * 27,320 and 1.5 * 33,000
    expect(family(1, [{ fromYear: 2, familySize: 3 }])).toEqual(["300.50", "158.50", "158.50"])
    expect(family(1, [{ fromYear: 3, familySize: 4 }])).toEqual(["300.50", "300.50", "87.50"])
    expect(family(1, [{ fromYear: 2, filingStatus: "MFJ", dependents: 4, familySize: null }])).toEqual([
      "300.50",
      "300.50",
      "300.50"
    ])
    // 20 % * (60,000 - 27,320) / 12
    expect(family(3, [], "INCOME CONTINGENT")[0]).toBe("544.67")
  })

  it("begins in a later year", () => {
    const single = paidIn(incomeBased, [{ fromYear: 2, familySize: 3 }], [11, 12])
    expect(single).toEqual(["300.50", "158.50"])
  })

  it("moves neither REPAYMENT ASSISTANCE nor taxes", () => {
    expect(family(1, [], "REPAYMENT ASSISTANCE")[0]).toBe("150.00")
    const taxed = (familySize: number | null, state: string) =>
      projected({ ...rap, adjustedGrossIncome: 500, state, familySize, dependents: 2 }, [direct(200_000)])
        .forgivenessTaxesOwed
    for (const state of ["IN", "WI", "MS"]) expect(taxed(9, state)).toBe(taxed(null, state))
  })

  it("is in the calculator too", () => {
    const asked = { balance: 100_000, ratePct: 6, borrowerAgi: 60_000, familySize: 3 }
    const plan = oracleCalculate(asked, start).plans.find(({ plan }) => plan === "ibr_2014")!
    expect(dollars(plan.monthlyPayment)).toBe("158.50")
  })
})

describe("public service", () => {
  const outcomeOf = (scenario: Parameters<typeof projected>[0], loan: ReturnType<typeof direct>) => {
    const answer = projected(scenario, [loan])
    return [dollars(answer.totalOutOfPocket), answer.forgivenessType, answer.monthsToFinish]
  }
  const service = (fromYear: number, workingTowardsPslf: boolean) => ({ fromYear, workingTowardsPslf })

  it("that pauses for a year counts twelve months before it and eight after", () => {
    // months 0 to 11 and 24 to 31: 32 payments of 250.00
    const scenario = { ...rap, workingTowardsPslf: true, changes: [service(2, false), service(3, true)] }
    expect(outcomeOf(scenario, direct(100_000, { pslfCount: 100 }))).toEqual(["8000.00", "Pslf", 31])
  })

  it("that ends too early forgives nothing", () => {
    const scenario = { ...rap, workingTowardsPslf: true, changes: [service(2, false)] }
    // 360 payments of 250.00
    expect(outcomeOf(scenario, direct(100_000, { pslfCount: 107 }))).toEqual(["90000.00", "TimeBased", 359])
    // the twelfth of them is the 120th payment
    expect(outcomeOf(scenario, direct(100_000, { pslfCount: 108 }))).toEqual(["3000.00", "Pslf", 11])
  })

  it("that begins in the third year forgives a loan with a complete count in its first month", () => {
    const complete = direct(100_000, { pslfCount: 120 })
    expect(outcomeOf({ ...rap, changes: [service(3, true)] }, complete)).toEqual(["6250.00", "Pslf", 24])
    expect(refusalOf("REPAYMENT ASSISTANCE", [complete], { changes: [service(3, true)] })).toBeNull()
    const stopped = { workingTowardsPslf: true, changes: [service(2, false)] }
    expect(refusalOf("REPAYMENT ASSISTANCE", [complete], stopped)).toEqual({ kind: "artifact", loans: [0] })
  })

  it("counts only under a plan that qualifies", () => {
    // 100,000 / 300
    const scenario = { planType: "EXTENDED", changes: [service(2, true)] }
    expect(outcomeOf(scenario, direct(100_000, { pslfCount: 120 }))).toEqual(["100000.00", "None", 299])
  })

  it("counts for loans outside the plan too", () => {
    // 100 a month; months 12 to 21 are ten: 12,000 - 22 * 100
    const parentPlus = free("DIRECT PARENT PLUS", 12_000, { pslfCount: 110 })
    const answer = projected({ ...rap, changes: [service(2, true)] }, [direct(100_000), parentPlus])
    expect(shown(answer.exact.months[21]!.pslf)).toBe("9800.00")
  })

  it("counts only for Direct loans", () => {
    const loan = { ...direct(100_000, { pslfCount: 119 }), loanType: "FFEL STAFFORD UNSUBSIDIZED" }
    const scenario = { planType: "INCOME BASED (OLD)", changes: [service(2, true)] }
    // 100,000 / 450.75: 222 months
    expect(outcomeOf(scenario, loan)).toEqual(["100000.00", "None", 221])
  })

  it.each([
    [117, "Pslf"],
    [116, "TimeBased"]
  ])("is compared with the time-based month: %d counted payments, %s", (pslfCount, type) => {
    // time forgives in month 240 - 225 - 1 = 14; months 12, 13 and 14 count
    const loan = direct(100_000, { idrMonthsInRepayment: 225, pslfCount })
    const [, forgivenessType, month] = outcomeOf({ ...incomeBased, changes: [service(2, true)] }, loan)
    expect([forgivenessType, month]).toEqual([type, 14])
  })

  it("counts before and after July 2028", () => {
    // 19 * 300.50 + 13 * 250.00; months 12 to 31 are twenty
    const scenario = { planType: "PAY AS YOU EARN", changes: [service(2, true)] }
    expect(outcomeOf(scenario, direct(100_000, { pslfCount: 100 }))).toEqual(["8959.50", "Pslf", 31])
  })
})
