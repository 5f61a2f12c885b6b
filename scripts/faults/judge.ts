/** What the report of a test run says of each fault of the catalogue. Runs nothing. */
import type { Fault, Shown } from "./fault.ts"

/** Of the JSON that vitest writes, what is read here. */
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

interface Test {
  readonly title: string
  readonly passed: boolean
  readonly millis: number
  readonly message: string
}

export interface Verdict {
  readonly outcome: "passed" | "FAILED" | "reason"
  readonly tests: number
  readonly seconds: number
  /** What is wrong, a line each: a test that failed, or that is listed and did not run. */
  readonly wrong: ReadonlyArray<string>
}

const firstLineOf = (messages: ReadonlyArray<string> | null | undefined): string =>
  (messages?.[0] ?? "").split("\n")[0]!

/** The tests of a file that ran to an end. */
const ranIn = (report: Report, file: string): ReadonlyArray<Test> =>
  report.testResults
    .filter(({ name }) => name === file || name.endsWith(`/${file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ duration, failureMessages, fullName, status }) => ({
      title: fullName,
      passed: status === "passed",
      millis: duration ?? 0,
      message: firstLineOf(failureMessages)
    }))

/** The tests that are meant, once each, and what is listed and stands for none. */
const testsOf = (report: Report, { file, titles = [""] }: Shown) => {
  const ran = ranIn(report, file)
  const missing = titles.filter((part) => !ran.some(({ title }) => title.includes(part)))
  return {
    tests: ran.filter(({ title }) => titles.some((part) => title.includes(part))),
    missing: missing.map((part) => `${file}: no test ran${part === "" ? "" : ` whose title holds "${part}"`}`)
  }
}

export const judge = (report: Report, { shown }: Fault): Verdict => {
  if (shown.length === 0) return { outcome: "reason", tests: 0, seconds: 0, wrong: [] }
  const found = shown.map((one) => ({ file: one.file, ...testsOf(report, one) }))
  const failed = found.flatMap(({ file, tests }) =>
    tests.filter(({ passed }) => !passed).map(({ message, title }) => `${file}: ${title}: ${message}`)
  )
  const wrong = [...found.flatMap(({ missing }) => missing), ...failed]
  const tests = found.flatMap((one) => one.tests)
  const millis = tests.reduce((sum, test) => sum + test.millis, 0)
  return { outcome: wrong.length === 0 ? "passed" : "FAILED", tests: tests.length, seconds: millis / 1000, wrong }
}

/** One line, and below it whatever is wrong. */
export const told = ({ fault, id, reason }: Fault, { outcome, seconds, tests, wrong }: Verdict): string => {
  const line = `${id.padEnd(3)} ${outcome.padEnd(6)}  ${fault}`
  if (outcome === "reason") return `${line}: ${reason}`
  return [
    `${line} (${tests} ${tests === 1 ? "test" : "tests"}, ${seconds.toFixed(1)} s)`,
    ...wrong.map((one) => `      ${one}`)
  ].join("\n")
}
