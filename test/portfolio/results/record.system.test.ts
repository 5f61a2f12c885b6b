/** `repay portfolio run --record` as a process that is killed during recording. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../../support/repay.ts"
import { start } from "../../support/repayProcess.ts"
import { useService } from "../../support/runningService.ts"
import { until } from "../../support/until.ts"

const { file, folder } = filesOf("record")
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

const MONTHLY_CALLS = 300
const service = useService({ SANDBOX_MONTHLY_CALLS: String(MONTHLY_CALLS) })

const args = (input: string, out: string, plans: string) => ["portfolio", "run", input, "--plans", plans, "--out", out]
const at = (url: string, key: string) => ({ REPAY_URL: url, REPAY_API_KEY: key })
const record = (input: string, out: string, key: string, plans = "RAP,standard,extended", url = service().base) =>
  repay([...args(input, out, plans), "--record"], { folder, env: at(url, key) })

/** The rows of CSV results, as objects by column. */
const rowsOf = (name: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [head, ...lines] = linesOf(text(name)).map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(head!.map((column, index) => [column, cells[index]!])))
}

const answersOf = (name: string): ReadonlyArray<{ readonly borrowerId: string; readonly answer: unknown }> =>
  linesOf(zstdDecompressSync(readFileSync(join(folder, name))).toString("utf8")).map((line) => JSON.parse(line))

const idsOf = (name: string): ReadonlySet<string> =>
  new Set(rowsOf(name).flatMap(({ answerId }) => (answerId ? [answerId] : [])))

describe("repay portfolio run --record", () => {
  it("continues after a kill that cut a journal line, and after an interruption, and records nothing twice", async () => {
    const key = await service().mint()
    const many = file("many.ndjson", linesOfBorrowers(200, 1))
    const killed = start([...args(many, "many.csv", "RAP,standard"), "--record"], at(service().base, key), folder)
    const ended = new Promise((resolve) => killed.on("close", resolve))
    const journal = join(folder, "many.csv.journal")
    await until(() => existsSync(journal) && linesOf(readFileSync(journal, "utf8")).length > 60)
    killed.kill("SIGKILL")
    await ended
    expect(existsSync(join(folder, "many.csv"))).toBe(false)
    writeFileSync(journal, readFileSync(journal).subarray(0, -9))
    const stopped = start([...args(many, "many.csv", "RAP,standard"), "--record"], at(service().base, key), folder)
    let output = ""
    stopped.stderr.on("data", (more: Buffer) => {
      output += more.toString()
    })
    const stop = new Promise((resolve) => stopped.on("close", resolve))
    await until(() => linesOf(readFileSync(journal, "utf8")).length > 120)
    stopped.kill("SIGINT")
    expect(await stop).toBe(130)
    expect(output).toContain("Stopped. The recorded answers are in many.csv.journal: run the same command again")
    expect((await record(many, "many.csv", key, "RAP,standard")).code).toBe(0)
    expect(await service().used(key)).toBe(200)
    expect(idsOf("many.csv").size).toBe(200)
    expect(new Set(answersOf("many.csv.answers.ndjson.zst").map(({ borrowerId }) => borrowerId)).size).toBe(200)
    expect(answersOf("many.csv.answers.ndjson.zst")).toHaveLength(200)
    expect(readdirSync(folder).filter((name) => /journal|draft/.test(name))).toEqual([])
  }, 60_000)
})
