/**
 * `repay doctor`: checks an installation and changes nothing. Each finding comes with its remedy.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { refused } from "../failures.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, type Screen, show } from "../output.ts"
import { harmless, padEnd, wrap } from "../views/text.ts"
import type { Finding, State } from "./doctor/finding.ts"

const STATE_WIDTH = "warning".length + 2
const CHECK_WIDTH = "configuration".length + 2

const marked = (state: State, { accent, bold, dim }: Screen["style"]): string => {
  const padded = padEnd(state, STATE_WIDTH)
  if (state === "ok") return accent(padded)
  return state === "skipped" ? dim(padded) : bold(padded)
}

const view =
  (findings: ReadonlyArray<Finding>) =>
  ({ columns, style }: Screen): string => {
    const indent = " ".repeat(STATE_WIDTH + CHECK_WIDTH)
    return findings
      .flatMap(({ check, detail, remedy, state }) => {
        const [first = "", ...rest] = wrap(harmless(detail), columns, indent)
        const remedyLines = remedy === null ? [] : wrap(`To do: ${harmless(remedy)}`, columns, indent)
        return [marked(state, style) + padEnd(check, CHECK_WIDTH) + first.trimStart(), ...rest, ...remedyLines]
      })
      .join("\n")
  }

export const doctorCommand = dataCommand(
  "doctor",
  {},
  Effect.fn("repay.doctor")(function* (_, format) {
    const { examination } = yield* Effect.promise(() => import("./doctor/examination.ts"))
    const checks = yield* examination
    const count = checks.filter(({ state }) => state === "wrong").length
    yield* show(format, { isWell: count === 0, checks }, view(checks))
    if (count > 0) return yield* refused(`${count} of ${checks.length} checks need action.`)
  })
).pipe(
  withHelp(
    "Check this installation with the settings of the service: configuration, database, role, schema, pepper, clocks, log of records, mail, payments, disk and public address. Each line says what was found and what to do.",
    "Exit code 1 if something must be done, otherwise 0. A warning may be intentional; a skipped check says why. Nothing is changed, no mail is sent and no secret is shown. A stopped embedded database is not started."
  ),
  Command.withExamples([
    { command: "repay doctor --json", description: "For a script that runs before traffic arrives" }
  ])
)
