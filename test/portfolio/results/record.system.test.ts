/** `repay portfolio run --record` as a process that is killed during recording. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../../support/repay.ts"
import { useService } from "../../support/runningService.ts"
import { until } from "../../support/until.ts"
import { startProcess } from "../processes.ts"
import { answersOf, idsOf } from "./recorded.ts"

const { file, folder } = filesOf("record")

const MONTHLY_CALLS = 300
const service = useService({ SANDBOX_MONTHLY_CALLS: String(MONTHLY_CALLS) })

const args = (input: string) => ["run", input, "--plans", "RAP,standard", "--out", "many.csv"]
const at = (key: string) => ({ REPAY_URL: service().base, REPAY_API_KEY: key })

describe("repay portfolio run --record", () => {
  it("continues after a kill that cut a journal line, and after an interruption, and records nothing twice", async () => {
    const key = await service().mint()
    const many = file("many.ndjson", linesOfBorrowers(200, 1))
    const recording = () => startProcess([...args(many), "--record"], at(key), folder)
    const killed = recording()
    const journal = join(folder, "many.csv.journal")
    await until(() => existsSync(journal) && linesOf(readFileSync(journal, "utf8")).length > 60)
    killed.child.kill("SIGKILL")
    await killed.ended
    expect(existsSync(join(folder, "many.csv"))).toBe(false)
    writeFileSync(journal, readFileSync(journal).subarray(0, -9))
    const stopped = recording()
    await until(() => linesOf(readFileSync(journal, "utf8")).length > 120)
    stopped.child.kill("SIGINT")
    expect(await stopped.ended).toBe(130)
    expect(stopped.output()).toContain(
      "Stopped. The recorded answers are in many.csv.journal: run the same command again"
    )
    expect((await repay(["portfolio", ...args(many), "--record"], { folder, env: at(key) })).code).toBe(0)
    expect(await service().used(key)).toBe(200)
    expect(idsOf(join(folder, "many.csv")).size).toBe(200)
    const answers = answersOf(join(folder, "many.csv.answers.ndjson.zst"))
    expect([answers.length, new Set(answers.map(({ borrowerId }) => borrowerId)).size]).toEqual([200, 200])
    expect(readdirSync(folder).filter((name) => /journal|draft/.test(name))).toEqual([])
  })
})
