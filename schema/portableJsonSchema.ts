/**
 * The conversion of Effect Schemas to JSON Schema that every MCP client can read. The result is of
 * draft 2020-12 with only keywords of older drafts, has an object at the root and no references,
 * and describes the same values.
 */
import { Predicate, Schema } from "effect"
import { MAX_DOLLARS } from "./bounds.ts"
import { isVacuousBound, type Json, withoutAllOf } from "./derivedJsonSchema.ts"

export interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: "object"
}

/** OpenAPI's number formats, left out because strict validators refuse formats unknown to them. */
const STORAGE_FORMATS = new Set(["double", "int32", "int64"])

/**
 * Keywords for people, left out because language models read every schema in every conversation.
 * Models get short notes instead.
 */
const DOCUMENTATION_KEYWORDS = new Set(["description", "examples", "readOnly"])

/**
 * A default of null says that nothing has to be sent, as a missing one does. No borrower comes near
 * the largest amount of money.
 */
const isLeftOut = (keyword: string, value: unknown): boolean =>
  DOCUMENTATION_KEYWORDS.has(keyword) ||
  (keyword === "default" && value === null) ||
  (keyword === "minItems" && value === 0) ||
  (keyword === "minLength" && value === 1) ||
  (keyword === "maximum" && value === MAX_DOLLARS) ||
  (keyword === "additionalProperties" && value === true) ||
  (keyword === "format" && STORAGE_FORMATS.has(String(value))) ||
  isVacuousBound(keyword, value)

const REFERENCE = /^#\/\$defs\/(.+)$/

/** Replaces a reference by its target. */
const resolved = (node: Json, definitions: Json): Json => {
  const name = REFERENCE.exec(String(node["$ref"] ?? ""))?.[1]
  const target = name === undefined ? undefined : definitions[name]
  if (!Predicate.isReadonlyObject(target)) return node
  const { $ref: _, ...siblings } = node
  return { ...target, ...siblings }
}

/** Extra keywords for a model, such as a short description, by property name at any depth. */
export type Notes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const portable = (value: unknown, definitions: Json, notes: Notes): unknown => {
  if (Array.isArray(value)) return value.map((item) => portable(item, definitions, notes))
  if (!Predicate.isReadonlyObject(value)) return value
  const keywords = Object.entries(withoutAllOf(resolved(value, definitions)))
  return Object.fromEntries(
    keywords
      .filter(([keyword, stated]) => !isLeftOut(keyword, stated))
      .map(([keyword, stated]) => [
        keyword,
        keyword === "properties" ? properties(stated as Json, definitions, notes) : portable(stated, definitions, notes)
      ])
  )
}

/** Writes a nullable type with one `type` keyword instead of two schemas. */
const nullable = (schema: Json): Json => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [{ type, ...keywords }, other] = anyOf as [Json, Json]
  return typeof type === "string" && other["type"] === "null"
    ? { type: [type, "null"], ...keywords, ...others }
    : schema
}

const properties = (stated: Json, definitions: Json, notes: Notes) =>
  Object.fromEntries(
    Object.entries(stated).map(([name, schema]) => [
      name,
      { ...nullable(portable(schema, definitions, notes) as Json), ...notes[name] }
    ])
  )

/** If `closed`, the schema refuses unknown properties. */
export const toPortableJsonSchema = (schema: Schema.Constraint, closed: boolean, notes: Notes): ObjectSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: closed ? "error" : "ignore" })
  const root = portable(document.schema, document.definitions, notes) as ObjectSchema
  // Some clients treat an object schema without properties as an error.
  return "properties" in root ? root : { ...root, properties: {} }
}
