/**
 * `repay log witness`: a small witness that any third party can run (C2SP tlog-witness). Its folder
 * holds its secret key, and for each log the keys and the newest checkpoint that it cosigned.
 */
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readBounded } from "../../platform/boundedBody.ts"
import { makeSecret, readSecret } from "../../platform/secretFile.ts"
import { inFolder } from "../../portfolio/read/sources.ts"
import { lockFolder } from "../../portfolio/store/lock.ts"
import { NAME, parseVerifierKey } from "../../proof/note.ts"
import { isWebAddress } from "../../request/webAddress.ts"
import { isSigningKey, makeCosigner } from "../../services/log/keys.ts"
import { badInput, unavailable } from "../failures.ts"
import { helpText } from "../helpText.ts"
import { CommandIo, untilStopped } from "../io.ts"
import { printed, say, sayTo } from "../output.ts"
import { MAX_BODY_BYTES, makeAddCheckpoint, type SeenLog } from "./addCheckpoint.ts"
import { openKept } from "./checkCheckpoint.ts"
import { logFolder } from "./checkpointFolder.ts"
import { trustedKeys } from "./trustedKeys.ts"

const KEY_FILE = "witness-key"
const LOCK_FOLDER = "running"
const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY = 0o600
const PATH = "/add-checkpoint"
/** Time for a whole request, checked each second. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 }
const MAX_CONNECTIONS = 256
const MAX_PORT = 65_535

/** A file name for any text: the prefix keeps `..` from naming another folder. */
const fileName = (prefix: string, text: string): string => `${prefix}-${encodeURIComponent(text)}`

const secretKey = Effect.fnUntraced(function* (folder: string) {
  const key = yield* Effect.tryPromise({
    try: async () => readSecret(folder, KEY_FILE) ?? makeSecret(folder, KEY_FILE),
    catch: (cause) => badInput(`--state: ${(cause as Error).message}`)
  })
  if (isSigningKey(key)) return Buffer.from(key, "hex")
  return yield* badInput(`--state: ${join(folder, KEY_FILE)} does not hold 64 hex digits; restore it from a backup`)
})

const FOLDER_USE = { flag: "--state", keepsAll: false, mode: OWNER_ONLY } as const

/** The keys of a log, with its origin. Those of an address are read once, and kept. */
const keysOf = Effect.fnUntraced(function* (named: string, state: string, cwd: string) {
  const isAddress = isWebAddress(named)
  const folder = logFolder(join(state, fileName("keys", named)), cwd, FOLDER_USE)
  if (isAddress) yield* folder.make
  const keys = isAddress ? yield* trustedKeys(named, folder, Option.none()) : [named]
  const parsed = yield* Effect.tryPromise({
    try: () => Promise.all(keys.map(async (key) => ({ key, origin: (await parseVerifierKey(key)).name }))),
    catch: (cause) =>
      badInput(`--log: ${named}: ${(cause as Error).message}; use a line of GET /log/key, or an address`)
  })
  const { origin } = parsed[0]!
  return { origin, isAddress, keys: parsed.filter((one) => one.origin === origin).map(({ key }) => key) }
})

const readLogs = Effect.fnUntraced(function* (named: ReadonlyArray<string>, state: string, cwd: string) {
  const found = yield* Effect.forEach(named, (one) => keysOf(one, state, cwd))
  const byOrigin = Map.groupBy(found, ({ origin }) => origin)
  for (const [origin, ofOrigin] of byOrigin) {
    // A service could otherwise add keys of its own to those of another one's log.
    if (ofOrigin.length > 1 && ofOrigin.some(({ isAddress }) => isAddress))
      return yield* badInput(
        `--log: the log ${origin} is named more than once; name it by its address or by its keys, not both`
      )
  }
  const logs = new Map<string, SeenLog>()
  for (const [origin, ofOrigin] of byOrigin) {
    const keys = ofOrigin.flatMap((one) => one.keys)
    const folder = logFolder(join(state, fileName("log", origin)), cwd, FOLDER_USE)
    yield* folder.make
    const kept = yield* folder.newest
    logs.set(origin, { keys, folder, newest: kept === null ? null : yield* openKept(kept, keys) })
  }
  return logs
})

const listener =
  (add: ReturnType<typeof makeAddCheckpoint>): RequestListener =>
  async (request, response) => {
    try {
      if (request.url !== PATH) return response.writeHead(404).end()
      if (request.method !== "POST") return response.writeHead(405, { allow: "POST" }).end()
      // The connection stays open for the answer.
      const body = await readBounded(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES)
      if (body === null) return response.writeHead(413, { connection: "close" }).end()
      const { status, text } = await Effect.runPromise(add(body.toString("utf8")))
      const type = status === 409 ? "text/x.tlog.size" : "text/plain; charset=utf-8"
      return response.writeHead(status, { "content-type": type }).end(text)
    } catch {
      return response.destroy()
    }
  }

const serveOn = Effect.fnUntraced(function* (host: string, port: number, handle: RequestListener) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer(LIMITS, handle)),
    (started) =>
      Effect.sync(() => {
        started.close()
        started.closeAllConnections()
      })
  )
  server.maxConnections = MAX_CONNECTIONS
  yield* Effect.tryPromise({
    try: () => once(server.listen(port, host), "listening"),
    catch: (cause) => unavailable(`--port: cannot listen on ${host}, port ${port}: ${(cause as Error).message}`)
  })
  const bound = (server.address() as AddressInfo).port
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`
})

interface Input {
  readonly name: string
  readonly logs: ReadonlyArray<string>
  readonly state: string
  readonly host: string
  readonly port: number
}

const run = Effect.fn("repay.log.witness")(function* ({ host, logs: named, name, port, state }: Input) {
  if (!NAME.test(name) || name === "none")
    return yield* badInput("--name: has no spaces and no plus; use one such as witness.example.org/w1")
  if (port < 0 || port > MAX_PORT) return yield* badInput(`--port: use a number from 0 to ${MAX_PORT}`)
  const io = yield* CommandIo
  const folder = inFolder(io.cwd, state)
  yield* Effect.tryPromise({
    try: () => mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER }),
    catch: () => badInput(`--state: ${state} cannot be made`)
  })
  const lock = yield* Effect.mapError(lockFolder(join(folder, LOCK_FOLDER)), ({ lines }) =>
    badInput(`--state: ${state} is not free, and two witnesses on one could cosign two histories.`, ...lines)
  )
  const { cosign, verifierKey } = yield* Effect.flatMap(secretKey(folder), (key) =>
    Effect.promise(() => makeCosigner(name, key))
  )
  const logs = yield* readLogs(named, state, io.cwd)
  const add = makeAddCheckpoint(
    logs,
    cosign,
    () => lock.expectHeld(),
    (size, file) =>
      sayTo(io, `THE LOG HAS TWO HISTORIES: it has signed two checkpoints over ${size} entries. Both are in ${file}.`)
  )
  const base = yield* serveOn(host, port, listener(add))
  yield* printed(`witness ${name} ${verifierKey} ${base}`)
  for (const [origin, { newest }] of logs) yield* say(`Witnessing ${origin}, seen up to ${newest?.size ?? 0} entries.`)
  return yield* Effect.never
})

export const witnessCommand = Command.make(
  "witness",
  {
    name: Flag.String("name").pipe(
      Flag.withMetavar("<name>"),
      Flag.withDescription("Name of its key, such as witness.example.org/w1; it never changes")
    ),
    logs: Flag.String("log").pipe(
      Flag.withMetavar("<key or address>"),
      Flag.withDescription("A log to witness: a line of its GET /log/key, or the address of its service; repeatable"),
      Flag.atLeast(1)
    ),
    state: Flag.String("state").pipe(Flag.withMetavar("<folder>"), Flag.withDescription("Where it keeps what it saw")),
    host: Flag.String("host").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("The address to listen on"),
      Flag.withDefault("127.0.0.1")
    ),
    port: Flag.Int("port").pipe(Flag.withMetavar("<number>"), Flag.withDescription("The port to listen on"))
  },
  (input) => untilStopped(Effect.scoped(run(input)))
).pipe(
  Command.withDescription(
    helpText(
      "Witness logs for others: cosign a checkpoint of a log only if the log has not changed what you saw of it before. Prints the line that a policy needs, then serves POST /add-checkpoint (C2SP tlog-witness) until it is stopped. Put TLS in front with a proxy.",
      "The folder holds the secret key and the newest checkpoint of each log. Never bring it back from a backup: the witness would forget what it saw since. If it is lost, begin with a new folder and another name."
    )
  ),
  Command.withShortDescription("Cosign what a service's log shows, as a third party"),
  Command.withExamples([
    {
      command:
        "repay log witness --name witness.example.org/w1 --log https://api.example.org --state witness --port 8090",
      description: "Witness the log of a service"
    }
  ])
)
