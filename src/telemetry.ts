/**
 * What operators see: structured logs, request metrics and traces. They hold route patterns and statuses, never a key,
 * an address, a figure or a raw path.
 */
import { randomUUID } from "node:crypto"
import { NodeHttpClient } from "@effect/platform-node"
import { type Context, Effect, Exit, Layer, Logger, LogLevel, Metric, Option, References, type Scope } from "effect"
import { type Headers, HttpClient, HttpMiddleware, HttpTraceContext } from "effect/http"
import { Otlp } from "effect/observability"
import { AppConfig } from "./config.ts"

const SERVICE_NAME = "repayment-of-record"
const MILLISECONDS_PER_SECOND = 1000

const requestSeconds = Metric.histogram("http_request_duration_seconds", {
  description: "Time to produce a response, by route pattern, method and status.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
})

const byAttributes = new Map<string, Metric.Metric<number, unknown>>()

/** The map is bounded: routes are patterns, methods those that Node parses, statuses those that the service sends. */
const requestSecondsOf = (method: string, route: string, status: number): Metric.Metric<number, unknown> => {
  const key = `${method} ${route} ${status}`
  const known = byAttributes.get(key)
  if (known !== undefined) return known
  const metric = Metric.withAttributes(requestSeconds, { method, route, status: String(status) })
  byAttributes.set(key, metric)
  return metric
}

const SERVER_ERROR = 500

export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** The pattern, never the path. */
  readonly route: string
  readonly status: number
  readonly elapsedMillis: number
}

/**
 * Measures and logs one response: at debug level, or as a warning if the service failed. What makes it unavailable for a
 * while says so itself, and a stranger can ask without end.
 */
export const countRequest = Effect.fnUntraced(function* (answered: AnsweredRequest) {
  const { elapsedMillis, method, route, status } = answered
  yield* Metric.update(requestSecondsOf(method, route, status), elapsedMillis / MILLISECONDS_PER_SECOND)
  if (yield* References.TracerEnabled) yield* Effect.annotateCurrentSpan("http.response.status_code", status)
  const level = status === SERVER_ERROR ? "Warn" : "Debug"
  if (yield* LogLevel.isEnabled(level))
    yield* Effect.annotateLogs(Effect.logWithLevel(level)("answered"), { ...answered })
})

/**
 * The span of one request, named by its route pattern, if spans are collected. The framework's own span holds path,
 * address and headers.
 */
export const requestSpan =
  (headers: Headers.Headers, method: string, route: string) =>
  <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isCollected) =>
      isCollected
        ? Effect.withSpan(answer, `${method} ${route}`, {
            kind: "server",
            attributes: { "http.request.method": method, "http.route": route },
            ...Option.match(HttpTraceContext.fromHeaders(headers), {
              onNone: () => ({}),
              onSome: (parent) => ({ parent })
            })
          })
        : answer
    )

/**
 * A method of a service that every request calls: the span of `Effect.fn`, if spans are collected. It would take the stack
 * of every call, and makes a span that nobody sees else.
 */
export const spanned = <Args extends ReadonlyArray<unknown>, A, E, R>(
  name: string,
  method: (...args: Args) => Effect.Effect<A, E, R>
): ((...args: Args) => Effect.Effect<A, E, R>) => {
  const traced = Effect.fn(name)(method)
  return (...args) =>
    Effect.flatMap(References.TracerEnabled, (isCollected) => (isCollected ? traced(...args) : method(...args)))
}

/** One counter for each value that a label may have, from 0 on: a series that begins with its first event hides it. */
export const countersOf = <Name extends string>(
  counter: Metric.Counter<number>,
  label: string,
  values: ReadonlyArray<Name>
): Effect.Effect<Readonly<Record<Name, Metric.Metric<number, unknown>>>> =>
  Effect.map(
    Effect.forEach(values, (value) => {
      const one = Metric.withAttributes(counter, { [label]: value })
      return Effect.as(Metric.value(one), [value, one] as const)
    }),
    (counters) => Object.fromEntries(counters) as Record<Name, Metric.Metric<number, unknown>>
  )

const UNUSED = () => undefined

/** A gauge that is read when somebody looks, for as long as the scope is open. */
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

const CLIENT_ERROR = 400

/**
 * Says once that the collector takes nothing, and once that it takes everything again: exports are tried again and again.
 * What is exported over one address may be taken while the rest is not.
 */
const tellingOnce = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  const refused = new Set<string>()
  const tell = (url: string, reason: string | null): Effect.Effect<void> => {
    const before = refused.size
    if (reason === null) refused.delete(url)
    else refused.add(url)
    if (before === 0 && refused.size > 0)
      return Effect.annotateLogs(Effect.logWarning("The collector of telemetry takes nothing, and is tried again"), {
        reason
      })
    return before > 0 && refused.size === 0 ? Effect.logInfo("The collector of telemetry takes all again") : Effect.void
  }
  return HttpClient.transform(client, (response, { url }) =>
    Effect.onExit(response, (exit) => {
      if (Exit.isSuccess(exit))
        return tell(url, exit.value.status < CLIENT_ERROR ? null : `status ${exit.value.status}`)
      return Exit.hasInterrupts(exit) ? Effect.void : tell(url, "it cannot be reached")
    })
  )
}

/** Of several processes each has an id of its own, or the collector would take their counters for one that jumps. */
const exporting = (baseUrl: string) =>
  Otlp.layerJson({
    baseUrl,
    resource: { serviceName: SERVICE_NAME, attributes: { "service.instance.id": randomUUID() } }
  }).pipe(
    Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, tellingOnce))),
    Layer.provide(NodeHttpClient.layerUndici)
  )

/**
 * Logs go to standard error; with OTEL_EXPORTER_OTLP_ENDPOINT, traces, metrics and logs also go to the collector, whose
 * logger is added to the one that is there.
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
