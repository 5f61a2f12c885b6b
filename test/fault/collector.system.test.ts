/**
 * System test of logs during telemetry export: they stay JSON lines, and a failing collector is
 * reported once.
 */
import { createServer, type Server } from "node:http"
import { afterEach, expect, it } from "vitest"
import { useDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { killServiceProcesses, spawnService } from "../support/serviceProcess.ts"
import { until } from "../support/until.ts"

const database = useDatabase()
let collector: Server | undefined
afterEach(() => {
  killServiceProcesses()
  collector?.close()
})

interface Line {
  readonly level: string
  readonly message: unknown
}

/** A collector that answers 503 until `mend`, and counts its requests. */
const brokenCollector = async () => {
  const port = await freePort()
  let status = 503
  let exports = 0
  collector = createServer((request, response) => {
    exports++
    request.resume().on("end", () => response.writeHead(status).end("{}"))
  })
  await new Promise<void>((resolve) => collector!.listen(port, "127.0.0.1", resolve))
  const mend = () => {
    status = 200
  }
  return { url: `http://127.0.0.1:${port}`, exports: () => exports, mend }
}

it("logs stay JSON lines, and report a failing collector once and its recovery once", async () => {
  const { exports, mend, url } = await brokenCollector()
  const { errors, output } = spawnService({ DATABASE_URL: database().address, OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const lines = (): ReadonlyArray<Line> =>
    errors()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  const about = (text: string) => lines().filter(({ message }) => String(message).includes(text))
  await until(() => output().includes("listening on ") && exports() >= 3)
  expect(about("OTLP export failed")).toEqual([expect.objectContaining({ level: "WARN" })])
  expect(about("listening on")).toHaveLength(1)
  mend()
  await until(() => about("OTLP export recovered").length > 0)
  expect(about("OTLP export failed")).toHaveLength(1)
})
