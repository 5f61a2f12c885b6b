/**
 * `npm run soak -- --minutes 60`: a service process of its own under fifty requests a second of every kind, and each minute
 * a row of what it takes: memory, handles, connections, delays. Fails if any of it grows over the second half by more than
 * soak/trend.ts allows, if an answer is not the one expected, or if an answered record is missing. What comes of this process's
 * own standing still on a busy machine is told, and no failure.
 */
import { parseArgs } from "node:util"
import { Pool } from "pg"
import { freePort } from "../test/support/freePort.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { startService } from "./programs.ts"
import { inspect } from "./soak/inspector.ts"
import { startTraffic } from "./soak/traffic.ts"
import { MEASURES, type Measure, medianOf, type Sample, trendsOf } from "./soak/trend.ts"

const PER_SECOND = 50
const KEYS = 16
const SAMPLE_SECONDS = 10
const MOST_MINUTES = 24 * 60
/** The part of its time for which a process may wait for a processor that others use, or its delays are theirs. */
const MOST_KEPT_WAITING = 0.1
/** Until idle connections are closed, those of callers after a minute. */
const QUIET_SECONDS = 120
/** Connections to the database that were not open before. */
const MOST_LEFT_OPEN = 8
const { minutes: asked } = parseArgs({ options: { minutes: { type: "string", default: "5" } } }).values
const minutes = Number(asked)
if (!(minutes >= 2 && minutes <= MOST_MINUTES)) throw new Error(`--minutes takes a number from 2 to ${MOST_MINUTES}`)

const quantile = (numbers: ReadonlyArray<number>, part: number): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

const ACTIVITY = `
  SELECT count(*)::int AS connections, count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS "lockWaits"
  FROM pg_stat_activity WHERE application_name = 'repayment-of-record'`

const inDatabase = async <Row extends object>(connectionString: string, statement: string): Promise<Row> => {
  const pool = new Pool({ connectionString, max: 1 })
  try {
    return (await pool.query<Row>(statement)).rows[0]!
  } finally {
    await pool.end()
  }
}

const mint = async (base: string): Promise<string> => {
  const response = await fetch(`${base}/v1/keys/sandbox`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.org` })
  })
  return ((await response.json()) as { readonly apiKey: string }).apiKey
}

const NAMES = Object.keys(MEASURES) as ReadonlyArray<Measure>
const row = (cells: ReadonlyArray<string>): string => cells.map((cell) => cell.padStart(13)).join("")
const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(value < 100 ? 1 : 0))

/** The medians of what was sampled in a minute. */
const minuteRow = (minute: number, samples: ReadonlyArray<Sample>): string => {
  const cells = NAMES.map((name) => {
    const values = samples.flatMap(({ [name]: value }) => (value === null ? [] : [value]))
    return shown(values.length === 0 ? null : medianOf(values))
  })
  return row([String(minute), ...cells])
}

const inspectorPort = await freePort()
const service = await startService({
  ...NO_LIMITS,
  SANDBOX_MONTHLY_CALLS: "1000000000",
  NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`
})
const database = service.databaseUrl()
const samples: Array<Sample> = []
let isPassed = true
/** Samples whose delays are not judged. */
let disturbed = 0
const fail = (what: string) => {
  isPassed = false
  console.log(`FAILED: ${what}`)
}

try {
  const inspector = await inspect(inspectorPort)
  const keys = await Promise.all(Array.from({ length: KEYS }, () => mint(service.base)))
  const before = await inspector.look()
  let waitedBefore = before.keptWaitingMillis ?? 0
  const started = performance.now()
  const traffic = startTraffic(service.base, keys, PER_SECOND)
  console.log(row(["minute", ...NAMES]))
  for (let at = 1; at * SAMPLE_SECONDS <= minutes * 60; at++) {
    const due = started + at * SAMPLE_SECONDS * 1000
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
    const times = traffic.take()
    const inFlight = traffic.inFlight()
    const activity = await inDatabase<Pick<Sample, "connections" | "lockWaits">>(database, ACTIVITY)
    const { keptWaitingMillis, loopDelayP99, resources: _, ...seen } = await inspector.look()
    const waited = ((keptWaitingMillis ?? 0) - waitedBefore) / (SAMPLE_SECONDS * 1000)
    waitedBefore = keptWaitingMillis ?? 0
    const isOwn = waited <= MOST_KEPT_WAITING
    if (!isOwn) disturbed++
    const delays = { loopDelayP99, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
    const own = isOwn ? delays : { loopDelayP99: null, p50: null, p99: null }
    samples.push({ seconds: at * SAMPLE_SECONDS, inFlight, ...activity, ...seen, ...own })
    const perMinute = 60 / SAMPLE_SECONDS
    if (at % perMinute === 0) console.log(minuteRow(at / perMinute, samples.slice(-perMinute)))
  }
  await traffic.stop()
  const quietAt = performance.now() + QUIET_SECONDS * 1000
  let { resources } = await inspector.look()
  while (resources > before.resources + MOST_LEFT_OPEN && performance.now() < quietAt) {
    await new Promise((resolve) => setTimeout(resolve, 5000))
    resources = (await inspector.look()).resources
  }
  inspector.close()
  if (resources > before.resources + MOST_LEFT_OPEN)
    fail(`${resources} handles are left once all is quiet, and there were ${before.resources} before`)
  const { all, late, left, recorded, unsent } = traffic.answered()
  const { records } = await inDatabase<{ readonly records: number }>(
    database,
    "SELECT count(*)::int AS records FROM answer"
  )
  console.log(`\n${all} answers and ${left} callers that left; ${recorded} answers with a record, ${records} records`)
  console.log(`delays of ${disturbed} of ${samples.length} samples are others': the machine was busy`)
  console.log(`${unsent} requests were not sent, and ${late} timed out, because this process was not let run\n`)
  for (const [what, times] of traffic.unexpected) fail(`${times} times ${what}`)
  if (records < recorded || records > recorded + left) fail("records and answers do not agree")
  console.log(row(["second half", "median", "growth", "allowed"]))
  for (const { bound, growth, isFlat, measure, median } of trendsOf(samples)) {
    console.log(row([measure, shown(median), shown(growth), shown(bound)]))
    if (!isFlat) fail(`${measure} grows`)
  }
} finally {
  await service.stop()
}
console.log(isPassed ? "\npassed: nothing grows" : "")
process.exitCode = isPassed ? 0 : 1
