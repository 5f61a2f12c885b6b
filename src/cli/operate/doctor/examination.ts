/**
 * All checks of `repay doctor`, in order: the configuration, the database if it can be reached,
 * then mail, disk and address. They change nothing, and start no stopped embedded server.
 */
import { Effect, Layer, Result } from "effect"
import { clientLayer, Deadlines, runningSocket, UNHURRIED } from "../../../database/index.ts"
import { AppConfig, type ConfigProblems, NoInstallation, type Settings } from "../../../platform/config.ts"
import { ownPolicy } from "../../../services/log/index.ts"
import { examineDatabase, reachable } from "./database.ts"
import { examine, type Finding, skipped, wrong } from "./finding.ts"
import { diskSpace, nodeVersion, publicAddress } from "./outside.ts"
import { givenSettings, settingsFindings } from "./settings.ts"
import { examineBackground, examineMail } from "./workers.ts"

const finding =
  (check: string) =>
  (verdict: Omit<Finding, "check">): Finding => ({ check, ...verdict })

const WORKER_CHECKS = ["log", "log key", "witnesses", "outbox"]

const skippedChecks = (checks: ReadonlyArray<string>, why: string) =>
  checks.map((check) => finding(check)(skipped(why)))

const UNREACHED = "check that the server runs and accepts connections from this machine, and DATABASE_URL if it is set"

/** Checks a running server. If it cannot be reached, the other checks are skipped. */
const databaseFindings = Effect.fnUntraced(function* (settings: Settings) {
  const reached = yield* examine("database", reachable)
  if (reached.state !== "ok") {
    return [{ ...reached, remedy: UNREACHED }, ...skippedChecks(WORKER_CHECKS, "the database has to be reached first")]
  }
  const { findings, isUsable } = yield* examineDatabase(settings)
  const workers = isUsable
    ? yield* examineBackground(settings)
    : skippedChecks(WORKER_CHECKS, "the schema has to be right first")
  return [reached, ...findings, ...workers]
})

/** Checks in sessions like the service's, which wait longer. */
const withClient = (address: Parameters<typeof clientLayer>[0], settings: Settings) =>
  databaseFindings(settings).pipe(
    Effect.provide(clientLayer(address, settings.databasePooling)),
    Effect.catch(({ message }) => Effect.succeed([finding("database")(wrong(message, UNREACHED))])),
    Effect.provideService(Deadlines, UNHURRIED)
  )

const NOT_RUNNING =
  "the embedded server is not running, and doctor does not start it: run doctor while the service runs"

const database = Effect.fnUntraced(function* (settings: Settings) {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl !== null) return yield* withClient({ url: databaseUrl }, settings)
  const socket = yield* Effect.result(runningSocket(dataDir))
  if (Result.isFailure(socket)) return [finding("database")(wrong(socket.failure.message, "see docs/incidents.md"))]
  if (socket.success === null) return skippedChecks(["database", ...WORKER_CHECKS], NOT_RUNNING)
  return yield* withClient({ socketPath: socket.success }, settings)
})

const configured = Effect.gen(function* () {
  const settings = yield* AppConfig
  yield* ownPolicy
  return [
    finding("configuration")(givenSettings(settings)),
    ...settingsFindings(settings),
    ...(yield* database(settings)),
    ...(yield* examineMail(settings)),
    yield* examine("disk", diskSpace(settings)),
    yield* examine("address", publicAddress(settings))
  ]
})

const unconfigured = (problem: ConfigProblems | NoInstallation): ReadonlyArray<Finding> =>
  problem instanceof NoInstallation
    ? [
        finding("database")(
          wrong(
            `there is none in ${problem.dataDir}`,
            "restore it if there was one; a first start makes a new database, log and keys. Or set DATABASE_URL or DATA_DIR"
          )
        )
      ]
    : [
        ...problem.lines.map((line) => finding("configuration")(wrong(line, "correct it"))),
        ...skippedChecks(["database", "mail", "disk", "address"], "the configuration has to be right first")
      ]

export const examination = Effect.gen(function* () {
  const settings = yield* Effect.result(Effect.scoped(Layer.build(AppConfig.layerInUse)))
  const findings = Result.isFailure(settings)
    ? unconfigured(settings.failure)
    : yield* Effect.provideContext(configured, settings.success).pipe(
        Effect.catchTag("ConfigProblems", (problem) => Effect.succeed(unconfigured(problem)))
      )
  return [finding("node")(nodeVersion()), ...findings]
})
