/** System test of whose trace context is believed, as a collector of telemetry sees it. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService } from "../support/runningService.ts"
import { until } from "../support/until.ts"

const exported: Array<string> = []
const collector = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (request.url === "/v1/traces") exported.push(Buffer.concat(chunks).toString())
    response.writeHead(200).end("{}")
  })
})
beforeAll(() => new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve)))
afterAll(() => collector.close())

const TRACE = "0af7651916cd43dd8448eb211c80319c"
const UNSAMPLED = `00-${TRACE}-b7ad6b7169203331-00`
const SAMPLED = `00-${TRACE}-b7ad6b7169203331-01`

/** What the collector gets of two calls with a trace context. */
const spansOf = async (hops: string) => {
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: url, TRUSTED_PROXY_HOPS: hops })
  exported.length = 0
  for (const traceparent of [SAMPLED, UNSAMPLED])
    await service.call("GET", "/v1/rules/version", { headers: { traceparent, "x-forwarded-for": "198.51.100.1" } })
  await until(() => exported.join("").includes("GET /v1/rules/version"))
  await service.stop()
  const all = exported.join("")
  return { spans: all.split('"GET /v1/rules/version"').length - 1, isChosen: all.includes(TRACE) }
}

it("a stranger's is not: each request is traced, under an id of the service", async () => {
  expect(await spansOf("0")).toEqual({ spans: 2, isChosen: false })
})

it("a trusted proxy's is, with its sampling", async () => {
  expect(await spansOf("1")).toEqual({ spans: 1, isChosen: true })
})
