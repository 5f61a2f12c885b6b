/** The whole service, as main composes it, on a random port and a database of its own, for the tests of one file. */
import { connect } from "node:net"
import { ConfigProvider, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Deadlines } from "../../src/database/deadline.ts"
import { serviceLayer } from "../../src/main.ts"
import { type Call, callerOf, mintOver } from "./calls.ts"
import { accountOf, type Hold, holdTable, migratedDatabase, query, wayTo } from "./database.ts"
import { freePort } from "./freePort.ts"
import { NO_ADDRESS_LIMITS, ownMetrics, PATIENT, TEST_PEPPER, TEST_SERVER } from "./settings.ts"

export interface RunningService {
  readonly base: string
  /** What its links begin with. */
  readonly publicUrl: string
  readonly call: Call
  /** Sends bytes over a socket of its own and reads until the other side closes, or goes quiet. */
  readonly raw: (bytes: string | Uint8Array) => Promise<string>
  /** A new sandbox key of a new address. */
  readonly mint: () => Promise<string>
  readonly query: <Row extends object>(statement: string) => Promise<ReadonlyArray<Row>>
  /** Holds a table of its database. */
  readonly hold: (table: "answer" | "api_key") => Promise<Hold>
  /** Calls that the database has charged to a key. */
  readonly used: (key: string) => Promise<number>
  readonly stop: () => Promise<void>
}

export const PUBLIC_URL = "http://service.example.test"
/** After the first byte of an answer, and before it. */
const QUIET_MILLIS = 400
const ANSWER_MILLIS = 10_000

/** Sends bytes to a port of this machine and reads until the other side closes, or goes quiet. */
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

/** Starts the service. `database` replaces its own database with another address, `deadlines` how long calls wait for it. */
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
    PORT: String(await freePort()),
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
  await Effect.runPromise(Layer.buildWithScope(configured, scope))
  const base = `http://127.0.0.1:${environment.PORT}`
  const call = callerOf(base)
  return {
    base,
    publicUrl: environment.PUBLIC_URL,
    call,
    raw: rawTo(Number(environment.PORT)),
    mint: async () => (await mintOver(call)).apiKey,
    query: (statement) => query({ url }, statement),
    hold: async (table) => holdTable({ url }, table),
    used: async (key) => (await accountOf({ url }, key)).used,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Started before the tests of a file or group, stopped after them. */
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
