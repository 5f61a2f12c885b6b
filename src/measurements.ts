/**
 * What processes have measured, as data that travels between them, as one, and as the page that Prometheus reads. Counters
 * and histograms are added up; a gauge is told of each worker, but for those of what all workers share. Asks nobody.
 */
import { Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** Counters, gauges and histograms: no metric of the service is of another type. */
export type Measurement = Metric.Metric.Snapshot

/** What one process has measured. */
export interface Measured {
  readonly worker: string
  readonly measurements: ReadonlyArray<Measurement>
}

/** Begin the names of gauges of the database, the build and the service as a whole: workers say the same, or the most is right. */
const SHARED = ["database_sessions", "log_", "outbox_", "repayment_", "service_"]

export const isGauge = ({ type }: Measurement): boolean => type === "Gauge"

const keyOf = ({ attributes, id }: Measurement): string => JSON.stringify([id, Object.entries(attributes ?? {}).sort()])

/** Both have the same boundaries, for they are of one program. */
const together = (one: Measurement, other: Measurement): Measurement => {
  if (one.type === "Counter" && other.type === "Counter")
    return { ...one, state: { ...one.state, count: Number(one.state.count) + Number(other.state.count) } }
  if (one.type === "Gauge" && other.type === "Gauge")
    return { ...one, state: { value: Math.max(Number(one.state.value), Number(other.state.value)) } }
  if (one.type !== "Histogram" || other.type !== "Histogram") return other
  const [first, second] = [one.state, other.state]
  return {
    ...one,
    state: {
      buckets: first.buckets.map(([boundary, count], index) => [boundary, count + second.buckets[index]![1]]),
      count: first.count + second.count,
      sum: first.sum + second.sum,
      min: Math.min(first.min, second.min),
      max: Math.max(first.max, second.max)
    }
  }
}

/** Of each series one: counts are added, of gauges the most is taken. */
export const addedUp = (measurements: ReadonlyArray<Measurement>): ReadonlyArray<Measurement> => {
  const series = new Map<string, Measurement>()
  for (const measurement of measurements) {
    const key = keyOf(measurement)
    const known = series.get(key)
    series.set(key, known === undefined ? measurement : together(known, measurement))
  }
  return [...series.values()]
}

/** A gauge that is the worker's own says whose it is. */
export const labelled = ({ measurements, worker }: Measured): ReadonlyArray<Measurement> =>
  measurements.map((measurement) =>
    isGauge(measurement) && !SHARED.some((start) => measurement.id.startsWith(start))
      ? { ...measurement, attributes: { ...measurement.attributes, worker } }
      : measurement
  )

const IGNORE = () => undefined

/** The text that Prometheus reads. */
export const pageOf = (measurements: ReadonlyArray<Measurement>): Effect.Effect<string> => {
  const registry: Metric.MetricRegistry = new Map(
    measurements.map(({ state, ...measurement }) => [
      keyOf({ state, ...measurement } as Measurement),
      { ...measurement, hooks: { get: () => state, update: IGNORE, modify: IGNORE } }
    ])
  )
  return Effect.provideService(PrometheusMetrics.format(), Metric.MetricRegistry, registry)
}
