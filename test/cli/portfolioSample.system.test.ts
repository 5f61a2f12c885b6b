/** `repay portfolio sample` as a process that is interrupted, or whose output pipe is closed. */
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { filesOf } from "../support/repay.ts"
import { repayProcess, start } from "../support/repayProcess.ts"
import { until } from "../support/until.ts"

const { folder } = filesOf("sample")
const drafts = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"))

describe("repay portfolio sample", () => {
  it("leaves nothing behind when it is interrupted", async () => {
    const out = join(folder, "interrupted.ndjson")
    const child = start(["portfolio", "sample", "--borrowers", "5000000", "--out", out])
    const ended = once(child, "exit")
    await until(() => drafts().length > 0)
    child.kill("SIGINT")
    expect((await ended)[0]).toBe(130)
    expect(drafts()).toEqual([])
    expect(existsSync(out)).toBe(false)
  })

  it("ends quietly when its output pipe is closed", async () => {
    const args = ["portfolio", "sample", "--borrowers", "20000", "--out", "-"]
    expect(await repayProcess(args, { isReaderGone: true })).toMatchObject({ code: 0, stderr: "" })
  })
})
