/**
 * The `soak` task: one service process under fifty mixed requests a second, with a row of
 * measurements each minute. With `--witnesses`, so many processes cosign its log each second. It
 * fails if a measurement grows by more than soak/trend.ts allows, for an unexpected answer, or for a
 * missing record or cosignature. Delays while this machine was busy are reported but not checked.
 */
import { once } from "node:events"
import { tmpdir } from "node:os"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { makeSigner, originOf } from "../src/services/log/keys.ts"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { freePort } from "../test/support/freePort.ts"
import { delayedMillis, openFiles } from "../test/support/procfs.ts"
import { startProgram } from "../test/support/programs.ts"
import { scrape } from "../test/support/scrape.ts"
import { NO_LIMITS, TEST_SIGNING_KEY } from "../test/support/settings.ts"
import { until } from "../test/support/until.ts"
import { atEnd, insist, Misuse, say, service, step, temporaryFolder } from "./harness.ts"
import { inDatabase } from "./postgres.ts"
import { startTraffic } from "./soak/traffic.ts"
import { MEASURES, type Measure, medianOf, type Sample, trendsOf } from "./soak/trend.ts"

const PER_SECOND = 50
const KEYS = 16
const SAMPLE_SECONDS = 10
const PER_MINUTE = 60 / SAMPLE_SECONDS
const MAX_MINUTES = 24 * 60
/** If the process waits for a CPU for a larger share of its time, its delays do not count. */
const MAX_CPU_WAIT_SHARE = 0.1
/** Time for idle connections to close; the callers' close after a minute. */
const QUIET_SECONDS = 120
/** Connections to the database that may have been opened since the start. */
const MAX_LEFT_OPEN = 8
const MAX_WITNESSES = 32
const MEBIBYTE = 1024 * 1024

const quantile = (numbers: ReadonlyArray<number>, part: number): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

const ACTIVITY = `
  SELECT count(*)::int AS connections, count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS "lockWaits"
  FROM pg_stat_activity WHERE application_name = 'repayment-of-record'`

const rowOf = <Row extends object>(database: string, statement: string): Promise<Row> =>
  inDatabase(database, async (pool) => (await pool.query<Row>(statement)).rows[0]!)

const look = async (metricsPort: number) => {
  const { samples } = await scrape(metricsPort)
  return {
    residentMiB: samples.get("process_resident_memory_bytes")! / MEBIBYTE,
    heapMiB: samples.get("nodejs_heap_size_used_bytes")! / MEBIBYTE,
    handles: samples.get("nodejs_active_handles")!,
    loopDelayP99: samples.get("nodejs_eventloop_delay_p99_seconds")! * 1000
  }
}

const PUBLIC_URL = "http://soak.example.test"

/** Starts witnesses, each a process of `repay log witness`; returns the settings that name them. */
const startWitnesses = async (count: number) => {
  const { verifierKey } = await makeSigner(originOf(PUBLIC_URL), Buffer.from(TEST_SIGNING_KEY, "hex"))
  const names = Array.from({ length: count }, (_, at) => `w${at + 1}`)
  const lines = names.map(async (name) => {
    const state = ["--state", temporaryFolder("witness"), "--port", "0"]
    const { child, output, stop } = startProgram(
      [process.execPath, "src/cli/main.ts", "log", "witness", "--name", name, "--log", verifierKey, ...state],
      { variables: { HOME: tmpdir() } }
    )
    atEnd(stop)
    await once(child.stdout, "data")
    return output()
  })
  const policy = [...(await Promise.all(lines)), `group all all ${names.join(" ")}\n`, "quorum all\n"].join("")
  return { PUBLIC_URL, LOG_SIGNING_KEY: TEST_SIGNING_KEY, LOG_WITNESSES_TEXT: policy, LOG_WITNESS_SECONDS: "1" }
}

const NAMES = Object.keys(MEASURES) as ReadonlyArray<Measure>
const row = (cells: ReadonlyArray<string>): void => say(cells.map((cell) => cell.padStart(13)).join(""))
const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(value < 100 ? 1 : 0))

/** Prints the medians of a minute's samples. */
const reportMinute = (minute: number, samples: ReadonlyArray<Sample>): void => {
  const cells = NAMES.map((name) => {
    const values = samples.flatMap(({ [name]: value }) => (value === null ? [] : [value]))
    return shown(values.length === 0 ? null : medianOf(values))
  })
  row([String(minute), ...cells])
}

export default async (args: ReadonlyArray<string>) => {
  const options = {
    minutes: { type: "string", default: "5" },
    witnesses: { type: "string", default: "0" }
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const minutes = Number(values.minutes)
  const witnesses = Number(values.witnesses)
  if (!(minutes >= 2 && minutes <= MAX_MINUTES)) throw new Misuse(`--minutes takes a number from 2 to ${MAX_MINUTES}`)
  if (!(Number.isInteger(witnesses) && witnesses >= 0 && witnesses <= MAX_WITNESSES))
    throw new Misuse(`--witnesses takes a number from 0 to ${MAX_WITNESSES}`)

  const metricsPort = await freePort()
  const settings = {
    ...NO_LIMITS,
    ...(witnesses > 0 ? await startWitnesses(witnesses) : {}),
    SANDBOX_MONTHLY_CALLS: "1000000000",
    METRICS_PORT: String(metricsPort)
  }
  const { base, databaseUrl, pid } = await service(settings)
  const database = databaseUrl()
  const call = callerOf(base)
  const keys = await Promise.all(Array.from({ length: KEYS }, async () => (await mintOver(call)).apiKey))
  const before = await look(metricsPort)
  const samples: Array<Sample> = []
  let disturbed = 0
  let waitedBefore = delayedMillis(pid)
  const started = performance.now()
  const traffic = startTraffic(base, keys, PER_SECOND)
  row(["minute", ...NAMES])
  for (let at = 1; at * SAMPLE_SECONDS <= minutes * 60; at++) {
    await setTimeout(started + at * SAMPLE_SECONDS * 1000 - performance.now())
    const times = traffic.take()
    const inFlight = traffic.inFlight()
    const activity = await rowOf<Pick<Sample, "connections" | "lockWaits">>(database, ACTIVITY)
    const { loopDelayP99, ...seen } = await look(metricsPort)
    const waited = delayedMillis(pid)
    const isUndisturbed = (waited - waitedBefore) / (SAMPLE_SECONDS * 1000) <= MAX_CPU_WAIT_SHARE
    waitedBefore = waited
    if (!isUndisturbed) disturbed++
    const delays = { loopDelayP99, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
    const own = isUndisturbed ? delays : { loopDelayP99: null, p50: null, p99: null }
    const descriptors = openFiles(pid)
    samples.push({ seconds: at * SAMPLE_SECONDS, inFlight, descriptors, ...activity, ...seen, ...own })
    if (at % PER_MINUTE === 0) reportMinute(at / PER_MINUTE, samples.slice(-PER_MINUTE))
  }
  await traffic.stop()

  await step("handles are closed once traffic stops", async () => {
    const most = before.handles + MAX_LEFT_OPEN
    await until(async () => (await look(metricsPort)).handles <= most, QUIET_SECONDS)
  })
  const { all, late, left, recorded, unsent } = traffic.answered()
  await step("the number of records matches the number of answers", async () => {
    const { records } = await rowOf<{ readonly records: number }>(
      database,
      "SELECT count(*)::int AS records FROM answer"
    )
    insist(records >= recorded && records <= recorded + left, `${records} records of ${recorded} answers`)
    return `${all} answers and ${left} callers that left; ${recorded} answers with a record, ${records} records`
  })
  await step("every answer has the expected status", () => {
    const unexpected = [...traffic.unexpected].map(([what, times]) => `${times} times ${what}`)
    insist(unexpected.length === 0, unexpected.join("\n"))
  })
  if (witnesses > 0)
    await step("every witness has seen the newest checkpoint, and none ever failed to cosign", async () => {
      const signed = await (await fetch(`${base}/log/checkpoint`)).text()
      await until(async () => {
        const response = await fetch(`${base}/log/checkpoint/witnessed`)
        return response.ok && Number((await response.text()).split("\n")[1]) >= Number(signed.split("\n")[1])
      })
      const { samples: all } = await scrape(metricsPort)
      const failed = [...all].filter(([name, count]) => name.startsWith("log_witness_failures_total") && count > 0)
      insist(failed.length === 0, failed.map((one) => one.join(" ")).join("\n"))
      return `${all.get("log_witness_rounds_total")} rounds`
    })
  say(`delays of ${disturbed} of ${samples.length} samples are not judged, because the machine was busy`)
  say(`${unsent} requests were not sent, and ${late} timed out, because this process was not let run\n`)
  row(["second half", "median", "growth", "allowed"])
  await step("no measurement grows by more than allowed", () => {
    const trends = trendsOf(samples)
    for (const { bound, growth, measure, median } of trends) row([measure, shown(median), shown(growth), shown(bound)])
    const growing = trends.filter(({ isFlat }) => !isFlat).map(({ measure }) => measure)
    insist(growing.length === 0, `${growing.join(", ")} grow`)
  })
}
