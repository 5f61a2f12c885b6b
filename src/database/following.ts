/**
 * Of the servers that are named, one that is a standby of the database just now. It is looked at twice a second beside
 * the database, and used from the second look on that finds nothing amiss. One that is not used, or has failed, is left
 * alone for a while; then the next of them is looked at.
 */
import { performance } from "node:perf_hooks"
import { Clock, Effect, Result } from "effect"
import type { SqlClient } from "effect/sql"
import { type Open, openServer, sessionsOf } from "./hosts.ts"
import { amissWith, askCopy, askOrigin, type Copy, DIVERGED, type Origin } from "./lineage.ts"

/** Between two looks. */
const LOOK = "500 millis"
/** How long one that is not used is left alone. */
const REST_MILLISECONDS = 2000

/** Where the database was, in bytes, and when, in milliseconds since 1970: all that was committed before lies below. */
interface Moment {
  readonly position: number
  readonly at: number
}

/** What a look has found, for the next one. */
interface Seen {
  /** The newest record of the standby. */
  readonly newest: string | null
  /** A moment that the standby has not come to. */
  readonly awaited: Moment | null
}

const AWAY = "The standby is not read from; everything is read from the database itself"

class Following<Server extends { readonly probe: SqlClient.SqlClient }> {
  isUsed = false
  /** How often it was left: what was begun before is not believed after. */
  times = 0
  private complete = Number.NEGATIVE_INFINITY
  private identity: string | null = null
  private seen: Seen | null = null
  private restUntil = 0
  private isTold = false
  private readonly database: SqlClient.SqlClient
  private readonly next: (server: Server) => Effect.Effect<Server>
  server: Server

  constructor(database: SqlClient.SqlClient, server: Server, next: (server: Server) => Effect.Effect<Server>) {
    this.database = database
    this.server = server
    this.next = next
  }

  /** All that was committed before is on it, in milliseconds since 1970. */
  get completeUntil(): number {
    return this.isUsed ? this.complete : Number.NEGATIVE_INFINITY
  }

  /** Since when it may lack something; null while it is not used. */
  get behindSince(): number | null {
    if (!this.isUsed) return null
    return Number.isFinite(this.complete) ? this.complete : (this.seen?.awaited?.at ?? null)
  }

  readonly leave = Effect.fnUntraced({ self: this }, function* (reason: string) {
    this.isUsed = false
    this.seen = null
    this.complete = Number.NEGATIVE_INFINITY
    this.times++
    this.restUntil = performance.now() + REST_MILLISECONDS
    if (this.isTold) return
    this.isTold = true
    yield* Effect.annotateLogs(Effect.logWarning(AWAY), { reason })
  })

  /** A record that it had at the last look and that the database has not by now is no record of the database's. */
  private amiss(copy: Copy, origin: Origin | null): string | null {
    if (this.identity === null) return "the database cannot be asked"
    return amissWith(copy, this.identity) ?? (origin?.hasNewest === false ? DIVERGED : null)
  }

  private note(copy: Copy, here: Moment | null): void {
    const moments = [here, this.seen?.awaited ?? null].filter((moment) => moment !== null)
    const isReached = ({ position }: Moment) => position <= copy.position
    this.complete = Math.max(this.complete, ...moments.filter(isReached).map(({ at }) => at))
    this.seen = { newest: copy.newest, awaited: moments.findLast((moment) => !isReached(moment)) ?? null }
  }

  readonly look = Effect.fnUntraced({ self: this }, function* () {
    if (performance.now() < this.restUntil) return
    const [at, begun, before] = [yield* Clock.currentTimeMillis, this.times, this.seen]
    const origin = Result.getOrNull(yield* Effect.result(askOrigin(this.database, before?.newest ?? null)))
    const copy = yield* Effect.result(askCopy(this.server.probe))
    if (begun !== this.times) return
    this.identity = origin?.identity ?? this.identity
    const reason = Result.isFailure(copy) ? copy.failure.reason._tag : this.amiss(copy.success, origin)
    if (Result.isFailure(copy) || reason !== null) {
      yield* this.leave(reason!)
      this.server = yield* this.next(this.server)
      return
    }
    this.note(copy.success, origin === null ? null : { position: origin.position, at })
    if (this.isUsed || before === null || origin === null) return
    this.isUsed = true
    if (this.isTold) yield* Effect.logInfo("The standby is read from again")
    this.isTold = false
  })
}

export const followStandby = Effect.fnUntraced(function* <Address>(
  addresses: ReadonlyArray<Address>,
  most: number,
  open: Open<Address>,
  database: SqlClient.SqlClient
) {
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof openServer>>>()
  const opened = (address: Address) => Effect.provideContext(openServer(address, most, open), context)
  const first = yield* opened(addresses[0]!)
  const next = (left: typeof first) =>
    opened(addresses[(addresses.indexOf(left.address) + 1) % addresses.length]!).pipe(
      Effect.tap(() => Effect.forkDetach(left.close)),
      Effect.orElseSucceed(() => left)
    )
  const following = new Following(database, first, next)
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreCause(following.look()), LOOK)))
  return Object.assign(following, { pool: sessionsOf(() => following.server) })
})

/** As whoever reads sees it. */
export type Followable = Pick<Following<{ readonly probe: SqlClient.SqlClient }>, "isUsed" | "times" | "leave">
