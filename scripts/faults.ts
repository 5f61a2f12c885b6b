/**
 * Runs the tests of the catalogue of faults and prints one line a fault. Files are run whole, since tests may need those
 * before them.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./faults/fault.ts"
import { judge, type Report, told } from "./faults/judge.ts"
import { FAULTS } from "./faults/list.ts"
import { insist, Misuse, temporaryFolder } from "./harness.ts"
import { runTests } from "./vitest.ts"

const NOTHING_RAN: Report = { testResults: [] }

/** Runs files of tests, and returns what vitest reports of them. What the tests print is not shown. */
const run = async (files: ReadonlyArray<string>): Promise<Report> => {
  if (files.length === 0) return NOTHING_RAN
  const report = join(temporaryFolder("repayment-faults"), "report.json")
  await runTests(files, {
    options: ["--reporter=json", `--outputFile=${report}`],
    stdio: ["ignore", "ignore", "inherit"]
  })
  return existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : NOTHING_RAN
}

const tell = async (faults: ReadonlyArray<Fault>): Promise<void> => {
  const files = [...new Set(faults.flatMap(({ shown }) => shown.map(({ file }) => file)))].sort()
  console.error(`${files.length} files of tests are run; all of them take some minutes`)
  const report = await run(files)
  const verdicts = faults.map((fault) => ({ fault, verdict: judge(report, fault) }))
  for (const { fault, verdict } of verdicts) console.log(told(fault, verdict))
  const count = (outcome: string) => verdicts.filter(({ verdict }) => verdict.outcome === outcome).length
  console.log(`${count("passed")} passed, ${count("FAILED")} failed, ${count("reason")} with a reason`)
  insist(count("FAILED") === 0, "a fault is not held")
}

export default async (args: ReadonlyArray<string>) => {
  const unknown = args.filter((id) => !FAULTS.some((fault) => fault.id === id))
  if (unknown.length > 0)
    throw new Misuse(`not in the catalogue: ${unknown.join(", ")}. It has ${FAULTS.map(({ id }) => id).join(" ")}`)
  await tell(args.length === 0 ? FAULTS : FAULTS.filter(({ id }) => args.includes(id)))
}
