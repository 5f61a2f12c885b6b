/** `repay serve` as a process that is stopped, and commands whose output pipe is closed. */
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { createClient } from "../../src/client/index.ts"
import { useDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { linesOf } from "../support/repay.ts"
import { repayProcess, start } from "../support/repayProcess.ts"
import { TEST_PEPPER, TEST_SERVER } from "../support/settings.ts"
import { pause } from "../support/until.ts"

/** Signals within half a second count as one. */
const NEXT_SIGNAL_MILLIS = 700

const database = useDatabase()
const environment = () => ({ ...TEST_SERVER, DATABASE_URL: database().address, SECRET_PEPPER: TEST_PEPPER })

describe("repay serve", () => {
  it("runs the service until SIGTERM, and exits with 0", async () => {
    const port = await freePort()
    const child = start(["serve"], { ...environment(), PORT: String(port) })
    await once(child.stdout, "data")
    const health = await createClient({ baseUrl: `http://127.0.0.1:${port}` }).health()
    expect(health.status).toBe("ok")
    child.kill("SIGTERM")
    const [code] = await once(child, "close")
    expect(code).toBe(0)
  })

  it("stops at once on a second signal", async () => {
    const child = start(["serve"], { ...environment(), PORT: String(await freePort()), STOP_DELAY_SECONDS: "300" })
    await once(child.stdout, "data")
    child.kill("SIGTERM")
    await pause(NEXT_SIGNAL_MILLIS)
    expect(child.exitCode).toBeNull()
    child.kill("SIGTERM")
    const [code] = await once(child, "close")
    expect(code).toBe(1)
  })

  it("reports in one line why it cannot start, and exits with 3", async () => {
    const env = { ...environment(), DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
    const { code, stderr } = await repayProcess(["serve"], { env })
    expect([code, linesOf(stderr)]).toEqual([3, [expect.stringContaining("ECONNREFUSED")]])
  })
})

describe("a command with a closed output pipe", () => {
  it("fails if its output cannot be repeated, and succeeds otherwise", async () => {
    const env = environment()
    expect((await repayProcess(["migrate"], { env })).code).toBe(0)
    const paid = await repayProcess(["subscriptions", "pay", "gone@example.org"], { env, isReaderGone: true })
    expect([paid.code, linesOf(paid.stderr).at(-2)]).toEqual([1, "Standard output cannot be written (EPIPE)."])
    const listed = await repayProcess(["keys", "list", "--all", "--json"], { env, isReaderGone: true })
    expect(listed).toMatchObject({ code: 0, stderr: "" })
  })
})
