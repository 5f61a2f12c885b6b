/** The small client as its package holds it: what it is made of, and every call of it against the running service. */
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

describe("the package", () => {
  it("needs nothing, and names what it exports", () => {
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

  it("is light", async () => {
    expect((await clientBytes()).gzipped).toBeLessThan(MAX_GZIPPED_BYTES)
  })

  it("makes every call", async () => {
    const { createClient } = client
    const anyone = createClient({ baseUrl: service().base })
    const { apiKey } = await anyone.mintSandboxKey("package@example.org")
    const mine = createClient({ baseUrl: service().base, apiKey })
    const answer = await mine.project(projection)
    const { answerId } = answer.provenance
    expect(await anyone.check(answer)).toMatchObject({ matches: true, record: { answerId } })
    expect(await anyone.check({ ...answer, amountForgiven: answer.amountForgiven + 0.01 })).toMatchObject({
      matches: false
    })
    expect(await anyone.verify(answerId!)).toMatchObject({ answerId, recorded: true })
    const comparison = await mine.compare(comparisonOf("STANDARD", "EXTENDED"))
    expect(await anyone.check(comparison)).toMatchObject({ matches: true })
    const [looked] = (await mine.eligiblePlans({ loans: [loan] })).loans
    expect(await mine.planTypes()).toEqual(expect.arrayContaining([...looked!.eligiblePlanTypes]))
    expect((await anyone.calculate({ balance: 30_000, ratePct: 6, borrowerAgi: 50_000 })).plans.length).toBeGreaterThan(
      3
    )
    expect(await mine.me()).toMatchObject({ tier: "Sandbox", callsUsedThisPeriod: 5 })
    const from = new Date(Date.now() - 60_000)
    const { nextCursor, records } = await mine.records({ from, limit: 1 })
    const rest = await mine.records({ from: from.toISOString(), cursor: nextCursor! })
    expect([...records, ...rest.records].map((record) => record.answerId)).toEqual([
      comparison.provenance.answerId,
      answerId
    ])
    expect((await anyone.rules()).version).toBe(await anyone.rulesVersion())
    const [canonical] = (await anyone.reference()).scenarios
    expect((await mine.compare(canonical!.request)).projections.length).toBe(3)
    expect(await anyone.health()).toMatchObject({ status: "ok", ruleVersion })
    await expect(anyone.claimProductionKey(apiKey)).rejects.toMatchObject({
      _tag: "NoSubscriptionProblem",
      status: 404
    })
  })

  it("runs where there is nothing but what browsers and workers have", async () => {
    const globals = { fetch, AbortController, URL, URLSearchParams, setTimeout, clearTimeout }
    const context = createContext({ ...globals, baseUrl: service().base })
    runInContext(await clientModule({ minify: true, format: "iife" }), context)
    const asked = "client.createClient({ baseUrl }).health().then((health) => health.status)"
    expect(await runInContext(asked, context)).toBe("ok")
    const refused = "client.createClient({ baseUrl }).me().catch((error) => [client.isProblem(error), error.message])"
    expect(await runInContext(refused, context)).toEqual([
      true,
      expect.stringMatching(/^A valid API key is required: /)
    ])
  })
})
