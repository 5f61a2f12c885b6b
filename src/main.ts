/**
 * The composition root of the service: configuration, database, services, HTTP. It starts the
 * service, prints where it listens, and stops it in order. Every reason for a failed start is one
 * plain line.
 */
import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { HttpServer, HttpServerError } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { databaseLayer, databaseObstacle } from "./database/index.ts"
import { Engine } from "./engine/Engine.ts"
import { directRoutes } from "./http/direct.ts"
import { operatorListener } from "./http/operatorListener.ts"
import { httpServer } from "./http/server.ts"
import { Stopping } from "./http/stopping.ts"
import { McpSurface } from "./mcp/route.ts"
import { AppConfig, type Settings } from "./platform/config.ts"
import { hasCode } from "./platform/hasCode.ts"
import { processMetrics } from "./platform/processMetrics.ts"
import { telemetryLayer } from "./platform/telemetry.ts"
import { Answers } from "./services/answers/index.ts"
import { ruleVersion } from "./services/answers/publishedRules.ts"
import { logLayer, mailLayer, servicesLayer } from "./services/index.ts"
import { logObstacle } from "./services/log/index.ts"
import { CurrentOutage } from "./services/outage.ts"
import { measureQueueDepths } from "./services/queueDepths.ts"

const answersLayer = Answers.layer.pipe(Layer.provideMerge(servicesLayer), Layer.provide(Engine.layer))

const operators = operatorListener({
  metrics: Effect.andThen(measureQueueDepths, PrometheusMetrics.format()),
  obstacle: Effect.flatMap(databaseObstacle, (reason) => {
    if (reason !== null) return Effect.succeed(reason)
    return Effect.flatMap(CurrentOutage, (outage) =>
      outage.isDiskFull() ? Effect.succeed("the disk of the database is full") : logObstacle
    )
  })
})

/**
 * The whole service, configured from the environment. `direct` matches the routes that are served
 * without the router.
 */
export const serviceWith = (direct: typeof directRoutes) =>
  Layer.mergeAll(httpServer(McpSurface, direct), operators, processMetrics(ruleVersion), mailLayer, logLayer).pipe(
    Layer.provide(answersLayer),
    Layer.provide(databaseLayer),
    Layer.provideMerge(Stopping.layer),
    Layer.provideMerge(telemetryLayer),
    Layer.provide(AppConfig.layer)
  )

export const serviceLayer = serviceWith(directRoutes)

/** Prints the address on standard output, with what to do next at a terminal; JSON logs have it, too. */
const announce = Effect.gen(function* () {
  const { logFormat } = yield* AppConfig
  yield* HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
  if (logFormat === "json")
    yield* HttpServer.addressFormattedWith((address) => Effect.logInfo(`listening on ${address}`))
  if (logFormat === "pretty") yield* Console.log("open it in a browser; every call is at /docs, and Ctrl-C stops it")
})

const COULD_NOT_START = 1
/** A terminal and its shell may each forward the same signal; it counts once. */
const SAME_SIGNAL_MILLIS = 500

const STOPPING_SIGNALS = ["SIGINT", "SIGTERM"] as const

/** The first signal lets requests in flight finish; a second one stops at once. */
const exitOnSecondSignal = Effect.acquireRelease(
  Effect.sync(() => {
    let first: number | undefined
    const onSignal = () => {
      first ??= performance.now()
      if (performance.now() - first > SAME_SIGNAL_MILLIS) process.exit(COULD_NOT_START)
    }
    for (const signal of STOPPING_SIGNALS) process.on(signal, onSignal)
    return onSignal
  }),
  (onSignal) =>
    Effect.sync(() => {
      for (const signal of STOPPING_SIGNALS) process.off(signal, onSignal)
    })
)

/** Names the setting to change if a port is taken. */
const orPortInUse = <E>(error: E, { metricsPort }: Settings): E | HttpServerError.ServeError => {
  const { cause } = error instanceof HttpServerError.ServeError ? error : {}
  if (!hasCode(cause, "EADDRINUSE")) return error
  const { port } = cause as unknown as { readonly port: number }
  const setting = port === metricsPort ? "METRICS_PORT" : "PORT"
  return new HttpServerError.ServeError({
    cause: new Error(`Port ${port} is in use (EADDRINUSE): set ${setting} to another one, or stop what listens there.`)
  })
}

/**
 * Turns off V8's allocation among the old objects. Objects of requests survive while calls wait for
 * the database, so V8 would treat them as long-lived. Collecting them would pause the service each
 * second, which doubles the p99 of 64 callers.
 */
const keepRequestsYoung = Effect.sync(() => setFlagsFromString("--no-allocation-site-pretenuring"))

/** Runs the service until it is interrupted. */
export const serve = Effect.gen(function* () {
  yield* keepRequestsYoung
  yield* exitOnSecondSignal
  let stopped: Effect.Effect<void> = Effect.void
  yield* Effect.addFinalizer(() => Effect.suspend(() => stopped))
  const settings = yield* AppConfig
  const services = yield* Effect.mapError(Layer.build(serviceLayer), (error) => orPortInUse(error, settings))
  stopped = Effect.provideContext(Effect.logInfo("Stopped"), services)
  yield* Effect.provideContext(announce, services)
  const { announced } = yield* Effect.provideContext(Stopping, services)
  return yield* Effect.onInterrupt(Effect.never, () => Effect.provideContext(announced, services))
}).pipe(Effect.scoped, Effect.provide(AppConfig.layerToServe))

/**
 * The reason why the service does not run, without a stack: a failure's message, or the defect. May
 * be empty.
 */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  if (!(failure instanceof Error)) return String(failure)
  const inner = failure.cause instanceof Error ? failure.cause.message : ""
  return failure.message === "" ? inner : failure.message
}

const run = () => {
  NodeRuntime.runMain(serve, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      const reason = reasonOf(exit.cause)
      if (reason !== "") process.stderr.write(`${reason}\n`)
      return onExit(COULD_NOT_START)
    }
  })
}

if (import.meta.main) run()
