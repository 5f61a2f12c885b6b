/**
 * The published document as a list of the places in each request, with a valid body for each route.
 * Tests that try every field use it, so that they include new fields. Sends nothing.
 */
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { calculator, comparison, household, loan, projection } from "../support/requests.ts"

export type Json = Readonly<Record<string, unknown>>
export type Path = ReadonlyArray<string | number>

interface SchemaNode {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: ReadonlyArray<SchemaNode>
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody?: { readonly content: Json } }>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, SchemaNode>> }
}

const document = openApiDocument("http://127.0.0.1:8080") as unknown as Document

const resolved = (node: SchemaNode): SchemaNode =>
  node.$ref === undefined ? node : resolved(document.components.schemas[node.$ref.split("/").at(-1)!]!)

/** Every place of a schema, with its path; in arrays, the second element. */
export const placesOf = (
  node: SchemaNode,
  path: Path = []
): ReadonlyArray<{ readonly path: Path; readonly node: SchemaNode }> => {
  const known = resolved(node)
  if (known.anyOf !== undefined) return known.anyOf.flatMap((choice) => placesOf(choice, path))
  const members = Object.entries(known.properties ?? {}).flatMap(([name, member]) => placesOf(member, [...path, name]))
  const elements = known.items === undefined ? [] : placesOf(known.items, [...path, 1])
  return [{ path, node: known }, ...members, ...elements]
}

/** Two entries of each list, so that a second exists. */
const lists = {
  changes: [2, 3].map((fromYear) => ({ fromYear, dependents: 1 })),
  pauses: ["1990-02", "1990-03"].map((until) => ({ kind: "Deferment", from: "1990-01", until, loans: [0, 1] })),
  planChanges: ["1990-01", "1990-02"].map((from) => ({ from, planType: "STANDARD" })),
  lumpSums: ["1990-01", "1990-02"].map((on) => ({ on, amount: 100 }))
}
const { planChanges: _, ...others } = lists
const changing = { ...projection.scenario, ...lists }

/** A valid body for each route, in which each list has a second element. */
export const VALID: Readonly<Record<string, Json>> = {
  "/v1/calculators/loan": calculator,
  "/v1/calculators/plans": { scenario: { ...household, ...others }, loans: [loan, loan] },
  "/v1/keys/sandbox": { email: "ada@example.org" },
  "/v1/keys/claim": { sandboxKey: "slr_sbx_x" },
  "/v1/explain": { scenario: changing, loans: [loan, loan] },
  "/v1/projection": { scenario: changing, loans: [loan, loan] },
  "/v1/comparison": {
    arms: comparison.arms.map(({ scenario }) => ({
      scenario: { ...scenario, ...lists },
      loans: [loan, loan]
    }))
  },
  "/v1/plan-eligibility": { loans: [loan, loan] }
}

/** Routes whose bodies may have unknown members; other tests cover them. */
const ALLOW_UNKNOWN_MEMBERS = ["/webhooks/stripe", "/v1/verify/{answerId}"]

export const routes = Object.entries(document.paths).flatMap(([path, methods]) => {
  const content = methods["post"]?.requestBody?.content["application/json"] as { schema: SchemaNode } | undefined
  return content === undefined || ALLOW_UNKNOWN_MEMBERS.includes(path) ? [] : [{ path, schema: content.schema }]
})

export const shownPath = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    return text === "" ? part : `${text}.${part}`
  }, "")

export const withValue = (body: unknown, path: Path, value: unknown): unknown => {
  const [head, ...tail] = path
  if (head === undefined) return value
  const copy: Record<string | number, unknown> = Array.isArray(body) ? ([...body] as never) : { ...(body as Json) }
  copy[head] = withValue(copy[head], tail, value)
  return copy
}
