/** The dates of the start page: what the borrower says, what a file says, and the plans that they close. */
import { describe, expect, it } from "vitest"
import type { BookAnswer } from "../../src/web/book/answer.ts"
import { compute } from "../../src/web/book/compute.ts"
import { type Draft, emptyLoan, type HouseholdDraft } from "../../src/web/book/draft.ts"
import { texts } from "../../src/web/texts.ts"
import { answered as answeredAt, appHtml } from "../support/books.ts"
import { draftWith } from "./drafts.ts"

const NOW = new Date("2026-11-22T12:00:00Z")

const direct = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "40000", rate: "6.53" }
const ffel = { ...direct, type: "FFEL STAFFORD UNSUBSIDIZED" }
const made = (madeOn: string, loan = direct) => ({ ...loan, madeOn })
const answered = (loans: Draft["loans"], household: Partial<HouseholdDraft> = {}): BookAnswer =>
  answeredAt(draftWith(loans, household), NOW).answer

const problems = (loans: Draft["loans"], household: Partial<HouseholdDraft> = {}) => {
  const outcome = compute(draftWith(loans, household), NOW)
  return outcome._tag === "Wrong" ? outcome.problems : outcome._tag
}

const notesOf = ({ lines }: BookAnswer) => Object.fromEntries(lines.map(({ notes, planType }) => [planType, notes]))
const sentencesOf = ({ closed }: BookAnswer): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    closed.map(({ planType, reasons }) => [
      planType,
      [...new Set(reasons.map((reason) => texts.answer.reason(planType, reason)))]
    ])
  )
const plansOf = ({ lines }: BookAnswer): ReadonlyArray<string> => lines.map(({ planType }) => planType)

const ENDED = ["REVISED PAY AS YOU EARN", "SAVE"]
const NEW_LOANS_CLOSE = [
  "EXTENDED",
  "GRADUATED",
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "STANDARD"
]
/** The open plans, and what is said of every plan that no court has ended. */
const whatIsLeft = (answer: BookAnswer) => {
  const said = Object.entries(sentencesOf(answer)).filter(([plan]) => !ENDED.includes(plan))
  return { plans: plansOf(answer), said: Object.fromEntries(said) }
}
const leftBy = (cause: string) => ({
  plans: ["TIERED STANDARD", "REPAYMENT ASSISTANCE"],
  said: Object.fromEntries(NEW_LOANS_CLOSE.map((plan) => [plan, [`You have a loan made on or after ${cause}`]]))
})
const LEFT = "All your Direct loans can now be repaid only under RAP or Tiered Standard."

describe("when the borrower first borrowed", () => {
  const ALWAYS = ["STANDARD", "EXTENDED", "GRADUATED", "INCOME CONTINGENT", "REPAYMENT ASSISTANCE"]

  it.each([
    ["", ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"]],
    ["before2007", ["INCOME BASED (OLD)"]],
    ["2007", ["INCOME BASED (OLD)", "PAY AS YOU EARN"]],
    ["2014", ["INCOME BASED", "PAY AS YOU EARN"]]
  ])("%j opens the plans of that time, and closes every other", (firstBorrowed, open) => {
    const answer = answered([direct], { firstBorrowed })
    expect([...plansOf(answer)].sort()).toEqual([...ALWAYS, ...open].sort())
    expect([...plansOf(answer), ...answer.closed.map(({ planType }) => planType)]).toHaveLength(11)
    expect(sentencesOf(answer)["TIERED STANDARD"]).toEqual([
      "It is only for borrowers with a loan made since July 1, 2026."
    ])
  })

  it.each([
    ["", ["ifSince1998"], ["ifSince2014"], ["ifBefore2014"], ["ifSince2007", "ends", "hardship"]],
    ["before2007", ["ifSince1998"], undefined, [], undefined],
    ["2007", [], undefined, [], ["recentLoan", "ends", "hardship"]],
    ["2014", [], [], undefined, ["ends", "hardship"]]
  ])("%j leaves these notes", (firstBorrowed, extended, since2014, before2014, paye) => {
    const notes = notesOf(answered([direct], { firstBorrowed }))
    expect([
      notes["EXTENDED"],
      notes["INCOME BASED"],
      notes["INCOME BASED (OLD)"],
      notes["PAY AS YOU EARN"],
      notes["STANDARD"],
      notes["INCOME CONTINGENT"]
    ]).toEqual([extended, since2014, before2014, paye, [], ["ends"]])
  })

  it("closes a plan in a sentence", () => {
    expect(sentencesOf(answered([direct], { firstBorrowed: "before2007" }))).toMatchObject({
      "INCOME BASED": [
        "It is only for those who owed nothing on July 1, 2014, or when they took a loan after that day."
      ],
      "PAY AS YOU EARN": [
        "It is only for those who owed nothing on October 1, 2007, or when they took a loan after that day."
      ]
    })
    expect(sentencesOf(answered([direct], { firstBorrowed: "2014" }))).toMatchObject({
      "INCOME BASED (OLD)": ["By these answers you have Income-Based, 10% instead, which is for newer borrowers."]
    })
  })

  it("since July 2026 leaves two plans", () =>
    expect(whatIsLeft(answered([direct], { firstBorrowed: "2026" }))).toEqual(leftBy(`July 1, 2026. ${LEFT}`)))

  it("is not later than a loan of a kind that has ended", () => {
    const sls = { ...direct, type: "FFEL SUPPLEMENTAL LOAN (SLS)" }
    const tooLate = { field: "firstBorrowed", problem: "tooLate" }
    expect(problems([direct, ffel], { firstBorrowed: "2014" })).toEqual([{ ...tooLate, loan: 2, date: "2010-06-30" }])
    expect(problems([sls], { firstBorrowed: "2007" })).toEqual([{ ...tooLate, loan: 1, date: "2006-06-30" }])
    expect(problems([ffel], { firstBorrowed: "2007" })).toBe("Answered")
  })
})

describe("a loan made since July 2026 that is ticked", () => {
  const ticked = { madeSince2026: "yes" }

  it.each(["", "before2007", "2007", "2014", "2026"])("leaves two plans, first borrowed %j", (firstBorrowed) => {
    // The tick does not say which of the loans it is.
    expect(whatIsLeft(answered([direct, direct], { ...ticked, firstBorrowed }))).toEqual(
      leftBy(`July 1, 2026. ${LEFT}`)
    )
  })

  it("keeps the older plans of FFEL loans, with Direct loans on Tiered Standard beside", () => {
    const answer = answered([direct, ffel], ticked)
    expect(plansOf(answer)).toEqual([
      "TIERED STANDARD",
      "EXTENDED",
      "GRADUATED",
      "INCOME BASED (OLD)",
      "REPAYMENT ASSISTANCE"
    ])
    const outside = Object.fromEntries(answer.lines.map(({ figures, planType }) => [planType, figures.outside?.loans]))
    expect(outside).toEqual({
      "TIERED STANDARD": [1],
      EXTENDED: [0],
      GRADUATED: [0],
      "INCOME BASED (OLD)": [0],
      "REPAYMENT ASSISTANCE": [1]
    })
    const beside = Object.fromEntries(answer.lines.map((line) => [line.planType, line.beside]))
    expect([beside["GRADUATED"], beside["TIERED STANDARD"]]).toEqual([["TIERED STANDARD"], ["STANDARD"]])
    const draft = draftWith([direct, ffel], ticked)
    expect(appHtml(draft, compute(draft, NOW))).toContain(
      "It can't take loan 1: you repay it on Tiered Standard, which is $349 of the first payment."
    )
    expect(sentencesOf(answer)).toMatchObject({
      STANDARD: [`You have a loan made on or after July 1, 2026. ${LEFT}`],
      "INCOME CONTINGENT": [
        `You have a loan made on or after July 1, 2026. ${LEFT}`,
        "It does not take this kind of loan: FFEL Stafford, unsubsidized."
      ]
    })
  })

  it("leaves RAP to a student's loan beside a parent's, which has Tiered Standard alone", () => {
    const parent = { ...direct, type: "DIRECT PLUS PARENT" }
    expect(plansOf(answered([direct, parent], ticked))).toEqual(["TIERED STANDARD", "REPAYMENT ASSISTANCE"])
    expect(sentencesOf(answered([parent, direct], ticked))["STANDARD"]).toHaveLength(2)
    const answer = answered([parent], ticked)
    expect(plansOf(answer)).toEqual(["TIERED STANDARD"])
    expect(sentencesOf(answer)["GRADUATED"]).toEqual([
      "You have a loan made on or after July 1, 2026. Your Parent PLUS loans, and consolidations that repaid one, can now be repaid only under Tiered Standard."
    ])
  })

  it("has to be among the loans", () => {
    const missing = [{ field: "madeSince2026", problem: "noNewLoan" }]
    expect(problems([ffel], ticked)).toEqual(missing)
    expect(problems([made("2019-08-26")], ticked)).toEqual(missing)
    expect(problems([{ ...direct, type: "DIRECT PLUS CONSOLIDATED" }], ticked)).toEqual(missing)
    expect(problems([made("2019-08-26"), direct], ticked)).toBe("Answered")
    expect(problems([made("2026-08-24")], ticked)).toBe("Answered")
  })
})

describe("the dates of a file", () => {
  const book = [made("2019-08-26"), made("2026-08-24"), made("2019-08-26")]

  it("of a loan of August 2026 leave two plans, and name that loan for the others, as the page counts it", () => {
    const leftByLoan = (number: number) => leftBy(`July 1, 2026 (loan ${number} in your list). ${LEFT}`)
    expect(whatIsLeft(answered(book))).toEqual(leftByLoan(2))
    expect(whatIsLeft(answered([book[0]!, emptyLoan, book[1]!]))).toEqual(leftByLoan(3))
  })

  it("show when the borrower first borrowed, if no loan is a consolidation", () => {
    expect(notesOf(answered([made("2019-08-26")]))).toMatchObject({
      "INCOME BASED": [],
      "PAY AS YOU EARN": ["ends", "hardship"],
      EXTENDED: []
    })
    expect(sentencesOf(answered([made("2019-08-26")]))["INCOME BASED (OLD)"]).toEqual([
      "By these answers you have Income-Based, 10% instead, which is for newer borrowers."
    ])
    const consolidated = { ...direct, type: "DIRECT CONSOLIDATED UNSUBSIDIZED" }
    expect(notesOf(answered([made("2019-08-26", consolidated)]))).toMatchObject({
      "INCOME BASED": ["ifSince2014"],
      "INCOME BASED (OLD)": ["ifBefore2014"],
      EXTENDED: ["ifSince1998"]
    })
  })

  it("close a plan by the loan that they name", () => {
    const [old, paye] = [answered([direct, made("2009-08-26")]), answered([made("2009-08-26")])]
    expect(sentencesOf(old)["INCOME BASED"]).toEqual([
      "It is only for those who owed nothing on July 1, 2014, or when they took a loan after that day, and loan 2 in your list is older."
    ])
    expect(notesOf(old)["INCOME BASED (OLD)"]).toEqual([])
    expect(sentencesOf(paye)["PAY AS YOU EARN"]).toEqual([
      "You need a Direct loan made since October 1, 2011, other than a Parent PLUS loan, and all of yours are older."
    ])
    expect(sentencesOf(answered([made("1997-08-26")]))["EXTENDED"]).toEqual([
      "It is only for those without a Direct loan made before October 7, 1998."
    ])
  })

  it("and what is said of the first loan have to agree", () => {
    const loans = [made("2019-08-26"), made("2009-08-26")]
    expect(problems(loans, { firstBorrowed: "2014" })).toEqual([
      { field: "firstBorrowed", problem: "tooLate", loan: 2, date: "2009-08-26" }
    ])
    expect(problems(loans, { firstBorrowed: "before2007" })).toBe("Answered")
    expect(sentencesOf(answered(loans, { firstBorrowed: "before2007" }))["PAY AS YOU EARN"]).toEqual([
      "It is only for those who owed nothing on October 1, 2007, or when they took a loan after that day."
    ])
  })

  it("that cannot be are reported at the loan", () => {
    const date = (at: number) => [{ field: `loan${at}.madeOn`, problem: "date" }]
    expect(problems([direct, made("2026-12-01")])).toEqual(date(2))
    expect(problems([emptyLoan, made("1957-01-01")])).toEqual(date(2))
    expect(problems([made("2025-02-30")])).toEqual(date(1))
    expect(problems([made("<b>")])).toEqual([{ field: "loan1.madeOn", problem: "unreadableDay" }])
    expect(problems([made("2012-01-01", { ...direct, type: "DIRECT PLUS CONSOLIDATED" })])).toEqual([
      { field: "loan1.type", problem: "endedType" }
    ])
  })
})
