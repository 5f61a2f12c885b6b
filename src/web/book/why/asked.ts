/** The figure to explain, for the engine: the line's request and its traced steps. */

import type { FilingStatus } from "../../../../schema/scenario.ts"
import {
  currentLaw,
  type EngineRequest,
  type Explanation,
  explain,
  type StartMonth,
  type Step,
  type Term
} from "../../../engine/index.ts"
import { totalsTexts } from "../../whyTexts.ts"
import { notRefused, requestOf as requestOfLine } from "../asking.ts"
import type { Line } from "../line.ts"
import type { ReadBook } from "../reading.ts"

export interface Asked {
  readonly book: ReadBook
  readonly start: StartMonth
  readonly line: Line
  /** Index from 0 of the month of a payment. */
  readonly month: number
}

export const filingOf = ({ book, line }: Asked): FilingStatus => line.filing ?? book.filings[0]

export const requestOf = (asked: Asked): EngineRequest =>
  requestOfLine(asked.book, asked.line.planType, filingOf(asked))

export const explained = (asked: Asked, month: number): Explanation =>
  notRefused(explain(currentLaw, requestOf(asked), asked.start, month))

/** A note on the totals of a line that never finishes. */
export const unfinished = ({ line }: Asked): ReadonlyArray<string> =>
  line.figures.monthsToFinish === null ? [totalsTexts.unfinished] : []

export const lastOf = ({ line }: Asked): number => line.months.length - 1

export const valuesOf = (steps: ReadonlyArray<Step>, term: Term): ReadonlyArray<number> =>
  steps.filter((step) => step.term === term).map(({ value }) => value)
export const mostOf = (steps: ReadonlyArray<Step>, term: Term): number => Math.max(0, ...valuesOf(steps, term))
