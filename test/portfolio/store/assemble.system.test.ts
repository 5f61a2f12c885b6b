/** The atomic writing of results, on a disk that fills up. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { filesOf } from "../../support/repay.ts"

const { file, folder } = filesOf("whole")

const PART = 40_000
const PARTS = ["1", "2"].map((digit) => file(`part-${digit}`, digit.repeat(PART)))

/** Assembles the parts in a process with this limit on file size. */
const within = (kilobytes: number | "unlimited", out: string, work: string) =>
  promisify(execFile)("bash", [
    "-c",
    `ulimit -f ${kilobytes}; exec "$0" --input-type=module -e "$1"`,
    process.execPath,
    `import { concatenate, GrowingResults } from ${JSON.stringify(resolve("src/portfolio/store/assemble.ts"))}
     import { readFile } from "node:fs/promises"
     const [parts, folder, out] = ${JSON.stringify([PARTS, folder, out])}
     const grown = async () => {
       const results = new GrowingResults(folder, "head\\n")
       results.begin()
       for (const part of parts) results.add(await readFile(part))
       await results.place(out, { folder }).finally(() => results.end())
     }
     await ${work}.catch(({ lines }) => { console.log(lines.join(" ")) })`
  ])

describe.each([
  ["when all are there", 'concatenate("head\\n", parts.length, (index) => readFile(parts[index]), out)'],
  ["while they are computed", "grown()"]
])("a file assembled from parts %s", (how, work) => {
  it("contains all of them in order", async () => {
    const out = join(folder, `${how}.csv`)
    await within("unlimited", out, work)
    expect(readFileSync(out, "utf8")).toBe(`head\n${"1".repeat(PART)}${"2".repeat(PART)}`)
  })

  it("stays as it was if the disk is full, and the failure is reported", async () => {
    const out = file("full.csv", "results of before")
    const { stdout } = await within(64, out, work)
    expect(stdout).toMatch(/full\.csv: cannot be written \(EFBIG/)
    expect(readFileSync(out, "utf8")).toBe("results of before")
    expect(readdirSync(folder).filter((name) => name.startsWith("full.csv"))).toEqual(["full.csv"])
  })
})
