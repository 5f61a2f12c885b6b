/** From a draft to what the page shows of it. Runs in the page's worker, and on the server for those without JavaScript. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import { explain } from "../../engine/explanation.ts"
import { currentLaw } from "../../engine/law/law.ts"
import type { EnginePlan } from "../../engine/plans/plan.ts"
import { startMonthOf } from "../../engine/schedule/calendar.ts"
import { explanationAnswer } from "../../messages/explanation.ts"
import { answerOf, type BookAnswer } from "./answer.ts"
import type { Draft } from "./draft.ts"
import { type Reading, readDraft } from "./reading.ts"

export type Outcome =
  | Exclude<Reading, { readonly _tag: "Book" }>
  | { readonly _tag: "Answered"; readonly answer: BookAnswer }

export const compute = (draft: Draft, now: Date): Outcome => {
  const start = startMonthOf(now)
  const reading = readDraft(draft, start)
  if (reading._tag !== "Book") return reading
  return { _tag: "Answered", answer: answerOf(reading.book, start) }
}

/** A payment of a line of the answer. */
export interface Question {
  readonly planType: EnginePlan
  /** Undefined for the first return of the household. */
  readonly filing: FilingStatus | null
  /** Index from 0. */
  readonly month: number
}

export type Explained = ReturnType<typeof explanationAnswer>

/** How a payment comes about; undefined where the draft gives none. */
export const explainPayment = (draft: Draft, question: Question, now: Date): Explained | undefined => {
  const start = startMonthOf(now)
  const reading = readDraft(draft, start)
  if (reading._tag !== "Book") return undefined
  const { filings, household, loans } = reading.book
  const scenario = { ...household, planType: question.planType, filingStatus: question.filing ?? filings[0] }
  const outcome = explain(currentLaw, { scenario, loans, includeYearly: false }, start, question.month)
  return outcome._tag === "Refusal" ? undefined : explanationAnswer(currentLaw, outcome)
}
