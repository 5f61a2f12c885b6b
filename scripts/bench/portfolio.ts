/**
 * The portfolio bench: the command on borrowers with three loans under all ten plans, from JSON
 * lines to CSV and Parquet. Before and after each run, the engine alone is timed on the same
 * decoded borrowers and with as many threads. `--quick` takes a hundred thousand borrowers instead
 * of a million.
 */
import { readFileSync, statSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { PROJECT, startProgram } from "../../test/support/programs.ts"
import { insist, temporaryFolder } from "../harness.ts"
import type { EngineFigures } from "./engineThread.ts"

const MILLION = 1_000_000
const LOANS = 3
/** Minimum share of the engine's own rate. */
const GOAL = 0.5
const LOOK_MILLIS = 100
const KILOBYTES_PER_GIGABYTE = 1024 * 1024

interface Ran {
  readonly seconds: number
  /** Peak resident memory. */
  readonly gigabytes: number
}

const highWaterOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

const repay = async (folder: string, ...args: ReadonlyArray<string>): Promise<Ran> => {
  const main = join(PROJECT, "src/cli/main.ts")
  const { errors, exit, pid } = startProgram([process.execPath, main, "portfolio", ...args], { folder })
  let peak = 0
  const looking = setInterval(() => {
    peak = Math.max(peak, highWaterOf(pid))
  }, LOOK_MILLIS)
  const { code, seconds } = await exit
  clearInterval(looking)
  insist(code === 0, `repay portfolio ${args.join(" ")} ended with ${code}: ${errors()}`)
  return { seconds, gigabytes: peak / KILOBYTES_PER_GIGABYTE }
}

/** Rate of the engine alone, with as many threads as the command, on borrowers of the same file. */
const engineAlone = async (file: string): Promise<number> => {
  const threads = Array.from(
    { length: availableParallelism() },
    (_, thread) =>
      new Promise<EngineFigures>((done, fail) => {
        const worker = new Worker(new URL("./engineThread.ts", import.meta.url), { workerData: { file, thread } })
        worker.once("message", done).once("error", fail)
      })
  )
  const found = await Promise.all(threads)
  return found.reduce((sum, { projections, seconds }) => sum + projections / seconds, 0)
}

const grouped = (count: number): string => Math.round(count).toLocaleString("en-US")

export const benchPortfolio = async (isQuick: boolean): Promise<string> => {
  const folder = temporaryFolder("repayment-bench")
  const borrowers = isQuick ? MILLION / 10 : MILLION
  const file = join(folder, "borrowers.ndjson")
  const sample = ["--borrowers", String(borrowers), "--loans", String(LOANS), "--seed", "1"]
  await repay(folder, "sample", ...sample, "--out", file)
  const alone = [await engineAlone(file)]
  const runs: Array<Ran & { readonly out: string; readonly perSecond: number; readonly share: number }> = []
  for (const out of ["results.csv", "results.parquet"]) {
    const ran = await repay(folder, "run", file, "--plans", "all", "--start", "2027-01", "--out", out)
    const before = alone.at(-1)!
    const after = await engineAlone(file)
    const perSecond = (borrowers * PLAN_TYPES.length) / ran.seconds
    runs.push({ ...ran, out, perSecond, share: perSecond / ((before + after) / 2) })
    alone.push(after)
  }
  const megabytes = (name: string) => Math.round(statSync(join(folder, name)).size / 1e6)
  return [
    `${grouped(borrowers)} synthetic borrowers of ${LOANS} loans (${megabytes("borrowers.ndjson")} MB) under ${PLAN_TYPES.length} plans: ${cpus().length} x ${cpus()[0]?.model.trim()}, node ${process.version}.`,
    `The engine alone, all threads, before, between and after: ${alone.map(grouped).join(", ")} projections a second.`,
    "",
    ...runs.map(
      ({ gigabytes, out, perSecond, seconds, share }) =>
        `${out.padEnd(16)} ${seconds.toFixed(1).padStart(7)} s ${grouped(perSecond).padStart(9)} a second, ${share.toFixed(2)} of the engine's rate around it, ${(100 * (1 - share)).toFixed(0)} % of the time outside it; ${gigabytes.toFixed(2)} GB of memory, ${megabytes(out)} MB`
    ),
    "",
    `at least half of the engine's own rate: ${runs.every(({ share }) => share >= GOAL) ? "met" : "MISSED"}`
  ].join("\n")
}
