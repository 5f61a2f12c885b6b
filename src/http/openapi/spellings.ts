/**
 * What generators of clients make types of: the canonical spellings of a string that the service takes in any case, and
 * what is said of a value that may be null where they look for it, at the property. What the service accepts is wider.
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

/** Beside its spellings these say nothing more, and a generator may have no way to say both. */
const withoutBounds = ({ minLength: _, pattern: __, ...schema }: Json): Json => schema

/** Only strings are spelled; the other member of a union is null. */
const spelled = (schema: Json, values: ReadonlyArray<string> | undefined): Json => {
  if (values === undefined) return schema
  if (schema["type"] === "string") return { ...withoutBounds(schema), enum: values }
  return { ...schema, anyOf: membersOf(schema).map((member) => (isNull(member) ? member : spelled(member, values))) }
}

/** What is said of the value, then what null means. */
const describedOnce = (schema: Json): Json => {
  const members = membersOf(schema)
  if (!members.some(isNull)) return schema
  const said = [...members, schema].flatMap(({ description }) => (typeof description === "string" ? [description] : []))
  const anyOf = members.map(({ description: _, ...member }) => member)
  return { ...schema, anyOf, ...(said.length === 0 ? {} : { description: said.join(" ") }) }
}

const readable = (name: string, schema: Json): Json => {
  const { properties } = schema
  if (properties === undefined) return schema
  const written = Object.entries(properties as Schemas).map(
    ([key, property]) => [key, describedOnce(spelled(property, SPELLINGS[name]?.[key]))] as const
  )
  return { ...schema, properties: Object.fromEntries(written) }
}

/** Component schemas, each with its properties as generators read them. */
export const readableForGenerators = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas as Schemas).map(([name, schema]) => [name, readable(name, schema)]))
