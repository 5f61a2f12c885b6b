/**
 * Metrics of this process: build, memory, event loop and open handles. They are read when metrics
 * are collected; in between only the event loop's histogram runs.
 */
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { Effect, Layer, Metric } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { AppConfig } from "./config.ts"
import { observed } from "./telemetry.ts"

/** The sampling interval of the event loop. */
const RESOLUTION_MILLIS = 20
const P99 = 99
const NANOSECONDS_PER_SECOND = 1e9
const MILLISECONDS_PER_SECOND = 1000

const build = Metric.gauge("repayment_build_info", {
  description: "Always 1; the labels are version, commit and rule_version."
})
const residentMemory = Metric.gauge("process_resident_memory_bytes", { description: "Resident memory of the process." })
const startTime = Metric.gauge("process_start_time_seconds", { description: "When the process was started." })
const heapUsed = Metric.gauge("nodejs_heap_size_used_bytes", { description: "V8 heap in use." })
const heapTotal = Metric.gauge("nodejs_heap_size_total_bytes", { description: "V8 heap allocated." })
const handles = Metric.gauge("nodejs_active_handles", {
  description: "Open connections, timers and files."
})
const loopDelay = Metric.gauge("nodejs_eventloop_delay_p99_seconds", {
  description: "99th percentile of the event loop's delay since the last scrape."
})

/** The 99th percentile of the delay beyond the sampling interval; each read resets it. */
const eventLoopDelay = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS })
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => delays.disable())
  ),
  (delays) => () => {
    const seconds = delays.percentile(P99) / NANOSECONDS_PER_SECOND
    delays.reset()
    return Math.max(0, seconds - RESOLUTION_MILLIS / MILLISECONDS_PER_SECOND)
  }
)

export const processMetrics = (ruleVersion: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { buildCommit } = yield* AppConfig
      const labels = { version: packageJson.version, commit: buildCommit ?? "unknown", rule_version: ruleVersion }
      yield* Metric.update(Metric.withAttributes(build, labels), 1)
      yield* observed(startTime, () => performance.timeOrigin / MILLISECONDS_PER_SECOND)
      yield* observed(residentMemory, () => process.memoryUsage.rss())
      yield* observed(heapUsed, () => process.memoryUsage().heapUsed)
      yield* observed(heapTotal, () => process.memoryUsage().heapTotal)
      yield* observed(handles, () => process.getActiveResourcesInfo().length)
      yield* observed(loopDelay, yield* eventLoopDelay)
    })
  )
