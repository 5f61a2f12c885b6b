/**
 * Variants of the examples, sent through Prism: bearer key, yearly series, HTML page, ETags and
 * pagination. Prism checks each answer, and this file its status.
 */
import type { Example } from "../../schema/examples/index.ts"
import { type Answer, type Prism, sent, withKey } from "./prism.ts"

const expectStatus = (answer: Answer, status: number, what: string): Answer => {
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} instead of ${status}`)
  return answer
}

export const askVariants = async (prism: Prism, key: string, examples: Readonly<Record<string, Example>>) => {
  const { scenario, loans } = examples["runProjection"]!.request as { scenario: object; loans: ReadonlyArray<object> }
  const bearer = { headers: { authorization: `Bearer ${key}` } }
  expectStatus(await prism.ask("getMe", "GET", "/v1/me", bearer), 200, "a bearer value")
  const yearly = sent(JSON.stringify({ scenario, loans, includeYearly: true }), key)
  const answer = expectStatus(await prism.ask("runProjection", "POST", "/v1/projection", yearly), 200, "a series")
  const { provenance, yearly: series } = answer.body as {
    readonly provenance: { readonly answerId: string }
    readonly yearly?: ReadonlyArray<unknown>
  }
  if (series === undefined) throw new Error("includeYearly brings no series")
  const page = { headers: { accept: "text/html" } }
  const record = await prism.ask("verifyAnswer", "GET", `/v1/verify/${provenance.answerId}`, page)
  if (!String(record.body).startsWith("<!doctype html>")) throw new Error("text/html is not answered with a page")
  for (const [operationId, path] of [
    ["getRules", "/v1/rules"],
    ["getRulesVersion", "/v1/rules/version"],
    ["verifyAnswer", `/v1/verify/${provenance.answerId}`]
  ] as const) {
    const etag = (await prism.ask(operationId, "GET", path)).headers.get("etag")
    const again = await prism.ask(operationId, "GET", path, { headers: { "if-none-match": etag ?? "" } })
    expectStatus(again, 304, `${path} with the current ETag`)
  }
  const range = "?from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&limit=2"
  const first = await prism.ask("listRecords", "GET", `/v1/records${range}`, { headers: withKey(key) })
  const { nextCursor } = first.body as { readonly nextCursor: number | null }
  if (nextCursor === null) throw new Error("two records of many are no last page")
  const second = await prism.ask("listRecords", "GET", `/v1/records${range}&cursor=${nextCursor}`, {
    headers: withKey(key)
  })
  expectStatus(second, 200, "the second page")
}
