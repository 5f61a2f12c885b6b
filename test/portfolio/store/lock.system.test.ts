/** The lock of a folder of parts, with runs as processes and with many contenders. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FolderLock } from "../../../src/portfolio/store/lock.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { leftLock } from "../../support/locks.ts"
import { filesOf, repay } from "../../support/repay.ts"
import { start } from "../../support/repayProcess.ts"
import { pause, until } from "../../support/until.ts"

const { file, folder } = filesOf("lock")

const RUN = ["--plans", "standard", "--start", "2027-01"]
const run = (input: string, out: string) => repay(["portfolio", "run", input, ...RUN, "--out", out], { folder })

const TAKERS = 20
const MILLISECONDS = 5000

/** Leaves a lock of a dead process, unless another contender is first. */
const leaveDeadLock = (parts: string): void => {
  try {
    leftLock(parts)
  } catch (cause) {
    expect(cause).toMatchObject({ code: expect.stringMatching(/EEXIST|ENOENT/) })
  }
}

/** One contender: takes and releases the lock repeatedly, and sometimes leaves a dead lock. */
const contend = async (
  parts: string,
  until: number,
  counts: { holders: number; maxHolders: number; acquired: number }
) => {
  let longest = 0
  for (let turn = 0; Date.now() < until; turn++) {
    const since = Date.now()
    const lock = await FolderLock.take(parts).catch(() => undefined)
    longest = Math.max(longest, Date.now() - since)
    if (lock === undefined) continue
    counts.acquired++
    counts.maxHolders = Math.max(counts.maxHolders, ++counts.holders)
    await pause(1)
    counts.holders--
    await lock.release()
    if (turn % 3 === 0) leaveDeadLock(parts)
  }
  return longest
}

describe("a folder of parts", () => {
  it("belongs to one run: the same command is refused, and the first run completes", async () => {
    const many = file("many.ndjson", linesOfBorrowers(3000, 20))
    expect((await run(many, "alone.csv")).code).toBe(0)
    const first = start(["portfolio", "run", many, ...RUN, "--out", "twin.csv"], {}, folder)
    const ended = new Promise((resolve) => first.on("close", resolve))
    await until(() => existsSync(join(folder, "twin.csv.parts", "run.json")))
    first.kill("SIGSTOP")
    const second = await run(many, "twin.csv")
    expect(second).toMatchObject({ code: 2, stdout: "" })
    expect(second.stderr).toContain(`another run is using it, process ${first.pid} of ${hostname()}`)
    first.kill("SIGCONT")
    expect(await ended).toBe(0)
    const [whole, twin] = ["alone.csv", "twin.csv"].map((name) => readFileSync(join(folder, name), "utf8"))
    expect(twin === whole).toBe(true)
    expect(readdirSync(folder).filter((name) => name.startsWith("twin.csv.parts"))).toEqual([])
  }, 60_000)

  it("never has two holders among many contenders, and no long wait for a dead one", async () => {
    const parts = join(folder, "busy.parts")
    const counts = { holders: 0, maxHolders: 0, acquired: 0 }
    const until = Date.now() + MILLISECONDS
    const waits = await Promise.all(Array.from({ length: TAKERS }, () => contend(parts, until, counts)))
    expect(counts.maxHolders).toBe(1)
    expect(counts.acquired).toBeGreaterThan(TAKERS)
    expect(Math.max(...waits)).toBeLessThan(10_000)
  }, 60_000)
})
