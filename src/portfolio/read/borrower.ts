/**
 * The schema of a borrower in a portfolio file: an id, the household of schema/scenario.ts and the
 * loans of schema/loan.ts. A JSON line is one borrower; a table has a row per loan, and the rows of
 * a borrower are consecutive.
 */

import { Schema } from "effect"
import { LOANS_TO_SEND } from "../../../schema/bounds.ts"
import { Loan, Loans } from "../../../schema/loan.ts"
import { PLAN_NAMES } from "../../../schema/otherNames.ts"
import { canonical, checkedText, orElse, required } from "../../../schema/primitives.ts"
import { Change, LumpSum, Pause, PLAN_TYPES, PlanChange, Scenario } from "../../../schema/scenario.ts"
import { isPlainId, MAX_ID_CHARACTERS, NOT_PLAIN } from "./ids.ts"

const ID_MESSAGE = `must be text of 1 to ${MAX_ID_CHARACTERS} characters`

const BorrowerId = checkedText(
  ID_MESSAGE,
  (id) => [
    ...(id.length >= 1 && id.length <= MAX_ID_CHARACTERS ? [] : [ID_MESSAGE]),
    ...(isPlainId(id) ? [] : [NOT_PLAIN])
  ],
  {
    description: "Id of the borrower: text or a whole number. It appears only in the results.",
    toJsonSchema: () => ({ minLength: 1, maxLength: MAX_ID_CHARACTERS })
  }
)

const { label: _label, planType: _planType, ...household } = Scenario.fields

/** Short names that mean exactly one plan, with spaces or hyphens, as on the command line. */
const SHORT_NAMES = Object.fromEntries(
  Object.entries(PLAN_NAMES.names).flatMap(([name, plans]) => {
    const plan = PLAN_TYPES.find((one) => plans.length === 1 && one === plans[0])
    return plan === undefined ? [] : [name, name.replaceAll(" ", "-")].map((one) => [one, plan] as const)
  })
)

const CurrentPlan = canonical(PLAN_TYPES, {
  description: "The plan that the borrower has now.",
  message: `must be one of the plan types, or a short name such as RAP, IBR-NEW or IBR-OLD: ${PLAN_TYPES.join("; ")}`,
  example: "SAVE",
  otherNames: PLAN_NAMES,
  aliases: SHORT_NAMES
})

/** The fields of the borrower itself, which a table repeats in each row of the borrower. */
const BORROWER_MEMBERS = {
  borrowerId: required(BorrowerId, "text that names the borrower"),
  ...household,
  currentPlan: orElse(Schema.NullOr(CurrentPlan).annotate({ default: null }), null)
}

export const Borrower = Schema.Struct({
  ...BORROWER_MEMBERS,
  loans: required(Loans, LOANS_TO_SEND)
}).annotate({
  identifier: "Borrower",
  description: "One borrower of a portfolio.",
  message: "must be a borrower object"
})
export type Borrower = typeof Borrower.Type

export const BORROWER_COLUMNS: ReadonlyArray<string> = Object.keys(BORROWER_MEMBERS)
export const LOAN_COLUMNS: ReadonlyArray<string> = Object.keys(Loan.fields)

/** The members of the borrower's lists, which are columns only in a list of structs. */
export const LIST_MEMBERS = {
  changes: Object.keys(Change.fields),
  pauses: Object.keys(Pause.fields),
  planChanges: Object.keys(PlanChange.fields),
  lumpSums: Object.keys(LumpSum.fields)
} satisfies Readonly<Record<string, ReadonlyArray<string>>>
export type OwnList = keyof typeof LIST_MEMBERS

export const isOwnList = (name: string): name is OwnList => Object.hasOwn(LIST_MEMBERS, name)

/** The columns of a loan's row for a pause of that loan, by the members of a pause. */
export const PAUSE_COLUMNS = { kind: "pauseKind", from: "pauseFrom", until: "pauseUntil" } as const satisfies Readonly<
  Record<Exclude<keyof Pause, "loans">, string>
>
