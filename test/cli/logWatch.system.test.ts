/** `repay log watch` as a process that keeps running while the service fails. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startFakeLog } from "../support/fakeLog.ts"
import { filesOf } from "../support/repay.ts"
import { start } from "../support/repayProcess.ts"
import { until } from "../support/until.ts"

const { folder } = filesOf("watch")
let fake: Awaited<ReturnType<typeof startFakeLog>>
beforeAll(async () => {
  fake = await startFakeLog()
})
afterAll(() => fake.stop())

describe("a temporary failure", () => {
  it("never ends the watch, from the first round on", async () => {
    const dir = join(folder, "followed")
    fake.behave({ size: 300, keyStatus: 503 })
    const child = start(["log", "watch", "--url", fake.base, "--out", dir, "--every", "1"])
    let output = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    const file = join(dir, "unchecked.note")
    const unchecked = () => (existsSync(file) ? readFileSync(file, "utf8") : "")
    const isKept = (size: number) => () => readdirSync(dir).includes(`${size}.checkpoint`.padStart(27, "0"))
    try {
      await until(() => output.includes("/log/key has status 503"))
      fake.behave({ size: 300, checkpointStatus: 429 })
      await until(() => output.includes("/log/checkpoint has status 429"))
      fake.behave({ size: 300 })
      await until(isKept(300))
      fake.behave({ size: 400, tileStatus: 0 })
      await until(() => fake.unanswered() > 0)
      expect(unchecked()).toContain("\n400\n")
      fake.behave({ size: 400, tileStatus: 502 })
      await until(() => output.includes("cannot be reached") && output.includes("has status 502"))
      fake.behave({ size: 400 })
      await until(isKept(400))
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill()
    }
  })
})
