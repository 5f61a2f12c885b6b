/**
 * The way the program was started, on which some defaults depend. A caller may provide other values
 * than the process has.
 */
import { Context } from "effect"

interface LaunchInfo {
  /** Base of relative paths. */
  readonly folder: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
}

export const Launch = Context.Reference<LaunchInfo>("repayment-of-record/Launch", {
  defaultValue: () => ({ folder: process.cwd(), isTerminal: process.stdout.isTTY === true })
})
