/** The drafts of a run: private, of one run at a time, and gone with the run or by the next one. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeClaim } from "../../../src/platform/claim.ts"
import { openDrafts } from "../../../src/portfolio/results/drafts.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, repay } from "../../support/repay.ts"

const { file, folder } = filesOf("drafts")

const RUN = ["--threads", "1", "--plans", "standard", "--start", "2027-01", "--out"]
const run = (out: string, before?: () => void) =>
  repay(["portfolio", "run", few, ...RUN, out], { folder, ...(before === undefined ? {} : { before }) })
const few = file("few.ndjson", linesOfBorrowers(3))
const draftsOf = (out: string) => readdirSync(folder).filter((name) => name.startsWith(`${out}.draft-`))

/** The folder of another process. Our own process id there is that of a killed one. */
const leftBy = async (out: string, rename: (holder: string) => string = (holder) => holder): Promise<string> => {
  const drafts = await makeClaim(join(folder, `${out}.draft-`))
  const [holder] = readdirSync(drafts)
  renameSync(join(drafts, holder!), join(drafts, rename(holder!)))
  return drafts
}

describe("the drafts of a run", () => {
  it("are removed without the results if the run was killed after it had put all in place", async () => {
    const drafts = await leftBy("done.csv")
    linkSync(file(`${drafts.slice(folder.length)}/rows`, "all"), join(folder, "done.csv"))
    expect((await run("done.csv")).stderr).toContain("done.csv exists already")
    expect(readFileSync(join(folder, "done.csv"), "utf8")).toBe("all")
    expect(draftsOf("done.csv")).toEqual([])
  })

  it("are private to its account, next to the results, and removed at its end", async () => {
    const modes: Array<number> = []
    const look = () => void modes.push(statSync(join(folder, draftsOf("own.csv")[0]!)).mode & 0o777)
    expect((await run("own.csv", look)).code).toBe(0)
    expect(modes).toEqual([0o700])
    expect(draftsOf("own.csv")).toEqual([])
  })

  it("are removed by the next run if theirs was killed, with the results that it had put in place", async () => {
    const drafts = await leftBy("killed.csv")
    linkSync(file(`${drafts.slice(folder.length)}/rules`, "half"), join(folder, "killed.csv.rules.json"))
    expect((await run("killed.csv")).code).toBe(0)
    expect(readFileSync(join(folder, "killed.csv.rules.json"), "utf8")).not.toBe("half")
    expect(draftsOf("killed.csv")).toEqual([])
  })

  it("end a second run while the first one is running", async () => {
    const drafts = await leftBy("busy.csv", (holder) => holder.replace(/^\d+/, String(process.ppid)))
    const { code, stderr } = await run("busy.csv")
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`busy.csv: another run is writing it, process ${process.ppid} of `)
    })
    expect(draftsOf("busy.csv")).toEqual([drafts.slice(folder.length + 1)])
    expect(existsSync(join(folder, "busy.csv"))).toBe(false)
  })

  it("stay for a day if their process is on another machine, and stop no run", async () => {
    const drafts = await leftBy("far.csv", (holder) => `${holder}.example`)
    expect((await run("far.csv")).code).toBe(0)
    expect(draftsOf("far.csv")).toHaveLength(1)
    const earlier = new Date(Date.now() - 25 * 3_600_000)
    utimesSync(drafts, earlier, earlier)
    expect((await run("far.csv")).code).toBe(2)
    expect(draftsOf("far.csv")).toEqual([])
  })

  it("are refused where anyone may rename them", async () => {
    const open = join(folder, "open")
    mkdirSync(open)
    chmodSync(open, 0o777)
    const { code, stderr } = await run("open/own.csv")
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("open is writable by everyone") })
    expect(readdirSync(open)).toEqual([])
    chmodSync(open, 0o1777)
    expect((await run("open/own.csv")).code).toBe(0)
  })

  it("take along what was put in place if the run then fails", async () => {
    const out = join(folder, "half.csv")
    const failed = Effect.gen(function* () {
      const drafts = yield* openDrafts(out)
      linkSync(file(`${drafts.slice(folder.length)}/summary`, "{}"), `${out}.summary.json`)
      file("half.csv.rules.json", "mine")
      return yield* Effect.fail("late")
    })
    await expect(Effect.runPromise(Effect.scoped(failed))).rejects.toThrow("late")
    expect(readdirSync(folder).filter((name) => name.startsWith("half"))).toEqual(["half.csv.rules.json"])
  })
})
