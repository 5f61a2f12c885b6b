/** Computes the page's answer from a draft. Runs in the page's worker. */
import { startMonthOf } from "../../engine/index.ts"
import { answerOf, type BookAnswer } from "./answer.ts"
import { type WhatIf, whatIfs } from "./consolidation.ts"
import type { Draft } from "./draft.ts"
import type { Line } from "./line.ts"
import type { FieldProblem } from "./problems.ts"
import { type Reading, readDraft } from "./reading.ts"
import type { Explanation, Figure } from "./why/explanation.ts"
import { explanationOf } from "./why/index.ts"

export type Outcome =
  | Exclude<Reading, { readonly _tag: "Book" }>
  | {
      readonly _tag: "Answered"
      readonly answer: BookAnswer
      readonly consolidations: ReadonlyArray<WhatIf>
      /** Dates that leave open what the law asks. */
      readonly open: ReadonlyArray<FieldProblem>
    }

export const compute = (draft: Draft, now: Date): Outcome => {
  const start = startMonthOf(now)
  const reading = readDraft(draft, start)
  if (reading._tag !== "Book") return reading
  const answer = answerOf(reading.book, start)
  const { open } = reading.book
  return { _tag: "Answered", answer, consolidations: whatIfs(reading.book, answer, start), open }
}

/** A question about a figure of a line. */
export interface Question {
  readonly line: Line
  readonly figure: Figure
  /** Index from 0 of the month of a payment; other figures have none. */
  readonly month: number
}

/** The explanation of a figure; undefined if the draft has no figures. */
export const explainFigure = (draft: Draft, { figure, line, month }: Question, now: Date): Explanation | undefined => {
  const start = startMonthOf(now)
  const reading = readDraft(draft, start)
  if (reading._tag !== "Book") return undefined
  return explanationOf({ book: reading.book, start, line, month }, figure)
}
