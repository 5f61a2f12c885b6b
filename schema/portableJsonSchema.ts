/**
 * JSON Schema that every MCP client can read: draft 2020-12 restricted to keywords that older drafts share, an object
 * at the root, and no references. What it describes is what the Effect Schema describes.
 */
import { Predicate, Schema } from "effect"
import { isVacuousBound, type Json, withoutAllOf } from "./derivedJsonSchema.ts"

export interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: "object"
}

/** Formats of OpenAPI that say how a number is stored; strict validators refuse formats that they do not know. */
const STORAGE_FORMATS = new Set(["double", "int32", "int64"])

/** Written for people, at length, or for documents alone. A model, which reads every list of tools, is told by notes. */
const LONG = new Set(["description", "examples", "readOnly"])

const isLeftOut = (keyword: string, value: unknown): boolean =>
  LONG.has(keyword) ||
  (keyword === "additionalProperties" && value === true) ||
  (keyword === "format" && STORAGE_FORMATS.has(String(value))) ||
  isVacuousBound(keyword, value)

const REFERENCE = /^#\/\$defs\/(.+)$/

/** A reference replaced by what it refers to. */
const resolved = (node: Json, definitions: Json): Json => {
  const name = REFERENCE.exec(String(node["$ref"] ?? ""))?.[1]
  const target = name === undefined ? undefined : definitions[name]
  if (!Predicate.isReadonlyObject(target)) return node
  const { $ref: _, ...beside } = node
  return { ...target, ...beside }
}

/** What a model is told of the members of a name, wherever they are: keywords beside those of the schema. */
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

/** A type or null, said with one keyword and not with two schemas. */
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

/** `closed`: unknown properties are refused. */
export const toPortableJsonSchema = (schema: Schema.Constraint, closed: boolean, notes: Notes): ObjectSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: closed ? "error" : "ignore" })
  const root = portable(document.schema, document.definitions, notes) as ObjectSchema
  // Some clients treat an object schema without properties as an error.
  return "properties" in root ? root : { ...root, properties: {} }
}
