/**
 * Reads most borrowers in a fifth of the time that their schema takes, by the shapes of the requests, which are made from the
 * schemas of the contract. Says nothing of what it does not take: that is for the schema, which has the words.
 */
import { Schema } from "effect"
import { ProjectionRequest } from "../../../schema/generated/shapes.ts"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { byKey, type Member, type Shape } from "../../../schema/shape.ts"
import { readerOf } from "../../library/check.ts"
import { Borrower, SHORT_NAMES } from "./borrower.ts"

const membersOf = (shape: Shape | undefined): Readonly<Record<string, Member>> =>
  shape?.kind === "object" ? shape.members : {}

const { loans, scenario } = membersOf(ProjectionRequest)
const { label: _label, planType: _planType, ...household } = membersOf(scenario?.shape)

/** Any text: what an id may be is told by its schema. */
const ID: Shape = { kind: "text", says: "", mostCharacters: Number.POSITIVE_INFINITY }

const CURRENT_PLAN: Shape = { kind: "name", says: "", names: byKey(PLAN_TYPES, SHORT_NAMES) }

const SHAPE: Shape = {
  kind: "object",
  says: "",
  members: {
    borrowerId: { shape: ID, isNullable: false, required: "" },
    ...household,
    currentPlan: { shape: CURRENT_PLAN, isNullable: true, otherwise: null },
    loans: loans!
  }
}

const read = readerOf(SHAPE)

const isId = Schema.is(Borrower.fields.borrowerId)

/** The borrower; undefined where the value may be none. */
export const quickBorrower = (value: unknown): Borrower | undefined => {
  const borrower = read(value) as Borrower | undefined
  return borrower !== undefined && isId(borrower.borrowerId) ? borrower : undefined
}
