/** One run at a time in a folder: runs as processes, and many that want a folder at once. */
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

/** Where another comes first, nothing. */
const leaveDeadLock = (parts: string): void => {
  try {
    leftLock(parts)
  } catch (cause) {
    expect(cause).toMatchObject({ code: expect.stringMatching(/EEXIST|ENOENT/) })
  }
}

/** What one of many comes to that want a folder again and again: it ends, gives up, or leaves what a killed one leaves. */
const takesAgainAndAgain = async (
  parts: string,
  until: number,
  who: { holders: number; most: number; held: number }
) => {
  let longest = 0
  for (let turn = 0; Date.now() < until; turn++) {
    const since = Date.now()
    const lock = await FolderLock.take(parts).catch(() => undefined)
    longest = Math.max(longest, Date.now() - since)
    if (lock === undefined) continue
    who.held++
    who.most = Math.max(who.most, ++who.holders)
    await pause(1)
    who.holders--
    await lock.release()
    if (turn % 3 === 0) leaveDeadLock(parts)
  }
  return longest
}

describe("a folder of parts", () => {
  it("is one run's: the same command given meanwhile is refused, and the first one's results are whole", async () => {
    const many = file("many.ndjson", linesOfBorrowers(3000, 20))
    expect((await run(many, "alone.csv")).code).toBe(0)
    const first = start(["portfolio", "run", many, ...RUN, "--out", "twin.csv"], {}, folder)
    const ended = new Promise((resolve) => first.on("close", resolve))
    await until(() => existsSync(join(folder, "twin.csv.parts", "run.json")))
    first.kill("SIGSTOP")
    const second = await run(many, "twin.csv")
    expect(second).toMatchObject({ code: 2, stdout: "" })
    expect(second.stderr).toContain(`another run is at work there, process ${first.pid} of ${hostname()}`)
    first.kill("SIGCONT")
    expect(await ended).toBe(0)
    const [whole, twin] = ["alone.csv", "twin.csv"].map((name) => readFileSync(join(folder, name), "utf8"))
    expect(twin === whole).toBe(true)
    expect(readdirSync(folder).filter((name) => name.startsWith("twin.csv.parts"))).toEqual([])
  }, 60_000)

  it("never has two holders of many that come and go, and keeps nobody waiting for one who is gone", async () => {
    const parts = join(folder, "busy.parts")
    const who = { holders: 0, most: 0, held: 0 }
    const until = Date.now() + MILLISECONDS
    const waits = await Promise.all(Array.from({ length: TAKERS }, () => takesAgainAndAgain(parts, until, who)))
    expect(who.most).toBe(1)
    expect(who.held).toBeGreaterThan(TAKERS)
    expect(Math.max(...waits)).toBeLessThan(10_000)
  }, 60_000)
})
