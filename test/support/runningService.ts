/**
 * The whole service, composed as in main, on a random port and its own database, for the tests of
 * one file.
 */
import { connect } from "node:net"
import { ConfigProvider, Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { HttpServer } from "effect/http"
import { afterAll, beforeAll } from "vitest"
import { Deadlines } from "../../src/database/deadline.ts"
import { serviceLayer } from "../../src/main.ts"
import { type Call, callerOf, mintOver } from "./calls.ts"
import { accountOf, type Hold, holdTable, migratedDatabase, query, wayTo } from "./database.ts"
import { NO_ADDRESS_LIMITS, ownMetrics, PATIENT, TEST_PEPPER, TEST_SERVER } from "./settings.ts"

export interface RunningService {
  readonly base: string
  /** Prefix of the links that it returns. */
  readonly publicUrl: string
  readonly call: Call
  /** Sends raw bytes on a new connection and reads until it closes or goes quiet. */
  readonly raw: (bytes: string | Uint8Array) => Promise<string>
  readonly mint: () => Promise<string>
  readonly query: <Row extends object>(statement: string) => Promise<ReadonlyArray<Row>>
  readonly hold: (table: "answer" | "api_key") => Promise<Hold>
  readonly used: (key: string) => Promise<number>
  readonly stop: () => Promise<void>
}

export const PUBLIC_URL = "http://service.example.test"
/** Timeouts after and before the first byte of an answer. */
const QUIET_MILLIS = 400
const ANSWER_MILLIS = 10_000

/** Sends raw bytes to a local port and reads until the connection closes or goes quiet. */
const rawTo = (port: number) => (bytes: string | Uint8Array) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    const done = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(ANSWER_MILLIS, done)
    socket.on("data", (chunk) => {
      socket.setTimeout(QUIET_MILLIS)
      answer += chunk.toString("latin1")
    })
    socket.on("close", done)
    socket.on("error", done)
    socket.write(bytes)
  })

/** The port on which a started service listens. */
export const portOf = (services: Context.Context<HttpServer.HttpServer>): number => {
  const { address } = Context.get(services, HttpServer.HttpServer)
  return (address as { readonly port: number }).port
}

/** Starts the service. `database` replaces its new database, `deadlines` its database timeouts. */
export const startService = async (
  variables: Readonly<Record<string, string>> = {},
  database: Effect.Effect<Redacted.Redacted<string>, unknown, Scope.Scope> = migratedDatabase,
  service = serviceLayer,
  deadlines = PATIENT
): Promise<RunningService> => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(database, scope))
  const environment = {
    ...NO_ADDRESS_LIMITS,
    ...TEST_SERVER,
    PORT: "0",
    DATABASE_URL: wayTo(Redacted.value(url)),
    SECRET_PEPPER: TEST_PEPPER,
    PUBLIC_URL,
    LOG_LEVEL: "none",
    ...variables
  }
  const configured = service.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))),
    Layer.provide(Layer.succeed(Deadlines, deadlines)),
    Layer.provide(ownMetrics())
  )
  const port = portOf(await Effect.runPromise(Layer.buildWithScope(configured, scope)))
  const base = `http://127.0.0.1:${port}`
  const call = callerOf(base)
  return {
    base,
    publicUrl: environment.PUBLIC_URL,
    call,
    raw: rawTo(port),
    mint: async () => (await mintOver(call)).apiKey,
    query: (statement) => query({ url }, statement),
    hold: async (table) => holdTable({ url }, table),
    used: async (key) => (await accountOf({ url }, key)).used,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Starts something before the tests of a file or group, and stops it after them. */
export const useStarted = <S extends { readonly stop: () => Promise<void> }>(start: () => Promise<S>): (() => S) => {
  let started: S
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => started.stop())
  return () => started
}

export const useService = (variables: Readonly<Record<string, string>> = {}): (() => RunningService) =>
  useStarted(() => startService(variables))
