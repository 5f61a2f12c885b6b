/**
 * Schema adjustments for client generators. Strings that the service accepts in any case get their
 * canonical spellings as an enum, and descriptions of nullable values move to the property.
 */
import { CALCULATOR_LOAN_TYPES } from "../../../schema/calculator.ts"
import type { Json } from "../../../schema/derivedJsonSchema.ts"
import { LOAN_TYPES } from "../../../schema/loan.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../../schema/scenario.ts"

type Schemas = Readonly<Record<string, Json>>

const HOUSEHOLD = { filingStatus: FILING_STATUSES, state: STATES }

const SPELLINGS: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  Scenario: { ...HOUSEHOLD, planType: PLAN_TYPES },
  Loan: { loanType: LOAN_TYPES },
  KeylessLoanRequest: { ...HOUSEHOLD, loanType: [...Object.keys(CALCULATOR_LOAN_TYPES), ...LOAN_TYPES] }
}

const isNull = ({ type }: Json): boolean => type === "null"

const membersOf = ({ anyOf }: Json): ReadonlyArray<Json> => (Array.isArray(anyOf) ? anyOf : [])

/** An enum makes these checks redundant, and some generators cannot express both. */
const withoutBounds = ({ minLength: _, pattern: __, ...schema }: Json): Json => schema

/** Only strings have spellings; the other member of a union is null. */
const withSpellings = (schema: Json, values: ReadonlyArray<string> | undefined): Json => {
  if (values === undefined) return schema
  if (schema["type"] === "string") return { ...withoutBounds(schema), enum: values }
  return {
    ...schema,
    anyOf: membersOf(schema).map((member) => (isNull(member) ? member : withSpellings(member, values)))
  }
}

/** Moves the descriptions to the property: that of the value, then the meaning of null. */
const describedOnce = (schema: Json): Json => {
  const members = membersOf(schema)
  if (!members.some(isNull)) return schema
  const descriptions = [...members, schema].flatMap(({ description }) =>
    typeof description === "string" ? [description] : []
  )
  const anyOf = members.map(({ description: _, ...member }) => member)
  return { ...schema, anyOf, ...(descriptions.length === 0 ? {} : { description: descriptions.join(" ") }) }
}

const readable = (name: string, schema: Json): Json => {
  const { properties } = schema
  if (properties === undefined) return schema
  const readableProperties = Object.entries(properties as Schemas).map(
    ([key, property]) => [key, describedOnce(withSpellings(property, SPELLINGS[name]?.[key]))] as const
  )
  return { ...schema, properties: Object.fromEntries(readableProperties) }
}

/** Component schemas with their properties adjusted for client generators. */
export const readableForGenerators = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas as Schemas).map(([name, schema]) => [name, readable(name, schema)]))
