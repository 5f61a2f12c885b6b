/** The state of the page, and the actions that change it. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { EnginePlan } from "../../engine/index.ts"
import type { Outcome } from "../book/compute.ts"
import type { ChangeField, Draft, HouseholdField, LoanField } from "../book/draft.ts"
import type { FileReading } from "../book/file.ts"
import type { Line } from "../book/line.ts"
import type { Whose } from "../book/spouse.ts"
import type { Explanation, Figure } from "../book/why/explanation.ts"

export const GOALS = ["first", "cost", "soonest"] as const
/** The lowest payment now, the lowest total cost, or debt-free first. */
export type Goal = (typeof GOALS)[number]

/** A figure whose explanation is open. */
export interface OpenWhy {
  readonly line: Line
  readonly figure: Figure
  /** Index from 0 of the month of a payment. */
  readonly month: number
  /** Undefined until it is computed. */
  readonly explanation: Explanation | undefined
}

export type ReadFile = FileReading & { readonly isUsed?: boolean }

export interface State {
  readonly draft: Draft
  /** Undefined before the first outcome. While `isBusy`, the outcome of an older draft. */
  readonly outcome: Outcome | undefined
  /** The answer when the present field was entered, which stays while the field is wrong. */
  readonly answered: Extract<Outcome, { readonly _tag: "Answered" }> | undefined
  readonly isBusy: boolean
  readonly hasFailed: boolean
  /** The reader's goal; undefined until a card is chosen. */
  readonly goal: Goal | undefined
  /** The order of the list, once the reader has changed it. */
  readonly sort: Goal | undefined
  /** The chosen return of each plan. */
  readonly returns: Readonly<Partial<Record<EnginePlan, FilingStatus>>>
  readonly why: OpenWhy | undefined
  /** The result of reading a file of each, until it is used or closed. */
  readonly readings: Readonly<Partial<Record<Whose, ReadFile | undefined>>>
  /** Whose own answer is shown. */
  readonly whose: Whose
  /** Counts replacements of the whole draft. */
  readonly generation: number
  /** The draft before it was replaced or lost a loan, for undo. */
  readonly before: Draft | undefined
  /** A message about the last action. */
  readonly notice: string
}

/** The first state of a draft. */
export const firstState = (draft: Draft, outcome?: Outcome): State => ({
  draft,
  outcome,
  answered: undefined,
  isBusy: false,
  hasFailed: false,
  goal: undefined,
  sort: undefined,
  returns: {},
  why: undefined,
  readings: {},
  whose: "own",
  generation: 0,
  before: undefined,
  notice: ""
})

/** What the reader does, or for the spouse: both have their loans, own answers and file. */
export interface Actions {
  readonly setLoan: (index: number, field: LoanField, value: string) => void
  /** Sets a field of all loans that are not empty. */
  readonly setEveryLoan: (field: LoanField, value: string) => void
  /** Splits unpaid interest, in cents, over the loans by what is owed on each. */
  readonly setUnpaidInterest: (cents: number) => void
  readonly setHousehold: (field: HouseholdField, value: string) => void
  readonly addLoan: () => void
  readonly removeLoan: (index: number) => void
  readonly setChange: (index: number, field: ChangeField, value: string) => void
  readonly addChange: () => void
  readonly removeChange: (index: number) => void
  /** Tries the usual growth of incomes and prices. */
  readonly tryGrowth: () => void
  readonly addSpouse: () => void
  readonly removeSpouse: () => void
  readonly showAnswerOf: (whose: Whose) => void
  readonly replace: (draft: Draft) => void
  readonly undo: () => void
  readonly readFile: (file: File) => void
  readonly useFile: () => void
  readonly leaveFile: () => void
  readonly setGoal: (goal: Goal) => void
  readonly sortBy: (sort: Goal) => void
  readonly chooseReturn: (planType: EnginePlan, filing: FilingStatus) => void
  /** @param month of a payment; by default the month of the figure */
  readonly explain: (line: Line, figure: Figure, month?: number) => void
  readonly closeWhy: () => void
  readonly copyLink: () => void
  readonly print: () => void
  /** Saves a text as a file. */
  readonly save: (name: string, text: string) => void
}
