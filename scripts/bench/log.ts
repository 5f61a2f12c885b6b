/**
 * The log bench: the time to enter all records, the bytes per record, and the time of an empty
 * round and of receipts. It uses one database each for ten thousand, a million and ten million
 * records, timed in turn. `--quick` skips the ten million, which take a quarter of an hour.
 */
import { cpus } from "node:os"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseAt } from "../../src/database/postgres.ts"
import { AppConfig } from "../../src/platform/config.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { temporaryFolder } from "../harness.ts"
import type { Findings } from "./findings.ts"
import { createDatabase, fill, rest, sizesOf } from "./ledger-fill.ts"
import { quantilesOf } from "./rounds.ts"

const ROUNDS = 200
const WARM_UP_ROUNDS = 20
const MAX_RECEIPT_MILLISECONDS = 20

const config = AppConfig.layerFrom({
  SECRET_PEPPER: "a pepper for the bench that is long enough",
  LOG_SIGNING_KEY: "0123456789abcdef".repeat(4)
})

/** Fills the database and enters all its records into the log; returns the calls to time. */
const entered = Effect.fnUntraced(function* (records: number) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* TransparencyLog
  const { sequence } = yield* Sequencer
  yield* fill(records)
  const begun = performance.now()
  while ((yield* sequence) > 0);
  const seconds = (performance.now() - begun) / 1e3
  const [size] = yield* sql<{ readonly bytes: number; readonly size: number }>`
    SELECT (pg_total_relation_size('log_entry') + pg_total_relation_size('log_tile'))::float8 AS bytes,
      size::float8 AS size FROM log_head`
  if (size!.size !== records) throw new Error(`${size!.size} of ${records} records are in the log`)
  const numbers = Array.from({ length: 2000 }, () => 1 + Math.floor(Math.random() * records))
  const recordedIds = yield* sql<{
    readonly id: string
  }>`SELECT answer_id AS id FROM answer WHERE seq IN ${sql.in(numbers)}`
  return {
    records,
    perSecond: records / seconds,
    bytes: size!.bytes / records,
    calls: {
      "a round without news": Effect.asVoid(sequence),
      "a receipt": Effect.suspend(() =>
        Effect.asVoid(log.receipt(recordedIds[Math.floor(Math.random() * recordedIds.length)]!.id))
      )
    }
  }
})

const filled = Effect.fnUntraced(function* (socketPath: string, records: number) {
  const url = yield* createDatabase(socketPath, records)
  const services = Layer.mergeAll(Sequencer.layer, TransparencyLog.layer).pipe(Layer.provideMerge(databaseAt({ url })))
  const database = yield* Effect.provide(entered(records), yield* Layer.build(Layer.fresh(services)))
  yield* rest(url)
  return database
})

type Timed = Effect.Success<ReturnType<typeof filled>>
type CallName = keyof Timed["calls"]
const CALLS: ReadonlyArray<CallName> = ["a round without news", "a receipt"]

const time = Effect.fnUntraced(function* (databases: ReadonlyArray<Timed>) {
  const samples = CALLS.map(() => databases.map((): Array<number> => []))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [call, name] of CALLS.entries()) {
      for (const [database, { calls }] of databases.entries()) {
        const begun = performance.now()
        yield* calls[name]
        if (round >= 0) samples[call]![database]!.push(performance.now() - begun)
      }
    }
  }
  return samples.map((ofCall, call) => ({ name: CALLS[call]!, databases: ofCall.map(quantilesOf) }))
})

const NAME_WIDTH = 28
const line = (name: string, cells: ReadonlyArray<string>): string =>
  `${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(14)).join("")}`

const measured = Effect.fnUntraced(function* (dataDir: string, sizes: ReadonlyArray<number>) {
  const { socketPath } = yield* embeddedDatabase({ dataDir })
  const databases = yield* Effect.forEach(sizes, (records) => filled(socketPath, records))
  const times = yield* time(databases)
  const slowest = times.find(({ name }) => name === "a receipt")!.databases.at(-1)!.p99
  const text = [
    `The log over records, on the embedded server: ${cpus().length} x ${cpus()[0]?.model.trim()}, node ${process.version}.`,
    `${ROUNDS} rounds; milliseconds, the median and the 99th of a hundred.`,
    "",
    line(
      "records",
      databases.map(({ records }) => records.toLocaleString("en-US"))
    ),
    line(
      "entered, a second",
      databases.map(({ perSecond }) => Math.round(perSecond).toLocaleString("en-US"))
    ),
    line(
      "bytes of the log a record",
      databases.map(({ bytes }) => bytes.toFixed(0))
    ),
    ...times.map((call) =>
      line(
        call.name,
        call.databases.map(({ median, p99 }) => `${median.toFixed(1)}, ${p99.toFixed(1)}`)
      )
    ),
    "",
    `a receipt among the most, at most ${MAX_RECEIPT_MILLISECONDS} ms: ${slowest <= MAX_RECEIPT_MILLISECONDS ? "met" : "MISSED"}`
  ].join("\n")
  return { text, data: { databases: databases.map(({ calls: _, ...rest }) => rest), times } }
})

export const benchLog = (isQuick: boolean): Promise<Findings> => {
  const work = measured(temporaryFolder("repayment-bench"), sizesOf(isQuick))
  return Effect.runPromise(work.pipe(Effect.scoped, Effect.provide(config)))
}
