/**
 * Tests of the oracle against hand-worked cases in which other loans matter: terms of consolidation
 * loans, the $30,000 of EXTENDED, and plans for new borrowers. Most loans bear no interest, so that
 * a payment is a division. The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { oracleCalculate } from "./oracle.ts"
import {
  direct,
  dollars,
  electable,
  ffel,
  free,
  type Loans,
  projected,
  refusalOf,
  shown,
  start
} from "./worked/asking.ts"

const directConsolidation = (balance: number) => free("DIRECT CONSOLIDATED UNSUBSIDIZED", balance)

/** Types discontinued before 1998. */
const discontinued = [
  "FEDERALLY INSURED (FISL)",
  "FFEL REFINANCED",
  "FFEL STAFFORD NON-SUBSIDIZED",
  "FFEL SUPPLEMENTAL LOAN (SLS)"
]

describe("the term of a consolidation loan", () => {
  const firstAndLast = (loans: Loans) => {
    const answer = projected({ planType: "STANDARD" }, loans)
    return [shown(answer.exact.firstPayment), answer.monthsToFinish, dollars(answer.totalOutOfPocket)]
  }

  it("of 8,500 next to 30,500 is fifteen years: others count up to 8,500, so 17,000", () => {
    // 8,500 / 180 = 47.2222; 30,500 / 120 = 254.1667
    expect(firstAndLast([directConsolidation(8_500), direct(30_500)])).toEqual(["301.39", 179, "39000.00"])
  })

  it("of 26,000 next to 13,000 is twenty years: 39,000 in all", () => {
    // 26,000 / 240 = 108.3333; 13,000 / 120 = 108.3333
    expect(firstAndLast([directConsolidation(26_000), direct(13_000)])).toEqual(["216.67", 239, "39000.00"])
  })

  const edges = [
    [3_750, 3_749.99, 120],
    [3_750, 3_750, 144],
    [3_750, 1_000_000, 144],
    [7_499.99, 0, 120],
    [5_000, 4_999.99, 144],
    [5_000, 5_000, 180],
    [10_000, 10_000, 240],
    [20_000, 19_999.99, 240],
    [20_000, 20_000, 300],
    [30_000, 29_999.99, 300],
    [30_000, 30_000, 360],
    [30_000, 0, 240],
    [60_000, 0, 360]
  ] as const
  it.each(edges)("of %d next to %d is %d months", (own, others, months) => {
    const perkins = free("FEDERAL PERKINS", others)
    expect(projected({ planType: "STANDARD" }, [directConsolidation(own), perkins]).monthsToFinish).toBe(months - 1)
    expect(projected({ planType: "GRADUATED" }, [directConsolidation(own)]).monthsToFinish).toBeLessThan(months)
  })

  it("adds up the consolidations of one program, and counts the other program's among the other loans", () => {
    // Direct: 2,000 + 3,000 = 5,000, and up to 5,000 of 12,500: 10,000, 180 months, 27.7778
    // FFEL: 10,000 and all 7,500 of 2,000 + 3,000 + 2,500: 17,500, 180 months, 55.5556
    // Perkins: 2,500 / 120 = 20.8333
    const parents = free("DIRECT PARENT PLUS CONSOLIDATED", 3_000)
    const perkins = free("FEDERAL PERKINS", 2_500)
    const book = [directConsolidation(2_000), parents, free("FFEL CONSOLIDATED", 10_000), perkins]
    expect(firstAndLast(book)).toEqual(["104.17", 179, "17500.00"])
  })

  it("counts unpaid interest and ignores loans below half a cent", () => {
    const nearly = free("DIRECT CONSOLIDATED UNSUBSIDIZED", 7_000, { interestBalance: 499.998 })
    expect(projected({ planType: "STANDARD" }, [nearly]).monthsToFinish).toBe(119)
    expect(projected({ planType: "STANDARD" }, [nearly, direct(0.004)]).monthsToFinish).toBe(119)
    expect(projected({ planType: "STANDARD" }, [nearly, direct(0.005)]).monthsToFinish).toBe(143)
  })

  it("follows the whole request outside another plan too", () => {
    // 9,000 + up to 9,000 of 30,500 = 18,000: fifteen years; 39,500 would give twenty, 9,000 twelve
    const parents = free("DIRECT PARENT PLUS CONSOLIDATED", 9_000)
    const answer = projected({ planType: "REPAYMENT ASSISTANCE" }, [direct(30_500), parents])
    // REPAYMENT ASSISTANCE at an income of 60,000: 5 percent / 12 = 250; 9,000 / 180 = 50
    expect(shown(answer.exact.firstPayment)).toBe("300.00")
    expect(answer.monthsToFinish).toBe(179)
  })

  it("follows the loan alone in eligibility", () => {
    // alone 7,000 has 120 months, 119 of them counted; with the other 7,000 of the book it has 180
    const counted = { ...directConsolidation(7_000), idrMonthsInRepayment: 119 }
    expect(electable([counted, direct(7_000)])[0]).not.toContain("STANDARD")
    expect(refusalOf("STANDARD", [counted, direct(7_000)])).toBeNull()
    expect(refusalOf("STANDARD", [counted])).toEqual({ kind: "artifact", loans: [0] })
  })
})

describe("on ten-year STANDARD, an FFEL loan", () => {
  it("of 30,000 at 6 percent pays 333.06 in 120 months with any pslfCount", () => {
    for (const workingTowardsPslf of [false, true]) {
      const loan = { ...ffel(30_000), interestRate: 0.06, pslfCount: 60 }
      const answer = projected({ planType: "STANDARD", workingTowardsPslf }, [loan])
      expect(answer.year1MonthlyPayment).toBe(333n)
      expect([dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual(["39967.38", 119])
    }
  })

  it("is shortened only by idrMonthsInRepayment", () => {
    // 30,000 / (120 - 20) = 300
    const loan = ffel(30_000, { idrMonthsInRepayment: 20, pslfCount: 119 })
    expect(shown(projected({ planType: "STANDARD" }, [loan]).exact.firstPayment)).toBe("300.00")
    expect(refusalOf("STANDARD", [{ ...loan, loanType: "DIRECT STAFFORD SUBSIDIZED" }])?.kind).toBe("artifact")
    expect(refusalOf("STANDARD", [{ ...loan, loanType: "FEDERALLY INSURED (FISL)" }])).toBeNull()
  })
})

describe("EXTENDED", () => {
  it("needs more than 30,000 in the loans of one program together", () => {
    expect(refusalOf("EXTENDED", [direct(15_000), direct(15_000)])).toEqual({ kind: "ineligible", loans: [0, 1] })
    expect(refusalOf("EXTENDED", [direct(15_000), direct(15_000.01)])).toBeNull()
    expect(refusalOf("EXTENDED", [direct(15_000), direct(15_000, { interestBalance: 0.01 })])).toBeNull()
    expect(refusalOf("EXTENDED", [direct(29_999.998), direct(0.004)])).toEqual({ kind: "ineligible", loans: [0] })
  })

  it("does not take loans of a program with 30,000 or less", () => {
    // FFEL: 40,000 / 300 = 133.3333; Direct, not over 30,000: 20,000 / 120 = 166.6667
    const answer = projected({ planType: "EXTENDED" }, [direct(20_000), ffel(40_000)])
    expect(shown(answer.exact.firstPayment)).toBe("300.00")
    expect([dollars(answer.totalOutOfPocket), answer.monthsToFinish]).toEqual(["60000.00", 299])
    expect(shown(answer.exact.months[120]!.paid)).toBe("133.33")
    expect(electable([direct(20_000), ffel(40_000)]).map((plans) => plans.includes("EXTENDED"))).toEqual([false, true])
  })

  it("does not test the counted months of a loan that it does not take", () => {
    expect(refusalOf("EXTENDED", [direct(20_000, { idrMonthsInRepayment: 299 }), ffel(40_000)])).toBeNull()
  })

  it.each(discontinued)("is closed to every FFEL loan of a borrower with a %s", (loanType) => {
    const old = free(loanType, 0.005)
    const parents = free("FFEL PLUS PARENT", 40_000)
    expect(refusalOf("EXTENDED", [ffel(40_000), parents, old])).toEqual({ kind: "ineligible", loans: [0, 1, 2] })
    expect(electable([ffel(40_000), parents, old]).some((plans) => plans.includes("EXTENDED"))).toBe(false)
    expect(refusalOf("EXTENDED", [ffel(40_000), free(loanType, 0.004)])).toBeNull()
  })

  it("stays open to the Direct loans of that borrower", () => {
    // Direct 45,000 / 300 = 150; outside: FFEL 36,000 / 120 = 300 and FISL 12,000 / 120 = 100
    const book = [direct(45_000), ffel(36_000), free("FEDERALLY INSURED (FISL)", 12_000)]
    const answer = projected({ planType: "EXTENDED" }, book)
    expect([0, 119, 120, 299].map((month) => shown(answer.exact.months[month]!.paid))).toEqual([
      "550.00",
      "550.00",
      "150.00",
      "150.00"
    ])
    expect(electable(book).map((plans) => plans.includes("EXTENDED"))).toEqual([true, false, false])
  })

  it("needs more than 30,000 of the calculator's one loan", () => {
    const excluded = (balance: number) =>
      oracleCalculate({ balance, ratePct: 6, borrowerAgi: 60_000 }, start).excludedPlans.find(
        ({ plan }) => plan === "extended"
      )
    expect(excluded(30_000)).toEqual({ plan: "extended", kind: "balance" })
    expect(excluded(30_000.01)).toBeUndefined()
  })
})

describe("among the plans for new borrowers", () => {
  it("INCOME BASED takes no loan of a borrower with an FFEL loan", () => {
    expect(refusalOf("INCOME BASED", [direct(10_000), ffel(10_000)])).toEqual({ kind: "ineligible", loans: [0, 1] })
    expect(refusalOf("INCOME BASED", [direct(10_000), free("FFEL PARENT PLUS", 0.005)])?.kind).toBe("ineligible")
    expect(refusalOf("INCOME BASED", [direct(10_000), ffel(0.004)])).toBeNull()
    expect(refusalOf("PAY AS YOU EARN", [direct(10_000), ffel(10_000)])).toBeNull()
    const [own] = electable([direct(10_000), ffel(10_000)])
    expect([own!.includes("INCOME BASED"), own!.includes("PAY AS YOU EARN")]).toEqual([false, true])
  })

  it.each(discontinued)("INCOME BASED and PAY AS YOU EARN take no loan of a borrower with a %s", (loanType) => {
    const book = [direct(10_000), free(loanType, 0.005)]
    const refused = { kind: "ineligible", loans: [0, 1] }
    expect([refusalOf("INCOME BASED", book), refusalOf("PAY AS YOU EARN", book)]).toEqual([refused, refused])
    const others = [
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "REVISED PAY AS YOU EARN",
      "SAVE",
      "REPAYMENT ASSISTANCE"
    ]
    expect(others.filter((plan) => refusalOf(plan, book) !== null)).toEqual([])
    expect(electable(book)[0]).toEqual([
      "STANDARD",
      "GRADUATED",
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "REPAYMENT ASSISTANCE"
    ])
    expect(refusalOf("PAY AS YOU EARN", [direct(10_000), free(loanType, 0.004)])).toBeNull()
  })

  it("INCOME BASED ignores a Perkins loan, which shows no date", () => {
    expect(refusalOf("INCOME BASED", [direct(10_000), free("FEDERAL PERKINS", 10_000)])).toBeNull()
  })
})
