/**
 * A borrower of a portfolio as a file holds one: the household of schema/scenario.ts and the loans of schema/loan.ts under
 * an id. A line of JSON is one borrower; a table has a row for each loan, and the rows of a borrower stand together.
 */

import { Schema } from "effect"
import { LOANS_TO_SEND } from "../../../schema/bounds.ts"
import { Loan, Loans } from "../../../schema/loan.ts"
import { PLAN_NAMES } from "../../../schema/otherNames.ts"
import { canonical, checkedText, orElse, required } from "../../../schema/primitives.ts"
import { PLAN_TYPES, Scenario } from "../../../schema/scenario.ts"
import { isPlainId, MOST_ID_CHARACTERS, NOT_PLAIN } from "./ids.ts"

const ID_MESSAGE = `must be text of 1 to ${MOST_ID_CHARACTERS} characters`

const BorrowerId = checkedText(
  ID_MESSAGE,
  (id) => [
    ...(id.length >= 1 && id.length <= MOST_ID_CHARACTERS ? [] : [ID_MESSAGE]),
    ...(isPlainId(id) ? [] : [NOT_PLAIN])
  ],
  {
    description: "Whose the row is: text or a whole number, never shown to anybody but in the results.",
    toJsonSchema: () => ({ minLength: 1, maxLength: MOST_ID_CHARACTERS })
  }
)

const { label: _label, planType: _planType, ...household } = Scenario.fields

/** Short names of plans that stand for one of them, also with hyphens, as the command line takes them. */
export const SHORT_NAMES = Object.fromEntries(
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

/** What a table says of a borrower in each of the rows. */
const OWN_MEMBERS = {
  borrowerId: required(BorrowerId, "text that names the borrower"),
  ...household,
  currentPlan: orElse(Schema.NullOr(CurrentPlan).annotate({ default: null }), null)
}

export const Borrower = Schema.Struct({
  ...OWN_MEMBERS,
  loans: required(Loans, LOANS_TO_SEND)
}).annotate({
  identifier: "Borrower",
  description: "One borrower of a portfolio.",
  message: "must be a borrower object"
})
export type Borrower = typeof Borrower.Type

/** The columns of a borrower, and those of a loan: what a table may have. */
export const BORROWER_COLUMNS: ReadonlyArray<string> = Object.keys(OWN_MEMBERS)
export const LOAN_COLUMNS: ReadonlyArray<string> = Object.keys(Loan.fields)
