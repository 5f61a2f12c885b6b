/**
 * Of several servers, the one that takes writes. New sessions are opened there, and when it takes none any more, the
 * servers are asked in their order again, and all sessions move. While none takes writes they stay where they are.
 * Promotes nothing and fences nothing: which server takes writes is decided elsewhere.
 */
import type { PgClient } from "@effect/sql-pg"
import { Cause, Effect, Exit, Scope } from "effect"
import type { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { connectionError, withDeadline } from "./deadline.ts"

/** For one server to be reached and to answer, each time it is asked. */
const ANSWER_MILLISECONDS = 1000
/** Between two looks at the server that is used. */
const LOOK = "500 millis"

/** Opens a pool of sessions on a server, as many as it may have. */
type Open<Address> = (
  address: Address,
  most: number
) => Effect.Effect<PgClient.PgClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity>

const takesWrites = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  withDeadline(
    sql<{ readonly writable: boolean }>`
      SELECT NOT (pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean) AS writable`,
    ANSWER_MILLISECONDS,
    () => connectionError("choose", "The server did not answer in time")
  ).pipe(
    Effect.map(([row]) => row!.writable),
    Effect.catch(() => Effect.succeed(false))
  )

/** The sessions for calls, and one that is asked how the server is, which does not wait behind calls. */
const openServer = Effect.fnUntraced(function* <Address>(address: Address, most: number, open: Open<Address>) {
  const scope = yield* Scope.fork(yield* Scope.Scope)
  const [pool, probe] = yield* Scope.provide(Effect.all([open(address, most), open(address, 1)]), scope)
  return { address, pool, probe, close: Scope.close(scope, Exit.void) }
})

/** A server that is used, until another is. */
interface Used {
  readonly pool: PgClient.PgClient
}

/**
 * Sessions of whichever server is used. A pool that is closed interrupts whoever waits for one of its sessions, which would end
 * what goes on in the background for good: he gets one of the server that is used now.
 */
const sessionsOf = (used: () => Used): Pick<PgClient.PgClient, "driver" | "reserve"> => {
  const reserve: PgClient.PgClient["reserve"] = Effect.suspend(() => {
    const asked = used()
    return Effect.catchCause(asked.pool.reserve, (cause) =>
      Cause.hasInterruptsOnly(cause) && asked !== used() ? reserve : Effect.failCause(cause)
    )
  })
  return { driver: used().pool.driver, reserve }
}

const firstWritable = Effect.fnUntraced(function* <Address>(
  addresses: ReadonlyArray<Address>,
  most: number,
  open: Open<Address>
) {
  for (const address of addresses) {
    const server = yield* openServer(address, most, open)
    if (yield* takesWrites(server.probe)) return server
    yield* server.close
  }
  return null
})

/** Gives sessions of whichever of the servers takes writes; fails if none does at the start. */
export const openWritable = Effect.fnUntraced(function* <Address>(
  addresses: ReadonlyArray<Address>,
  most: number,
  open: Open<Address>
) {
  const first = yield* firstWritable(addresses, most, open)
  if (first === null) return yield* connectionError("connect", "None of the hosts takes writes")
  let used = first
  const look = Effect.gen(function* () {
    if (yield* takesWrites(used.probe)) return
    const found = yield* firstWritable(addresses, most, open)
    if (found === null) return
    // It is back, and the driver replaces the sessions that it has lost.
    if (found.address === used.address) return yield* found.close
    const left = used
    used = found
    yield* Effect.logWarning("The database takes writes at another of its hosts; all sessions move there")
    // Whoever still waits for an answer of the server that was left has a deadline.
    yield* Effect.forkDetach(left.close)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreCause(look), LOOK)))
  return sessionsOf(() => used)
})
