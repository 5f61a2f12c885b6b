/**
 * A database whose statements fail where a test says: the server itself refuses one, or the connection is lost before or
 * after one was carried out. The server does all of it, so that what a failure undoes is undone by it. Fails nothing of
 * its own accord, and knows no service.
 */
import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { boundedClient, clientLayer } from "../../src/database/client.ts"
import { connectionError } from "../../src/database/deadline.ts"

/** What the server refuses a statement with. */
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
/** `lost`: the connection goes, with the statement or with its reply. `crash`: all connections go, for good. */
export type FaultKind = (typeof FAULTS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Counted from 1 when it is set: the connections that are asked for and the statements, in their order. */
  readonly at: number
  /** How often the statement is refused, when it comes again. */
  readonly times?: number
}

type Run<A> = Effect.Effect<A, SqlError.SqlError>

/** What has no connection yet can only fail to get one. */
const ACQUIRE = "a connection"
const isRefusal = (kind: FaultKind): kind is keyof typeof CODES => kind in CODES
const isCrash = (kind: FaultKind): boolean => kind.startsWith("crash")
const gone = connectionError("execute", "The process is gone")
const END = "SELECT pg_terminate_backend(pg_backend_pid())"

export class Faults {
  /** Connections and statements since the fault was set. */
  passed = 0
  hits = 0
  isCrashed = false
  /** Run after each statement. */
  afterEach: Effect.Effect<unknown> = Effect.void
  private fault: Fault | null = null
  private text = ""

  set(fault: Fault | null): void {
    this.fault = fault
    this.passed = this.hits = 0
  }

  /** What becomes of a statement. A transaction that is tried again comes to the same one. */
  private next(text: string): FaultKind | undefined {
    this.passed++
    if (this.fault === null) return undefined
    const { at, kind, times = 1 } = this.fault
    // No server refuses these.
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
        // A commit that the server refuses ends its transaction all the same.
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

/** The service's own client of a database that is migrated, with faults between it and its connections. */
export const faultyDatabase = (url: Redacted.Redacted<string>, faults: Faults) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.flatMap(SqlClient.SqlClient, (pool) =>
      boundedClient({ driver: pool.driver, reserve: faults.acquire(pool.reserve) })
    )
  ).pipe(Layer.provide(clientLayer({ url })), Layer.provide(Reactivity.layer))
