/**
 * System tests of STOP_DELAY_SECONDS: a stopping service reports 503 on /ready at once, but answers
 * every call until the delay is over or a second signal arrives. Replicas behind a proxy that polls
 * /ready and does not retry can therefore be restarted in turn.
 */
import { afterEach, describe, expect, it } from "vitest"
import { callerOf, mintOver } from "../support/calls.ts"
import { useDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { killServiceProcesses, spawnService, startServiceProcess } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { startLoad, unverified } from "./load.ts"
import { LOADED_MACHINE_MILLIS } from "./scale.ts"

const database = useDatabase()
afterEach(killServiceProcesses)

const DELAY_MILLIS = 2000
/** The service ignores a second signal within half a second. */
const NEXT_SIGNAL_MILLIS = 700
const START_SECONDS = 50
const CALLERS = 4
/** Interval of the proxy's readiness checks. */
const CHECK_MILLIS = 200

const started = async (stopDelaySeconds: number) => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const service = spawnService({
    DATABASE_URL: database().address,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    STOP_DELAY_SECONDS: String(stopDelaySeconds),
    SANDBOX_MONTHLY_CALLS: "100000"
  })
  await until(() => service.output().includes("listening on "), START_SECONDS)
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/ready`, { headers: { connection: "close" } })
    return { status: response.status, body: await response.json() }
  }
  await until(async () => (await ready()).status === 200)
  const call = callerOf(`http://127.0.0.1:${port}`)
  return { ...service, call, ready, key: (await mintOver(call)).apiKey }
}

type Started = Awaited<ReturnType<typeof started>>

/** Calls on new connections until one is refused; returns the answers and the last one's time. */
const callUntilRefused = async ({ call, key }: Started) => {
  const [statuses, ids] = [new Set<number>(), [] as string[]]
  let last = performance.now()
  for (;;) {
    const headers = { connection: "close" }
    const response = await call("POST", "/v1/projection", { json: projection, key, headers }).catch(() => null)
    if (response === null) return { statuses: [...statuses], ids, last }
    statuses.add(response.status)
    ids.push(((await response.json()) as { provenance: { answerId: string } }).provenance.answerId)
    last = performance.now()
  }
}

describe("a stopping service", () => {
  it("reports not ready at once, and answers calls until the delay is over [F21]", async () => {
    const service = await started(DELAY_MILLIS / 1000)
    const signaled = performance.now()
    service.child.kill("SIGTERM")
    await until(async () => (await service.ready()).status === 503)
    expect(await service.ready()).toEqual({ status: 503, body: { status: "the service is stopping" } })
    const answers = await callUntilRefused(service)
    expect(answers.statuses).toEqual([200])
    expect(answers.last - signaled).toBeGreaterThan(DELAY_MILLIS - LOADED_MACHINE_MILLIS)
    expect((await service.exit).code).toBe(0)
    const witness = await startServiceProcess({ DATABASE_URL: database().address })
    expect(await unverified(witness, answers.ids)).toEqual([])
  })

  it("stops within a second of a second signal [F22]", async () => {
    const service = await started(300)
    service.child.kill("SIGTERM")
    await pause(NEXT_SIGNAL_MILLIS)
    expect((await service.call("GET", "/v1/me", { key: service.key })).status).toBe(200)
    const again = performance.now()
    service.child.kill("SIGTERM")
    expect((await service.exit).code).toBe(1)
    expect(performance.now() - again).toBeLessThan(1000 + LOADED_MACHINE_MILLIS)
  })
})

/** A round-robin proxy over the replicas that were ready at its last check. */
const proxyTo = (replicas: ReadonlyArray<Started>) => {
  const isReady = replicas.map(() => true)
  const look = async (index: number) => {
    isReady[index] = await replicas[index]!.ready().then(
      ({ status }) => status === 200,
      () => false
    )
  }
  const looking = setInterval(() => void Promise.all(replicas.map((_, index) => look(index))), CHECK_MILLIS)
  let calls = 0
  return {
    isReady,
    next: () => {
      const there = replicas.filter((_, index) => isReady[index])
      return (there.length === 0 ? replicas : there)[calls++ % Math.max(1, there.length)]!
    },
    stop: () => clearInterval(looking)
  }
}

describe("two replicas behind a proxy that checks readiness", () => {
  it("restart in turn without a refused or lost call [F21]", async () => {
    const start = () => started(DELAY_MILLIS / 1000)
    const replicas = [await start(), await start()]
    const proxy = proxyTo(replicas)
    const load = startLoad(CALLERS, proxy.next, replicas[0]!.key)
    for (const index of replicas.keys()) {
      const before = load.outcomes.ids.length
      await until(() => load.outcomes.ids.length > before + CALLERS)
      replicas[index]!.child.kill("SIGTERM")
      expect((await replicas[index]!.exit).code).toBe(0)
      replicas[index] = await start()
      await until(() => proxy.isReady[index]!)
    }
    await load.stop()
    proxy.stop()
    expect(load.outcomes).toMatchObject({ refused: 0, unanswered: 0 })
    expect(await unverified(replicas[0]!, load.outcomes.ids)).toEqual([])
  })
})
