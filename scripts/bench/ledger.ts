/**
 * The ledger bench: the time to append, confirm and list records among ten thousand, a million and
 * ten million, and the bytes per record. Each size has its own database on one embedded server; all
 * are timed in turn. `--quick` skips the ten million. Takes minutes and four gigabytes in the
 * temporary folder.
 */
import { cpus } from "node:os"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseAt } from "../../src/database/postgres.ts"
import { AppConfig } from "../../src/platform/config.ts"
import { monthOf } from "../../src/services/accounts/month.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { newAnswerId } from "../../src/services/answers/Answers.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { temporaryFolder } from "../harness.ts"
import type { Findings } from "./findings.ts"
import { ACCOUNTS, createDatabase, fill, rest, sizesOf } from "./ledger-fill.ts"
import { type LedgerFindings, render } from "./ledger-report.ts"
import { quantilesOf } from "./rounds.ts"

const ROUNDS = 60
const WARM_UP_ROUNDS = 5
/** No round starts after this time. */
const MAX_SECONDS = 180
/** Sequential calls of each kind in a round. */
const CALLS = 10
const PAGE = 25
const HUNDREDTH = 99 * PAGE

const config = AppConfig.layerFrom({
  SECRET_PEPPER: "a pepper for the bench that is long enough",
  PAYMENT_LINK: "https://buy.example.test/repayment",
  SANDBOX_MONTHLY_CALLS: "1000000"
})

interface Row {
  readonly id: string
  readonly tenant: string
  readonly prefix: string
}

const entry = () => ({
  answerId: newAnswerId(new Date()),
  source: "PublicApi" as const,
  endpoint: "POST /v1/projection",
  eventType: "calc.projection.run" as const,
  ruleVersion: "rl1-0123456789ab",
  inputsHash: `h1-${"0".repeat(64)}`,
  answerHash: `a2-${"0".repeat(64)}`
})

const anyOf = <A>(list: ReadonlyArray<A>): A => list[Math.floor(Math.random() * list.length)]!

/** The timed calls, by name. Pages are of the account that has half of all records. */
const callsOn = Effect.fnUntraced(function* (keys: ReadonlyArray<Row>, records: number, all: { from: Date; to: Date }) {
  const sql = yield* SqlClient.SqlClient
  const charging = yield* Charging
  const ledger = yield* AnswerLedger
  const usage = { ...monthOf(new Date()), limit: 1_000_000, used: 0 }
  const callers = keys.map(({ id, prefix, tenant }) => ({
    keyId: id,
    tenant,
    keyPrefix: prefix,
    tier: "Sandbox" as const,
    plan: "sandbox",
    usage
  }))
  const numbers = Array.from({ length: 2000 }, () => 1 + Math.floor(Math.random() * records))
  const recordedIds = yield* sql<{
    readonly id: string
  }>`SELECT answer_id AS id FROM answer WHERE seq IN ${sql.in(numbers)}`
  const quarter = (all.to.getTime() - all.from.getTime()) / 4
  const range = { from: new Date(all.from.getTime() + quarter), to: new Date(all.to.getTime() - quarter) }
  const { tenant } = callers[0]!
  // The last record of the ninety-ninth page.
  const endOf = ({ from, to }: typeof all) =>
    Effect.map(
      sql<{ readonly seq: bigint }>`
        SELECT seq FROM answer WHERE tenant = account_of(${tenant}) AND recorded_at >= ${from} AND recorded_at < ${to}
        ORDER BY recorded_at DESC, seq DESC OFFSET ${HUNDREDTH - 1}::int LIMIT 1`,
      ([last]) => last!.seq
    )
  const page = (request: object) => Effect.asVoid(ledger.page({ tenant, limit: PAGE, ...request }))
  const [cursor, cursorInRange] = [yield* endOf(all), yield* endOf(range)]
  return {
    append: () => Effect.asVoid(charging.record(anyOf(callers), entry())),
    verify: () => Effect.map(ledger.find(anyOf(recordedIds).id), Option.getOrThrow),
    "first page": () => page({}),
    "hundredth page": () => page({ cursor }),
    "first page in a range": () => page(range),
    "hundredth page in a range": () => page({ ...range, cursor: cursorInRange })
  }
})

const filled = Effect.fnUntraced(function* (socketPath: string, records: number) {
  const url = yield* createDatabase(socketPath, records)
  const services = Layer.mergeAll(Charging.layer, AnswerLedger.layer).pipe(Layer.provideMerge(databaseAt({ url })))
  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const range = yield* fill(records)
    yield* rest(url)
    const [size] = yield* sql<{ readonly bytes: number }>`
      SELECT pg_total_relation_size('answer')::float8 / ${records}::int AS bytes`
    const keys = yield* sql<Row>`SELECT id, tenant, prefix FROM api_key ORDER BY prefix`
    const calls = Object.entries(yield* callsOn(keys, records, range))
    return {
      records,
      bytes: size!.bytes,
      calls: calls.map(([name, call]) => ({ name, call, samples: [] as Array<number> }))
    }
  }).pipe(Effect.provide(yield* Layer.build(Layer.fresh(services))))
})

type Filled = Effect.Success<ReturnType<typeof filled>>

/** Times each call on all databases in turn, so that a busy moment affects all of them. */
const time = Effect.fnUntraced(function* (databases: ReadonlyArray<Filled>) {
  const started = performance.now()
  let rounds = -WARM_UP_ROUNDS
  while (rounds < ROUNDS && performance.now() - started < MAX_SECONDS * 1e3) {
    if (rounds++ === 0) for (const { calls } of databases) for (const { samples } of calls) samples.length = 0
    for (const index of databases[0]!.calls.keys()) {
      for (const { calls } of databases) {
        const { call, samples } = calls[index]!
        for (let repetition = 0; repetition < CALLS; repetition++) {
          const begun = performance.now()
          yield* call()
          samples.push(performance.now() - begun)
        }
      }
    }
  }
  return rounds
})

const measured = Effect.fnUntraced(function* (dataDir: string, sizes: ReadonlyArray<number>) {
  const { socketPath } = yield* embeddedDatabase({ dataDir })
  const databases = yield* Effect.forEach(sizes, (records) => filled(socketPath, records))
  const rounds = yield* time(databases)
  const found: LedgerFindings = {
    machine: `${cpus().length} x ${cpus()[0]?.model.trim()}, node ${process.version}`,
    accounts: ACCOUNTS,
    rounds,
    callsOfARound: CALLS,
    page: PAGE,
    databases: databases.map(({ bytes, calls, records }) => ({
      records,
      bytes,
      milliseconds: calls.map(({ name, samples }) => ({ name, ...quantilesOf(samples) }))
    }))
  }
  return found
})

export const benchLedger = async (isQuick: boolean): Promise<Findings> => {
  const work = measured(temporaryFolder("repayment-bench"), sizesOf(isQuick))
  const data = await Effect.runPromise(work.pipe(Effect.scoped, Effect.provide(config)))
  return { text: render(data), data }
}
