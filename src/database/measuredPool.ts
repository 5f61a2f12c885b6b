/**
 * Metrics of this process's connection pool: connections in use, waiting statements, and waiting
 * time. The driver does not report idle connections; the server does (services/queueDepths.ts).
 */
import { performance } from "node:perf_hooks"
import { Effect, Metric, Scope } from "effect"
import type { SqlConnection } from "effect/sql"
import { observed } from "../platform/telemetry.ts"

const MILLISECONDS_PER_SECOND = 1000

const inUse = Metric.gauge("database_pool_connections_in_use", {
  description: "Database connections that a statement or transaction is using."
})
const maxGauge = Metric.gauge("database_pool_connections_max", {
  description: "The most database connections that this process opens."
})
const waitingFor = Metric.gauge("database_pool_waiting", {
  description: "Statements that wait for a database connection."
})
const acquireSeconds = Metric.histogram("database_pool_acquire_seconds", {
  description: "Time to get a database connection; statements give up after a second.",
  boundaries: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1]
})

/** Wraps the acquirer with metrics. */
export const measuredPool = Effect.fnUntraced(function* (acquirer: SqlConnection.Acquirer, maxConnections: number) {
  const context = yield* Effect.context<never>()
  let used = 0
  let waiting = 0
  yield* observed(inUse, () => used)
  yield* observed(waitingFor, () => waiting)
  yield* observed(maxGauge, () => maxConnections)
  yield* Metric.value(acquireSeconds)
  const release = Effect.sync(() => {
    used--
  })
  const held = Effect.flatMap(Scope.Scope, (scope) => {
    used++
    return Scope.addFinalizer(scope, release)
  })
  return Effect.suspend(() => {
    const since = performance.now()
    waiting++
    const counted = Effect.sync(() => {
      waiting--
      acquireSeconds.updateUnsafe((performance.now() - since) / MILLISECONDS_PER_SECOND, context)
    })
    return Effect.tap(Effect.ensuring(acquirer, counted), () => held)
  })
})
