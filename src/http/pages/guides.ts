/** The guides of docs/ as Markdown, and /llms.txt, which leads programs to them. They are read once. */
import { readdirSync, readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFoundProblem } from "../../../schema/problems.ts"
import { AppConfig } from "../../platform/config.ts"
import { encodedOnce } from "../etag.ts"
import type { PlainRoute } from "../routes.ts"

const FOLDER = new URL("../../../docs/", import.meta.url)
const GUIDE = "/docs/guides/:name"
const LLMS = "/llms.txt"

export const GUIDE_ROUTES: ReadonlyArray<PlainRoute> = [
  { method: "GET", path: GUIDE },
  { method: "GET", path: LLMS }
]

interface Guide {
  /** Its file's name, such as mcp.md. */
  readonly name: string
  readonly title: string
  readonly text: string
}

const guides: ReadonlyArray<Guide> = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md"))
  .map((name) => {
    const text = readFileSync(new URL(name, FOLDER), "utf8")
    return { name, title: /^# (.+)$/m.exec(text)![1]!, text }
  })

const linkTo = (publicUrl: string, { name, title }: Guide): string => `[${title}](${publicUrl}/docs/guides/${name})`

/** Every guide as a list of links in Markdown. */
export const guideLinks = (publicUrl: string): string =>
  guides.map((guide) => `- ${linkTo(publicUrl, guide)}`).join("\n")

/** In the form of llmstxt.org. */
const llmsText = (publicUrl: string, mcpUrl: string): string => `# Repayment of Record

> Federal student-loan repayment figures with their sources: what a borrower pays under each repayment plan, when the
> debt ends, what is forgiven and taxed. A recorded answer can be confirmed by anyone, years later.

This service computes from the inputs of each request. It stores no borrower's data: of an answer it keeps hashes. Money
is in US dollars. Rates are fractions (0.0654 means 6.54%), except in the keyless calculator, which takes percent. A
refused request gets a problem document whose \`errors\` name each field and say what to send. Send the key in the header
\`X-Api-Key\`. Never assume an income, a filing status, dependents or a state: ask the borrower.

## Ten calls

- \`POST ${publicUrl}/v1/calculators/loan\`: one loan under every plan; no key, no record
- \`POST ${publicUrl}/v1/explain\`: the payment of a month, step by step; no key, no record
- \`POST ${publicUrl}/v1/keys/sandbox\`: a free key for an email address, shown once, valid for 30 days
- \`POST ${publicUrl}/v1/plan-eligibility\`: the plans that each loan qualifies for
- \`POST ${publicUrl}/v1/comparison\`: 2 to 10 scenarios side by side, recorded as one answer
- \`POST ${publicUrl}/v1/projection\`: one plan, year by year if asked, recorded
- \`GET ${publicUrl}/v1/verify/{answerId}\`: confirms a record; \`POST\` with the answer checks its figures; no key
- \`GET ${publicUrl}/v1/rules\`: every constant with its source and dates, and the rules left out; no key
- \`GET ${publicUrl}/v1/rules/version\`: poll it; it changes when a rule changes; no key
- \`GET ${publicUrl}/v1/me\`: the calls used and left this month

\`?detail=brief\` on projections and comparisons sends ids in place of the texts of rules, a seventh of the bytes.

## Tools for agents (Model Context Protocol, revisions 2026-07-28 and 2025-11-25)

- \`${mcpUrl}\`: five tools, with a key in \`X-Api-Key\`; calculations are recorded
- \`${publicUrl}/mcp/open\`: two tools without a key, for chat programs that cannot send one; nothing is recorded

## Documents

- [OpenAPI 3.1](${publicUrl}/openapi.json)
- [API reference for people](${publicUrl}/docs)
- [Rules ledger for people](${publicUrl}/rules)

## Guides

${guideLinks(publicUrl)}
`

const markdown = (text: string, type: string) =>
  encodedOnce(
    HttpServerResponse.text(text, {
      contentType: `${type}; charset=utf-8`,
      headers: { "cache-control": "public, max-age=300" }
    })
  )

export const Guides = Layer.unwrap(
  Effect.gen(function* () {
    const { mcpUrl, publicUrl } = yield* AppConfig
    const pages = new Map(guides.map(({ name, text }) => [name, markdown(text, "text/markdown")]))
    return Layer.mergeAll(
      HttpRouter.add("GET", LLMS, markdown(llmsText(publicUrl, mcpUrl), "text/plain")),
      HttpRouter.add(
        "GET",
        GUIDE,
        Effect.gen(function* () {
          const { name = "" } = yield* HttpRouter.params
          return pages.get(name) ?? (yield* new NotFoundProblem({}))
        })
      )
    )
  })
)
