/**
 * A portfolio run with `--cluster` and a worker for it, which must both refuse the same database.
 */
import { expect } from "vitest"
import { repay } from "./repay.ts"

export const WORKER = ["portfolio", "worker", "--threads", "1"]
export const RUN = ["portfolio", "run", "few.ndjson", "--plans", "standard", "--start", "2027-01", "--cluster"]

/** The error output of the run and of the worker. */
export const outputsOfBoth = async (folder: string, out: string, address: string): Promise<ReadonlyArray<string>> => {
  const env = { DATABASE_URL: address }
  const run = await repay([...RUN, "--out", out], { folder, env })
  const worker = await repay(WORKER, { folder, env })
  expect([run.code, worker.code]).toEqual([2, 3])
  return [run.stderr, worker.stderr]
}
