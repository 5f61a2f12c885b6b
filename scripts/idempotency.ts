/**
 * The `idempotency` task: makes 10,000 calls with an Idempotency-Key, or as many as asked, and sends
 * each one to five times while the service and its database are killed. The checks are those of
 * test/fault/repeatedCalls.system.test.ts.
 */
import { insist, Misuse } from "./harness.ts"
import { runTests } from "./vitest.ts"

/** Calls of the test at scale 1. */
const CALLS = 400

export default async ([calls = "10000"]: ReadonlyArray<string>) => {
  if (!/^\d{4,6}$/.test(calls) || Number(calls) % CALLS !== 0)
    throw new Misuse(`calls: a multiple of ${CALLS} from 1,200 on`)
  const env = { FAULT_SCALE: String(Number(calls) / CALLS) }
  insist(await runTests(["fault/repeatedCalls"], { env }), "a call was not answered as it should be")
}
