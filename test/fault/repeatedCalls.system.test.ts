/**
 * System test of calls with an Idempotency-Key that are sent one to five times, half of them at once,
 * while the service and its database are killed: one record and one charge each, the same bytes to
 * every send, and no trace of the key. `npm run x -- idempotency` makes 10,000 calls.
 */
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { accountOf, query, useDataFolder } from "../support/database.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { comparison, projection } from "../support/requests.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess, writtenLogs } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { unverified } from "./load.ts"
import { milliseconds, report, times } from "./scale.ts"

const CALLS = times(400)
const ACCOUNTS = 4
const CALLERS = 16
const KILLS = Math.min(40, times(6))
const MAX_SENDS = 5
const AGAIN_MILLIS = 50
/** Every so many calls is a comparison, which takes longer, and is asked for in brief. */
const COMPARED = 8
/** Calls that are tried once more at the end, each in another way. */
const SAMPLE = 40

const { database, dataDir, postmaster } = useDataFolder()
const start = async (variables: Readonly<Record<string, string>> = {}) =>
  startServiceProcess({
    DATA_DIR: dataDir,
    SANDBOX_MONTHLY_CALLS: "1000000",
    LOG_LEVEL: "debug",
    PUBLIC_URL: "http://service.example.test",
    ...variables
  })

interface Sent {
  readonly idempotencyKey: string
  readonly apiKey: string
  readonly path: string
  readonly request: object
  /** Hashes of the bytes that the sends were answered with. */
  readonly answers: Set<string>
  answerId: string
  /** Sends that were answered, those of them that were said to be repeats, and those in vain. */
  answered: number
  replayed: number
  lost: number
}

let node: ServiceProcess
let keys: ReadonlyArray<string>
let calls: ReadonlyArray<Sent>
beforeAll(async () => {
  node = await start()
  keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => node.mint()))
  calls = Array.from({ length: CALLS }, (_, index) => {
    const isCompared = index % COMPARED === 0
    const scenario = { ...projection.scenario, adjustedGrossIncome: 40_000 + index }
    return {
      idempotencyKey: `order-${randomUUID()}`,
      apiKey: keys[index % ACCOUNTS]!,
      path: isCompared ? "/v1/comparison?detail=brief" : "/v1/projection",
      request: isCompared ? comparison : { ...projection, scenario },
      answers: new Set<string>(),
      answerId: "",
      answered: 0,
      replayed: 0,
      lost: 0
    }
  })
})
afterAll(() => node.kill("SIGTERM"))

const post = async (
  { apiKey, idempotencyKey, path, request }: Pick<Sent, "apiKey" | "idempotencyKey" | "path" | "request">,
  at = node
) => at.call("POST", path, { json: request, key: apiKey, headers: { "idempotency-key": idempotencyKey } })

/** Sends a call until it is answered: after a lost connection and a 503, nothing else. */
const send = async (call: Sent): Promise<void> => {
  for (;;) {
    const outcome = await post(call)
      .then(async (response) => ({ response, bytes: await response.text() }))
      .catch((error: unknown) => {
        // fetch throws TypeError if the connection fails or ends early; anything else fails the test.
        if (!(error instanceof TypeError)) throw error
      })
    if (outcome?.response.status === 200) {
      const { bytes, response } = outcome
      call.answers.add(createHash("sha256").update(bytes).digest("hex"))
      call.answerId = JSON.parse(bytes).provenance.answerId
      call.answered++
      if (response.headers.get("idempotent-replayed") === "true") call.replayed++
      return
    }
    if (outcome !== undefined) expect([outcome.response.status, outcome.bytes]).toEqual([503, expect.anything()])
    call.lost++
    await pause(AGAIN_MILLIS)
  }
}

const sendAll = async (call: Sent, index: number): Promise<void> => {
  const sends = Array.from({ length: 1 + (index % MAX_SENDS) }, () => call)
  if (index % 2 === 0) await Promise.all(sends.map(send))
  else for (const one of sends) await send(one)
}

const totals = async () => {
  const accounts = await Promise.all(keys.map((key) => accountOf(database, key)))
  return accounts.map(({ rows, used }) => [rows, used])
}
const ONCE_EACH = Array.from({ length: ACCOUNTS }, () => [CALLS / ACCOUNTS, CALLS / ACCOUNTS])

const sampleOf = (all: ReadonlyArray<Sent>) => all.filter((_, index) => index % Math.ceil(CALLS / SAMPLE) === 0)

/** A text and its plain hashes, in every form in which they might be written down. */
const formsOf = (text: string): ReadonlyArray<string> => [
  text,
  ...["sha256", "sha1", "md5"].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(text).digest()
    return [digest.toString("hex"), digest.toString("base64").replace(/=+$/, ""), digest.toString("base64url")]
  }),
  Buffer.from(text).toString("hex"),
  Buffer.from(text).toString("base64").replace(/=+$/, "")
]

const PREFIX = 8
/** Finds which of many texts another text contains, in one pass over it. */
const searcher = (wanted: ReadonlyArray<string>) => {
  const byPrefix = Map.groupBy(wanted, (one) => one.slice(0, PREFIX))
  return (text: string): ReadonlyArray<string> => {
    const found = new Set<string>()
    for (let at = 0; at < text.length; at++)
      for (const one of byPrefix.get(text.slice(at, at + PREFIX)) ?? []) if (text.startsWith(one, at)) found.add(one)
    return [...found]
  }
}

/** Every row of every table as text, in which bytes are hexadecimal digits. */
const dumped = async (): Promise<string> => {
  const tables = await query<{ readonly name: string }>(
    database,
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'"
  )
  const rows = await Promise.all(
    tables.map(({ name }) => query<{ readonly row: string }>(database, `SELECT t::text AS row FROM ${name} AS t`))
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n")
}

/** Kills the service, its database, or both, whenever a further share of the calls is done. */
const killAt = async (done: () => number) => {
  for (let kill = 0; kill < KILLS; kill++) {
    await until(() => done() >= (CALLS * (kill + 1)) / (KILLS + 1), milliseconds(60))
    if (kill % 3 !== 0) process.kill(postmaster(), "SIGKILL")
    if (kill % 3 === 1) continue
    await node.kill("SIGKILL")
    node = await start()
  }
}

describe(`${CALLS} calls, each sent one to ${MAX_SENDS} times, with ${KILLS} kills in between [F73]`, () => {
  it(
    "are one record and one charge each, and every send gets the same bytes",
    async () => {
      let done = 0
      const kills = killAt(() => done)
      await fewAtOnce(CALLERS, [...calls.entries()], async ([index, call]) => {
        await sendAll(call, index)
        done++
      })
      await kills
      const sum = (of: (call: Sent) => number) => calls.reduce((all, call) => all + of(call), 0)
      report(
        `calls ${CALLS}, kills ${KILLS}: ${sum(({ answered }) => answered)} sends answered, ` +
          `${sum(({ replayed }) => replayed)} of them from the record, ${sum(({ lost }) => lost)} in vain`
      )
      expect(await totals()).toEqual(ONCE_EACH)
      expect(calls.filter(({ answers }) => answers.size !== 1)).toEqual([])
      expect(calls.filter(({ answered, replayed }) => answered - replayed > 1)).toEqual([])
      expect(sum(({ lost }) => lost)).toBeGreaterThan(0)
      expect(new Set(calls.map(({ answerId }) => answerId)).size).toBe(CALLS)
      const ids = calls.map(({ answerId }) => answerId)
      expect(await unverified(node, ids)).toEqual([])
    },
    milliseconds(120_000)
  )

  it("are answered alike once more, and other inputs are 422", async () => {
    for (const call of sampleOf(calls)) {
      await send(call)
      const others = [
        { ...call, request: { ...call.request, includeYearly: true } },
        call.path === "/v1/projection"
          ? { ...call, path: "/v1/comparison", request: comparison }
          : { ...call, path: "/v1/projection", request: projection }
      ]
      for (const other of others) {
        const problem = await expectProblem(await post(other), 422, "idempotency-key-reused")
        expect(problem).toMatchObject({ answerId: call.answerId })
      }
    }
    expect(calls.filter(({ answers }) => answers.size !== 1)).toEqual([])
    expect(await totals()).toEqual(ONCE_EACH)
  })

  it("are 409 where the recorded answer cannot be made again, and free for an answer of now", async () => {
    const moved = await start({ PUBLIC_URL: "http://elsewhere.example.test" })
    for (const call of sampleOf(calls)) {
      const problem = await expectProblem(await post(call, moved), 409, "rules-changed")
      expect(problem).toMatchObject({ answerId: call.answerId })
      expect(problem.detail).toContain(call.answerId)
    }
    expect(await totals()).toEqual(ONCE_EACH)
    const anew = await post({ ...calls[0]!, idempotencyKey: randomUUID() }, moved)
    expect([anew.status, anew.headers.get("idempotent-replayed")]).toEqual([200, null])
    await moved.kill("SIGTERM")
  })

  it(
    "leave their keys in no form in the database and the logs",
    async () => {
      const search = searcher(calls.flatMap(({ idempotencyKey }) => formsOf(idempotencyKey)))
      const dump = await dumped()
      const written = writtenLogs()
      const planted = new Set(formsOf(calls.at(-1)!.idempotencyKey))
      expect(new Set(search(`${dump}${[...planted].join()}`))).toEqual(planted)
      expect(dump).toContain(calls.at(-1)!.answerId)
      report(`searched ${dump.length} characters of the dump and ${written.length} of the logs`)
      expect(search(`${dump}\n${written}`)).toEqual([])
      expect(searchedLogs().leaked).toEqual([])
    },
    milliseconds(30_000)
  )
})
