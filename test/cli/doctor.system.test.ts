/**
 * `repay doctor` next to a service with an embedded database, and on a server that never answers.
 */
import { createServer as createSilentServer } from "node:net"
import { dirname } from "node:path"
import { ConfigProvider, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { examination } from "../../src/cli/operate/doctor/examination.ts"
import type { Finding } from "../../src/cli/operate/doctor/finding.ts"
import { query, useDataFolder } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { repayProcess } from "../support/repayProcess.ts"
import { killServiceProcesses, startServiceProcess } from "../support/serviceProcess.ts"
import { TEST_PEPPER, TEST_SERVER } from "../support/settings.ts"

afterAll(killServiceProcesses)

const examinedAt = async (address: string) => {
  const PORT = String(await freePort())
  const variables = { ...TEST_SERVER, PORT, DATABASE_URL: address, SECRET_PEPPER: TEST_PEPPER }
  const provider = ConfigProvider.fromEnvRecord(variables)
  const checks = await Effect.runPromise(
    Effect.provideService(examination, ConfigProvider.ConfigProvider, provider).pipe(Effect.scoped)
  )
  for (const secret of [TEST_PEPPER, "hunter2"]) expect(JSON.stringify(checks)).not.toContain(secret)
  return { wrong: checks.filter(({ state }) => state === "wrong") }
}

const addressOf = (socketPath: string) =>
  `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dirname(socketPath))}`

describe("a database", () => {
  it("is reported within 12 s if it accepts connections and never answers", async () => {
    const silent = createSilentServer(() => undefined)
    const port = await freePort()
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve))
    const begun = performance.now()
    const { wrong } = await examinedAt(`postgres://user:hunter2@127.0.0.1:${port}/none`)
    silent.close()
    expect(wrong).toMatchObject([{ check: "database" }])
    expect(performance.now() - begun).toBeLessThan(12_000)
  })
})

describe("an embedded database", () => {
  const { database, dataDir } = useDataFolder()

  it("is wrong if it allows fewer connections than the service takes", async () => {
    const variables = { DATA_DIR: dataDir, DATABASE_ALLOW_OFF: "" }
    const first = await startServiceProcess(variables)
    await query(database, "ALTER SYSTEM SET superuser_reserved_connections = 90")
    await first.kill("SIGTERM")
    const service = await startServiceProcess(variables)
    const { wrong } = await examinedAt(addressOf(database.path))
    expect(wrong.find(({ check }) => check === "connections")).toMatchObject({
      detail: "this service uses up to 24 of 10",
      remedy: "raise max_connections"
    })
    await query(database, "ALTER SYSTEM RESET superuser_reserved_connections")
    await service.kill("SIGTERM")
  })

  it("is checked while it runs, and is not started if it is stopped", async () => {
    const service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_ALLOW_OFF: "" })
    const own = {
      ...TEST_SERVER,
      DATABASE_ALLOW_OFF: "",
      DATA_DIR: dataDir,
      SECRET_PEPPER: TEST_PEPPER,
      PUBLIC_URL: service.base
    }
    const stateOf = (stdout: string, name: string) =>
      (JSON.parse(stdout).checks as ReadonlyArray<Finding>).find(({ check }) => check === name)?.state
    const up = await repayProcess(["doctor"], { env: own })
    expect(up.code).toBe(0)
    for (const check of ["server", "role", "disk", "address"])
      expect([check, stateOf(up.stdout, check)]).toEqual([check, "ok"])
    await service.kill("SIGTERM")
    const down = await repayProcess(["doctor"], { env: own })
    expect([down.code, stateOf(down.stdout, "database"), stateOf(down.stdout, "disk")]).toEqual([0, "skipped", "ok"])
    await expect(query(database, "SELECT 1")).rejects.toThrow()
  })
})
