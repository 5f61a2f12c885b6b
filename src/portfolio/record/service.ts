/**
 * Asks a service for the answers of one borrower, and takes them only where they are those that were computed here. A
 * service that is away, busy or at its limit for the moment is asked again; what it refuses for good ends the run.
 */
import { Data, Effect, Redacted, Schedule } from "effect"
import { ruleVersion } from "../../../ledger/release.ts"
import {
  type CallFailure,
  type Client,
  createClient,
  isProblem,
  type ProjectionResult,
  type ScenarioComparisonResult
} from "../../client/plain/index.ts"
import type { ResultRow } from "../results.ts"
import { answeredIn, comparisonOf, projectionsOf, type Unrecorded } from "./unrecorded.ts"

/** Why no more answers can be recorded, and what to do. What was recorded stays, and is not asked again. */
export class RecordingStopped extends Data.TaggedError("RecordingStopped")<{
  readonly lines: ReadonlyArray<string>
}> {}

/** An answer of record: of one plan, or of several beside each other. */
export type RecordedAnswer = ProjectionResult | ScenarioComparisonResult

const projectionsIn = (answer: RecordedAnswer): ReadonlyArray<ProjectionResult> =>
  "projections" in answer ? answer.projections : [answer]

const FIGURES = [
  "planType",
  "year1MonthlyPayment",
  "monthsToFinish",
  "totalOutOfPocket",
  "amountForgiven",
  "forgivenessTaxesOwed",
  "forgivenessType"
] as const

const DAY = "YYYY-MM-DD".length

/** What of a row the service says otherwise. */
const differenceOf = (row: ResultRow, answer: ProjectionResult | undefined): string | undefined => {
  if (answer === undefined) return "it left the plan out"
  const figure = FIGURES.find((name) => answer[name] !== row[name])
  if (figure !== undefined) return `its ${figure} is ${answer[figure]}, and ${row[figure]} here`
  const ends = answer.payoffOrForgivenessDate?.slice(0, DAY) ?? null
  return ends === row.payoffOrForgivenessDate
    ? undefined
    : `its loans end ${ends}, and ${row.payoffOrForgivenessDate} here`
}

const stopped = (...lines: ReadonlyArray<string>) => new RecordingStopped({ lines })

/** Fails unless an answer has the rules and the figures of the rows. */
const expectSame = (unrecorded: Unrecorded, answer: RecordedAnswer): Effect.Effect<void, RecordingStopped> => {
  const theirs = answer.provenance.ruleVersion
  if (theirs !== ruleVersion) {
    return Effect.fail(
      stopped(
        `The service answers by the rules ${theirs}, and this program by ${ruleVersion}: use the release that the service runs.`
      )
    )
  }
  const answers = projectionsIn(answer)
  for (const [index, row] of answeredIn(unrecorded).entries()) {
    const difference = differenceOf(row, answers[index])
    if (difference === undefined) continue
    return Effect.fail(
      stopped(
        `The service answers borrower ${row.borrowerId} under ${row.planType} otherwise: ${difference}.`,
        "Repayment begins in the month after an answer: where a month has turned since the run began, remove the folder of its parts and begin anew."
      )
    )
  }
  return Effect.void
}

const FIRST_PAUSE = "500 millis"
const LONGEST_PAUSE = "15 seconds"
/** How long a service may be away before the run stops. */
const PATIENCE = "5 minutes"
/** Seconds that a service may ask to wait; a month that is used up asks for days. */
const SHORT_WAIT = 60

const SERVER_FAILED = 500
const RATE_LIMITED = 429

/** One call that has not been answered as it should be. */
class Unanswered extends Data.TaggedError("Unanswered")<{ readonly failure: CallFailure }> {}

const isPassing = (cause: unknown): boolean => {
  if (!(cause instanceof Unanswered)) return false
  const { failure } = cause
  if (failure._tag === "ServiceUnreachable") return true
  if (failure.status >= SERVER_FAILED) return true
  return (
    failure.status === RATE_LIMITED &&
    isProblem(failure) &&
    "retryAfterSeconds" in failure &&
    failure.retryAfterSeconds <= SHORT_WAIT
  )
}

const untilPatienceEnds = Schedule.min([Schedule.exponential(FIRST_PAUSE), Schedule.spaced(LONGEST_PAUSE)]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: PATIENCE })
)

const asked = (client: Client, unrecorded: Unrecorded): Promise<RecordedAnswer> => {
  const [only, ...others] = projectionsOf(unrecorded)
  return others.length === 0 && only !== undefined ? client.project(only) : client.compare(comparisonOf(unrecorded))
}

/** Records the plans of a borrower that have figures, as one answer, and hands that over to be kept. */
export type Recorder = <E>(
  unrecorded: Unrecorded,
  keep: (answer: RecordedAnswer) => Effect.Effect<void, E>
) => Effect.Effect<void, RecordingStopped | E>

/**
 * A call that is on its way is waited for and kept, also where another has just ended the run: it is recorded already.
 * @param baseUrl address of a service, of which the key is
 */
export const recordWith = (baseUrl: string, apiKey: Redacted.Redacted<string>): Recorder => {
  const client = createClient({ baseUrl, apiKey: Redacted.value(apiKey) })
  const ask = (unrecorded: Unrecorded) =>
    Effect.tryPromise({
      try: () => asked(client, unrecorded),
      catch: (cause) => new Unanswered({ failure: cause as CallFailure })
    })
  return (unrecorded, keep) =>
    ask(unrecorded).pipe(
      Effect.tap((answer) => expectSame(unrecorded, answer)),
      Effect.flatMap(keep),
      Effect.uninterruptible,
      Effect.retry({ schedule: untilPatienceEnds, while: isPassing }),
      Effect.mapError((cause) =>
        cause instanceof Unanswered ? stopped(`${baseUrl} records no more. ${cause.failure.message}`) : cause
      )
    )
}
