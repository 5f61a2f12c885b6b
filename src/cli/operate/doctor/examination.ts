/**
 * The checks in their order: the configuration first, then the database if it can be reached, then what is around. It
 * changes nothing, and starts no embedded server that does not run.
 */
import { Effect, Layer, Result } from "effect"
import { clientLayer } from "../../../database/client.ts"
import { runningSocket } from "../../../database/embedded/running.ts"
import { AppConfig, type ConfigProblems, NoInstallation, type Settings } from "../../../platform/config.ts"
import { examineDatabase, reachable } from "./database.ts"
import { examine, type Finding, skipped, wrong } from "./finding.ts"
import { diskSpace, nodeVersion, publicAddress } from "./outside.ts"
import { givenSettings, judgedSettings } from "./settings.ts"
import { examineBehind, examineMail } from "./workers.ts"

const of =
  (check: string) =>
  (verdict: Omit<Finding, "check">): Finding => ({ check, ...verdict })

const BEHIND = ["log", "log key", "outbox"]

const notLookedAt = (checks: ReadonlyArray<string>, why: string) => checks.map((check) => of(check)(skipped(why)))

const UNREACHED = "check DATABASE_URL, and whether the server runs and lets this machine in"

/** The checks of a server that runs, and of what it holds; none but the first where it cannot be reached. */
const looked = Effect.fnUntraced(function* (settings: Settings) {
  const reached = yield* examine("database", reachable)
  if (reached.state !== "ok") {
    return [{ ...reached, remedy: UNREACHED }, ...notLookedAt(BEHIND, "the database has to be reached first")]
  }
  const { findings, isUsable } = yield* examineDatabase(settings)
  const behind = isUsable ? yield* examineBehind(settings) : notLookedAt(BEHIND, "the schema has to be right first")
  return [reached, ...findings, ...behind]
})

/** In sessions like those of the service. */
const withClient = (address: Parameters<typeof clientLayer>[0], settings: Settings) =>
  looked(settings).pipe(
    Effect.provide(clientLayer(address, settings.databasePooling)),
    Effect.catch(({ message }) => Effect.succeed([of("database")(wrong(message, UNREACHED))]))
  )

const NOT_RUNNING = "the embedded server does not run now, and is not started for this; run it beside the service"

const database = Effect.fnUntraced(function* (settings: Settings) {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl !== null) return yield* withClient({ url: databaseUrl }, settings)
  const found = yield* Effect.result(runningSocket(dataDir))
  if (Result.isFailure(found)) return [of("database")(wrong(found.failure.message, "see docs/operating.md"))]
  if (found.success === null) return notLookedAt(["database", ...BEHIND], NOT_RUNNING)
  return yield* withClient({ socketPath: found.success }, settings)
})

const configured = Effect.gen(function* () {
  const settings = yield* AppConfig
  return [
    of("configuration")(givenSettings(settings)),
    ...judgedSettings(settings),
    ...(yield* database(settings)),
    ...(yield* examineMail(settings)),
    yield* examine("disk", diskSpace(settings)),
    yield* examine("address", publicAddress(settings))
  ]
})

const unconfigured = (problem: ConfigProblems | NoInstallation): ReadonlyArray<Finding> =>
  problem instanceof NoInstallation
    ? [
        of("database")(
          wrong(`there is none in ${problem.dataDir}`, "start the service once, or set DATABASE_URL or DATA_DIR")
        )
      ]
    : [
        ...problem.lines.map((line) => of("configuration")(wrong(line, "correct it"))),
        ...notLookedAt(["database", "mail", "disk", "address"], "the configuration has to be right first")
      ]

export const examination = Effect.gen(function* () {
  const settings = yield* Effect.result(Effect.scoped(Layer.build(AppConfig.layerInUse)))
  const findings = Result.isFailure(settings)
    ? unconfigured(settings.failure)
    : yield* Effect.provideContext(configured, settings.success)
  return [of("node")(nodeVersion()), ...findings]
})
