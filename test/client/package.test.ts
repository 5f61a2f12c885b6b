/**
 * Tests of the small client's package: its contents, its size, and every call to the running
 * service.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createContext, runInContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ruleVersion } from "../../ledger/index.ts"
import { clientBytes, clientModule, MAX_GZIPPED_BYTES, writeClientPackage } from "../../scripts/client/package.ts"
import type * as Package from "../../src/client/plain/index.ts"
import { comparisonOf, loan, projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService()
const folder = mkdtempSync(join(tmpdir(), "repay-client-"))
let client: typeof Package

beforeAll(async () => {
  await writeClientPackage(folder)
  client = await import(pathToFileURL(join(folder, "index.js")).href)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("the client package", () => {
  it("has no dependency, import or Node global, and the files that its manifest exports", () => {
    const { dependencies, exports, name, peerDependencies } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8")
    )
    expect([name, dependencies, peerDependencies]).toEqual(["@repayment-of-record/client", undefined, undefined])
    for (const file of Object.values<string>(exports["."])) {
      expect(readFileSync(join(folder, file), "utf8")).not.toMatch(
        /\bimport\b[^\n]*["']|\brequire\b|\bprocess\b|\bBuffer\b/
      )
    }
  })

  it("is smaller than its limit when gzipped", async () => {
    expect((await clientBytes()).gzipped).toBeLessThan(MAX_GZIPPED_BYTES)
  })

  it("makes every call of the service", async () => {
    const { createClient } = client
    const keyless = createClient({ baseUrl: service().base })
    const { apiKey } = await keyless.mintSandboxKey("package@example.org")
    const keyed = createClient({ baseUrl: service().base, apiKey })
    const answer = await keyed.project(projection)
    const { answerId } = answer.provenance
    expect(await keyless.check(answer)).toMatchObject({ matches: true, record: { answerId } })
    expect(await keyless.check({ ...answer, amountForgiven: answer.amountForgiven + 0.01 })).toMatchObject({
      matches: false
    })
    expect(await keyless.verify(answerId!)).toMatchObject({ answerId, recorded: true })
    const comparison = await keyed.compare(comparisonOf("STANDARD", "EXTENDED"))
    expect(await keyless.check(comparison)).toMatchObject({ matches: true })
    const [eligible] = (await keyed.eligiblePlans({ loans: [loan] })).loans
    expect(await keyed.planTypes()).toEqual(expect.arrayContaining([...eligible!.eligiblePlanTypes]))
    expect(
      (await keyless.calculate({ balance: 30_000, ratePct: 6, borrowerAgi: 50_000 })).plans.length
    ).toBeGreaterThan(3)
    expect(await keyed.me()).toMatchObject({ tier: "Sandbox", callsUsedThisPeriod: 5 })
    const from = new Date(Date.now() - 60_000)
    const { nextCursor, records } = await keyed.records({ from, limit: 1 })
    const rest = await keyed.records({ from: from.toISOString(), cursor: nextCursor! })
    expect([...records, ...rest.records].map((record) => record.answerId)).toEqual([
      comparison.provenance.answerId,
      answerId
    ])
    expect((await keyless.rules()).version).toBe(await keyless.rulesVersion())
    const [canonical] = (await keyless.reference()).scenarios
    expect((await keyed.compare(canonical!.request)).projections.length).toBe(3)
    expect(await keyless.health()).toMatchObject({ status: "ok", ruleVersion })
    await expect(keyless.claimProductionKey(apiKey)).rejects.toMatchObject({
      _tag: "NoSubscriptionProblem",
      status: 404
    })
  })

  it("runs with only the globals of browsers and workers", async () => {
    const globals = { fetch, AbortController, TextDecoder, URL, URLSearchParams, setTimeout, clearTimeout }
    const context = createContext({ ...globals, baseUrl: service().base })
    runInContext(await clientModule({ minify: true, format: "iife" }), context)
    const healthCall = "client.createClient({ baseUrl }).health().then((health) => health.status)"
    expect(await runInContext(healthCall, context)).toBe("ok")
    const meCall = "client.createClient({ baseUrl }).me().catch((error) => [client.isProblem(error), error.message])"
    expect(await runInContext(meCall, context)).toEqual([true, expect.stringMatching(/^A valid API key is required: /)])
  })
})
