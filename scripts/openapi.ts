/**
 * `npm run openapi`: asks a real service every request of schema/examples, keeps its answers there, and writes
 * schema/openapi.json. Keys and ids become placeholders, and an answer that says nothing new is left as it is: running
 * this twice changes nothing.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Example } from "../schema/examples/index.ts"
import { askExamples, type Call, type Document, PAYMENT_LINK_ID, WEBHOOK_SECRET } from "./openapi-tools/exampleCalls.ts"
import { PROJECT, startService } from "./programs.ts"

/** The address that the committed document and its examples name. */
const PUBLIC_URL = "http://127.0.0.1:8080"
const SETTINGS = {
  PUBLIC_URL,
  SECRET_PEPPER: "for the examples only, so that their hashes stay",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PAYMENT_LINK: PAYMENT_LINK_ID,
  BUILD_COMMIT: "0f1e2d3c4b5a"
}

const FOLDER = join(PROJECT, "schema", "examples")
const DOCUMENT = join(PROJECT, "schema", "openapi.json")
const fileOf = (operationId: string): string => join(FOLDER, `${operationId}.json`)

/** Read as files, so that the document below is the first to import them, with their new answers. */
const EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .map((file) => basename(file, ".json"))
    .map((operationId) => [operationId, JSON.parse(readFileSync(fileOf(operationId), "utf8"))])
)

/** How many entries of its long lists an example shows, by their names; its summary says so. */
const CUTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  getRules: { constants: 2, knownOmissions: 1 },
  compareScenarios: { citations: 1, knownOmissions: 1 },
  getReference: { scenarios: 1, citations: 1, knownOmissions: 1 },
  checkAnswer: { citations: 1, knownOmissions: 1 }
}

const shortened = (operationId: string, answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
    Array.isArray(value) ? value.slice(0, CUTS[operationId]?.[name]) : value
  )

const KEY = "EXAMPLEexampleEXAMPLEexampleEXAMPLE123"

/** Placeholders in place of keys, their prefixes and ids, the same ones on every run. */
const placeholders = () => {
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `b7a4e2c0-51d3-4f68-9c0b-2f1e8d6a${String(ids.size + 1).padStart(4, "0")}`)
    return ids.get(id)!
  }
  return (text: string): string =>
    text
      .replace(/slr_(sbx|live)_\w{38}/g, `slr_$1_${KEY}`)
      .replace(/slr_(sbx|live)_\w{6}(?!\w)/g, `slr_$1_${KEY.slice(0, 6)}`)
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, idOf)
}

/** What two answers to one question have in common whenever they are given, and to whomever. */
const timeless = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/"asOf":"[\d-]+"/g, '"asOf":"<date>"')
    .replace(/"nextCursor":\d+/g, '"nextCursor":"<cursor>"')
    .replace(/"answerSalt":"[\w-]+"/g, '"answerSalt":"<salt>"')
    .replace(/a2-[0-9a-f]{64}/g, "a2-<hash>")

const keep = (operationId: string, example: Example): void => {
  const kept = JSON.stringify(EXAMPLES[operationId])
  if (timeless(kept) === timeless(JSON.stringify(example))) return
  writeFileSync(fileOf(operationId), `${JSON.stringify(example, undefined, 2)}\n`)
  process.stdout.write(`${operationId}: a new answer\n`)
}

const asking = (base: string) => {
  const withPlaceholders = placeholders()
  return async ({ body, headers, method, operationId, target }: Call): Promise<unknown> => {
    const response = await fetch(`${base}${target}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${JSON.stringify(answer)}`)
    const shown = (value: unknown) => JSON.parse(withPlaceholders(JSON.stringify(shortened(operationId, value))))
    const asked = operationId === "checkAnswer" ? { request: shown(JSON.parse(body!)) } : {}
    keep(operationId, { ...EXAMPLES[operationId]!, ...asked, response: shown(answer) })
    return answer
  }
}

const recordAnswers = async (): Promise<void> => {
  const service = await startService(SETTINGS)
  try {
    const document = (await (await fetch(`${service.base}/openapi.json`)).json()) as Document
    await askExamples(document, EXAMPLES, asking(service.base))
  } finally {
    await service.stop()
  }
}

/** Loaded only now: the document shows the examples as they have become. */
const writeDocument = async (): Promise<void> => {
  const { openApiDocument } = await import("../src/http/openapi/document.ts")
  const text = `${JSON.stringify(openApiDocument(PUBLIC_URL), undefined, 2)}\n`
  writeFileSync(DOCUMENT, text)
}

/** JSON is formatted like the rest of the project. */
const format = (): void => {
  const biome = join(PROJECT, "node_modules", ".bin", "biome")
  execFileSync(biome, ["format", "--write", FOLDER, DOCUMENT], { cwd: PROJECT, stdio: ["ignore", "ignore", "inherit"] })
}

await recordAnswers()
await writeDocument()
format()
process.stdout.write("schema/openapi.json is written\n")
