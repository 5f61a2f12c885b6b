/**
 * Asks this checkout and another the same questions over HTTP and prints every answer that differs: random requests of all
 * calculations and every case of the test suite, then the values of the two rules ledgers. What belongs to one answer alone
 * (its id, its time) is left out, and so are the texts of rules: their ids are compared.
 *
 * Run: npm run compare-releases -- <other checkout> [requests] [seed] [old=new ...]
 * Each `old=new` is a word of the other checkout that is called otherwise here.
 */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../property-tests/generators/requests.ts"
import { peerErrors, published, tableRows, taxExamples, workedNumbers } from "../test/cases/case.ts"
import { freePort } from "../test/support/freePort.ts"
import { type Listening, PROJECT, startListening } from "./programs.ts"

const MOST_SHOWN = 5
const AT_ONCE = 16
const SETTINGS = {
  HOST: "127.0.0.1",
  LOG_LEVEL: "error",
  SANDBOX_MONTHLY_CALLS: "10000000",
  RATE_LIMIT_KEY: "off",
  RATE_LIMIT_REFUSED: "off",
  RATE_LIMIT_KEYLESS: "off",
  RATE_LIMIT_MINT: "off"
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

interface Question {
  readonly path: string
  readonly body: unknown
}

interface Release extends Listening {
  readonly key: string
}

const [other = "", count = "20000", seed = "1", ...renamed] = process.argv.slice(2)
if (other === "" || !existsSync(join(other, "src/main.ts")) || !(Number(count) >= 1) || Number.isNaN(Number(seed))) {
  console.error("usage: npm run compare-releases -- <other checkout> [requests] [seed] [old=new ...]")
  process.exit(2)
}
const renames = renamed.map((pair) => pair.split("=") as [string, string])
/** The text of the other checkout in the words of this one. */
const translated = (text: string): string => renames.reduce((said, [old, now]) => said.replaceAll(old, now), text)

const start = async (checkout: string, dataDir: string): Promise<Release> => {
  const port = String(await freePort())
  const variables = { ...SETTINGS, PORT: port, DATA_DIR: dataDir }
  const base = `http://127.0.0.1:${port}`
  const listening = await startListening(base, [process.execPath, "src/main.ts"], variables, checkout)
  const minted = await fetch(`${listening.base}/v1/keys/sandbox`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "comparison@example.org" })
  })
  const { apiKey } = (await minted.json()) as { readonly apiKey: string }
  return { ...listening, key: apiKey }
}

const OF_ONE_ANSWER = new Set([
  "answerId",
  "answerSalt",
  "computedAtUtc",
  "verifyUrl",
  "asOf",
  "instance",
  "type",
  "ruleVersion"
])
const LISTS_OF_RULES = new Set(["citations", "knownOmissions"])

/** An answer without what belongs to it alone, its rules by their ids. */
const comparable = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OF_ONE_ANSWER.has(name))
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      LISTS_OF_RULES.has(name)
        ? (member as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
        : comparable(member)
    ])
  )
}

const ask = async ({ base, key }: Release, { body, path }: Question): Promise<string> => {
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body)
  })
  return JSON.stringify([response.status, comparable((await response.json()) as Json)])
}

const drawn = (path: string, arbitrary: fc.Arbitrary<unknown>, share: number): ReadonlyArray<Question> =>
  fc
    .sample(arbitrary, { numRuns: Math.round(Number(count) * share), seed: Number(seed) })
    .map((body) => ({ path, body }))

const cases = (): ReadonlyArray<Question> =>
  [published, workedNumbers, tableRows, taxExamples, peerErrors].flatMap((file) =>
    file.cases.flatMap(({ calculator, request, spouseRequest }) => [
      ...[request, spouseRequest].flatMap((body) => (body === undefined ? [] : [{ path: "/v1/projection", body }])),
      ...(calculator === undefined ? [] : [{ path: "/v1/calculators/loan", body: calculator.request }])
    ])
  )

const questions = [
  ...cases(),
  ...drawn("/v1/projection", projectionRequests({ mostLoans: 20 }), 0.75),
  ...drawn("/v1/comparison", comparisonRequests({ mostLoans: 3 }), 0.05),
  ...drawn("/v1/plan-eligibility", eligibilityRequests({ mostLoans: 20 }), 0.1),
  ...drawn("/v1/calculators/loan", calculationRequests(), 0.1)
]

/** Values by id of a ledger, as published. */
const valuesOf = async ({ base }: Release): Promise<string> => {
  const { constants } = (await (await fetch(`${base}/v1/rules`)).json()) as {
    readonly constants: ReadonlyArray<{ readonly id: string; readonly value: Json; readonly effectiveDate: string }>
  }
  return JSON.stringify(constants.map(({ effectiveDate, id, value }) => [id, { effectiveDate, value }]))
}

const compareLedgers = async (ours: Release, theirs: Release): Promise<number> => {
  const here = new Map(JSON.parse(await valuesOf(ours)) as ReadonlyArray<[string, Json]>)
  const there = new Map(JSON.parse(translated(await valuesOf(theirs))) as ReadonlyArray<[string, Json]>)
  const ids = [...new Set([...here.keys(), ...there.keys()])]
  const differing = ids.filter((id) => !isDeepStrictEqual(here.get(id), there.get(id)))
  for (const id of differing) {
    const how = here.has(id) ? (there.has(id) ? "other value" : "only here") : "only there"
    console.log(`ledger entry ${id}: ${how}`)
  }
  console.log(`ledger: ${here.size} entries, ${differing.length} differ`)
  return differing.length
}

const releases = await Promise.all([
  start(PROJECT, join(PROJECT, ".data", "compare-ours")),
  start(resolve(other), join(PROJECT, ".data", "compare-theirs"))
])
const [ours, theirs] = releases
let differing = 0
const statuses = new Map<string, number>()
const waiting = questions.entries()
const worker = async (): Promise<void> => {
  for (const [, question] of waiting) {
    const [here, there] = await Promise.all([ask(ours, question), ask(theirs, question)])
    const status = `${question.path} ${here.slice(1, 4)}`
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (here !== translated(there) && ++differing <= MOST_SHOWN) {
      console.log(JSON.stringify({ question, here: JSON.parse(here), there: JSON.parse(translated(there)) }))
    }
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(`${questions.length} requests, ${differing} answers differ`, Object.fromEntries(statuses))
const values = await compareLedgers(ours, theirs)
await Promise.all(releases.map(({ stop }) => stop()))
process.exitCode = differing + values === 0 ? 0 : 1
