/**
 * The builder of the engine's package: the library as one minified file, and the declarations that
 * it reaches. The file has the engine, its request readers and the ledger's data. The ledger's prose
 * (definitions, sources, citations, details) is left out; pages read it from GET /v1/rules by id.
 */
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Plugin, rolldown } from "rolldown"
import { parseSync } from "rolldown/utils"
import packageJson from "../../package.json" with { type: "json" }
import { PROJECT } from "../harness.ts"
import { declarationsOf, writePackage } from "./write.ts"

export const ENGINE_NAME = "@repayment-of-record/engine"

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

const NEEDS_EFFECT = /from "effect"/

/**
 * The declarations that the library reaches, by their paths. The contract's types are those of its
 * schemas, whose declarations need Effect, so the compiler writes them out: it does for results that
 * have no name.
 * @param built the folder with the declarations of the main package
 */
const engineTypes = (built: string): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  const reach = (path: string): void => {
    if (texts.has(path)) return
    const text = readFileSync(join(built, path), "utf8")
    texts.set(path, text)
    if (NEEDS_EFFECT.test(text)) return
    for (const [, target] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
      reach(join(path, "..", `${target}.d.ts`))
  }
  reach("src/library/index.d.ts")
  const schemas = [...texts].filter(([, text]) => NEEDS_EFFECT.test(text)).map(([path]) => path)
  const all = [...texts.values()].join("\n")
  const writtenOut = (path: string): string => {
    const module = path.replace(".d.ts", "")
    const imports = all.matchAll(new RegExp(`^import type \\{ (.*) \\} from "[./]+${module}\\.ts"`, "gm"))
    const names = new Set([...imports].flatMap(([, list]) => list!.split(", ")))
    const lines = [...names].map((name) => `export const ${name} = of<types.${name}>()\n`)
    return `import type * as types from "${join(built, module)}.js"\ndeclare const of: <A>() => A\n${lines.join("")}`
  }
  const sources = new Map(schemas.map((path) => [basename(path).replace(".d", ""), writtenOut(path)]))
  const options = { target: "es2024", module: "nodenext", exactOptionalPropertyTypes: true, types: [] }
  const declared = declarationsOf(options, [], sources)
  for (const path of schemas)
    texts.set(path, declared.get(basename(path))!.replaceAll(/^export declare const (\w+):/gm, "export type $1 ="))
  return new Map([...texts].map(([path, text]) => [`types/${path}`, text]))
}

/** Writes the package into a folder; resolves with its name and version. */
export const writeEnginePackage = async (folder: string, built: string): Promise<string> =>
  writePackage(folder, {
    name: ENGINE_NAME,
    description: "The engine of repayment-of-record: federal student-loan repayment calculations as pure functions.",
    node: packageJson.engines.node,
    readme: "docs/library.md",
    code: (await bundleOf()).code,
    types: engineTypes(built)
  })
