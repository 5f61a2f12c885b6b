/**
 * Runs the tests of the catalogue of faults and prints one line a fault: npm run faults, or npm run faults -- F12 F14.
 * With --page it writes docs/faults.md instead. Files are run whole, since tests may need those before them.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Fault } from "./faults/fault.ts"
import { judge, type Report, told } from "./faults/judge.ts"
import { FAULTS } from "./faults/list.ts"
import { FAULTS_FILE, renderFaults } from "./faults/page.ts"

const PROJECT = resolve(import.meta.dirname, "..")
const FAILED = 1
const MISUSED = 2
const NOTHING_RAN: Report = { testResults: [] }

/** Runs files of tests, and returns what vitest reports of them. What the tests print is not shown. */
const run = async (files: ReadonlyArray<string>): Promise<Report> => {
  if (files.length === 0) return NOTHING_RAN
  const folder = mkdtempSync(join(tmpdir(), "repayment-faults-"))
  try {
    const report = join(folder, "report.json")
    const projects = ["--project", "tests", "--project", "alone", "--project", "system"]
    const args = [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...projects,
      "--reporter=json",
      `--outputFile=${report}`,
      ...files
    ]
    const vitest = spawn(process.execPath, args, { cwd: PROJECT, stdio: ["ignore", "ignore", "inherit"] })
    await once(vitest, "exit")
    return existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : NOTHING_RAN
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tell = async (faults: ReadonlyArray<Fault>): Promise<void> => {
  const files = [...new Set(faults.flatMap(({ shown }) => shown.map(({ file }) => file)))].sort()
  console.error(`${files.length} files of tests are run; all of them take some minutes`)
  const report = await run(files)
  const verdicts = faults.map((fault) => ({ fault, verdict: judge(report, fault) }))
  for (const { fault, verdict } of verdicts) console.log(told(fault, verdict))
  const count = (outcome: string) => verdicts.filter(({ verdict }) => verdict.outcome === outcome).length
  console.log(`${count("passed")} passed, ${count("FAILED")} failed, ${count("reason")} with a reason`)
  if (count("FAILED") > 0) process.exitCode = FAILED
}

const asked = process.argv.slice(2)
const unknown = asked.filter((id) => id !== "--page" && !FAULTS.some((fault) => fault.id === id))

if (unknown.length > 0) {
  console.error(`not in the catalogue: ${unknown.join(", ")}. It has ${FAULTS.map(({ id }) => id).join(" ")}`)
  process.exitCode = MISUSED
} else if (asked.includes("--page")) {
  const page = renderFaults()
  writeFileSync(FAULTS_FILE, page)
  console.log(`docs/faults.md: ${page.length} characters`)
} else {
  await tell(asked.length === 0 ? FAULTS : FAULTS.filter(({ id }) => asked.includes(id)))
}
