/**
 * A standby that is read from in place of the database: nothing is lost by it, held up by it, or confirmed that the
 * database has not, however far behind it is, whether it is away, and whatever becomes of it.
 */
import { randomUUID } from "node:crypto"
import { ConfigProvider, Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { examination } from "../../src/cli/doctor/examination.ts"
import { databaseAt } from "../../src/database/postgres.ts"
import { Standby, standbyLayer } from "../../src/database/standby.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { servicesLayer } from "../../src/services/index.ts"
import type { Caller } from "../../src/services/keys/Keys.ts"
import { query } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { scrape } from "../support/scrape.ts"
import { spawnService, startServiceProcess } from "../support/serviceProcess.ts"
import { entry, newCaller, onTestClock } from "../support/services.ts"
import { TEST_PEPPER, TEST_SERVER, testConfig } from "../support/settings.ts"
import { followedDatabase } from "../support/standby.ts"
import { pause, until } from "../support/until.ts"

const scope = Scope.makeUnsafe()
let servers: Effect.Success<typeof followedDatabase>
beforeAll(async () => {
  servers = await Effect.runPromise(Scope.provide(followedDatabase, scope))
  await onDatabase("CREATE ROLE reader LOGIN")
  await onDatabase("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader")
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const onDatabase = <Row extends object>(statement: string) => query<Row>(servers.primary, statement)
const onStandby = <Row extends object>(statement: string) => query<Row>(servers.standby, statement)
const caughtUp = async () => {
  const [database] = await onDatabase<{ position: string }>("SELECT pg_current_wal_flush_lsn()::text AS position")
  const reached = async () => {
    const [found] = await onStandby<{ yes: boolean }>(
      `SELECT pg_last_wal_replay_lsn() >= '${database!.position}'::pg_lsn AS yes`
    )
    return found!.yes
  }
  await until(reached)
}

/** As a role that may only read. */
const asReader = (address: string) => address.replace("postgres@", "reader@")

const addressOf = (query: string, ...hosts: ReadonlyArray<{ readonly host: string }>) =>
  `postgres://postgres@${hosts.map(({ host }) => host).join(",")}/postgres${query}`

interface Answer {
  readonly provenance: { readonly answerId: string }
}

/** A service that has a standby, and what the tests do with it. */
const serve = async (variables: Readonly<Record<string, string>> = {}) => {
  const metricsPort = await freePort()
  const service = await startServiceProcess({
    DATABASE_URL: addressOf("", servers.primary),
    DATABASE_READ_URL: asReader(addressOf("", servers.standby)),
    METRICS_PORT: String(metricsPort),
    SANDBOX_MONTHLY_CALLS: "100000",
    ...variables
  })
  const key = await service.mint()
  const sampleOf = async (name: string) =>
    [...(await scrape(metricsPort)).samples].find(([sample]) => sample.startsWith(name))?.[1]
  const answer = async () => {
    const response = await service.call("POST", "/v1/projection", { json: projection, key })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }
  const linesOf = (text: string) =>
    service
      .log()
      .split("\n")
      .filter((line) => line.includes(text)).length
  return {
    ...service,
    key,
    answer,
    sampleOf,
    /** What the alert of a standby that is not read from goes by. */
    isMissed: async () =>
      (await sampleOf("database_standby_used")) === 0 &&
      (await sampleOf('database_pool_connections_max{database="standby"}'))! > 0,
    verify: (id: string) => service.call("GET", `/v1/verify/${id}`),
    receipt: (id: string) => service.call("GET", `/v1/verify/${id}/receipt`),
    isUsed: async () => (await sampleOf("database_standby_used")) === 1,
    away: () => linesOf("The standby is not read from"),
    back: () => linesOf("The standby is read from again")
  }
}
type Served = Awaited<ReturnType<typeof serve>>

/** Asks for one record again and again meanwhile; how often each status came, and the slowest answer in milliseconds. */
const askedMeanwhile = async ({ verify }: Served, id: string, work: () => Promise<unknown>) => {
  const statuses = new Set<number>()
  let [slowest, isOver] = [0, false]
  const ask = async () => {
    while (!isOver) {
      const begun = performance.now()
      statuses.add((await verify(id)).status)
      slowest = Math.max(slowest, performance.now() - begun)
    }
  }
  const callers = Array.from({ length: 4 }, ask)
  await work()
  isOver = true
  await Promise.all(callers)
  return { statuses: [...statuses], slowest }
}

describe.each(["session", "transaction"])("a standby that is read from, pooling by %s [F69]", (pooling) => {
  let service: Served
  let answer: Answer
  const id = () => answer.provenance.answerId
  beforeAll(async () => {
    service = await serve({ DATABASE_POOLING: pooling })
    answer = await service.answer()
    await until(async () => (await service.receipt(id())).status === 200)
    await caughtUp()
    await until(service.isUsed)
  })
  afterAll(() => service.kill("SIGTERM"))

  it("answers what it has while the database is away, and what it has not is 503, never 404", async () => {
    const tile = await (await service.call("GET", "/log/tile/0/000.p/1")).bytes()
    const counted = () => service.sampleOf('database_standby_reads_total{answered_by="standby"}')
    const before = await counted()
    servers.primary.cut()
    try {
      expect((await service.verify(id())).status).toBe(200)
      const checked = await service.call("POST", `/v1/verify/${id()}`, { json: answer })
      expect(await checked.json()).toMatchObject({ matches: true })
      expect((await service.receipt(id())).status).toBe(200)
      expect(await (await service.call("GET", "/log/tile/0/000.p/1")).bytes()).toEqual(tile)
      expect((await counted())! - before!).toBe(4)
      expect((await service.verify(randomUUID())).status).toBe(503)
      expect((await service.receipt(randomUUID())).status).toBe(503)
      expect((await service.call("GET", "/log/checkpoint")).status).toBe(503)
      expect((await service.call("GET", "/v1/records", { key: service.key })).status).toBe(503)
    } finally {
      servers.primary.mend()
    }
    await until(async () => (await service.call("GET", "/v1/me", { key: service.key })).status === 200)
  })

  it("that is behind keeps nothing from anybody: the database is asked", async () => {
    await onStandby("SELECT pg_wal_replay_pause()")
    try {
      const fresh = await service.answer()
      const freshId = fresh.provenance.answerId
      expect((await service.verify(freshId)).status).toBe(200)
      const checked = await service.call("POST", `/v1/verify/${freshId}`, { json: fresh })
      expect(await checked.json()).toMatchObject({ matches: true })
      await until(async () => (await service.receipt(freshId)).status === 200)
      expect((await service.verify(randomUUID())).status).toBe(404)
      expect((await service.receipt(randomUUID())).status).toBe(404)
      expect(await onStandby(`SELECT FROM answer WHERE answer_id = '${freshId}'`)).toHaveLength(0)
      expect(await service.isUsed()).toBe(true)
      await until(async () => (await service.sampleOf("database_standby_behind_seconds"))! > 2)
    } finally {
      await onStandby("SELECT pg_wal_replay_resume()")
    }
    await until(async () => (await service.sampleOf("database_standby_behind_seconds"))! < 2)
  })

  it("that is behind leaves nothing out of the lists of an account, page by page", async () => {
    const key = await service.mint()
    await onStandby("SELECT pg_wal_replay_pause()")
    try {
      const made: Array<string> = []
      for (let count = 0; count < 4; count++) {
        const response = await service.call("POST", "/v1/projection", { json: projection, key })
        made.unshift(((await response.json()) as Answer).provenance.answerId)
      }
      const listed: Array<string> = []
      let cursor: number | null | undefined
      while (cursor !== null) {
        const path = `/v1/records?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`
        const page = await (await service.call("GET", path, { key })).json()
        listed.push(...page.records.map(({ answerId }: { answerId: string }) => answerId))
        cursor = page.nextCursor
      }
      expect(listed).toEqual(made)
      const until = new Date(Date.now() + 60_000).toISOString()
      const page = await (await service.call("GET", `/v1/records?to=${until}`, { key })).json()
      expect(page.records).toHaveLength(4)
    } finally {
      await onStandby("SELECT pg_wal_replay_resume()")
    }
  })

  it("that is killed is missed by nobody, told once, and used again once it is back", async () => {
    const [away, back] = [service.away(), service.back()]
    const { slowest, statuses } = await askedMeanwhile(service, id(), async () => {
      await pause(200)
      await servers.standby.stop()
      await pause(2000)
      expect(await service.isMissed()).toBe(true)
    })
    expect(statuses).toEqual([200])
    expect(slowest).toBeLessThan(1500)
    servers.standby.start()
    await until(service.isUsed)
    expect([service.away() - away, service.back() - back]).toEqual([1, 1])
  })

  it("that is silent holds each caller up once, for a second", async () => {
    const [away, back] = [service.away(), service.back()]
    servers.standby.hold()
    const first = await askedMeanwhile(service, id(), () => pause(2000))
    const later = await askedMeanwhile(service, id(), () => pause(2000))
    servers.standby.release()
    expect([first.statuses, later.statuses]).toEqual([[200], [200]])
    expect(first.slowest).toBeLessThan(2000)
    expect(later.slowest).toBeLessThan(500)
    await until(service.isUsed)
    expect([service.away() - away, service.back() - back]).toEqual([1, 1])
  })
})

describe("pages of records [F69]", () => {
  const DAY = 86_400_000
  const layer = () => {
    const [url, readUrl] = [addressOf("", servers.primary), addressOf("", servers.standby)]
    return servicesLayer.pipe(
      Layer.provideMerge(standbyLayer),
      Layer.provideMerge(databaseAt({ url: Redacted.make(url) })),
      Layer.provideMerge(testConfig({ DATABASE_URL: url, DATABASE_READ_URL: readUrl }))
    )
  }
  const settledSince = Effect.fnUntraced(function* (moment: number) {
    const standby = yield* Standby
    yield* Effect.promise(() => until(() => standby!.completeUntil() > moment))
  })
  const recordedAt = Effect.fnUntraced(function* (caller: Caller, time: number) {
    yield* TestClock.setTime(time)
    const written = entry()
    yield* (yield* Charging).record(caller, written)
    return written.answerId
  }, onTestClock)

  it("that are old are the standby's, and the newest is the database's", () =>
    Effect.gen(function* () {
      const [now, ledger, caller] = [Date.now(), yield* AnswerLedger, yield* newCaller()]
      const made = yield* Effect.forEach([3, 2, 1], (days) => recordedAt(caller, now - days * DAY))
      yield* settledSince(Date.now())
      servers.primary.cut()
      const { tenant } = caller
      const first = yield* ledger.page({ tenant, to: new Date(now - DAY / 2), limit: 2 })
      const second = yield* ledger.page({ tenant, cursor: first.nextCursor!, limit: 2 })
      const listed = [...first.rows, ...second.rows].map(({ answerId }) => answerId)
      expect([listed, second.nextCursor]).toEqual([made.toReversed(), null])
      for (const to of [undefined, new Date(now + DAY)])
        expect((yield* Effect.flip(ledger.page({ tenant, to, limit: 2 })))._tag).toBe("LedgerUnavailable")
    }).pipe(
      Effect.ensuring(Effect.sync(() => servers.primary.mend())),
      Effect.provide(layer()),
      Effect.provide(Logger.layer([])),
      Effect.runPromise
    ))
})

describe("a database that is read from and is no standby of this one [F69]", () => {
  it("is refused at the start if it is of another installation", async () => {
    const { errors, exit } = spawnService({
      DATABASE_URL: addressOf("", servers.primary),
      DATABASE_READ_URL: inject("postgres")
    })
    expect((await exit).code).not.toBe(0)
    expect(errors()).toContain("DATABASE_READ_URL names a database of another installation")
  })

  it.each([
    ["cannot be reached", () => "postgres://postgres@127.0.0.1:1/postgres"],
    ["is the database itself", () => addressOf("", servers.primary)]
  ])("keeps no service from its start where it %s", async (_, address) => {
    const service = await serve({ DATABASE_READ_URL: address() })
    expect((await service.verify((await service.answer()).provenance.answerId)).status).toBe(200)
    await until(() => service.away() === 1)
    await service.kill("SIGTERM")
  })

  it("is told by repay doctor, and so is how far a standby is behind", async () => {
    const found = async (DATABASE_READ_URL: string) => {
      const environment = {
        ...TEST_SERVER,
        SECRET_PEPPER: TEST_PEPPER,
        DATABASE_URL: asReader(addressOf("", servers.primary))
      }
      const provider = ConfigProvider.fromEnvRecord({ ...environment, DATABASE_READ_URL })
      const checks = await Effect.runPromise(
        Effect.provideService(examination, ConfigProvider.ConfigProvider, provider).pipe(Effect.scoped)
      )
      return checks.find(({ check }) => check === "standby")
    }
    expect(await found(addressOf("", servers.standby))).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(/^127\.0\.0\.1:\d+: it follows, \d+ bytes behind/)
    })
    const both = addressOf("?target_session_attrs=prefer-standby", servers.primary, servers.standby)
    expect(await found(both)).toMatchObject({ state: "ok", detail: expect.stringContaining("it is no standby; ") })
    expect(await found(addressOf("", servers.primary))).toMatchObject({ state: "warning" })
    expect(await found("postgres://postgres@127.0.0.1:1/postgres")).toMatchObject({ state: "warning" })
    expect(await found(inject("postgres"))).toMatchObject({
      state: "wrong",
      detail: expect.stringContaining("it is of another installation")
    })
  })

  it("confirms nothing that the database has not, though it follows it", async () => {
    const service = await serve()
    const { answerId } = (await service.answer()).provenance
    await caughtUp()
    await onStandby("SELECT pg_wal_replay_pause()")
    await onDatabase(`DO $$ BEGIN
      PERFORM set_config('session_replication_role', 'replica', true);
      DELETE FROM answer WHERE answer_id = '${answerId}'; END $$`)
    await until(() => service.log().includes("it holds a record that the database has not"))
    expect((await service.verify(answerId)).status).toBe(404)
    await onStandby("SELECT pg_wal_replay_resume()")
    await service.kill("SIGTERM")
  })
})

describe("a standby that is promoted [F69]", () => {
  let apart: Served
  let service: Served
  let known: string
  beforeAll(async () => {
    apart = await serve()
    const hosts = [servers.primary, servers.standby] as const
    service = await serve({
      DATABASE_URL: addressOf("?target_session_attrs=read-write", ...hosts),
      DATABASE_READ_URL: addressOf("?target_session_attrs=prefer-standby", ...hosts.toReversed())
    })
    known = (await service.answer()).provenance.answerId
    await caughtUp()
    await until(apart.isUsed)
    await until(service.isUsed)
    await onStandby("SELECT pg_promote()")
  })
  afterAll(() => Promise.all([apart, service].map(({ kill }) => kill("SIGTERM"))))

  it("by mistake confirms no record that it took since, not even at once", async () => {
    const forged = randomUUID()
    await onStandby(`
      INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
      SELECT recorded_at, '${forged}', tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1`)
    const { statuses } = await askedMeanwhile(apart, forged, () => until(() => apart.away() === 1))
    expect(statuses).toEqual([404])
    expect(apart.log()).toContain("it is no standby")
    expect((await apart.verify(known)).status).toBe(200)
  })

  it("in place of the database is the database from then on", async () => {
    const { statuses } = await askedMeanwhile(service, known, async () => {
      servers.primary.cut()
      await until(async () => {
        const response = await service.call("POST", "/v1/projection", { json: projection, key: service.key })
        return response.status === 200
      })
    })
    expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([])
    expect((await service.verify(known)).status).toBe(200)
    expect((await service.verify(randomUUID())).status).toBe(404)
    await until(() => service.away() === 1)
  })
})
