/**
 * The metrics of several workers on one page: exact while all answer, and no counter ever goes back, whoever is killed or
 * stands still.
 */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callerOf } from "../support/calls.ts"
import { setReadOnly, useDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { childrenOf } from "../support/procfs.ts"
import { documentedFamilies, scrape, wentBack } from "../support/scrape.ts"
import { killServiceProcesses, spawnService } from "../support/serviceProcess.ts"
import { until } from "../support/until.ts"

const database = useDatabase()
const stopped = new Set<number>()
afterAll(() => {
  for (const pid of stopped) process.kill(pid, "SIGCONT")
  killServiceProcesses()
})

const CALLS = 200
/** The supervisor and its workers, one after the other, on a machine that has other things to do. */
const START_SECONDS = 50
const HEALTH = 'http_request_duration_seconds_count{method="GET",route="/health",status="200"}'
/** What a scrape may take when a worker does not answer: its bound, and time to spare on a busy machine. */
const BOUND_MILLIS = 6000

/** Two workers that both answer operators. */
const started = async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const variables = { PORT: String(port), METRICS_PORT: String(metricsPort), WORKERS: "2" }
  const service = spawnService({ ...variables, DATABASE_URL: database().address })
  const call = callerOf(`http://127.0.0.1:${port}`)
  const look = () => scrape(metricsPort)
  const answering = async () => (await look()).samples.get("service_workers_answering")
  await until(() => service.output().split("listening on ").length === 3, START_SECONDS)
  await until(async () => (await answering()) === 2)
  const asked = async (times: number) => {
    const headers = { connection: "close" }
    const calls = Array.from({ length: times }, async () => (await call("GET", "/health", { headers })).status)
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
  }
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/ready`)
    return { status: response.status, body: await response.json() }
  }
  return { ...service, answering, asked, look, ready, workers: () => childrenOf(service.child.pid!) }
}

type Started = Awaited<ReturnType<typeof started>>

describe("two workers", () => {
  let service: Started
  beforeAll(async () => {
    service = await started()
    await service.asked(CALLS)
  })

  it("are one page, whichever of them took a call", async () => {
    const { look, ready } = service
    for (let time = 0; time < 10; time++) {
      const { samples } = await look()
      expect(samples.get(HEALTH)).toBe(CALLS)
      expect(samples.get(`${HEALTH.replace("_count", "_bucket").slice(0, -1)},le="+Inf"}`)).toBe(CALLS)
    }
    await until(async () => (await look()).families.has("log_checkpoint_timestamp_seconds"))
    const documented = documentedFamilies(readFileSync("docs/operating.md", "utf8"))
    expect([...(await look()).families.keys()].sort()).toEqual([...documented.keys()].sort())
    const memory = [...(await look()).samples.keys()].filter((name) => name.startsWith("process_resident_memory_bytes"))
    expect(memory.map((name) => /worker="(\w+)"/.exec(name)?.[1]).sort()).toEqual(["1", "2", "supervisor"])
    expect(await ready()).toEqual({ status: 200, body: { status: "ready" } })
  })

  it("hold no page up when one stands still, and have counted no less", async () => {
    const { answering, look, ready, workers } = service
    const before = await look()
    const [still] = workers()
    process.kill(still!, "SIGSTOP")
    stopped.add(still!)
    const begun = performance.now()
    const after = await look()
    expect(performance.now() - begun).toBeLessThan(BOUND_MILLIS)
    expect(wentBack(before, after)).toEqual([])
    expect(after.samples.get("service_workers_answering")).toBe(1)
    expect(await ready()).toEqual({ status: 200, body: { status: "ready" } })
    process.kill(still!, "SIGCONT")
    stopped.delete(still!)
    await until(async () => (await answering()) === 2)
    expect((await look()).samples.get(HEALTH)).toBe(CALLS)
  })

  it(
    "have counted no less when one is killed and replaced",
    async () => {
      const { answering, asked, look, workers } = service
      let before = await look()
      process.kill(workers()[0]!, "SIGKILL")
      let looks = 0
      await until(async () => {
        const after = await look()
        expect(wentBack(before, after)).toEqual([])
        before = after
        return (
          ++looks >= 10 && after.samples.get("service_worker_replacements_total") === 1 && (await answering()) === 2
        )
      }, START_SECONDS)
      expect(before.samples.get(HEALTH)).toBe(CALLS)
      await asked(CALLS)
      expect((await look()).samples.get(HEALTH)).toBe(2 * CALLS)
    },
    2 * START_SECONDS * 1000
  )

  it("are ready only while they can serve keyed calls", async () => {
    const { ready } = service
    expect(await ready()).toEqual({ status: 200, body: { status: "ready" } })
    await setReadOnly(database().address, true)
    await until(async () => (await ready()).status === 503)
    expect((await ready()).body).toEqual({ status: "the database is read-only" })
    await setReadOnly(database().address, false)
    await until(async () => (await ready()).status === 200)
  })
})
