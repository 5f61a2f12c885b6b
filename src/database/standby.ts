/**
 * A standby that is read from in place of the database (DATABASE_READ_URL), and reading from both: what the standby does
 * not answer, or not in time, the database is asked. What may be read there is decided by whoever reads
 * (docs/decisions/0032).
 */
import { Cause, Context, Effect, Exit, Layer, Metric, Option, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { AppConfig } from "../config.ts"
import { countersOf, observed } from "../telemetry.ts"
import { clientOf, type DatabaseAddress, hostsOf, openerOf, type Pooling, READING, startError } from "./client.ts"
import { connectionError, withDeadline } from "./deadline.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"
import { type Followable, followStandby } from "./following.ts"
import { amissWith, askIdentity, askOrigin, FOREIGN } from "./lineage.ts"

/** For one read; then the database is asked. */
const ANSWER_MILLISECONDS = 1000
const MILLISECONDS_PER_SECOND = 1000

const OF_ANOTHER =
  "DATABASE_READ_URL names a database of another installation, which can confirm nothing of this one; name a standby of the one in DATABASE_URL, a physical copy that follows it"

const reads = Metric.counter("database_standby_reads_total", {
  description: "Reads for which a standby was asked, by who answered.",
  incremental: true
})
const used = Metric.gauge("database_standby_used", { description: "1 while a standby is read from." })
const behind = Metric.gauge("database_standby_behind_seconds", {
  description: "Since when the standby may lack what the database has; 0 while none is read from."
})

export interface Followed {
  readonly sql: SqlClient.SqlClient
  /** What came of work on the standby, if it is enough. None where it failed, or took too long, or none is used just now. */
  readonly ask: <A, E>(work: Effect.Effect<A, E>, isEnough: (answer: A) => boolean) => Effect.Effect<Option.Option<A>>
  /** All that was committed before is on it: in milliseconds since 1970 by the clock of this process. */
  readonly completeUntil: () => number
}

/** null: all is read from the database itself. */
export const Standby = Context.Reference<Followed | null>("repayment-of-record/Standby", { defaultValue: () => null })

/** Where something is read. */
export interface Source {
  readonly sql: SqlClient.SqlClient
  readonly isStandby: boolean
}

/** The condition of each statement: in a standby that was promoted nothing is found. */
export const holds = ({ isStandby, sql }: Source) => sql`(NOT ${isStandby}::boolean OR pg_is_in_recovery())`

/** One reading of the database, and the same of its standby. */
export const readingOf = Effect.fnUntraced(function* <Reading>(readingFrom: (source: Source) => Reading) {
  const standby = yield* Standby
  const database = readingFrom({ sql: yield* SqlClient.SqlClient, isStandby: false })
  const copy = standby === null ? null : readingFrom({ sql: standby.sql, isStandby: true })
  const ask = <A, E>(read: (from: Reading) => Effect.Effect<A, E>, isEnough: (answer: A) => boolean) =>
    standby === null || copy === null ? Effect.succeedNone : standby.ask(read(copy), isEnough)
  return {
    database,
    ask,
    /** The answer of the standby if it is enough, else that of the database. */
    first: <A, E>(read: (from: Reading) => Effect.Effect<A, E>, isEnough: (answer: A) => boolean) =>
      Effect.flatMap(
        ask(read, isEnough),
        Option.match({ onNone: () => read(database), onSome: (answer) => Effect.succeed(answer) })
      ),
    completeUntil: standby?.completeUntil ?? (() => Number.NEGATIVE_INFINITY)
  }
})

/** Whether the standby itself has failed; else it has answered, though not with what was looked for. */
const failureOf = (cause: Cause.Cause<unknown>): SqlError.SqlError | undefined =>
  cause.reasons
    .map((reason) => (Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : null))
    .find(SqlError.isSqlError)

/** A server of another installation is a mistake that no waiting mends; one that cannot be asked may be there later. */
const refuseForeign = (hosts: ReadonlyArray<DatabaseAddress>, open: ReturnType<typeof openerOf>) =>
  Effect.gen(function* () {
    const origin = yield* Effect.option(askOrigin(yield* SqlClient.SqlClient, null))
    if (Option.isNone(origin)) return
    const ask = (host: DatabaseAddress) =>
      Effect.option(Effect.scoped(Effect.flatMap(open(host, 1), askIdentity))).pipe(
        Effect.filterOrFail(
          (copy) => Option.isNone(copy) || amissWith(copy.value, origin.value.identity) !== FOREIGN,
          () => new DatabaseStartError({ message: OF_ANOTHER })
        )
      )
    yield* Effect.forEach(hosts, ask, { concurrency: "unbounded", discard: true })
  })

/** Asks the standby, as long as it is used, and leaves it where it fails. */
const asking =
  (following: Followable): Followed["ask"] =>
  (work, isEnough) =>
    Effect.gen(function* () {
      if (!following.isUsed) return Option.none()
      const begun = following.times
      const exit = yield* Effect.exit(
        withDeadline(work, ANSWER_MILLISECONDS, () => connectionError("read", "The standby did not answer in time"))
      )
      if (begun !== following.times) return Option.none()
      if (Exit.isSuccess(exit)) return isEnough(exit.value) ? Option.some(exit.value) : Option.none()
      const failure = failureOf(exit.cause)
      if (failure !== undefined) yield* following.leave(failure.reason._tag)
      return Option.none()
    })

const follow = Effect.fnUntraced(
  function* (url: Redacted.Redacted<string>, pooling: Pooling) {
    const open = openerOf(READING, pooling)
    const hosts = hostsOf({ url })
    yield* refuseForeign(hosts, open)
    const following = yield* followStandby(hosts, READING.most, open, yield* SqlClient.SqlClient)
    const sql = yield* clientOf(following.pool, READING, pooling)
    return { following, sql, ask: asking(following) }
  },
  Effect.provideService(Metric.CurrentMetricAttributes, { database: "standby" }),
  Effect.provide(Reactivity.layer)
)

const make = Effect.gen(function* () {
  const { databasePooling, databaseReadUrl } = yield* AppConfig
  const counts = yield* countersOf(reads, "answered_by", ["standby", "database"])
  const followed = databaseReadUrl === null ? null : yield* follow(databaseReadUrl, databasePooling)
  const since = () => followed?.following.behindSince ?? null
  yield* observed(used, () => (since() === null ? 0 : 1))
  yield* observed(behind, () => Math.max(0, Date.now() - (since() ?? Date.now())) / MILLISECONDS_PER_SECOND)
  if (followed === null) return null
  const { ask, following, sql } = followed
  const counted: Followed["ask"] = (work, isEnough) =>
    Effect.tap(ask(work, isEnough), (answer) =>
      Metric.update(counts[Option.isSome(answer) ? "standby" : "database"], 1)
    )
  return { sql, ask: counted, completeUntil: () => following.completeUntil }
})

/** The standby that the configuration names. */
export const standbyLayer: Layer.Layer<never, DatabaseStartError, SqlClient.SqlClient | AppConfig> = Layer.effect(
  Standby,
  Effect.mapError(make, startError)
)
