/** The whole service, as main composes it, on a random port and a database of its own, for the tests of one file. */
import { type AddressInfo, connect, createServer } from "node:net"
import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { serviceLayer } from "../../src/main.ts"
import { freshDatabase, TEST_PEPPER } from "./database.ts"

export interface Ask {
  readonly key?: string | undefined
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Running {
  readonly base: string
  readonly publicUrl: string
  readonly call: (method: string, path: string, ask?: Ask) => Promise<Response>
  /** Sends bytes over a socket of its own and reads until the other side closes, or goes quiet. */
  readonly raw: (bytes: string) => Promise<string>
  /** A new sandbox key of a new address. */
  readonly mint: () => Promise<string>
  readonly query: <Row extends object>(statement: string) => Promise<ReadonlyArray<Row>>
  readonly stop: () => Promise<void>
}

export const PUBLIC_URL = "http://service.example.test"
const QUIET_MILLIS = 400

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const raw = (port: number) => (bytes: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    const done = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(QUIET_MILLIS, done)
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1")
    })
    socket.on("close", done)
    socket.on("error", done)
    socket.write(bytes)
  })

const bodyOf = ({ body, json }: Ask) => (json === undefined ? (body ?? null) : JSON.stringify(json))

const headersOf = ({ headers, json, key }: Ask): Record<string, string> => ({
  ...(json === undefined ? {} : { "content-type": "application/json" }),
  ...(key === undefined ? {} : { "x-api-key": key }),
  ...headers
})

const caller =
  (base: string) =>
  async (method: string, path: string, ask: Ask = {}) => {
    const body = bodyOf(ask)
    return fetch(`${base}${path}`, {
      method,
      headers: headersOf(ask),
      redirect: "manual",
      ...(body === null ? {} : { body: body as string | Uint8Array<ArrayBuffer> })
    })
  }

const querier =
  (url: Redacted.Redacted<string>) =>
  <Row extends object>(statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(statement)).pipe(
      Effect.provide(PgClient.layer({ url, maxConnections: 1 })),
      Effect.runPromise
    )

/** Starts the service; `database` replaces its own database with another address. */
export const startService = async (
  variables: Readonly<Record<string, string>> = {},
  database: Effect.Effect<Redacted.Redacted<string>, unknown, Scope.Scope> = freshDatabase
): Promise<Running> => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(database, scope))
  const port = await freePort()
  const environment = {
    PORT: String(port),
    DATABASE_URL: Redacted.value(url),
    SECRET_PEPPER: TEST_PEPPER,
    PUBLIC_URL,
    LOG_LEVEL: "none",
    RATE_LIMIT_MINT: "off",
    RATE_LIMIT_VERIFY: "off",
    RATE_LIMIT_KEYLESS: "off",
    RATE_LIMIT_REFERENCE: "off",
    RATE_LIMIT_CLAIM: "off",
    ...variables
  }
  const configured = serviceLayer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))
  await Effect.runPromise(Layer.buildWithScope(configured, scope))
  const base = `http://127.0.0.1:${port}`
  const call = caller(base)
  const mint = async () => {
    const response = await call("POST", "/v1/keys/sandbox", { json: { email: `${crypto.randomUUID()}@example.org` } })
    if (response.status !== 200) throw new Error(`no key: ${await response.text()}`)
    return ((await response.json()) as { apiKey: string }).apiKey
  }
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { base, publicUrl: PUBLIC_URL, call, raw: raw(port), mint, query: querier(url), stop }
}

/** The service of a test file or group: started before its tests, stopped after them. */
export const useService = (variables: Readonly<Record<string, string>> = {}): (() => Running) => {
  let running: Running
  beforeAll(async () => {
    running = await startService(variables)
  })
  afterAll(async () => running.stop())
  return () => running
}
