/**
 * The `faults` task: runs the tests of the catalogue of faults (failures and attacks that the
 * service must withstand), and prints one line per fault. It runs whole files, because a test may
 * depend on earlier ones.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { FAULTS } from "./faults/catalogue.ts"
import { judge, type Report, verdictText } from "./faults/judge.ts"
import { insist, Misuse, say, temporaryFolder } from "./harness.ts"
import { runTests } from "./vitest.ts"

const NOTHING_RAN: Report = { testResults: [] }

/** Vitest's report of some files. The tests' own output is discarded. */
const reportOf = async (files: ReadonlyArray<string>): Promise<Report> => {
  if (files.length === 0) return NOTHING_RAN
  const file = join(temporaryFolder("repayment-faults"), "report.json")
  const options = ["--reporter=json", `--outputFile=${file}`]
  await runTests(files, { options, stdio: ["ignore", "ignore", "inherit"] })
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : NOTHING_RAN
}

export default async (ids: ReadonlyArray<string>) => {
  const unknown = ids.filter((id) => !FAULTS.some((fault) => fault.id === id))
  if (unknown.length > 0)
    throw new Misuse(`not in the catalogue: ${unknown.join(", ")}. It has ${FAULTS.map(({ id }) => id).join(" ")}`)
  const faults = FAULTS.filter(({ id }) => ids.length === 0 || ids.includes(id))
  const files = [...new Set(faults.flatMap(({ shown }) => shown))]
  console.error(`${files.length} files of tests are run; all of them take some minutes`)
  const report = await reportOf(files)
  const verdicts = faults.map((fault) => ({ fault, verdict: judge(report, fault) }))
  for (const { fault, verdict } of verdicts) say(verdictText(fault, verdict))
  const count = (outcome: string) => verdicts.filter(({ verdict }) => verdict.outcome === outcome).length
  say(`${count("passed")} passed, ${count("FAILED")} failed, ${count("reason")} with a reason`)
  insist(count("FAILED") === 0, "a fault is not held")
}
