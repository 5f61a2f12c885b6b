/**
 * The generator of the answers in schema/examples: it sends every example request to a real
 * service. Keys and ids become placeholders. An answer that differs only in times, salts and hashes
 * is left as it is, so a second run changes nothing.
 */
import { EXAMPLES, EXAMPLES_PUBLIC_URL } from "../../schema/examples/index.ts"
import { formatted } from "../formatted.ts"
import { insist, service } from "../harness.ts"
import {
  askExamples,
  type Call,
  type Document,
  PAYMENT_LINK_ID,
  sentUntilReady,
  WEBHOOK_SECRET
} from "../openapi-tools/exampleCalls.ts"

const SETTINGS = {
  PUBLIC_URL: EXAMPLES_PUBLIC_URL,
  SECRET_PEPPER: "for the examples only, so that their hashes stay",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PAYMENT_LINK: PAYMENT_LINK_ID,
  PAYMENT_LINK: "https://buy.stripe.com/test_repayment",
  BUILD_COMMIT: "0f1e2d3c4b5a"
}

/** How many entries of long lists an example shows, by name of the list. */
const CUTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  getRules: { constants: 2, knownOmissions: 1 },
  comparePlans: { citations: 2, knownOmissions: 1 },
  compareScenarios: { citations: 1, knownOmissions: 1 },
  getReference: { scenarios: 1, citations: 1, knownOmissions: 1 },
  checkAnswer: { citations: 1, knownOmissions: 1 }
}

const shortened = (operationId: string, answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
    Array.isArray(value) ? value.slice(0, CUTS[operationId]?.[name]) : value
  )

const KEY = "EXAMPLEexampleEXAMPLEexampleEXAMPLE123"

/** Replaces keys, key prefixes and ids by placeholders that are the same in every run. */
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

/** The text without times, salts and hashes, which differ in each answer. */
const timeless = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/"asOf":"[\d-]+"/g, '"asOf":"<date>"')
    .replace(/"nextCursor":\d+/g, '"nextCursor":"<cursor>"')
    .replace(/"answerSalt":"[\w-]+"/g, '"answerSalt":"<salt>"')
    .replace(/a2-[0-9a-f]{64}/g, "a2-<hash>")
    .replace(/"c2sp\.org\/tlog-proof@v1[^"]*"/g, '"<receipt>"')

/** The example files with new answers, by path. */
export const exampleFiles = async (): Promise<Readonly<Record<string, string>>> => {
  const files: Record<string, string> = {}
  const withPlaceholders = placeholders()
  const { base } = await service(SETTINGS)
  const ask = async ({ body, headers, method, operationId, target }: Call): Promise<unknown> => {
    const sent = { method, headers, ...(body === undefined ? {} : { body }) }
    const response = await sentUntilReady(() => fetch(`${base}${target}`, sent))
    const text = await response.text()
    const answer: unknown = operationId === "getReceipt" ? text : JSON.parse(text)
    insist(response.ok, `${operationId}: ${response.status} ${JSON.stringify(answer)}`)
    const shown = (value: unknown) => JSON.parse(withPlaceholders(JSON.stringify(shortened(operationId, value))))
    const asked = operationId === "checkAnswer" ? { request: shown(JSON.parse(body!)) } : {}
    const example = { ...EXAMPLES[operationId]!, ...asked, response: shown(answer) }
    if (timeless(JSON.stringify(EXAMPLES[operationId])) !== timeless(JSON.stringify(example)))
      files[`schema/examples/${operationId}.json`] = formatted("example.json", JSON.stringify(example, undefined, 2))
    return answer
  }
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as Document
  await askExamples(document, EXAMPLES, ask)
  return files
}
