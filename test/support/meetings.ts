/** A run of a portfolio and a worker for it, which meet in a database. */
import { expect } from "vitest"
import { repay } from "./repay.ts"

export const WORKER = ["portfolio", "worker", "--threads", "1"]
export const RUN = ["portfolio", "run", "few.ndjson", "--plans", "standard", "--start", "2027-01", "--cluster"]

/** What both say, which are both refused. */
export const saidByBoth = async (folder: string, out: string, address: string): Promise<ReadonlyArray<string>> => {
  const env = { DATABASE_URL: address }
  const run = await repay([...RUN, "--out", out], { folder, env })
  const computing = await repay(WORKER, { folder, env })
  expect([run.code, computing.code]).toEqual([2, 3])
  return [run.stderr, computing.stderr]
}
