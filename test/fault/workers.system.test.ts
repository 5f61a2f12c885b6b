/**
 * Several workers on one port, one of them killed: while the database is away, and right after the start. The other goes
 * on with whatever needs no database, and both serve again when it is back.
 */
import { afterEach, describe, expect, inject, it } from "vitest"
import { callerOf, mintOver } from "../support/calls.ts"
import { useDatabase, wayTo } from "../support/database.ts"
import { type DatabaseProxy, openDatabaseProxy } from "../support/databaseProxy.ts"
import { freePort } from "../support/freePort.ts"
import { childrenOf } from "../support/procfs.ts"
import { calculator, projection } from "../support/requests.ts"
import { killServiceProcesses, searchedLogs, spawnService } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"

const database = useDatabase()
let proxy: DatabaseProxy | undefined
afterEach(() => {
  killServiceProcesses()
  proxy?.close()
})

const ends = (text: string, part: string): number => text.split(part).length - 1

/** Two workers that both listen, by way of a proxy that can take their database away. */
const started = async () => {
  const opened = await openDatabaseProxy(wayTo(database().address))
  proxy = opened
  const port = await freePort()
  const service = spawnService({ PORT: String(port), DATABASE_URL: opened.url, WORKERS: "2" })
  await until(() => ends(service.output(), "listening on ") === 2)
  const call = callerOf(`http://127.0.0.1:${port}`)
  const workers = () => childrenOf(service.child.pid!)
  return { ...service, proxy: opened, call, workers, isRunning: () => service.child.exitCode === null }
}

type Started = Awaited<ReturnType<typeof started>>

/** What needs no database, each asked over a connection of its own. */
const keyless = async ({ call }: Started): Promise<ReadonlyArray<number>> => {
  const headers = { connection: "close" }
  const answers = [
    await call("GET", "/health", { headers }),
    await call("GET", "/v1/rules", { headers }),
    await call("POST", "/v1/calculators/loan", { json: calculator, headers })
  ]
  return answers.map(({ status }) => status)
}

/** Both workers, whoever of them takes a connection, record an answer. */
const expectBothServe = async ({ call }: Started): Promise<void> => {
  const { apiKey: key } = await mintOver(call)
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () =>
      call("POST", "/v1/projection", { key, json: projection, headers: { connection: "close" } })
    )
  )
  expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
}

describe("a worker killed while the database is away [F60]", () => {
  it("does not end the other, and both serve again when the database is back", async () => {
    const service = await started()
    service.proxy.cut()
    const [victim] = service.workers()
    process.kill(victim!, "SIGKILL")
    // Time for several replacements to fail.
    await until(() => ends(service.errors(), "The database cannot be used") >= 3)
    expect(service.isRunning()).toBe(true)
    expect(await keyless(service)).toEqual([200, 200, 200])
    service.proxy.mend()
    await until(() => ends(service.output(), "listening on ") === 3)
    expect(service.workers()).toHaveLength(2)
    await expectBothServe(service)
    expect(service.errors()).toContain("is replaced in")
  })

  it("is replaced after pauses that grow", async () => {
    const service = await started()
    service.proxy.cut()
    process.kill(service.workers()[0]!, "SIGKILL")
    await until(() => ends(service.errors(), "is replaced in") >= 4)
    const pauses = [...service.errors().matchAll(/is replaced in (\w+)/g)].map(([, span]) => span)
    expect(pauses.slice(0, 4)).toEqual(["100ms", "200ms", "400ms", "800ms"])
  })
})

describe("both workers killed right after the start, one by one [F60]", () => {
  it("are replaced, and both serve", async () => {
    const service = await started()
    await pause(1000)
    for (const [listening, victim] of service.workers().entries()) {
      process.kill(victim, "SIGKILL")
      await until(() => ends(service.output(), "listening on ") === 3 + listening)
    }
    expect(service.isRunning()).toBe(true)
    expect(service.workers()).toHaveLength(2)
    await expectBothServe(service)
    service.child.kill("SIGTERM")
    expect((await service.exit).code).toBe(0)
  })
})

describe("a first start that fails [F60]", () => {
  it("ends the service with one line [F4]", async () => {
    const address = new URL(inject("postgres"))
    address.pathname = "/no_such_database"
    const { errors, exit } = spawnService({ DATABASE_URL: address.href, WORKERS: "3" })
    expect((await exit).code).toBe(1)
    expect(errors().trim().split("\n")).toEqual([expect.stringContaining("The database cannot be used")])
  })
})

describe("the logs [F60]", () => {
  it("hold no secret [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
