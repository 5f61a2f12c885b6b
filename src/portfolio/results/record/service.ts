/**
 * The client that records answers with a service, and accepts them only if they equal the figures
 * computed here. It retries while the service is unreachable, fails or is busy; a permanent refusal
 * ends the run. Each call has its own Idempotency-Key, so it is recorded once.
 */
import { createHmac } from "node:crypto"
import { Data, Effect, Redacted, Schedule } from "effect"
import { ruleVersion } from "../../../../ledger/release.ts"
import { isUuid } from "../../../../schema/primitives.ts"
import {
  type CallFailure,
  type Client,
  createClient,
  type ProjectionResult,
  type ScenarioComparisonResult
} from "../../../client/plain/index.ts"
import type { ResultRow } from "../rows.ts"
import { answeredIn, comparisonOf, projectionsOf, type Unrecorded } from "./unrecorded.ts"

/**
 * The reason why recording stopped, with advice. The next start does not request recorded answers
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
  "forgivenessType",
  "presentValue"
] as const

const DAY = "YYYY-MM-DD".length

/** The first difference between a row and the service's answer, if any. */
const differenceOf = (row: ResultRow, answer: ProjectionResult | undefined): string | undefined => {
  if (answer === undefined) return "it left the plan out"
  const figure = FIGURES.find((name) => answer[name] !== row[name])
  if (figure !== undefined) return `its ${figure} is ${answer[figure]}, but ${row[figure]} here`
  const ends = answer.payoffOrForgivenessDate?.slice(0, DAY) ?? null
  return ends === row.payoffOrForgivenessDate
    ? undefined
    : `its loans end ${ends}, but ${row.payoffOrForgivenessDate} here`
}

const stopped = (...lines: ReadonlyArray<string>) => new RecordingStopped({ lines })

/** The reason to reject an answer: other rules, an invalid or reused id, or other figures. */
const mismatchOf = (unrecorded: Unrecorded, answer: RecordedAnswer, known: ReadonlySet<string>) => {
  const { answerId, ruleVersion: theirs } = answer.provenance
  if (theirs !== ruleVersion) {
    return stopped(
      `The service computes with rules ${theirs}, but this program with ${ruleVersion}: install the release that the service runs.`
    )
  }
  // The service writes ids in lower case. Another spelling would let one record stand for two borrowers.
  if (answerId === null || !isUuid(answerId) || answerId !== answerId.toLowerCase() || known.has(answerId)) {
    return stopped(
      `The service sent an answer whose id is missing, invalid or already used: ${JSON.stringify(answerId)}.`
    )
  }
  const answers = projectionsIn(answer)
  for (const [index, row] of answeredIn(unrecorded).entries()) {
    const difference = differenceOf(row, answers[index])
    if (difference === undefined) continue
    return stopped(
      `The service's answer for borrower ${row.borrowerId} under ${row.planType} differs: ${difference}.`,
      "Repayment begins in the month after an answer. If a new month has begun since the run began, move its journal away and start over."
    )
  }
  return undefined
}

/** Fails unless an answer matches the rows. A proxy may have altered it to any shape. */
const expectSame = (unrecorded: Unrecorded, answer: RecordedAnswer, known: Set<string>) =>
  Effect.try({
    try: () => mismatchOf(unrecorded, answer, known),
    catch: () => stopped("The service sent something that is not an answer.")
  }).pipe(
    Effect.flatMap((mismatch) =>
      mismatch === undefined ? Effect.sync(() => void known.add(answer.provenance.answerId!)) : Effect.fail(mismatch)
    )
  )

const FIRST_PAUSE = "500 millis"
const LONGEST_PAUSE = "15 seconds"
/** Time that a service may be unreachable before the run stops. */
const TIME_LIMIT = "5 minutes"
/** Longest retry-after in seconds that is waited for; a used-up monthly quota asks for days. */
const SHORT_WAIT = 60

const SERVER_FAILED = 500
const RATE_LIMITED = 429

class Unanswered extends Data.TaggedError("Unanswered")<{ readonly failure: CallFailure }> {}

/** Whether a call may succeed soon. A retry is safe, because its Idempotency-Key stays the same. */
const isPassing = (cause: unknown): boolean => {
  if (!(cause instanceof Unanswered)) return false
  const { failure } = cause
  if (failure._tag === "ServiceUnreachable") return true
  const seconds = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : 0
  return failure.status >= SERVER_FAILED || (failure.status === RATE_LIMITED && seconds <= SHORT_WAIT)
}

const backoff = Schedule.min([Schedule.exponential(FIRST_PAUSE), Schedule.spaced(LONGEST_PAUSE)]).pipe(
  Schedule.jittered
)
const untilTimeLimit = backoff.pipe(Schedule.upTo({ duration: TIME_LIMIT }))

const call = (client: Client, unrecorded: Unrecorded, idempotencyKey: string): Promise<RecordedAnswer> => {
  const [only, ...others] = projectionsOf(unrecorded)
  return others.length === 0 && only !== undefined
    ? client.project(only, { idempotencyKey })
    : client.compare(comparisonOf(unrecorded), { idempotencyKey })
}

/**
 * Records a borrower's plans that have figures as one answer, and passes it to `keep`.
 * @param run name of the run, which gets the same answer however often it is started
 * @param known ids of other borrowers' answers; the new id is added
 */
export type Recorder = <E>(
  run: string,
  unrecorded: Unrecorded,
  known: Set<string>,
  keep: (answer: RecordedAnswer) => Effect.Effect<void, E>
) => Effect.Effect<void, RecordingStopped | E>

/**
 * Makes a recorder. Calls in flight are completed and kept even if another call has ended the run.
 * So a restart with a key of another account does not record them again.
 * @param baseUrl URL of the service that issued the key
 * @throws TypeError for an invalid URL or key
 */
export const recordWith = (baseUrl: string, apiKey: Redacted.Redacted<string>): Recorder => {
  const secret = Redacted.value(apiKey)
  const client = createClient({ baseUrl, apiKey: secret, retries: 0 })
  /** An HMAC, so that the service does not learn the borrower's id. */
  const idempotencyKeyOf = (run: string, { rows }: Unrecorded): string =>
    createHmac("sha256", secret).update(`${run} ${rows[0]!.borrowerId}`).digest("hex")
  const request = (run: string, unrecorded: Unrecorded) =>
    Effect.tryPromise({
      try: () => call(client, unrecorded, idempotencyKeyOf(run, unrecorded)),
      catch: (cause) => new Unanswered({ failure: cause as CallFailure })
    })
  return (run, unrecorded, known, keep) =>
    request(run, unrecorded).pipe(
      Effect.tap((answer) => expectSame(unrecorded, answer, known)),
      Effect.flatMap(keep),
      Effect.uninterruptible,
      Effect.retry({ schedule: untilTimeLimit, while: isPassing }),
      Effect.mapError((cause) =>
        cause instanceof Unanswered ? stopped(`Recording at ${baseUrl} stopped. ${cause.failure.message}`) : cause
      )
    )
}
