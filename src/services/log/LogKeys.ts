/**
 * The keys of this installation's log: the signing keys, and the trusted keys. Without
 * LOG_SIGNING_KEY a key is generated once and kept in DATA_DIR. Keys have the name of the log,
 * which is known only after the log has been read.
 */
import { join } from "node:path"
import { Cache, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { SIGNING_KEY_REQUIRED } from "../../platform/crossChecks.ts"
import { makeSecret, readSecret } from "../../platform/secretFile.ts"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { NAME, parseVerifierKey } from "../../proof/note.ts"
import { makeSigner, nameIn, type Signers } from "./keys.ts"

const KEY_FILE = "log-key"
const SIGNING_KEY = /^[0-9a-f]{64}$/i

/** The names of the log and of its checkpoints: the newest one, and the newest with a quorum. */
const CACHED = {
  capacity: 4,
  timeToLive: (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
}

const problem = (line: string) => new ConfigProblems({ lines: [line] })

const verifierKeysOf = (signers: Signers["signers"], lost: string | null): ReadonlyArray<string> => [
  ...signers.map(({ verifierKey }) => verifierKey),
  ...(lost === null ? [] : [lost])
]

const make = Effect.gen(function* () {
  const { databaseUrl, dataDir, logKeyLost, logSigningKey, previousLogSigningKey } = yield* AppConfig
  const named = [logSigningKey, previousLogSigningKey].filter((key) => key !== null).map(Redacted.value)

  /**
   * The private keys, the current one first. With DATABASE_URL no key is generated, because all
   * nodes must use the same key and a file in DATA_DIR may be visible to one node only.
   */
  const privateKeys = Effect.fnUntraced(function* (isGenerated: boolean) {
    if (logSigningKey !== null || (databaseUrl !== null && !isGenerated)) return named
    if (databaseUrl !== null) return yield* problem(SIGNING_KEY_REQUIRED)
    const kept = yield* Effect.tryPromise({
      try: async () => readSecret(dataDir, KEY_FILE) ?? (isGenerated ? makeSecret(dataDir, KEY_FILE) : undefined),
      catch: (cause) =>
        problem(`LOG_SIGNING_KEY: is not set, and none can be read or kept in DATA_DIR (${String(cause)}); set it`)
    })
    if (kept === undefined) return named
    if (SIGNING_KEY.test(kept)) return [kept, ...named]
    return yield* problem(
      `LOG_SIGNING_KEY: is not set, and ${join(dataDir, KEY_FILE)} does not hold 64 hex digits; restore the file from a backup`
    )
  })

  const signersOf = (name: string, keys: ReadonlyArray<string>) => {
    const distinct = [...new Set(keys.map((key) => key.toLowerCase()))]
    return Effect.promise(() => Promise.all(distinct.map((key) => makeSigner(name, Buffer.from(key, "hex")))))
  }

  const signing = Effect.gen(function* () {
    const keys = yield* privateKeys(true)
    if (logKeyLost !== null) {
      yield* Effect.tryPromise({
        try: () => parseVerifierKey(logKeyLost),
        catch: () =>
          problem("LOG_KEY_LOST: use one line of GET /log/key as it is, such as api.example.org/log+1a2b3c4d+AT...")
      })
    }
    return (name: string) =>
      Effect.map(
        signersOf(name, keys),
        (signers): Signers => ({ name, signers, trusted: verifierKeysOf(signers, logKeyLost) })
      )
  })

  const configured = Effect.fn("LogKeys.configured")(function* (names: ReadonlyArray<string>) {
    const keys = yield* privateKeys(false)
    const signers = yield* Effect.forEach(
      names.filter((name) => NAME.test(name)),
      (name) => signersOf(name, keys)
    )
    return { isConfigured: keys.length > 0, keys: verifierKeysOf(signers.flat(), logKeyLost) }
  })

  const none: ReadonlyArray<string> = []
  const byName = yield* Cache.makeWith(
    (name: string) =>
      Effect.flatMap(configured([name]), ({ keys }) => {
        const own = keys.filter((key) => key.startsWith(`${name}+`))
        return own.length > 0 ? Effect.succeed(own) : Effect.fail(none)
      }),
    CACHED
  )
  const own = (name: string) => Effect.orElseSucceed(Cache.get(byName, name), () => none)

  const sizes = yield* Cache.makeWith(
    (checkpoint: string) =>
      Effect.flatMap(own(nameIn(checkpoint)), (keys) =>
        Effect.map(
          Effect.tryPromise(() => openCheckpoint(checkpoint, keys)),
          ({ size }) => size
        )
      ),
    CACHED
  )
  const verifiedSize = (name: string, checkpoint: string) =>
    name === nameIn(checkpoint) ? Effect.orElseSucceed(Cache.get(sizes, checkpoint), () => null) : Effect.succeed(null)

  return { signing, configured, own, verifiedSize }
})

export class LogKeys extends Context.Service<
  LogKeys,
  {
    /** Finds the signers of a log by its name. Generates the key if there is none. */
    readonly signing: Effect.Effect<(name: string) => Effect.Effect<Signers>, ConfigProblems>
    /**
     * The verifier keys of this installation, for each of the given log names. A name may come from
     * a checkpoint that nobody has verified. A false name does no harm, because no signature by
     * these keys is then found.
     */
    readonly configured: (
      names: ReadonlyArray<string>
    ) => Effect.Effect<{ readonly isConfigured: boolean; readonly keys: ReadonlyArray<string> }, ConfigProblems>
    /** The verifier keys for a log's name; none if they cannot be read. */
    readonly own: (name: string) => Effect.Effect<ReadonlyArray<string>>
    /** The size of a log's checkpoint; null unless one of this installation's keys has signed it. */
    readonly verifiedSize: (name: string, checkpoint: string) => Effect.Effect<number | null>
  }
>()("repayment-of-record/LogKeys") {
  static readonly layer: Layer.Layer<LogKeys, never, AppConfig> = Layer.effect(LogKeys, make)
}
