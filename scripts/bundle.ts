/**
 * The `bundle` task: writes the library as one minified file, with the engine, its request readers
 * and the ledger's data. The ledger's prose (definitions, sources, citations, details) is left out;
 * pages read it from GET /v1/rules by id. Without a file name, only the size is printed.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Plugin, rolldown } from "rolldown"
import { parseSync } from "rolldown/utils"
import { PROJECT, say } from "./harness.ts"

const LEDGER = join(PROJECT, "ledger")

/** Prose fields of ledger entries; no figure and no choice between entries depends on them. */
const PROSE = new Set(["label", "plan", "unit", "definition", "detail", "source", "lastVerified", "expiresDate"])
const CONSTRUCTORS = new Set(["rule", "series", "omission"])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

const nodesIn = (value: unknown): ReadonlyArray<Node> => {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : []
}

const nameOf = ({ key }: Node): unknown => (isNode(key) ? (key["name"] ?? key["value"]) : undefined)

/** The prose properties of an entry. In a `series`, entries are one level deeper, under dates. */
const proseOf = (entry: unknown): ReadonlyArray<Node> => {
  if (!isNode(entry) || entry.type !== "ObjectExpression") return []
  return (entry["properties"] as ReadonlyArray<Node>).flatMap((property) => {
    const name = nameOf(property)
    if (typeof name === "string" && PROSE.has(name)) return [property]
    return /^\d{4}-\d{2}-\d{2}$/.test(String(name)) ? proseOf(property["value"]) : []
  })
}

/** The citations of the families of plan-eligibility-matrix, within its value. */
const citationsOf = (entry: unknown): ReadonlyArray<Node> =>
  nodesIn(entry).filter((node) => node.type === "Property" && nameOf(node) === "citation")

const isConstructor = (node: Node): boolean =>
  node.type === "CallExpression" && isNode(node["callee"]) && CONSTRUCTORS.has(String(node["callee"]["name"]))

/** The source text without the prose of its entries and without the commas after it. */
const withoutProse = (file: string, text: string): string => {
  const { program } = parseSync(file, text)
  const prose = nodesIn(program)
    .filter(isConstructor)
    .flatMap((call) =>
      (call["arguments"] as ReadonlyArray<Node>).flatMap((entry) => [...proseOf(entry), ...citationsOf(entry)])
    )
  return prose
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { end, start }) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ""), text)
}

const stripProse: Plugin = {
  name: "leave-out-words",
  transform: {
    order: "pre",
    handler: (text, file) => (file.startsWith(LEDGER) ? { code: withoutProse(file, text) } : null)
  }
}

interface Bundle {
  readonly code: string
  readonly bytes: number
  readonly gzipped: number
}

export const bundleOf = async (): Promise<Bundle> => {
  const build = await rolldown({
    input: join(PROJECT, "src/library/index.ts"),
    platform: "browser",
    plugins: [stripProse],
    treeshake: { moduleSideEffects: false }
  })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  const { code } = output[0]
  return { code, bytes: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).byteLength }
}

export default async ([file]: ReadonlyArray<string>) => {
  const { bytes, code, gzipped } = await bundleOf()
  say(`engine and ledger: ${bytes} bytes, ${gzipped} gzipped`)
  if (file !== undefined) writeFileSync(file, code)
}
