/**
 * The `simulate` task: `simulate --minutes 10` runs random simulation programs for ten minutes.
 * `SEED=<seed>/<path>`, as a failure prints it, runs the failed program again. The checks are those
 * of property-tests/simulation.
 */
import { parseArgs } from "node:util"
import { insist, Misuse } from "./harness.ts"
import { runTests } from "./vitest.ts"

export default async (args: ReadonlyArray<string>) => {
  const { minutes } = parseArgs({ args: [...args], options: { minutes: { type: "string", default: "1" } } }).values
  if (!/^\d{1,4}$/.test(minutes)) throw new Misuse("--minutes takes a whole number")
  const env = { SIMULATION_MINUTES: process.env["SEED"] === undefined ? minutes : "0" }
  insist(await runTests(["property-tests/simulation"], { env }), "a program failed")
}
