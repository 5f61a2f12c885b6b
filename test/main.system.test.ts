/** The service as a process: its output, the errors of a failed start, and its stop. */
import { spawnSync } from "node:child_process"
import { Agent, request } from "node:http"
import { connect, createServer } from "node:net"
import { Deferred, Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { holdRecords, setReadOnly, useDatabase } from "./support/database.ts"
import { freePort } from "./support/freePort.ts"
import { projection } from "./support/requests.ts"
import { killServiceProcesses, spawnService, startServiceProcess } from "./support/serviceProcess.ts"
import { TEST_PEPPER } from "./support/settings.ts"
import { pause, until } from "./support/until.ts"

const database = useDatabase()
afterEach(killServiceProcesses)

const environment = async () => ({
  PORT: String(await freePort()),
  DATABASE_URL: database().address,
  SECRET_PEPPER: TEST_PEPPER,
  LOG_FORMAT: "json"
})

const startService = async (more: Record<string, string> = {}) =>
  startServiceProcess({ ...(await environment()), ...more })

describe("a start", () => {
  it("prints its address, and nothing else on standard output", async () => {
    const { base, output } = await startService()
    expect(output()).toBe(`listening on ${base}\n`)
  })

  it("in a git checkout reports its commit", async () => {
    const { base } = await startService()
    const { commit } = (await (await fetch(`${base}/health`)).json()) as { commit: string }
    const head = spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" })
    expect(commit).toBe(head.status === 0 ? head.stdout.trim() : "unknown")
  })

  it("fails with one line within ten seconds when the database cannot be reached [F4]", async () => {
    const variables = { ...(await environment()), DATABASE_URL: "postgres://nobody:secret-word@127.0.0.1:1/none" }
    const { errors, exit, output } = spawnService(variables)
    const { code, seconds } = await exit
    expect(code).toBe(1)
    expect(seconds).toBeLessThan(10)
    expect(errors().trim().split("\n")).toEqual([expect.stringContaining("database")])
    expect(errors() + output()).not.toContain("secret-word")
  })

  it("reports every invalid setting, one line each", async () => {
    const wrong = { PORT: "http", LOG_LEVEL: "loud", SECRET_PEPPER: "short" }
    const { errors, exit } = spawnService({ ...(await environment()), ...wrong })
    expect((await exit).code).toBe(1)
    const lines = errors().trim().split("\n")
    expect(lines.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(wrong).sort())
  })

  it("fails with one line when the port is taken", async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => taken.listen(port, "127.0.0.1", () => resolve()))
    const { errors, exit } = spawnService({ ...(await environment()), PORT: String(port) })
    expect((await exit).code).toBe(1)
    taken.close()
    expect(errors()).toBe(`Port ${port} is in use (EADDRINUSE): set PORT to another one, or stop what listens there.\n`)
    const metrics = await startService()
    const second = spawnService({ ...(await environment()), METRICS_PORT: String(metrics.port) })
    expect((await second.exit).code).toBe(1)
    expect(second.errors()).toContain(`Port ${metrics.port} is in use (EADDRINUSE): set METRICS_PORT to another one`)
  })
})

describe("the operators' port", () => {
  it("is separate from the public one", async () => {
    const metricsPort = await freePort()
    const { base } = await startService({ METRICS_PORT: String(metricsPort) })
    await fetch(`${base}/health`)
    const operations = `http://127.0.0.1:${metricsPort}`
    expect((await fetch(`${operations}/ready`)).status).toBe(200)
    expect(await (await fetch(`${operations}/metrics`)).text()).toContain('route="/health"')
    expect((await fetch(`${base}/metrics`)).status).toBe(404)
  })

  it("reports ready only while the database takes writes, and counts the calls that failed [F8]", async () => {
    const metricsPort = await freePort()
    const { base, mint } = await startService({ METRICS_PORT: String(metricsPort) })
    const key = await mint()
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${metricsPort}/ready`)
      return { status: response.status, body: await response.json() }
    }
    const me = async () => (await fetch(`${base}/v1/me`, { headers: { "x-api-key": key } })).status
    expect(await ready()).toEqual({ status: 200, body: { status: "ready" } })
    await setReadOnly(database().address, true)
    await until(async () => (await ready()).status === 503)
    expect(await ready()).toEqual({ status: 503, body: { status: "the database is read-only" } })
    expect(await me()).toBe(503)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/^ledger_unavailable_total\{[^}]*\} [1-9]/m)
    await setReadOnly(database().address, false)
    await until(async () => (await ready()).status === 200)
    expect(await me()).toBe(200)
  })
})

describe("the logs", () => {
  it("contain no key, no email address, no figure and no raw path [F50]", async () => {
    const { base, errors, output } = await startService({ LOG_LEVEL: "trace" })
    const email = `${crypto.randomUUID()}@example.org`
    const headers = { "content-type": "application/json" }
    const minted = await fetch(`${base}/v1/keys/sandbox`, { method: "POST", headers, body: JSON.stringify({ email }) })
    const { apiKey } = (await minted.json()) as { apiKey: string }
    await fetch(`${base}/v1/projection`, {
      method: "POST",
      headers: { ...headers, "x-api-key": apiKey },
      body: JSON.stringify({ ...projection, scenario: { ...projection.scenario, adjustedGrossIncome: 61_234.56 } })
    })
    await fetch(`${base}/v1/verify/not-an-id-of-mine`)
    await fetch(`${base}/v1/me`, { headers: { "x-api-key": `${apiKey}x` } })
    await until(() => errors().includes("/v1/me"))
    const logs = errors() + output()
    for (const secret of [apiKey, email, "61234.56", "not-an-id-of-mine"]) expect(logs).not.toContain(secret)
  })
})

describe("a stop", () => {
  const accepts = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy()
        resolve(true)
      })
      socket.on("error", () => resolve(false))
    })

  /** Starts a projection, and reports when the service asks for its body and when it answers. */
  const startProjection = (port: number, key: string) => {
    const bodyRequested = Deferred.makeUnsafe<void>()
    const headers = { "content-type": "application/json", "x-api-key": key, expect: "100-continue" }
    const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/v1/projection", headers })
    const status = new Promise<number>((resolve) => {
      asked.on("response", (response) => {
        response.resume()
        response.on("end", () => resolve(response.statusCode ?? 0))
      })
      asked.on("error", () => resolve(0))
    })
    asked.on("continue", () => {
      asked.end(JSON.stringify(projection))
      Deferred.doneUnsafe(bodyRequested, Effect.void)
    })
    asked.flushHeaders()
    return { bodyRequested: Effect.runPromise(Deferred.await(bodyRequested)), status }
  }

  it("finishes the calls in flight, then exits with 0 [F21]", async () => {
    const { child, errors, exit, port, mint } = await startService({ RATE_LIMIT_KEY: "off" })
    const key = await mint()
    const lock = await holdRecords(database())
    const inFlight = Array.from({ length: 20 }, () => startProjection(port, key))
    await Promise.all(inFlight.map(({ bodyRequested }) => bodyRequested))
    child.kill("SIGTERM")
    await until(async () => !(await accepts(port)))
    await lock.release()
    const statuses = await Promise.all(inFlight.map(({ status }) => status))
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
    expect((await exit).code).toBe(0)
    const logged = errors().trim().split("\n")
    const lines = logged.map((line) => String(JSON.parse(line).message))
    expect(lines).toContain("Stopping: calls in flight have 20 s to finish")
    expect(lines.at(-1)).toBe("Stopped")
  })

  it("does not wait for idle connections", async () => {
    const { child, exit, port } = await startService()
    const agent = new Agent({ keepAlive: true })
    await new Promise<void>((resolve) =>
      request({ agent, port, host: "127.0.0.1", path: "/health" }, (response) => {
        response.resume()
        response.on("end", () => resolve())
      }).end()
    )
    const asked = performance.now()
    child.kill("SIGTERM")
    expect((await exit).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(3000)
    agent.destroy()
  })

  it("is immediate on the second signal [F22]", async () => {
    const { child, exit, port, mint } = await startService()
    const key = await mint()
    const lock = await holdRecords(database())
    const { bodyRequested, status } = startProjection(port, key)
    await bodyRequested
    child.kill("SIGTERM")
    await pause(700)
    const again = performance.now()
    child.kill("SIGTERM")
    expect((await exit).code).not.toBe(0)
    expect(performance.now() - again).toBeLessThan(1000)
    await lock.release()
    expect(await status).toBe(0)
  })
})

describe("a service behind a proxy that is not configured", () => {
  it("logs one warning, whatever the calls are", async () => {
    const { call, errors } = await startService()
    const headers = { "x-forwarded-for": "192.0.2.7" }
    for (const [method, path] of [
      ["GET", `/v1/verify/${crypto.randomUUID()}`],
      ["GET", "/v1/me"],
      ["POST", "/mcp"]
    ] as const) {
      for (let times = 0; times < 3; times++) await call(method, path, { headers, key: "slr_sbx_none" })
    }
    expect(errors().match(/TRUSTED_PROXY_HOPS is 0/g)).toHaveLength(1)
    expect(errors()).not.toContain("192.0.2.7")
  })
})
