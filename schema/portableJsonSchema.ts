/**
 * JSON Schema as every MCP client reads it: draft 2020-12 restricted to keywords that older drafts share, an object at
 * the root, and nothing referred to from elsewhere. What it describes is what the Effect Schema describes.
 */
import { Schema } from "effect"

export interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: "object"
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** Formats of OpenAPI: they say how a number is stored, and strict validators refuse what they do not know. */
const STORAGE_FORMATS = new Set(["double", "int32", "int64"])

/** Bounds that say no more than that a number is an integer. */
const isVacuous = (keyword: string, value: unknown): boolean =>
  (keyword === "format" && STORAGE_FORMATS.has(String(value))) ||
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)

const REFERENCE = /^#\/\$defs\/(.+)$/

const referenced = (node: Node, definitions: Readonly<Record<string, unknown>>): Node => {
  const name = REFERENCE.exec(String(node["$ref"] ?? ""))?.[1]
  const target = name === undefined ? undefined : definitions[name]
  if (!isNode(target)) return node
  const { $ref: _, ...beside } = node
  return { ...target, ...beside }
}

/** Annotations that were derived as `allOf` join the keywords beside them. */
const merged = ({ allOf, ...beside }: Node): Node =>
  Array.isArray(allOf) ? Object.assign({}, ...allOf, beside) : beside

const portable = (value: unknown, definitions: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => portable(item, definitions))
  if (!isNode(value)) return value
  const keywords = Object.entries(merged(referenced(value, definitions)))
  return Object.fromEntries(
    keywords
      .filter(([keyword, stated]) => !isVacuous(keyword, stated))
      .map(([keyword, stated]) => [keyword, portable(stated, definitions)])
  )
}

/** `closed`: a property that is not named is refused. */
export const toPortableJsonSchema = (schema: Schema.Constraint, closed: boolean): ObjectSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: closed ? "error" : "ignore" })
  const root = portable(document.schema, document.definitions) as ObjectSchema
  // Some clients take an object without properties for a mistake.
  return "properties" in root ? root : { ...root, properties: {} }
}
