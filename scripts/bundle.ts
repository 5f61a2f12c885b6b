/**
 * One minified file of the library: the engine, what reads its requests, and what it needs of the ledger: figures, dates, ids
 * and conditions. The words that the ledger publishes with them (definitions, sources, details) stay out; whoever shows them
 * reads GET /v1/rules by id. Without the name of a file, the size alone is printed.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Plugin, rolldown } from "rolldown"
import { parseSync } from "rolldown/utils"
import { PROJECT, say } from "./harness.ts"

const LEDGER = join(PROJECT, "ledger")

/** Members of entries that no figure and no choice of an entry depends on. */
const WORDS = new Set(["label", "plan", "unit", "definition", "detail", "source", "lastVerified", "expiresDate"])
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

/** Properties of an entry that are words. Of `series` the entries stand one level deeper, under their dates. */
const wordsOf = (entry: unknown): ReadonlyArray<Node> => {
  if (!isNode(entry) || entry.type !== "ObjectExpression") return []
  return (entry["properties"] as ReadonlyArray<Node>).flatMap((property) => {
    const name = nameOf(property)
    if (typeof name === "string" && WORDS.has(name)) return [property]
    return /^\d{4}-\d{2}-\d{2}$/.test(String(name)) ? wordsOf(property["value"]) : []
  })
}

const isConstructor = (node: Node): boolean =>
  node.type === "CallExpression" && isNode(node["callee"]) && CONSTRUCTORS.has(String(node["callee"]["name"]))

/** The text without the words of its entries. Commas that are left between properties are taken along. */
const withoutWords = (file: string, text: string): string => {
  const { program } = parseSync(file, text)
  const words = nodesIn(program)
    .filter(isConstructor)
    .flatMap((call) => (call["arguments"] as ReadonlyArray<Node>).flatMap(wordsOf))
  return words
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { end, start }) => left.slice(0, start) + left.slice(end).replace(/^\s*,/, ""), text)
}

const leaveOutWords: Plugin = {
  name: "leave-out-words",
  transform: {
    order: "pre",
    handler: (text, file) => (file.startsWith(LEDGER) ? { code: withoutWords(file, text) } : null)
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
    plugins: [leaveOutWords],
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
