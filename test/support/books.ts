/** Random drafts of the start page: every kind of loan, dates, growth, extra payments and changes of later years. */
import fc from "fast-check"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import type { BookAnswer } from "../../src/web/book/answer.ts"
import { compute, type Outcome } from "../../src/web/book/compute.ts"
import {
  CLAIMS,
  type Draft,
  ERAS,
  EXACT_DAY,
  emptyChange,
  emptyDraft,
  emptyLoan,
  LOAN_PAYS,
  MARRIED,
  PAUSES,
  PAYS_LATER,
  SERVICE_CHANGES,
  SPLITS
} from "../../src/web/book/draft.ts"
import { App } from "../../src/web/components/App.ts"
import { type Actions, firstState } from "../../src/web/components/state.ts"

type Answered = Extract<Outcome, { readonly _tag: "Answered" }>

/** The states that tax forgiven debt are drawn as often as all others. */
const TAXING = ["AR", "IN", "MS", "NC", "WI"]

const cents = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((amount) => (amount / 100).toFixed(2))
const whole = (most: number, min = 0) => fc.integer({ min, max: most }).map(String)
const sometimes = (typed: fc.Arbitrary<string>, usual = "") => fc.oneof(fc.constant(usual), typed)
const days = (from: string, to: string) =>
  fc
    .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, "YYYY-MM-DD".length))

const loans = fc.array(
  fc.record({
    type: fc.constantFrom(...LOAN_TYPES),
    balance: cents(120_000),
    rate: cents(12),
    interest: cents(9_000),
    months: sometimes(whole(200), "0"),
    pslf: sometimes(whole(110), "0"),
    madeOn: sometimes(days("2006-01-01", "2026-10-31")),
    pays: fc.constantFrom("", "", "", ...LOAN_PAYS),
    until: fc.constantFrom("2027-04", "2029-12")
  }),
  { minLength: 1, maxLength: 4 }
)

const changes = fc.uniqueArray(
  fc
    .tuple(
      whole(30, 2),
      fc.oneof(
        fc.record({ income: cents(150_000) }),
        fc.record({
          filing: fc.constantFrom(...FILING_STATUSES),
          spouseIncome: cents(90_000),
          spouseLoans: sometimes(cents(50_000))
        }),
        fc.record({ dependents: whole(5) }),
        fc.record({ service: fc.constantFrom(...SERVICE_CHANGES), income: sometimes(cents(150_000)) })
      )
    )
    .map(([year, change]) => ({ ...emptyChange, year, ...change })),
  { maxLength: 3, selector: ({ year }) => year }
)

const households = fc.record({
  income: cents(150_000),
  filing: fc.constantFrom("Single", "HeadOfHousehold", "Married"),
  spouseIncome: cents(90_000),
  spouseLoans: cents(50_000),
  dependents: whole(4),
  state: fc.oneof(fc.constantFrom(...STATES), fc.constantFrom(...TAXING)),
  growth: cents(6),
  prices: sometimes(cents(5), "0"),
  extra: sometimes(cents(600), "0"),
  discount: cents(8),
  service: fc.constantFrom("", "", "yes"),
  firstBorrowed: fc.constantFrom("", ...ERAS, EXACT_DAY),
  firstBorrowedOn: days("1990-01-01", "2026-10-31"),
  once: fc.constantFrom("", "", "5000"),
  onceOn: fc.constantFrom("", "2027-03"),
  family: sometimes(whole(8, 1)),
  pays: fc.constantFrom("", "", ...PAYS_LATER),
  until: fc.constantFrom("2026-11", "2027-04", "2029-12"),
  pause: fc.constantFrom("", ...PAUSES),
  plan: fc.constantFrom("", ...PLAN_TYPES),
  switchFrom: fc.constantFrom("", "2028-06", "2031-01"),
  switchTo: fc.constantFrom("", ...PLAN_TYPES)
})

const drafts: fc.Arbitrary<Draft> = fc.record({ loans, household: households, changes }).map((drawn) => ({
  loans: drawn.loans.map((loan) => ({ ...emptyLoan, ...loan })),
  household: { ...emptyDraft.household, ...drawn.household },
  changes: drawn.changes
}))

/** Nothing is called while a page is written as text. */
export const NO_ACTIONS = {} as Actions

/** HTML of the start page's form and answer. @param outcome undefined before anything is computed */
export const appHtml = (draft: Draft, outcome: Outcome | undefined): string =>
  renderToString(h(App, { state: firstState(draft, outcome), actions: { own: NO_ACTIONS, spouse: NO_ACTIONS } }))

export const answered = (draft: Draft, now: Date): Answered => {
  const outcome = compute(draft, now)
  if (outcome._tag !== "Answered") throw new Error(JSON.stringify(outcome))
  return outcome
}

export interface AnsweredBook {
  readonly draft: Draft
  readonly answered: Answered
}

/** Random drafts with an open plan, and their answers. Those whose dates contradict each other are drawn anew. */
export const answeredBooks = (count: number, seed: number, now: Date): ReadonlyArray<AnsweredBook> => {
  const found: Array<AnsweredBook> = []
  for (const draft of fc.sample(drafts, { seed, numRuns: 10 * count })) {
    const outcome = compute(draft, now)
    if (outcome._tag === "Answered" && outcome.answer.lines.length > 0) found.push({ draft, answered: outcome })
    if (found.length === count) return found
  }
  throw new RangeError(`${found.length} books of ${count}`)
}

export interface AnsweredCouple {
  readonly draft: Draft
  readonly own: BookAnswer
  readonly couple: NonNullable<Answered["couple"]>
}

/** Random drafts of two with loans, the second with the household of its own that the first shares with it. */
export const answeredCouples = (count: number, seed: number, now: Date): ReadonlyArray<AnsweredCouple> => {
  const drawn = fc.record({
    draft: drafts,
    spouse: drafts,
    split: fc.constantFrom("", ...SPLITS),
    claims: fc.constantFrom("", ...CLAIMS)
  })
  const found: Array<AnsweredCouple> = []
  for (const { claims, draft, split, spouse } of fc.sample(drawn, { seed, numRuns: 20 * count })) {
    const household = { ...draft.household, filing: MARRIED, split, claims }
    const couple = { ...draft, household, changes: [], spouse: { ...spouse, changes: [] } }
    const outcome = compute(couple, now)
    if (outcome._tag === "Answered" && outcome.couple !== undefined)
      found.push({ draft: couple, own: outcome.answer, couple: outcome.couple })
    if (found.length === count) return found
  }
  throw new RangeError(`${found.length} couples of ${count}`)
}
