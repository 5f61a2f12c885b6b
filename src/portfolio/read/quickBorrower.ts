/**
 * The fast decoder of borrowers, five times as fast as their schema. It uses the request shapes
 * generated from the contract. What it does not accept goes to the schema, which has the messages.
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

/** Any text: the id is checked with its schema below. */
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

const reader = readerOf(SHAPE)

const isId = Schema.is(Borrower.fields.borrowerId)

/** The borrower; undefined if the value may be invalid. */
export const quickBorrower = (value: unknown): Borrower | undefined => {
  const borrower = reader(value) as Borrower | undefined
  return borrower !== undefined && isId(borrower.borrowerId) ? borrower : undefined
}
