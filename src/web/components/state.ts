/** What the page shows at a moment, and what can be done about it. A page that is rendered on the server can do nothing. */
import type { Line } from "../book/answer.ts"
import type { Explained, Outcome } from "../book/compute.ts"
import type { Draft, HouseholdField, LoanField } from "../book/draft.ts"
import type { FileReading } from "../book/file.ts"

/** A payment whose explanation is open. */
export interface OpenWhy {
  readonly line: Line
  readonly month: number
  /** Undefined until it is computed. */
  readonly explanation: Explained | undefined
}

export interface State {
  readonly draft: Draft
  /** Undefined until the first one is there; then of an older draft while `isBusy`. */
  readonly outcome: Outcome | undefined
  readonly isBusy: boolean
  readonly hasFailed: boolean
  /** Keys of the lines that are plotted; undefined for those that stand out. */
  readonly plotted: ReadonlyArray<string> | undefined
  readonly why: OpenWhy | undefined
  /** What was read of a file, until it is used or left. */
  readonly reading: (FileReading & { readonly isUsed?: boolean }) | undefined
  /** How often all of the draft was replaced. */
  readonly generation: number
  /** What was typed before all of it was replaced, or a loan was removed. */
  readonly before: Draft | undefined
  /** A word on what was done last. */
  readonly notice: string
}

/** What the page shows of a draft at first. */
export const firstState = (draft: Draft, outcome?: Outcome): State => ({
  draft,
  outcome,
  isBusy: false,
  hasFailed: false,
  plotted: undefined,
  why: undefined,
  reading: undefined,
  generation: 0,
  before: undefined,
  notice: ""
})

export interface Actions {
  readonly setLoan: (index: number, field: LoanField, value: string) => void
  readonly setHousehold: (field: HouseholdField, value: string) => void
  readonly addLoan: () => void
  readonly removeLoan: (index: number) => void
  readonly replace: (draft: Draft) => void
  readonly undo: () => void
  readonly readFile: (file: File) => void
  readonly useFile: () => void
  readonly leaveFile: () => void
  readonly plot: (keys: ReadonlyArray<string>) => void
  readonly explain: (line: Line, month: number) => void
  readonly closeWhy: () => void
  readonly copyLink: () => void
  readonly print: () => void
  /** Lets the browser keep a text as a file. */
  readonly save: (name: string, text: string) => void
}
