/**
 * Cleanup of the schemas in the OpenAPI document, without artifacts of their derivation. Requests
 * stay closed to unknown properties; responses are opened, because a later version may add to them.
 */
import { Predicate } from "effect"
import { isVacuousBound, type Json, withoutAllOf } from "../../../schema/derivedJsonSchema.ts"

/** The derivation types whole-number literals as number; this makes them integer. */
const wholeLiterals = (schema: Json): Json => {
  const allowed = schema["enum"]
  const whole = schema["type"] === "number" && Array.isArray(allowed) && allowed.every(Number.isInteger)
  return whole ? { ...schema, type: "integer" } : schema
}

/** Tidies every schema inside a value. Not for examples: their values could look like schemas. */
export const tidied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidied)
  if (!Predicate.isReadonlyObject(value)) return value
  const keywords = Object.entries(wholeLiterals(withoutAllOf(value))).filter(
    ([keyword, stated]) => !isVacuousBound(keyword, stated)
  )
  return Object.fromEntries(keywords.map(([keyword, stated]) => [keyword, tidied(stated)]))
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/

/** Names of the schemas that a value refers to, directly or through other schemas. */
const schemasReferredTo = (value: unknown, schemas: Json, found: Set<string> = new Set()): ReadonlySet<string> => {
  for (const [keyword, part] of Object.entries(value ?? {})) {
    const name = keyword === "$ref" ? REFERENCE.exec(String(part))?.[1] : undefined
    if (name !== undefined && !found.has(name)) schemasReferredTo(schemas[name], schemas, found.add(name))
    if (typeof part === "object") schemasReferredTo(part, schemas, found)
  }
  return found
}

const opened = ({ additionalProperties, ...schema }: Json): Json =>
  additionalProperties === false
    ? schema
    : { ...schema, ...(additionalProperties === undefined ? {} : { additionalProperties }) }

/** Component schemas by name; those used by a request body stay closed to unknown properties. */
export const requestsClosed = (schemas: Json, requestBodies: ReadonlyArray<unknown>): Json => {
  const closed = schemasReferredTo(requestBodies, schemas)
  const names = Object.keys(schemas).sort()
  return Object.fromEntries(
    names.map((name) => [name, closed.has(name) ? schemas[name] : opened(schemas[name] as Json)])
  )
}
