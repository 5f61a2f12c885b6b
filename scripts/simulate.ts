/**
 * `npm run simulate -- --minutes 10` draws programs of the simulation for so long; `SEED=<seed>/<path> npm run simulate`, as
 * a failure prints it, runs the one that failed. Judges nothing: property-tests/simulation does.
 */
import { spawn } from "node:child_process"
import { parseArgs } from "node:util"

const { minutes } = parseArgs({ options: { minutes: { type: "string", default: "1" } } }).values
if (!/^\d{1,4}$/.test(minutes)) throw new Error("--minutes takes a whole number")
const program = spawn("vitest", ["run", "--project", "tests", "property-tests/simulation"], {
  env: { ...process.env, SIMULATION_MINUTES: process.env["SEED"] === undefined ? minutes : "0" },
  stdio: "inherit"
})
program.once("exit", (code) => {
  process.exitCode = code ?? 1
})
