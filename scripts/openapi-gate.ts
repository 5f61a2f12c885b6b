/**
 * `npm run openapi-gate`: outside tools judge the OpenAPI document that a real service serves. Two linters may not
 * warn, clients that four generators make must compile and call, and everything that the service answers must pass `prism proxy
 * --errors`: the examples, random requests, and every refusal that can be provoked. One line per check.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EXAMPLES } from "../schema/examples/index.ts"
import { openDatabaseProxy } from "../test/support/databaseProxy.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { askExamples, type Document, PAYMENT_LINK_ID, WEBHOOK_SECRET } from "./openapi-tools/exampleCalls.ts"
import { callWithClients, callWithPython, generateClients } from "./openapi-tools/generators.ts"
import { type Prism, type Seen, startPrism } from "./openapi-tools/prism.ts"
import { lintWithRedocly, lintWithSpectral } from "./openapi-tools/readers.ts"
import {
  refuseClaims,
  refuseEvents,
  refuseFacts,
  refuseRequests,
  refuseTooMany,
  refuseWithoutLedger,
  TIGHT_LIMITS
} from "./openapi-tools/refusals.ts"
import { installTools } from "./openapi-tools/tools.ts"
import { askAtRandom, askOtherwise } from "./openapi-tools/traffic.ts"
import { type Listening, startService } from "./programs.ts"

/** Of the checks; installing the tools for the first time comes on top. */
const MAX_SECONDS = 300
const PEPPER = "only for the gate, and as long as a pepper must be"
const SIGNING_KEY = "0123456789abcdef".repeat(4)

const WITHOUT_LIMITS = {
  ...NO_LIMITS,
  SECRET_PEPPER: PEPPER,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PAYMENT_LINK: PAYMENT_LINK_ID,
  PRODUCTION_MONTHLY_CALLS: "100000",
  SANDBOX_MONTHLY_CALLS: "100000"
}

/** What cannot be provoked at will: a crash, more calculations at once than fit, and requests that Prism cannot send. */
const UNPROVOKED = / (?:408|431|500)$|^(?:calculateLoan|explainPayment) 503$/

/** What is stopped at the end, however that comes. */
const started: Array<{ readonly stop: () => Promise<unknown> }> = []
const seen: Seen = new Set()
let failures = 0

const run = async <A extends Listening>(listening: Promise<A>): Promise<A> => {
  const running = await listening
  started.push(running)
  return running
}

const check = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  const startMillis = performance.now()
  const [word, said] = await work().then(
    (remark) => ["ok", typeof remark === "string" ? remark : "as documented"] as const,
    (error: unknown) => ["FAIL", error instanceof Error ? error.message : String(error)] as const
  )
  if (word === "FAIL") failures += 1
  const seconds = ((performance.now() - startMillis) / 1000).toFixed(1)
  process.stdout.write(`${word.padEnd(4)} ${name}: ${said} (${seconds} s)\n`)
}

/** Documented statuses that none of the requests brought about. */
const unseen = (document: Document): ReadonlyArray<string> =>
  Object.values(document.paths)
    .flatMap(Object.values<Document["paths"][string][string]>)
    .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => ({ operationId, status })))
    .map(({ operationId, status }) => `${operationId} ${status}`)
    .filter((answer) => !UNPROVOKED.test(answer) && !seen.has(answer))

const askExamplesThrough = async (prism: Prism, document: Document): Promise<string> =>
  askExamples(document, EXAMPLES, async ({ body, headers, method, operationId, target }) => {
    const { body: answer, status } = await prism.ask(operationId, method, target, { headers, body })
    if (status !== 200) throw new Error(`${operationId}: ${status} ${JSON.stringify(answer)}`)
    return answer
  })

const readDocument = async (folder: string, base: string): Promise<Document> => {
  const text = await (await fetch(`${base}/openapi.json`)).text()
  writeFileSync(join(folder, "openapi.json"), text)
  return JSON.parse(text)
}

/** Connections are made anew after an outage, which takes a moment. */
const untilLookedUp = async (base: string, key: string): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status } = await fetch(`${base}/v1/me`, { headers: { "x-api-key": key } })
    if (status !== 503) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
}

const gate = async (folder: string): Promise<void> => {
  const service = await run(startService(WITHOUT_LIMITS))
  const document = await readDocument(folder, service.base)
  await check("redocly lint", () => lintWithRedocly(folder, "openapi.json"))
  await check("spectral lint", () => lintWithSpectral(folder, "openapi.json"))

  const exact = await run(startPrism(folder, service, seen, { checksRequests: true }))
  let key = ""
  await check("prism: the examples", async () => {
    key = await askExamplesThrough(exact, document)
  })
  await check("prism: other ways to ask", () => askOtherwise(exact, key, EXAMPLES))
  await check("prism: random requests", () => askAtRandom(exact, key))

  const lenient = await run(startPrism(folder, service, seen, { checksRequests: false }))
  await check("generators", () => generateClients(folder, "openapi.json", lenient.base))
  await check("prism: the generated clients", () => callWithClients(folder, lenient.base, key))
  await check("python", () => callWithPython(service.base, key))
  await check("prism: refused requests", () => refuseRequests(lenient, key, EXAMPLES))
  await check("prism: refused plans and records", () => refuseFacts(lenient, key, EXAMPLES))
  await check("prism: refused claims", () => refuseClaims(lenient, key, "ada@example.org", EXAMPLES))

  const wayToDatabase = await openDatabaseProxy(service.databaseUrl())
  started.push({ stop: async () => wayToDatabase.close() })
  const variables = {
    ...TIGHT_LIMITS,
    DATABASE_URL: wayToDatabase.url,
    SECRET_PEPPER: PEPPER,
    LOG_SIGNING_KEY: SIGNING_KEY
  }
  const tight = await run(startService(variables))
  const limited = await run(startPrism(folder, tight, seen, { checksRequests: false }))
  wayToDatabase.cut()
  await check("prism: the database is away", () => refuseWithoutLedger(limited, key, EXAMPLES))
  wayToDatabase.mend()
  await untilLookedUp(tight.base, key)
  await check("prism: too many calls", () => refuseTooMany(limited, EXAMPLES))
  await check("prism: payment events are off", () => refuseEvents(limited, EXAMPLES))

  await check("every other documented status was seen", async () => {
    const missing = unseen(document)
    if (missing.length > 0) throw new Error(missing.join(", "))
    return `${seen.size} pairs of operation and status; not provoked: 408, 431, 500, and 503 of calculateLoan and explainPayment`
  })
}

const folder = mkdtempSync(join(tmpdir(), "openapi-gate-"))
try {
  await check("npm ci of the tools", installTools)
  const startMillis = performance.now()
  const late = setTimeout(() => {
    process.stderr.write(`the gate takes longer than ${MAX_SECONDS} s\n`)
    process.exitCode = 1
    for (const { stop } of started) void stop()
  }, MAX_SECONDS * 1000)
  await gate(folder).catch((error: unknown) => check("the gate", () => Promise.reject(error)))
  clearTimeout(late)
  const seconds = ((performance.now() - startMillis) / 1000).toFixed(0)
  process.stdout.write(`${failures === 0 ? "the document holds" : `${failures} failed`}, ${seconds} s\n`)
} finally {
  for (const { stop } of started.toReversed()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
if (failures > 0) process.exitCode = 1
