/**
 * Tests of injection: text that is code for a database, page, template or shell is kept as text or
 * refused.
 */
import { describe, expect, it } from "vitest"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { type Json, placesOf, routes, shownPath, VALID, withValue } from "./published.ts"

/** Texts that are code for a database, a page, a template, a shell, a log or a header. */
const CODE = [
  "' OR '1'='1",
  "'; DROP TABLE answer; --",
  '"; DELETE FROM usage; --',
  "1; SELECT pg_sleep(5)",
  "') UNION SELECT hash FROM api_key --",
  "$1",
  "\\'; --",
  "%' LIKE '%",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}} $" + "{7*7} <%= 7*7 %>",
  "$(id) `id` | id",
  "../../../../etc/passwd",
  "a\r\nX-Injected: 1",
  "\u0000",
  "\u202e\ufeff\u200b",
  "%00%0d%0a",
  "__proto__",
  "=1+1",
  "${" + "jndi:ldap://x/a}"
]

/** Random letters, which could match INTERNALS by chance. */
const SALT = /"answerSalt":"[\w-]{22}"/g

const INTERNALS = /syntax error|SQLSTATE|relation "|pg_|PgClient|SqlError|node_modules|\.ts:\d/

describe("text that is code in another context [F49]", () => {
  const service = useService({ RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off", SANDBOX_MONTHLY_CALLS: "100000" })
  const fields = routes.flatMap(({ path, schema }) =>
    placesOf(schema)
      .filter(({ node }) => node.type === "string")
      .map((place) => ({ path, field: place.path }))
  )

  /** Expects an answer without internals; `echo` is a label, which is returned unchanged. */
  const expectHarmless = async (response: Response, allowed: ReadonlyArray<number>, echo = "") => {
    const text = await response.text()
    expect(allowed, text).toContain(response.status)
    if (echo !== "") expect(text).toContain(`"label":${JSON.stringify(echo)}`)
    expect(text.replaceAll(JSON.stringify(echo), "").replaceAll(SALT, "")).not.toMatch(INTERNALS)
    expect(response.headers.get("x-injected")).toBeNull()
    const type = response.headers.get("content-type")
    expect(type).toBe(response.status < 400 ? "application/json" : "application/problem+json")
    return text
  }

  it.each(fields.map(({ field, path }) => [path, shownPath(field), field] as const))(
    "is refused or kept as plain text in %s %s",
    async (path, shown, field) => {
      const key = await service().mint()
      for (const code of CODE) {
        const json = withValue(VALID[path], field, code)
        const isLabel = field.at(-1) === "label"
        const response = await service().call("POST", path, { json, key })
        const text = await expectHarmless(response, isLabel ? [200] : [400], isLabel ? code : "")
        if (!isLabel) expect(Object.keys((JSON.parse(text) as { errors: Json }).errors)).toEqual([shown])
      }
    }
  )

  it("is refused as a record id, a cursor or a time", async () => {
    const key = await service().mint()
    for (const code of CODE) {
      const escaped = encodeURIComponent(code)
      await expectHarmless(await service().call("GET", `/v1/verify/${escaped}`), [404, 400])
      for (const name of ["cursor", "from", "to", "limit"]) {
        await expectHarmless(await service().call("GET", `/v1/records?${name}=${escaped}`, { key }), [400])
      }
    }
  })

  it("has no effect in a header", async () => {
    const key = await service().mint()
    const sendable = CODE.filter((code) => /^[\x20-\x7e]+$/.test(code))
    for (const code of sendable) {
      const json = projection
      for (const name of ["x-request-id", "if-none-match", "x-forwarded-for", "traceparent", "user-agent", "accept"]) {
        const response = await service().call("POST", "/v1/projection", { key, json, headers: { [name]: code } })
        await expectHarmless(response, [200])
        expect(response.headers.get("x-request-id")).toMatch(/^[\w.-]{1,64}$/)
      }
      await expectHarmless(await service().call("GET", "/v1/me", { key: code }), [401])
    }
  })

  it("leaves the tables intact", async () => {
    const [row] = await service().query<{ rows: number; used: number; keys: number }>(
      `SELECT (SELECT count(*)::int FROM answer) AS rows, (SELECT sum(used)::int FROM usage) AS used,
         (SELECT count(*)::int FROM api_key) AS keys`
    )
    expect(row!.rows).toBe(row!.used)
    expect(row!.keys).toBeGreaterThan(0)
  })
})
