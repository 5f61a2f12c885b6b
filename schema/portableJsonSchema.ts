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

const isLeftOut = (keyword: string, value: unknown): boolean =>
  (keyword === "format" && STORAGE_FORMATS.has(String(value))) || isVacuousBound(keyword, value)

const REFERENCE = /^#\/\$defs\/(.+)$/

/** A reference replaced by what it refers to. */
const resolved = (node: Json, definitions: Json): Json => {
  const name = REFERENCE.exec(String(node["$ref"] ?? ""))?.[1]
  const target = name === undefined ? undefined : definitions[name]
  if (!Predicate.isReadonlyObject(target)) return node
  const { $ref: _, ...beside } = node
  return { ...target, ...beside }
}

const portable = (value: unknown, definitions: Json): unknown => {
  if (Array.isArray(value)) return value.map((item) => portable(item, definitions))
  if (!Predicate.isReadonlyObject(value)) return value
  const keywords = Object.entries(withoutAllOf(resolved(value, definitions)))
  return Object.fromEntries(
    keywords
      .filter(([keyword, stated]) => !isLeftOut(keyword, stated))
      .map(([keyword, stated]) => [keyword, portable(stated, definitions)])
  )
}

/** `closed`: unknown properties are refused. */
export const toPortableJsonSchema = (schema: Schema.Constraint, closed: boolean): ObjectSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: closed ? "error" : "ignore" })
  const root = portable(document.schema, document.definitions) as ObjectSchema
  // Some clients treat an object schema without properties as an error.
  return "properties" in root ? root : { ...root, properties: {} }
}
