/**
 * Failover between several servers: sessions are opened on the one that takes writes. When it no
 * longer does, the servers are tried in their order, and all sessions move to the first that takes
 * writes. If none does, the sessions stay. Promotion and fencing of servers are decided elsewhere.
 */
import type { PgClient } from "@effect/sql-pg"
import { Cause, Effect, Exit, Scope } from "effect"
import type { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { connectionError, withDeadline } from "./deadline.ts"

/** Time for one server to be reached and to answer. */
const ANSWER_MILLISECONDS = 1000
/** Pause between two checks of the server in use. */
const CHECK_INTERVAL = "500 millis"

/** Opens a pool of at most `maxConnections` sessions on a server. */
type Open<Address> = (
  address: Address,
  maxConnections: number
) => Effect.Effect<PgClient.PgClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity>

const takesWrites = (server: SqlClient.SqlClient): Effect.Effect<boolean> =>
  withDeadline(
    server<{ readonly writable: boolean }>`
      SELECT NOT (pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean) AS writable`,
    ANSWER_MILLISECONDS,
    () => connectionError("choose", "The server did not answer in time")
  ).pipe(
    Effect.map(([row]) => row!.writable),
    Effect.catch(() => Effect.succeed(false))
  )

/**
 * Opens the sessions for calls, and one for health checks, so that those do not queue behind calls.
 */
const openServer = Effect.fnUntraced(function* <Address>(
  address: Address,
  maxConnections: number,
  open: Open<Address>
) {
  const scope = yield* Scope.fork(yield* Scope.Scope)
  const [pool, probe] = yield* Scope.provide(Effect.all([open(address, maxConnections), open(address, 1)]), scope)
  return { address, pool, probe, close: Scope.close(scope, Exit.void) }
})

/** The server in use. */
interface CurrentServer {
  readonly pool: PgClient.PgClient
}

/**
 * Sessions of the server in use. Closing a pool interrupts callers that wait for one of its
 * sessions, which would end background work for good. They get a session of the new server instead.
 */
const sessionsOf = (current: () => CurrentServer): Pick<PgClient.PgClient, "driver" | "reserve"> => {
  const reserve: PgClient.PgClient["reserve"] = Effect.suspend(() => {
    const before = current()
    return Effect.catchCause(before.pool.reserve, (cause) =>
      Cause.hasInterruptsOnly(cause) && before !== current() ? reserve : Effect.failCause(cause)
    )
  })
  return { driver: current().pool.driver, reserve }
}

const firstWritable = Effect.fnUntraced(function* <Address>(
  addresses: ReadonlyArray<Address>,
  maxConnections: number,
  open: Open<Address>
) {
  for (const address of addresses) {
    const server = yield* openServer(address, maxConnections, open)
    if (yield* takesWrites(server.probe)) return server
    yield* server.close
  }
  return null
})

/** Returns sessions that follow the server that takes writes. Fails if none does at the start. */
export const openWritable = Effect.fnUntraced(function* <Address>(
  addresses: ReadonlyArray<Address>,
  maxConnections: number,
  open: Open<Address>
) {
  const first = yield* firstWritable(addresses, maxConnections, open)
  if (first === null) return yield* connectionError("connect", "None of the hosts accepts writes")
  let current = first
  const check = Effect.gen(function* () {
    if (yield* takesWrites(current.probe)) return
    const found = yield* firstWritable(addresses, maxConnections, open)
    if (found === null) return
    // The same server takes writes again. The driver replaces the sessions that it has lost.
    if (found.address === current.address) return yield* found.close
    const previous = current
    current = found
    yield* Effect.logWarning("Another database host accepts writes; all sessions move to it")
    // In the background, because callers may still wait for the previous server. They have a
    // deadline.
    yield* Effect.forkDetach(previous.close)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreCause(check), CHECK_INTERVAL)))
  return sessionsOf(() => current)
})
