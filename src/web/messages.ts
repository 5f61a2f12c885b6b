/** What the page and its worker say to each other. */
import type { Explained, Outcome, Question } from "./book/compute.ts"
import type { Draft } from "./book/draft.ts"

/** `now` in milliseconds: an explanation is asked for the day of its answer. */
export interface Asked {
  readonly id: number
  readonly draft: Draft
  readonly now: number
  /** Missing where all of the draft is to be computed. */
  readonly question?: Question
}

export interface Told {
  readonly id: number
  readonly outcome?: Outcome
  readonly explanation?: Explained | undefined
}
