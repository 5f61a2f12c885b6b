/** A slow database, with the deadlines of the product. */
import { describe, expect, it } from "vitest"
import { serviceLayer } from "../../src/main.ts"
import { expectProblem } from "../support/answers.ts"
import { migratedDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { startService, useStarted } from "../support/runningService.ts"
import { scrape } from "../support/scrape.ts"
import { PRODUCT } from "../support/settings.ts"

const service = useStarted(async () => {
  const metricsPort = await freePort()
  const variables = { RATE_LIMIT_KEY: "off", METRICS_PORT: String(metricsPort) }
  return { ...(await startService(variables, migratedDatabase, serviceLayer, PRODUCT)), metricsPort }
})
/** A scrape may take as long as the database deadline, plus a margin for a busy machine. */
const SCRAPE_MILLIS = 3000

describe("while the database is slow", () => {
  it("a calculation is withheld within 2.6 seconds, and other calls are not delayed", async () => {
    const key = await service().mint()
    expect((await service().call("POST", "/v1/projection", { json: projection, key })).status).toBe(200)
    const held = await service().hold("answer")
    const started = performance.now()
    const waiting = service().call("POST", "/v1/projection", { json: projection, key })
    const health = performance.now()
    expect((await service().call("GET", "/health")).status).toBe(200)
    expect(performance.now() - health).toBeLessThan(200)
    await expectProblem(await waiting, 503, "ledger-unavailable")
    expect(performance.now() - started).toBeLessThan(2600)
    await held.release()
  })

  it("the page of metrics is served within 3 seconds, without the metrics that need the database", async () => {
    const held = await service().hold("answer")
    const started = performance.now()
    const { families } = await scrape(service().metricsPort)
    expect(performance.now() - started).toBeLessThan(SCRAPE_MILLIS)
    expect(families.has("log_waiting_records") || families.has("outbox_waiting_mails")).toBe(false)
    await held.release()
  })
})
