/**
 * Asks a service for the answers of one borrower, and takes them only where they are those that were computed here. A
 * service that is away, busy or at its limit for the moment is asked again; what it refuses for good ends the run.
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

/** Why an answer is not that of the rows: it has no id of its own, other rules, or other figures. */
const objectionTo = (unrecorded: Unrecorded, answer: RecordedAnswer, known: ReadonlySet<string>) => {
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

/** Fails unless an answer is that of the rows. What somebody in between has made of it may have any shape. */
const expectSame = (unrecorded: Unrecorded, answer: RecordedAnswer, known: Set<string>) =>
  Effect.try({
    try: () => objectionTo(unrecorded, answer, known),
    catch: () => stopped("The service has given an answer that is not of the shape of one.")
  }).pipe(
    Effect.flatMap((objection) =>
      objection === undefined ? Effect.sync(() => void known.add(answer.provenance.answerId!)) : Effect.fail(objection)
    ),
    Effect.mapError(({ lines }) => stopped(...lines, MAY_BE_RECORDED))
  )

const FIRST_PAUSE = "500 millis"
const LONGEST_PAUSE = "15 seconds"
/** How long a service may be away before the run stops. */
const PATIENCE = "5 minutes"
/** Seconds that a service may ask to wait; a month that is used up asks for days. */
const SHORT_WAIT = 60
/** How often a borrower is asked for again whose call may have been carried out: each time may be one more record. */
const MORE_TRIES = 2
/** For one call, so that a slow service is not asked twice. */
const TIMEOUT_MILLIS = 60_000

const SERVER_FAILED = 500
const UNAVAILABLE = 503
const RATE_LIMITED = 429

/** Where nothing has been sent. */
const NO_CONNECTION = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]

/** One call that has not been answered as it should be. */
class Unanswered extends Data.TaggedError("Unanswered")<{ readonly failure: CallFailure }> {}

/** Whether a call was not carried out, and may be soon. Of a ledger that went away nobody knows whether it has the record. */
const wasRefused = (cause: unknown): boolean => {
  if (!(cause instanceof Unanswered)) return false
  const { failure } = cause
  if (failure._tag === "ServiceUnreachable") return NO_CONNECTION.some((code) => hasCode(failure.cause, code))
  if (!isProblem(failure) || failure._tag === "LedgerUnavailableProblem") return false
  const seconds = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : 0
  return failure.status === UNAVAILABLE || (failure.status === RATE_LIMITED && seconds <= SHORT_WAIT)
}

/** Whether nobody knows if a call was carried out: the answer did not come through. */
const isLost = (cause: unknown): boolean =>
  cause instanceof Unanswered &&
  !wasRefused(cause) &&
  (cause.failure._tag === "ServiceUnreachable" || cause.failure.status >= SERVER_FAILED)

const growing = Schedule.min([Schedule.exponential(FIRST_PAUSE), Schedule.spaced(LONGEST_PAUSE)]).pipe(
  Schedule.jittered
)
/** A database that was replaced by its standby is there again by then. */
const FIRST_LONG_PAUSE = "2 seconds"
const untilPatienceEnds = growing.pipe(Schedule.upTo({ duration: PATIENCE }))

const asked = (client: Client, unrecorded: Unrecorded): Promise<RecordedAnswer> => {
  const [only, ...others] = projectionsOf(unrecorded)
  return others.length === 0 && only !== undefined ? client.project(only) : client.compare(comparisonOf(unrecorded))
}

/**
 * Records the plans of a borrower that have figures, as one answer, and hands that over to be kept.
 * @param known ids of the answers of others; that of this one is added
 */
export type Recorder = <E>(
  unrecorded: Unrecorded,
  known: Set<string>,
  keep: (answer: RecordedAnswer) => Effect.Effect<void, E>
) => Effect.Effect<void, RecordingStopped | E>

const ended = (baseUrl: string, cause: Unanswered): RecordingStopped =>
  stopped(
    `${baseUrl} records no more. ${cause.failure.message}`,
    ...(isLost(cause) || cause.failure._tag === "UnexpectedAnswer" ? [MAY_BE_RECORDED] : [])
  )

/**
 * A call that is on its way is waited for and kept, also where another has just ended the run: it is recorded already.
 * @param baseUrl address of a service, of which the key is
 * @throws TypeError for what is no address, or no key
 */
export const recordWith = (baseUrl: string, apiKey: Redacted.Redacted<string>): Recorder => {
  const client = createClient({ baseUrl, apiKey: Redacted.value(apiKey), timeoutMillis: TIMEOUT_MILLIS, retries: 0 })
  const ask = (unrecorded: Unrecorded) =>
    Effect.tryPromise({
      try: () => asked(client, unrecorded),
      catch: (cause) => new Unanswered({ failure: cause as CallFailure })
    })
  return (unrecorded, known, keep) =>
    ask(unrecorded).pipe(
      Effect.tap((answer) => expectSame(unrecorded, answer, known)),
      Effect.flatMap(keep),
      Effect.uninterruptible,
      Effect.retry({ schedule: untilPatienceEnds, while: wasRefused }),
      Effect.retry({ schedule: Schedule.exponential(FIRST_LONG_PAUSE), times: MORE_TRIES, while: isLost }),
      Effect.mapError((cause) => (cause instanceof Unanswered ? ended(baseUrl, cause) : cause))
    )
}
