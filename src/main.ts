/**
 * The composition root: configuration, database, services, HTTP. Starts the service, says where it listens, and stops
 * it in order; every reason not to start is one plain line. Holds no behavior of its own.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { HttpServer } from "effect/http"
import { AppConfig } from "./config.ts"
import { DatabaseLive, databaseAnswers } from "./database/postgres.ts"
import { Engine } from "./engine/Engine.ts"
import { operatorListener } from "./http/operatorListener.ts"
import { httpServer } from "./http/server.ts"
import { McpSurface } from "./mcp/route.ts"
import { Answers } from "./services/answers/Answers.ts"
import { MailLive, ServicesLive } from "./services/index.ts"
import { Telemetry } from "./telemetry.ts"
import { isSupervisor, supervise } from "./workers.ts"

const Services = Answers.layer.pipe(Layer.provideMerge(ServicesLive), Layer.provide(Engine.layer))

/** Everything, configured from the environment. */
export const Service = Layer.mergeAll(httpServer(McpSurface), operatorListener(databaseAnswers), MailLive).pipe(
  Layer.provide(Services),
  Layer.provide(DatabaseLive),
  Layer.provide(Telemetry),
  Layer.provide(AppConfig.layer)
)

const announce = HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))

/** Runs until it is interrupted. */
export const serve = Effect.scoped(
  Effect.gen(function* () {
    const services = yield* Layer.build(Service)
    yield* Effect.provideContext(announce, services)
    return yield* Effect.never
  })
)

/** Why the service does not run, without a stack: the message of a named failure, or the defect itself. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  if (!(failure instanceof Error)) return String(failure)
  const inner = failure.cause instanceof Error ? failure.cause.message : ""
  return failure.message === "" ? inner : failure.message
}

const COULD_NOT_START = 1
/** A terminal and its shell may each pass the same signal on; that is one wish, not two. */
const SAME_SIGNAL_MILLIS = 500

/** The first signal lets requests in flight finish; whoever sends a second does not want to wait. */
const exitOnSecondSignal = () => {
  let first: number | undefined
  const onSignal = () => {
    first ??= performance.now()
    if (performance.now() - first > SAME_SIGNAL_MILLIS) process.exit(COULD_NOT_START)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
}

const program = Effect.gen(function* () {
  const { workers } = yield* AppConfig
  if (isSupervisor(workers)) return yield* Effect.provide(supervise(workers), Telemetry)
  return yield* serve
}).pipe(Effect.provide(AppConfig.layer))

const run = () => {
  exitOnSecondSignal()
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      process.stderr.write(`${reasonOf(exit.cause)}\n`)
      return onExit(COULD_NOT_START)
    }
  })
}

if (import.meta.main) run()
