/** How the program was started, for settings whose defaults depend on it: those of the process unless a caller provides others. */
import { Context } from "effect"

interface Facts {
  /** Relative paths start here. */
  readonly folder: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
}

export const Launch = Context.Reference<Facts>("repayment-of-record/Launch", {
  defaultValue: () => ({ folder: process.cwd(), isTerminal: process.stdout.isTTY === true })
})
