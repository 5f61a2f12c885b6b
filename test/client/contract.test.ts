/**
 * Tests of the small client's generated contract: current, complete, and with a comment on
 * everything.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Api } from "../../schema/api.ts"
import { PROBLEMS } from "../../schema/problems.ts"
import { clientContract, METHODS, tagOf } from "../../scripts/client/contract.ts"
import { OPERATIONS, PROBLEM_SLUGS } from "../../src/client/plain/generated/table.ts"
import { createClient } from "../../src/client/plain/index.ts"

/** The second address of health, and the webhook for Stripe. */
const WITHOUT_METHOD = ["healthV1", "stripeWebhook"]

describe("the small client's contract", () => {
  it.each(Object.entries(clientContract()))(
    "in %s matches schema/api.ts; if not, run `npm run x -- generate client`",
    (file, text) => {
      expect(readFileSync(file, "utf8")).toBe(text)
    }
  )

  it("has a method for every endpoint except two, and every problem", () => {
    const endpoints = Object.values(Api.groups).flatMap(({ endpoints }) => Object.keys(endpoints))
    const called = Object.values(METHODS).map(({ endpoint }) => endpoint.identifier)
    expect([...called, ...WITHOUT_METHOD].sort()).toEqual(endpoints.sort())
    expect(Object.keys(OPERATIONS)).toEqual(Object.keys(METHODS))
    expect(PROBLEM_SLUGS).toEqual(PROBLEMS.map(({ declaration }) => declaration.slug))
  })

  it("rejects with each problem under its own tag", async () => {
    const rest = { title: "Refused.", status: 400, detail: "Send a plan.", instance: "urn:uuid:0" }
    for (const one of PROBLEMS) {
      const document = { type: `https://api.example.org/problems/${one.declaration.slug}`, ...rest }
      const fetch = async () => new Response(JSON.stringify(document), { status: 400 })
      const client = createClient({ baseUrl: "http://127.0.0.1:1", fetch })
      await expect(client.planTypes()).rejects.toMatchObject({ _tag: tagOf(one) })
    }
  })

  it("has a comment on every type, field and method", () => {
    const lines = readFileSync("src/client/plain/generated/contract.ts", "utf8").split("\n")
    const declared = lines.flatMap((line, at) =>
      /^(?:export | {2}readonly )/.test(line) ? [{ line, above: lines[at - 1]! }] : []
    )
    const bare = declared.filter(({ above, line }) => !above.endsWith("*/") && !/ (?:_tag|status): /.test(line))
    expect(declared.length).toBeGreaterThan(250)
    expect(bare).toEqual([])
    expect(lines.filter((line) => /\/\*\* ?\*\/|undefined\./.test(line))).toEqual([])
  })
})
