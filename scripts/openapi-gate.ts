/**
 * The `openapi-gate` task: third-party tools check the OpenAPI document that a real service serves.
 * A linter may not warn, and two clients must work: a generated one in TypeScript, and one in Python
 * that reads the document. Answers to examples and provoked refusals must pass Prism, a proxy that
 * checks each answer against the document.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { EXAMPLES } from "../schema/examples/index.ts"
import { callerOf } from "../test/support/calls.ts"
import { openDatabaseProxy } from "../test/support/databaseProxy.ts"
import { NO_LIMITS, TEST_SIGNING_KEY } from "../test/support/settings.ts"
import { until } from "../test/support/until.ts"
import { atEnd, insist, service, step, temporaryFolder } from "./harness.ts"
import {
  askExamples,
  type Document,
  PAYMENT_LINK_ID,
  sentUntilReady,
  WEBHOOK_SECRET
} from "./openapi-tools/exampleCalls.ts"
import { type Prism, type Seen, startPrism } from "./openapi-tools/prism.ts"
import {
  refuseChanged,
  refuseClaims,
  refuseEvents,
  refuseFacts,
  refuseRequests,
  refuseReused,
  refuseSignatures,
  refuseTooMany,
  refuseWithoutLedger,
  TIGHT_LIMITS
} from "./openapi-tools/refusals.ts"
import { callWithClient, callWithPython, FOLDER, generateClient, lint } from "./openapi-tools/tools.ts"
import { askVariants } from "./openapi-tools/variants.ts"
import { installFrom } from "./outside.ts"

const PEPPER = "only for the gate, and as long as a pepper must be"

const WITHOUT_LIMITS = {
  ...NO_LIMITS,
  SECRET_PEPPER: PEPPER,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PAYMENT_LINK: PAYMENT_LINK_ID,
  PRODUCTION_MONTHLY_CALLS: "100000",
  SANDBOX_MONTHLY_CALLS: "100000"
}

/**
 * Answers that cannot be provoked at will: a crash, an overload of calculations, and requests that
 * Prism cannot send.
 */
const UNPROVOKED = / (?:408|431|500)$|^(?:calculateLoan|comparePlans|explainPayment) 503$/

/** Documented statuses that no request produced. */
const unseen = (document: Document, seen: Seen): ReadonlyArray<string> =>
  Object.values(document.paths)
    .flatMap(Object.values<Document["paths"][string][string]>)
    .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => ({ operationId, status })))
    .map(({ operationId, status }) => `${operationId} ${status}`)
    .filter((answer) => !UNPROVOKED.test(answer) && !seen.has(answer))

const askExamplesThrough = async (prism: Prism, document: Document): Promise<string> =>
  askExamples(document, EXAMPLES, async ({ body, headers, method, operationId, target }) => {
    const { body: answer, status } = await sentUntilReady(() =>
      prism.ask(operationId, method, target, { headers, body })
    )
    insist(status === 200, `${operationId}: ${status} ${JSON.stringify(answer)}`)
    return answer
  })

export default async () => {
  const folder = temporaryFolder("openapi-gate")
  const seen: Seen = new Set()
  await step("the tools install", () => installFrom(FOLDER))

  const open = await service(WITHOUT_LIMITS)
  const text = await (await fetch(`${open.base}/openapi.json`)).text()
  writeFileSync(join(folder, "openapi.json"), text)
  const document = JSON.parse(text) as Document
  await step("redocly reports no error and no warning", () => lint(folder, "openapi.json"))

  const exact = await startPrism(folder, open, seen, { checksRequests: true })
  let key = ""
  await step("prism: every example is answered as documented", async () => {
    key = await askExamplesThrough(exact, document)
  })
  await step("prism: variants of the examples are answered as documented", () => askVariants(exact, key, EXAMPLES))

  const lenient = await startPrism(folder, open, seen, { checksRequests: false })
  await step("a program compiles against the generated client, and mistakes in it do not", () =>
    generateClient(folder, "openapi.json")
  )
  await step("prism: the generated client works", () => callWithClient(folder, lenient.base, key))
  await step("a Python program works with the standard library alone", () => callWithPython(open.base, key))
  await step("prism: invalid requests are refused as documented", () => refuseRequests(lenient, key, EXAMPLES))
  await step("prism: ineligible plans and unknown records are refused as documented", () =>
    refuseFacts(lenient, key, EXAMPLES)
  )
  let repeating = ""
  await step("prism: another request with a used Idempotency-Key is refused as documented", async () => {
    repeating = await refuseReused(lenient, EXAMPLES)
  })
  await step("prism: claims are refused as documented", () => refuseClaims(lenient, key, "ada@example.org", EXAMPLES))

  const databaseProxy = await openDatabaseProxy(open.databaseUrl())
  atEnd(databaseProxy.close)
  const secrets = { SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: TEST_SIGNING_KEY }
  const tight = await service({ ...TIGHT_LIMITS, ...secrets, DATABASE_URL: databaseProxy.url })
  const limited = await startPrism(folder, tight, seen, { checksRequests: false })
  databaseProxy.cut()
  await step("prism: 503 while the database is down", () => refuseWithoutLedger(limited, key, EXAMPLES))
  databaseProxy.mend()
  const call = callerOf(tight.base)
  // The service needs a moment to reconnect after an outage.
  await until(async () => (await call("GET", "/v1/me", { key })).status !== 503)
  await step("prism: 409 for an answer that cannot be made again", () => refuseChanged(limited, repeating, EXAMPLES))
  await step("prism: 429 for too many calls", () => refuseTooMany(limited, EXAMPLES))
  await step("prism: 503 while the webhook is disabled", () => refuseEvents(limited, EXAMPLES))

  const strict = await service({ ...WITHOUT_LIMITS, RATE_LIMIT_UNKNOWN: "1/h" })
  const signed = await startPrism(folder, strict, seen, { checksRequests: false })
  await step("prism: 429 for wrong signatures", () => refuseSignatures(signed, EXAMPLES))

  await step("every other documented status was observed", () => {
    const missing = unseen(document, seen)
    insist(missing.length === 0, missing.join(", "))
    return `${seen.size} pairs of operation and status; not provoked: 408, 431, 500, and 503 of calculateLoan, comparePlans and explainPayment`
  })
}
