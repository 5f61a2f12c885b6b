/**
 * A worker thread of the portfolio bench: projects borrowers from a file under every plan
 * repeatedly, and posts the number and the time.
 */
import { closeSync, openSync, readSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { Schema } from "effect"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { currentLaw, makeWorkspace, project } from "../../src/engine/index.ts"
import { Borrower } from "../../src/portfolio/index.ts"

export interface EngineFigures {
  readonly projections: number
  readonly seconds: number
}

const { file, thread } = workerData as { readonly file: string; readonly thread: number }

const START = { year: 2027, month: 1 }
/** Size of the part of the file that each thread reads. */
const BYTES = 16_000_000
const SECONDS = 10

/** The complete lines in a part of the file. */
const linesOf = (from: number): ReadonlyArray<string> => {
  const bytes = Buffer.alloc(BYTES)
  const handle = openSync(file, "r")
  const length = readSync(handle, bytes, 0, BYTES, from)
  closeSync(handle)
  return bytes.toString("utf8", 0, length).split("\n").slice(1, -1)
}

const decode = Schema.decodeUnknownSync(Borrower)
const borrowers = linesOf(thread * BYTES).map((line) => decode(JSON.parse(line)))
const workspace = makeWorkspace()

const projectAll = (): void => {
  for (const borrower of borrowers) {
    for (const planType of PLAN_TYPES) {
      const scenario = { ...borrower, planType, label: null }
      project(currentLaw, { scenario, loans: borrower.loans, includeYearly: false }, START, workspace)
    }
  }
}

projectAll()
const begun = performance.now()
let rounds = 0
while (performance.now() - begun < SECONDS * 1e3) {
  projectAll()
  rounds++
}
const seconds = (performance.now() - begun) / 1e3
parentPort?.postMessage({ projections: rounds * borrowers.length * PLAN_TYPES.length, seconds } satisfies EngineFigures)
