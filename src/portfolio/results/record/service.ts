/**
 * The client that records answers with a service, and accepts them only if they equal the figures
 * computed here. It retries while the service is unreachable, busy or rate-limited; a permanent
 * refusal ends the run.
 */
import { Data, Effect, Redacted, Schedule } from "effect"
import { ruleVersion } from "../../../../ledger/release.ts"
import { isUuid } from "../../../../schema/primitives.ts"
import {
  type CallFailure,
  type Client,
  createClient,
  isProblem,
  type ProjectionResult,
  type ScenarioComparisonResult
} from "../../../client/plain/index.ts"
import { hasCode } from "../../../platform/hasCode.ts"
import type { ResultRow } from "../rows.ts"
import { answeredIn, comparisonOf, projectionsOf, type Unrecorded } from "./unrecorded.ts"

/**
 * The reason why recording stopped, with advice. A resumed run does not request recorded answers
 * again.
 */
export class RecordingStopped extends Data.TaggedError("RecordingStopped")<{
  readonly lines: ReadonlyArray<string>
}> {}

/** An answer of record, for one plan or a comparison of several. */
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

/** The first difference between a row and the service's answer, if any. */
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

/** The reason to reject an answer: other rules, an invalid or reused id, or other figures. */
const mismatchOf = (unrecorded: Unrecorded, answer: RecordedAnswer, known: ReadonlySet<string>) => {
  const { answerId, ruleVersion: theirs } = answer.provenance
  if (theirs !== ruleVersion) {
    return stopped(
      `The service answers by the rules ${theirs}, and this program by ${ruleVersion}: use the release that the service runs.`
    )
  }
  if (answerId === null || !isUuid(answerId) || known.has(answerId)) {
    return stopped(
      `The service has given an answer whose id is none, or another answer's: ${JSON.stringify(answerId)}.`
    )
  }
  const answers = projectionsIn(answer)
  for (const [index, row] of answeredIn(unrecorded).entries()) {
    const difference = differenceOf(row, answers[index])
    if (difference === undefined) continue
    return stopped(
      `The service answers borrower ${row.borrowerId} under ${row.planType} otherwise: ${difference}.`,
      "Repayment begins in the month after an answer: where a month has turned since the run began, remove the folder of its parts and begin anew."
    )
  }
  return undefined
}

const MAY_BE_RECORDED =
  "Calls may have been carried out whose answers did not come through: their borrowers will be recorded again."

/** Fails unless an answer matches the rows. A proxy may have altered it to any shape. */
const expectSame = (unrecorded: Unrecorded, answer: RecordedAnswer, known: Set<string>) =>
  Effect.try({
    try: () => mismatchOf(unrecorded, answer, known),
    catch: () => stopped("The service has given an answer that is not of the shape of one.")
  }).pipe(
    Effect.flatMap((mismatch) =>
      mismatch === undefined ? Effect.sync(() => void known.add(answer.provenance.answerId!)) : Effect.fail(mismatch)
    ),
    Effect.mapError(({ lines }) => stopped(...lines, MAY_BE_RECORDED))
  )

const FIRST_PAUSE = "500 millis"
const LONGEST_PAUSE = "15 seconds"
/** Time that a service may be unreachable before the run stops. */
const TIME_LIMIT = "5 minutes"
/** Longest retry-after in seconds that is waited for; a used-up monthly quota asks for days. */
const SHORT_WAIT = 60
/** Retries of a call that may have succeeded; each may create a duplicate record. */
const MAX_RESENDS = 2
/** Timeout of a call, long enough that a slow service is not called twice. */
const TIMEOUT_MILLIS = 60_000

const SERVER_FAILED = 500
const UNAVAILABLE = 503
const RATE_LIMITED = 429

/** Error codes that prove that nothing was sent. */
const NO_CONNECTION = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]

class Unanswered extends Data.TaggedError("Unanswered")<{ readonly failure: CallFailure }> {}

/**
 * Whether a call certainly had no effect and may succeed soon. A LedgerUnavailableProblem does not
 * count, because the record may have been written.
 */
const wasRefused = (cause: unknown): boolean => {
  if (!(cause instanceof Unanswered)) return false
  const { failure } = cause
  if (failure._tag === "ServiceUnreachable") return NO_CONNECTION.some((code) => hasCode(failure.cause, code))
  if (!isProblem(failure) || failure._tag === "LedgerUnavailableProblem") return false
  const seconds = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : 0
  return failure.status === UNAVAILABLE || (failure.status === RATE_LIMITED && seconds <= SHORT_WAIT)
}

/** Whether it is unknown if a call took effect, because its answer was lost. */
const isLost = (cause: unknown): boolean =>
  cause instanceof Unanswered &&
  !wasRefused(cause) &&
  (cause.failure._tag === "ServiceUnreachable" || cause.failure.status >= SERVER_FAILED)

const backoff = Schedule.min([Schedule.exponential(FIRST_PAUSE), Schedule.spaced(LONGEST_PAUSE)]).pipe(
  Schedule.jittered
)
/**
 * The first pause before a call that may have succeeded is sent again; the second is twice as long.
 * Together they last long enough for a database failover to a standby.
 */
const FIRST_LONG_PAUSE = "2 seconds"
const untilTimeLimit = backoff.pipe(Schedule.upTo({ duration: TIME_LIMIT }))

const call = (client: Client, unrecorded: Unrecorded): Promise<RecordedAnswer> => {
  const [only, ...others] = projectionsOf(unrecorded)
  return others.length === 0 && only !== undefined ? client.project(only) : client.compare(comparisonOf(unrecorded))
}

/**
 * Records a borrower's plans that have figures as one answer, and passes it to `keep`.
 * @param known ids of other borrowers' answers; the new id is added
 */
export type Recorder = <E>(
  unrecorded: Unrecorded,
  known: Set<string>,
  keep: (answer: RecordedAnswer) => Effect.Effect<void, E>
) => Effect.Effect<void, RecordingStopped | E>

const recordingEnded = (baseUrl: string, cause: Unanswered): RecordingStopped =>
  stopped(
    `${baseUrl} records no more. ${cause.failure.message}`,
    ...(isLost(cause) || cause.failure._tag === "UnexpectedAnswer" ? [MAY_BE_RECORDED] : [])
  )

/**
 * Makes a recorder. Calls in flight are completed and kept even if another call has just ended the
 * run, because they may already be recorded.
 * @param baseUrl URL of the service that issued the key
 * @throws TypeError for an invalid URL or key
 */
export const recordWith = (baseUrl: string, apiKey: Redacted.Redacted<string>): Recorder => {
  const client = createClient({ baseUrl, apiKey: Redacted.value(apiKey), timeoutMillis: TIMEOUT_MILLIS, retries: 0 })
  const request = (unrecorded: Unrecorded) =>
    Effect.tryPromise({
      try: () => call(client, unrecorded),
      catch: (cause) => new Unanswered({ failure: cause as CallFailure })
    })
  return (unrecorded, known, keep) =>
    request(unrecorded).pipe(
      Effect.tap((answer) => expectSame(unrecorded, answer, known)),
      Effect.flatMap(keep),
      Effect.uninterruptible,
      Effect.retry({ schedule: untilTimeLimit, while: wasRefused }),
      Effect.retry({ schedule: Schedule.exponential(FIRST_LONG_PAUSE), times: MAX_RESENDS, while: isLost }),
      Effect.mapError((cause) => (cause instanceof Unanswered ? recordingEnded(baseUrl, cause) : cause))
    )
}
