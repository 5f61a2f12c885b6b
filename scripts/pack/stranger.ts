/** What `npm run pack-check` does everything with: a stranger's programs, and the request that they ask for. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { PATH } from "../programs.ts"

const INSTALL_MILLIS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const env = { ...process.env, PATH }

export const run = async (folder: string, command: string, args: ReadonlyArray<string>): Promise<string> => {
  const options = { cwd: folder, env, timeout: INSTALL_MILLIS, maxBuffer: MAX_OUTPUT_BYTES }
  const { stdout } = await promisify(execFile)(command, [...args], options)
  return stdout
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

export const insist = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}

export const REQUEST = {
  scenario: {
    planType: "REPAYMENT ASSISTANCE",
    adjustedGrossIncome: 60_000,
    filingStatus: "Single",
    dependents: 0,
    state: "NC",
    workingTowardsPslf: false
  },
  loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.06 }]
}
