/**
 * Telemetry for operators: structured logs, request metrics and traces. They contain route patterns
 * and statuses, never a key, an address, a figure or a raw path.
 */
import { type Context, Effect, Layer, Logger, LogLevel, Metric, Option, References, type Scope } from "effect"
import type { Headers } from "effect/http"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import { AppConfig } from "./config.ts"

const MILLISECONDS_PER_SECOND = 1000

const requestSeconds = Metric.histogram("http_request_duration_seconds", {
  description: "Time to produce a response, by route pattern, method and status.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
})

const byAttributes = new Map<string, Metric.Metric<number, unknown>>()

/**
 * The histogram of one combination. The number of combinations is bounded by the route patterns,
 * the methods that Node parses and the statuses sent here.
 */
const requestSecondsOf = (method: string, route: string, status: number): Metric.Metric<number, unknown> => {
  const key = `${method} ${route} ${status}`
  const known = byAttributes.get(key)
  if (known !== undefined) return known
  const metric = Metric.withAttributes(requestSeconds, { method, route, status: String(status) })
  byAttributes.set(key, metric)
  return metric
}

const SERVER_ERROR = 500

interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** The pattern, never the path. */
  readonly route: string
  readonly status: number
  readonly elapsedMillis: number
}

/**
 * Measures and logs one response: at debug level, or as a warning if its status is 500. A 503 is
 * not a warning, because its cause is logged already and anyone can send endless requests.
 */
export const countRequest = (answered: AnsweredRequest): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { elapsedMillis, method, route, status } = answered
    requestSecondsOf(method, route, status).updateUnsafe(elapsedMillis / MILLISECONDS_PER_SECOND, fiber.context)
    const level = status === SERVER_ERROR ? "Warn" : "Debug"
    const logged = LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), level)
      ? Effect.void
      : Effect.annotateLogs(Effect.logWithLevel(level)("answered"), { ...answered })
    return fiber.getRef(References.TracerEnabled)
      ? Effect.andThen(Effect.annotateCurrentSpan("http.response.status_code", status), logged)
      : logged
  })

/**
 * The span of one request, named by its route pattern, if spans are collected. The framework's own
 * span would contain path, address and headers. Only the trace context of `trusted` headers is
 * used, because a stranger could choose trace ids or switch off sampling.
 */
export const requestSpan =
  (method: string, route: string, trusted: Headers.Headers | undefined) =>
  <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    References.TracerEnabled.use((isCollected) =>
      isCollected
        ? Effect.withSpan(answer, `${method} ${route}`, {
            kind: "server",
            attributes: { "http.request.method": method, "http.route": route },
            ...Option.match(Option.flatMap(Option.fromUndefinedOr(trusted), HttpTraceContext.fromHeaders), {
              onNone: () => ({}),
              onSome: (parent) => ({ parent })
            })
          })
        : answer
    )

/**
 * Adds a span to a service method that every request calls, if spans are collected. `Effect.fn`
 * would always capture the stack of a call and create a span.
 */
export const spanned = <Args extends ReadonlyArray<unknown>, A, E, R>(
  name: string,
  method: (...args: Args) => Effect.Effect<A, E, R>
): ((...args: Args) => Effect.Effect<A, E, R>) => {
  const traced = Effect.fn(name)(method)
  return (...args) => References.TracerEnabled.use((isCollected) => (isCollected ? traced(...args) : method(...args)))
}

/** A counter that only rises. */
export const counter = (name: string, description: string): Metric.Counter<number> =>
  Metric.counter(name, { description, incremental: true })

/**
 * One counter per value of a label. Each starts at 0, because a series that starts at 1 hides its
 * first event.
 */
export const countersOf = <Name extends string>(
  counted: Metric.Counter<number>,
  label: string,
  values: ReadonlyArray<Name>
): Effect.Effect<Readonly<Record<Name, Metric.Metric<number, unknown>>>> =>
  Effect.map(
    Effect.forEach(values, (value) => {
      const one = Metric.withAttributes(counted, { [label]: value })
      return Effect.as(Metric.value(one), [value, one] as const)
    }),
    (counters) => Object.fromEntries(counters) as Record<Name, Metric.Metric<number, unknown>>
  )

const UNUSED = () => undefined

/** A gauge that is read whenever metrics are collected, while the scope is open. */
export const observed = (gauge: Metric.Gauge<number>, value: () => number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context: Context.Context<Scope.Scope>) => {
    const hooks = { get: () => ({ value: value() }), update: UNUSED, modify: UNUSED }
    return Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => Metric.registerUnsafe(gauge, context, hooks)),
        (registration) => Effect.sync(() => registration.remove())
      )
    )
  })

const logging = (format: "pretty" | "json") =>
  Logger.layer([format === "json" ? Logger.withConsoleError(Logger.formatJson) : Logger.consolePretty()])

/** Loaded only if there is a collector. */
const exporting = (baseUrl: string) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./telemetryExport.ts")),
      ({ exportTo }) => exportTo(baseUrl)
    )
  )

/**
 * Logs go to standard error. With OTEL_EXPORTER_OTLP_ENDPOINT, traces, metrics and logs also go to
 * the collector, whose logger is added to the existing one.
 */
export const telemetryLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { logFormat, logLevel, otlpEndpoint } = yield* AppConfig
    const logs = Layer.mergeAll(
      logging(logFormat),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, logLevel),
      Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)
    )
    const exports = otlpEndpoint === null ? Layer.succeed(References.TracerEnabled, false) : exporting(otlpEndpoint)
    return Layer.provideMerge(exports, logs)
  })
)
