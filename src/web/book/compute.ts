/** Computes the page's answer from a draft. Runs in the page's worker. */
import { type StartMonth, startMonthOf } from "../../engine/index.ts"
import { answerOf, type BookAnswer } from "./answer.ts"
import { type WhatIf, whatIfs } from "./consolidation.ts"
import { type CoupleShown, coupleShown, readFor } from "./couple.ts"
import type { Draft } from "./draft.ts"
import type { Line } from "./line.ts"
import type { FieldProblem } from "./problems.ts"
import type { ReadBook, Reading } from "./reading.ts"
import { isCouple, type Whose } from "./spouse.ts"
import type { Explanation, Figure } from "./why/explanation.ts"
import { explanationOf } from "./why/index.ts"

/** The answer to one borrower. */
export interface OwnAnswer {
  readonly answer: BookAnswer
  readonly consolidations: ReadonlyArray<WhatIf>
  /** Dates that leave open what the law asks. */
  readonly open: ReadonlyArray<FieldProblem>
}

export type Outcome =
  | Exclude<Reading, { readonly _tag: "Book" }>
  | (OwnAnswer & {
      readonly _tag: "Answered"
      /** For two with loans: both returns, and the spouse's own answer. */
      readonly couple?: CoupleShown & { readonly spouse: OwnAnswer }
    })

const ownAnswer = (book: ReadBook, start: StartMonth): OwnAnswer => {
  const answer = answerOf(book, start)
  return { answer, consolidations: whatIfs(book, answer, start), open: book.open }
}

/** What keeps two books from an answer. The missing fields and the problems of both are told at once. */
const neither = (own: Reading, spouse: Reading): Exclude<Reading, { readonly _tag: "Book" }> | undefined => {
  const found = [own, spouse]
  const problems = found.flatMap((one) => (one._tag === "Wrong" ? one.problems : []))
  if (problems.length > 0) return { _tag: "Wrong", problems }
  const fields = found.flatMap((one) => (one._tag === "Missing" ? one.fields : []))
  return fields.length > 0 ? { _tag: "Missing", fields } : undefined
}

export const compute = (draft: Draft, now: Date): Outcome => {
  const start = startMonthOf(now)
  const reading = readFor(draft, "own", start)
  const ofSpouse = isCouple(draft) ? readFor(draft, "spouse", start) : undefined
  const without = ofSpouse && neither(reading, ofSpouse)
  if (without !== undefined) return without
  if (reading._tag !== "Book") return reading
  const own = ownAnswer(reading.book, start)
  if (ofSpouse?._tag !== "Book") return { _tag: "Answered", ...own }
  const spouse = ownAnswer(ofSpouse.book, start)
  const books = { own: reading.book, spouse: ofSpouse.book }
  const lines = { own: own.answer.lines, spouse: spouse.answer.lines }
  return { _tag: "Answered", ...own, couple: { ...coupleShown(draft, { books, lines }, start), spouse } }
}

/** A question about a figure of a line. */
export interface Question {
  /** The reader's, if absent. */
  readonly whose?: Whose
  readonly line: Line
  readonly figure: Figure
  /** Index from 0 of the month of a payment; other figures have none. */
  readonly month: number
}

/** The explanation of a figure; undefined if the draft has no figures. */
export const explainFigure = (
  draft: Draft,
  { figure, line, month, whose = "own" }: Question,
  now: Date
): Explanation | undefined => {
  const start = startMonthOf(now)
  const reading = readFor(draft, whose, start)
  if (reading._tag !== "Book") return undefined
  return explanationOf({ book: reading.book, start, line, month }, figure)
}
