/** The result of one `repay doctor` check, with a deadline; a failed check reports the reason. */
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { withDeadline } from "../../../database/index.ts"

/** `warning`: may be intended. `wrong`: something must be done. `skipped`: could not be checked. */
export type State = "ok" | "warning" | "wrong" | "skipped"

export interface Verdict {
  readonly state: State
  readonly detail: string
  /** The remedy. */
  readonly remedy: string | null
}

export interface Finding extends Verdict {
  readonly check: string
}

export const ok = (detail: string): Verdict => ({ state: "ok", detail, remedy: null })
export const warning = (detail: string, remedy: string): Verdict => ({ state: "warning", detail, remedy })
export const wrong = (detail: string, remedy: string): Verdict => ({ state: "wrong", detail, remedy })
export const skipped = (detail: string): Verdict => ({ state: "skipped", detail, remedy: null })

const CHECK_MILLISECONDS = 10_000

const timedOut = wrong(
  `no answer within ${CHECK_MILLISECONDS / 1000} s`,
  "find out what delays it, and run repay doctor again"
)

/** The server's message, because the driver's only describes the statement. */
const reasonOf = (failure: unknown): string => {
  const error = SqlError.isSqlError(failure) && failure.reason.cause instanceof Error ? failure.reason.cause : failure
  return error instanceof Error ? error.message : String(error)
}

const failedCheck = (cause: Cause.Cause<unknown>): Verdict => {
  const failure = Cause.squash(cause)
  const isForbidden = SqlError.isSqlError(failure) && failure.reason._tag === "AuthorizationError"
  return isForbidden
    ? skipped(`this role lacks permission for this check: ${reasonOf(failure)}`)
    : wrong(`it cannot be checked: ${reasonOf(failure)}`, "see docs/incidents.md, or report it")
}

/** Runs one check, for one line of the report. */
export const examine = <E, R>(check: string, work: Effect.Effect<Verdict, E, R>): Effect.Effect<Finding, never, R> =>
  withDeadline(Effect.exit(work), CHECK_MILLISECONDS, () => timedOut).pipe(
    Effect.map((exit) => (exit._tag === "Success" ? exit.value : failedCheck(exit.cause))),
    Effect.catch(Effect.succeed),
    Effect.map((verdict) => ({ check, ...verdict }))
  )
