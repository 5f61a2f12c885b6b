/**
 * Tests of the oracle against hand-worked payments under PAYE, REPAYE and SAVE of borrowers who
 * also have FFEL loans. The Direct loans then pay only their part of the payment, by principal. A
 * single person with $60,000 would pay $300.50, or $100.375 under SAVE. No loan bears interest. The
 * engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { direct, ffel, free, type Loans, projected, refusalOf, shown } from "./worked/asking.ts"

const paye = { planType: "PAY AS YOU EARN" }
const revised = { planType: "REVISED PAY AS YOU EARN" }
const july2028 = { year: 2028, month: 7 }

const paidIn = (scenario: Parameters<typeof projected>[0], loans: Loans, month = 0) =>
  shown(projected(scenario, loans).exact.months[month]!.paid)

const sixtyForty = [direct(60_000), ffel(40_000)]

describe("the Direct part of the payment", () => {
  it("applies under three plans", () => {
    // 300.50 * 30 / 50 = 180.30; 20,000 / 120 = 166.6667
    expect(paidIn(paye, [direct(30_000), ffel(20_000)])).toBe("346.97")
    // 180.30, and 100.375 * 60 % = 60.225 under SAVE; 40,000 / 120 = 333.3333
    expect([paidIn(paye, sixtyForty), paidIn(revised, sixtyForty)]).toEqual(["513.63", "513.63"])
    expect(paidIn({ planType: "SAVE" }, sixtyForty)).toBe("393.56")
  })

  it("does not apply under the others", () => {
    // 60,000 / 144 * 95.12 % = 396.3333; 5 % / 12 = 250.00; each with 333.3333
    expect(paidIn({ planType: "INCOME CONTINGENT" }, sixtyForty)).toBe("729.67")
    expect(paidIn({ planType: "REPAYMENT ASSISTANCE" }, sixtyForty)).toBe("583.33")
    // this plan takes both loans
    expect(paidIn({ planType: "INCOME BASED (OLD)" }, sixtyForty)).toBe("450.75")
  })

  it("reduces the payment by income, not the ten-year cap", () => {
    // 10 % * 126,060 / 12 * 60 % = 630.30, over 30,000 / 120 = 250; 20,000 / 120 = 166.6667
    expect(paidIn({ ...paye, adjustedGrossIncome: 150_000 }, [direct(30_000), ffel(20_000)])).toBe("416.67")
  })

  it("applies before the small-payment rule", () => {
    // 10 % * 1,200 / 12 = 10.00: half is 5.00, which becomes 10; 40 % is 4.00, which becomes 0
    const low = { ...paye, adjustedGrossIncome: 25_140 }
    expect(paidIn(low, [direct(12_000), ffel(12_000)])).toBe("110.00")
    expect(paidIn(low, [direct(12_000), ffel(18_000)])).toBe("150.00")
  })

  const student = ["FFEL CONSOLIDATED", "FFEL PLUS GRADUATE", "FFEL STAFFORD SUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED"]
  it.each(student)("excludes a %s", (loanType) => {
    // 300.50 * 18 / 30 = 180.30, under 36,000 / 120 = 300; 12,000 / 120 = 100
    // the consolidation: 12,000 + up to 12,000 of 36,000 = 24,000, twenty years: 12,000 / 240 = 50
    const total = loanType === "FFEL CONSOLIDATED" ? "230.30" : "280.30"
    expect(paidIn(paye, [direct(18_000, { interestBalance: 18_000 }), free(loanType, 12_000)])).toBe(total)
  })

  const old = [
    "FEDERALLY INSURED (FISL)",
    "FFEL REFINANCED",
    "FFEL STAFFORD NON-SUBSIDIZED",
    "FFEL SUPPLEMENTAL LOAN (SLS)"
  ]
  it.each(old)("excludes a %s, which closes PAY AS YOU EARN", (loanType) => {
    const book = [direct(60_000), free(loanType, 40_000)]
    expect(refusalOf("PAY AS YOU EARN", book)).toEqual({ kind: "ineligible", loans: [0, 1] })
    expect([paidIn(revised, book), paidIn({ planType: "SAVE" }, book)]).toEqual(["513.63", "393.56"])
  })

  const others = ["FFEL PARENT PLUS", "FFEL PLUS PARENT", "FEDERAL PERKINS", "DIRECT PARENT PLUS"]
  it.each(others)("ignores a %s", (loanType) => {
    expect(paidIn(paye, [direct(60_000), free(loanType, 40_000)])).toBe("633.83")
  })

  it("is by principal at the start, and 1 without any principal", () => {
    const unpaid = { interestBalance: 40_000 }
    // The Direct part is 1 if no loan has principal, and 0 if only the FFEL loan has some.
    expect(paidIn(paye, [direct(0, unpaid), ffel(0, unpaid)])).toBe("633.83")
    expect(paidIn(paye, [direct(0, unpaid), ffel(40_000)])).toBe("333.33")
    expect(paidIn(paye, [direct(60_000), ffel(0.004)])).toBe("300.50")
    // the FFEL loan is paid off with month 119
    expect([119, 120].map((month) => paidIn(revised, sixtyForty, month))).toEqual(["513.63", "180.30"])
  })

  it("ends with PAY AS YOU EARN in July 2028", () => {
    expect([18, 19].map((month) => paidIn(paye, sixtyForty, month))).toEqual(["513.63", "583.33"])
    expect(shown(projected(paye, sixtyForty, july2028).exact.firstPayment)).toBe("583.33")
  })
})

describe("a couple's share next to FFEL loans", () => {
  const couple = { filingStatus: "MFJ", spouseFederalLoanBalance: 120_000 }
  const book = [direct(60_000, { interestBalance: 20_000 }), ffel(40_000)]

  it("counts them with unpaid interest until July 2028, when it is that of the Direct loans", () => {
    // 10 % * (60,000 - 32,460) / 12 = 229.50; share 120 / 240, Direct part 60 / 100: 68.85
    // 40,000 / 120 = 333.3333
    // from July 2028 250.00 * 80 / 200 = 100.00
    expect([18, 19].map((month) => paidIn({ ...paye, ...couple }, book, month))).toEqual(["402.18", "433.33"])
    expect(shown(projected({ ...paye, ...couple }, book, july2028).exact.firstPayment)).toBe("433.33")
  })

  it("ignores them under REPAYMENT ASSISTANCE, and ignores parents' loans under PAY AS YOU EARN", () => {
    // 250.00 * 80 / 200 = 100.00; 229.50 * 80 / 200 = 91.80
    expect(paidIn({ planType: "REPAYMENT ASSISTANCE", ...couple }, book)).toBe("433.33")
    expect(paidIn({ ...paye, ...couple }, [book[0]!, free("FFEL PARENT PLUS", 40_000)])).toBe("425.13")
  })

  it("counts them under the two closed plans", () => {
    // SAVE: 5 % * (60,000 - 48,690) / 12 * 120 / 240 * 60 / 100 = 14.1375
    expect(paidIn({ ...revised, ...couple }, book)).toBe("402.18")
    expect(paidIn({ planType: "SAVE", ...couple }, book)).toBe("347.47")
  })
})
