/**
 * A database client whose statements fail where the test says: refused by the server, or lost with
 * the connection before or after execution. The server itself raises the errors and closes the
 * connections, so it also rolls back as in a real failure.
 */
import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { boundedClient, clientLayer } from "../../src/database/client.ts"
import { connectionError } from "../../src/database/deadline.ts"

/** SQLSTATE codes of refusals. */
const CODES = { serialization: "40001", deadlock: "40P01", timeout: "57014" } as const

export const FAULTS = [
  "serialization",
  "deadlock",
  "timeout",
  "lost before",
  "lost after",
  "crash before",
  "crash after"
] as const
/** `lost`: the connection ends. `crash`: all connections end and no new ones are possible. */
export type FaultKind = (typeof FAULTS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Position from 1 since the fault was set, counting connection requests and statements. */
  readonly at: number
  /** How often the fault hits if the statement is retried; once by default. */
  readonly times?: number
}

type Run<A> = Effect.Effect<A, SqlError.SqlError>

/**
 * The text by which a request for a connection is counted. Such a request can only fail as a whole.
 */
const ACQUIRE = "a connection"
const isRefusal = (kind: FaultKind): kind is keyof typeof CODES => kind in CODES
const isCrash = (kind: FaultKind): boolean => kind.startsWith("crash")
const gone = connectionError("execute", "The process is gone")
const END = "SELECT pg_terminate_backend(pg_backend_pid())"

export class Faults {
  /** Number of connection requests and statements since the fault was set. */
  passed = 0
  hits = 0
  isCrashed = false
  /** Runs after each statement. */
  afterEach: Effect.Effect<unknown> = Effect.void
  private fault: Fault | null = null
  private text = ""

  set(fault: Fault | null): void {
    this.fault = fault
    this.passed = this.hits = 0
  }

  /** The fault of the next statement, if any. A retried transaction hits the same statement. */
  private next(text: string): FaultKind | undefined {
    this.passed++
    if (this.fault === null) return undefined
    const { at, kind, times = 1 } = this.fault
    // A server refuses neither a connection nor a rollback with one of these codes.
    if (isRefusal(kind) && [ACQUIRE, "ROLLBACK"].includes(text)) return undefined
    if (this.hits === 0 ? this.passed !== at : this.text !== text || this.hits >= times) return undefined
    this.text = text
    this.hits++
    return kind
  }

  private statement<A>(connection: SqlConnection.Connection, text: string, run: Run<A>): Run<A> {
    return Effect.suspend(() => {
      if (this.isCrashed) return Effect.fail(gone)
      const kind = this.next(text)
      if (kind === undefined) return Effect.tap(run, () => this.afterEach)
      const server = (statement: string) => connection.executeUnprepared(statement, [], undefined)
      if (isRefusal(kind)) {
        const refused = server(`DO $$ BEGIN RAISE 'injected' USING ERRCODE = '${CODES[kind]}'; END $$`)
        // A refused commit also ends its transaction.
        const ended = text === "COMMIT" ? Effect.ignore(server("ROLLBACK")) : Effect.void
        return refused.pipe(Effect.ensuring(ended), Effect.andThen(Effect.fail(gone)))
      }
      if (isCrash(kind)) this.isCrashed = true
      const carriedOut = kind.endsWith("after") ? run : Effect.void
      return carriedOut.pipe(
        Effect.andThen(Effect.ignore(server(END))),
        Effect.andThen(Effect.fail(connectionError("execute", "The connection was lost")))
      )
    })
  }

  acquire<R>(reserve: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, R>) {
    return Effect.suspend(() => {
      const kind = this.isCrashed ? undefined : this.next(ACQUIRE)
      if (kind !== undefined && isCrash(kind)) this.isCrashed = true
      if (kind !== undefined || this.isCrashed) return Effect.fail(gone)
      return Effect.map(reserve, (connection) => this.over(connection))
    })
  }

  private over(to: SqlConnection.Connection): SqlConnection.Connection {
    return {
      execute: (text, params, rows) => this.statement(to, text, to.execute(text, params, rows)),
      executeRaw: (text, params) => this.statement(to, text, to.executeRaw(text, params)),
      executeStream: (text, params, rows) => to.executeStream(text, params, rows),
      executeValues: (text, params) => this.statement(to, text, to.executeValues(text, params)),
      executeValuesUnprepared: (text, params) => this.statement(to, text, to.executeValuesUnprepared(text, params)),
      executeUnprepared: (text, params, rows) => this.statement(to, text, to.executeUnprepared(text, params, rows))
    }
  }
}

/** The service's own client on a migrated database, with faults injected into its connections. */
export const faultyDatabase = (url: Redacted.Redacted<string>, faults: Faults) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.flatMap(SqlClient.SqlClient, (pool) =>
      boundedClient({ driver: pool.driver, reserve: faults.acquire(pool.reserve) })
    )
  ).pipe(Layer.provide(clientLayer({ url })), Layer.provide(Reactivity.layer))
