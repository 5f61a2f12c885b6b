/** The verdict on each fault of the catalogue, derived from a test report. Runs nothing. */
import { type Fault, tagOf } from "./catalogue.ts"

/** The part of vitest's JSON report that is read here. */
export interface Report {
  readonly testResults: ReadonlyArray<{
    /** Path of the file. */
    readonly name: string
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly status: string
      readonly duration?: number | null
      readonly failureMessages?: ReadonlyArray<string> | null
    }>
  }>
}

export interface Verdict {
  readonly outcome: "passed" | "FAILED" | "reason"
  readonly tests: number
  readonly seconds: number
  /** One line for each failed test and for each file without a test that ran. */
  readonly wrong: ReadonlyArray<string>
}

/** The completed tests of a fault in a file. */
const ranIn = (report: Report, file: string, id: string) =>
  report.testResults
    .filter(({ name }) => name === file || name.endsWith(`/${file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => fullName.includes(tagOf(id)) && ["passed", "failed"].includes(status))

export const judge = (report: Report, { id, shown }: Fault): Verdict => {
  if (shown.length === 0) return { outcome: "reason", tests: 0, seconds: 0, wrong: [] }
  const found = shown.map((file) => ({ file, tests: ranIn(report, file, id) }))
  const missing = found.filter(({ tests }) => tests.length === 0).map(({ file }) => `${file}: no test ran`)
  const failed = found.flatMap(({ file, tests }) =>
    tests
      .filter(({ status }) => status === "failed")
      .map(({ failureMessages, fullName }) => `${file}: ${fullName}: ${(failureMessages?.[0] ?? "").split("\n")[0]}`)
  )
  const wrong = [...missing, ...failed]
  const tests = found.flatMap((one) => one.tests)
  const millis = tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0)
  return { outcome: wrong.length === 0 ? "passed" : "FAILED", tests: tests.length, seconds: millis / 1000, wrong }
}

/** One line, followed by the lines of what is wrong. */
export const verdictText = ({ fault, id, reason }: Fault, { outcome, seconds, tests, wrong }: Verdict): string => {
  const line = `${id.padEnd(3)} ${outcome.padEnd(6)}  ${fault}`
  if (outcome === "reason") return `${line}: ${reason}`
  return [
    `${line} (${tests} ${tests === 1 ? "test" : "tests"}, ${seconds.toFixed(1)} s)`,
    ...wrong.map((one) => `      ${one}`)
  ].join("\n")
}
