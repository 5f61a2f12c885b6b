/** Escaping on the page of a record: fields are shown as text, and a browser runs none of them. */

import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { verifyPage } from "../../src/http/pages/verifyPage.ts"
import { escapeHtml } from "../../src/messages/escapeHtml.ts"
import { UNNAMED } from "../../src/web/frame.ts"

const MARKUP = `"><script>alert('1')</script><img src=x onerror=alert(2)>&lt;`
/** A record; a tampered database might hold markup in any of its fields. */
const RECORD = {
  answerId: "id",
  recordedAtUtc: "2026-11-01T00:00:00Z",
  source: "PublicApi",
  endpoint: "POST /v1/projection",
  eventType: "calc.projection.run",
  ruleVersion: "rl1-0",
  inputsHash: "h1-0",
  answerHash: "a2-0",
  recorded: true
} as const
const FIELDS = Object.keys(RECORD).filter((field) => field !== "recorded")

const shown = async (field: string) => {
  const answer = { ...RECORD, [field]: `${field}${MARKUP}` } as unknown as Parameters<typeof verifyPage>[0]
  const response = HttpServerResponse.toWeb(verifyPage(answer, UNNAMED, {}))
  return { headers: response.headers, html: await response.text() }
}

describe("the page of a record [F51]", () => {
  it.each(FIELDS)("shows markup in %s as text everywhere", async (field) => {
    const { html } = await shown(field)
    expect(html).toContain(escapeHtml(`${field}${MARKUP}`))
    expect(html).not.toContain(MARKUP)
    expect(html).not.toMatch(/<img|onerror=alert\(2\)>/)
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/verify.js">'])
  })

  it("allows no inline script and none from another host", async () => {
    const { headers } = await shown("answerId")
    const policy = new Map(
      headers
        .get("content-security-policy")!
        .split("; ")
        .map((line) => [line.split(" ")[0]!, line.split(" ").slice(1)])
    )
    expect(policy.get("default-src")).toEqual(["'none'"])
    expect(policy.get("script-src")).toEqual(["'self'"])
  })
})
