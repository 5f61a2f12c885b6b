/**
 * Tests of the oracle against hand-worked payments of Direct loans made on or after July 1, 2026.
 * They have REPAYMENT ASSISTANCE and Tiered Standard alone: 120 months below $25,000 of Direct
 * principal, 180 below $50,000, 240 below $100,000. A single person with $60,000 pays $250.00 under
 * REPAYMENT ASSISTANCE. No loan bears interest. The engine is not involved.
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

const isNew = { madeOn: "2026-08-01" }

const standard = { planType: "STANDARD" }
const rap = { planType: "REPAYMENT ASSISTANCE" }

const paid = (scenario: Parameters<typeof projected>[0], loans: Loans) =>
  shown(projected(scenario, loans).exact.firstPayment)

describe("Tiered Standard as the plan", () => {
  it("has a minimum of 50 for the Direct loans, and one for the other loans", () => {
    // 3,000 / 120 = 25 and 2,400 / 120 = 20 rise to 50 each: 60 and 48 months
    const answer = projected(standard, [direct(3_000, isNew), ffel(2_400)])
    expect([59, 48, 47, 0].map((month) => shown(answer.exact.months[month]!.paid))).toEqual([
      "50.00",
      "50.00",
      "100.00",
      "100.00"
    ])
    expect(answer.monthsToFinish).toBe(59)
  })

  it("ignores months already counted, which shorten STANDARD of the other loans", () => {
    // 30,000 / 180 = 166.67; 6,000 / (120 - 60) = 100
    const counted = { idrMonthsInRepayment: 60, pslfCount: 60 }
    expect(paid(standard, [direct(30_000, { ...isNew, ...counted }), ffel(6_000, counted)])).toBe("266.67")
  })

  it("has a term by principal, without unpaid interest", () => {
    // 24,000 of principal: (24,000 + 2,000) / 120
    expect(paid(standard, [direct(24_000, { ...isNew, interestBalance: 2_000 })])).toBe("216.67")
  })

  it("replaces the terms of consolidations", () => {
    // 30,000 / 180, not 30,000 / 240
    expect(paid(standard, [free("DIRECT CONSOLIDATED UNSUBSIDIZED", 30_000, isNew)])).toBe("166.67")
    // 27,000 / 180, not 27,000 / 120
    expect(paid(standard, [plusConsolidation(18_000), direct(9_000, isNew)])).toBe("150.00")
  })

  it("is no plan of public service", () => {
    // 120 payments of 200.00; the plain plan would have 60 of 400.00
    const servant = { ...standard, workingTowardsPslf: true }
    const answer = projected(servant, [direct(24_000, { ...isNew, pslfCount: 60 })])
    expect([dollars(answer.totalOutOfPocket), answer.forgivenessType, answer.monthsToFinish]).toEqual([
      "24000.00",
      "None",
      119
    ])
  })

  it("has no artifacts, unlike STANDARD of other loans", () => {
    const servant = { workingTowardsPslf: true }
    const complete = direct(24_000, { ...isNew, idrMonthsInRepayment: 600, pslfCount: 120 })
    expect(refusalOf("STANDARD", [complete], servant)).toBeNull()
    expect(refusalOf("STANDARD", [complete, ffel(10, { idrMonthsInRepayment: 119 })], servant)).toEqual({
      kind: "artifact",
      loans: [1]
    })
    expect(refusalOf("REPAYMENT ASSISTANCE", [complete])).toEqual({ kind: "artifact", loans: [0] })
  })
})

describe("Tiered Standard outside the plan", () => {
  it("is that of a Parent PLUS loan, by the principal of all Direct loans", () => {
    // 250.00, and of 64,000 in all: 24,000 / 240 = 100
    const book = [direct(40_000, isNew), free("DIRECT PARENT PLUS", 24_000)]
    expect(paid(rap, book)).toBe("350.00")
    // FFEL 3,600 / 120 = 30 and Perkins 2,400 / 120 = 20 are one group
    expect(paid(rap, [...book, ffel(3_600), free("FEDERAL PERKINS", 2_400)])).toBe("400.00")
    // alone, each rises to 50
    expect(paid(rap, [...book, ffel(3_600)])).toBe("400.00")
  })

  it("does not count towards public service", () => {
    // 60,000 - 60 * 250.00 = 45,000 is forgiven; 24,000 / 240 = 100 is paid to the end
    const answer = projected({ ...rap, workingTowardsPslf: true }, [
      direct(60_000, { ...isNew, pslfCount: 60 }),
      free("DIRECT PARENT PLUS", 24_000, { pslfCount: 60 })
    ])
    expect([dollars(answer.totalOutOfPocket), dollars(answer.amountForgiven), answer.monthsToFinish]).toEqual([
      "39000.00",
      "45000.00",
      239
    ])
  })

  it("is that of Direct loans next to FFEL loans, which keep their plans", () => {
    // 60,000 / 300 + 30,000 / 180
    expect(paid({ planType: "EXTENDED" }, [ffel(60_000), direct(30_000, isNew)])).toBe("366.67")
    // the cap of 24,000 / 120 = 200, and 24,000 / 120 = 200
    expect(paid({ planType: "INCOME BASED (OLD)" }, [ffel(24_000), direct(24_000, isNew)])).toBe("400.00")
  })
})

describe("a Direct loan is new", () => {
  const isTiered = (loans: Loans, firstBorrowedOn: string | null = null) =>
    refusalOf("GRADUATED", loans, { firstBorrowedOn }) !== null

  it("from July 1, 2026, together with all other Direct loans", () => {
    // 30,000 / 120, and 30,000 / 180
    const book = (madeOn: string) => [direct(20_000, { madeOn: "2015-09-01" }), direct(10_000, { madeOn })]
    expect([paid(standard, book("2026-06-30")), paid(standard, book("2026-07-01"))]).toEqual(["250.00", "166.67"])
    expect([isTiered(book("2026-06-30")), isTiered(book("2026-07-01"))]).toEqual([false, true])
  })

  it("if the borrower is", () => {
    expect([isTiered([direct(1)], "2026-06-30"), isTiered([direct(1)], "2026-07-01")]).toEqual([false, true])
    // an FFEL loan or a DIRECT PLUS CONSOLIDATED proves an older borrower
    expect(isTiered([direct(1), ffel(0.005)], "2026-07-01")).toBe(false)
    expect(isTiered([direct(1), plusConsolidation(0.005)], "2026-07-01")).toBe(false)
    expect(isTiered([direct(1), free("FEDERAL PERKINS", 1)], "2026-07-01")).toBe(true)
  })

  it("by dates of Direct loans with a balance alone", () => {
    expect(isTiered([direct(1), ffel(1, isNew)])).toBe(false)
    expect(isTiered([direct(1), free("FEDERAL PERKINS", 1, isNew)])).toBe(false)
    expect(isTiered([direct(1), direct(0.004, isNew)])).toBe(false)
    expect(isTiered([direct(1), direct(0.005, isNew)])).toBe(true)
  })

  it("and has two plans, if its type has REPAYMENT ASSISTANCE", () => {
    const book = [
      direct(40_000),
      direct(0.01, { ...isNew, idrMonthsInRepayment: 600 }),
      free("DIRECT PARENT PLUS", 40_000),
      free("DIRECT PARENT PLUS CONSOLIDATED", 40_000, { idrMonthsInRepayment: 1 }),
      plusConsolidation(40_000),
      direct(0),
      ffel(40_000),
      free("FEDERAL PERKINS", 10)
    ]
    expect(electable(book)).toEqual([
      ["STANDARD", "REPAYMENT ASSISTANCE"],
      ["STANDARD"],
      ["STANDARD"],
      ["STANDARD"],
      ["STANDARD"],
      ["STANDARD", "REPAYMENT ASSISTANCE"],
      ["STANDARD", "EXTENDED", "GRADUATED", "INCOME BASED (OLD)"],
      ["STANDARD"]
    ])
    const closed = ["INCOME CONTINGENT", "PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE", "INCOME BASED"]
    for (const plan of closed) {
      expect(refusalOf(plan, book)).toEqual({ kind: "ineligible", loans: [0, 1, 2, 3, 4, 6, 7] })
    }
  })
})
