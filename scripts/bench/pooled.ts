/**
 * The pooler bench: the service connected directly to PostgreSQL, and through a PgBouncer in
 * transaction mode. Each has its own database in one cluster, and both are measured in every round.
 * Needs the system's pgbouncer.
 */
import { newSecret } from "../../src/services/accounts/apiKey.ts"
import { hasPooler, openPooler } from "../../test/support/pooler.ts"
import type { Listening } from "../../test/support/programs.ts"
import { NO_LIMITS, TEST_SIGNING_KEY } from "../../test/support/settings.ts"
import { atEnd, service } from "../harness.ts"
import { inDatabase } from "../postgres.ts"
import type { Findings } from "./findings.ts"
import { answerIdOf, answerOf, messageOf } from "./http-prepare.ts"
import { addKeys, MONTHLY_CALLS, PEPPER, withDatabase } from "./http-servers.ts"
import { confirmations, type Question, TASKS } from "./http-tasks.ts"
import { type LoadFindings, type LoadProcess, type Message, startLoad } from "./load.ts"
import { spreadOf } from "./rounds.ts"

const WAYS = ["direct", "pooled"] as const
type Way = (typeof WAYS)[number]

const ROWS = [
  { task: "projection", keys: 1, callers: 1 },
  { task: "projection", keys: 32, callers: 64 },
  { task: "verify", keys: 32, callers: 1 },
  { task: "verify", keys: 32, callers: 64 }
] as const
const KEYS = 32
const SESSIONS = 10
const ROUNDS = 8
const WARM_UP_ROUNDS = 2
const WARM_UP_CALLERS = 64
const MILLISECONDS = 1000

const startServers = async (keys: ReadonlyArray<string>) => {
  const settings = {
    ...NO_LIMITS,
    SECRET_PEPPER: PEPPER,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY,
    SANDBOX_MONTHLY_CALLS: MONTHLY_CALLS
  }
  const direct = await service(settings)
  const address = direct.databaseUrl()
  const pooler = await openPooler(address, SESSIONS)
  atEnd(pooler.close)
  await inDatabase(address, (pool) => pool.query("CREATE DATABASE pooled"))
  const second = withDatabase(address, "pooled")
  const way = { DATABASE_URL: pooler.urlOf(second), DATABASE_POOLING: "transaction" }
  const pooled = await service({ ...settings, ...way })
  for (const one of [address, second]) await addKeys(one, keys)
  return { direct, pooled }
}

const questionsOf = async (server: Listening, { keys, task }: (typeof ROWS)[number], all: ReadonlyArray<string>) => {
  const projections = TASKS.projection(all.slice(0, keys))
  if (task === "projection") return projections
  const ids: Array<string> = []
  for (const question of projections) ids.push(await answerIdOf(server, question))
  return confirmations(ids)
}

const messagesOf = async (server: Listening, questions: ReadonlyArray<Question>) => {
  const messages: Array<Message> = []
  for (const question of questions) messages.push(messageOf(question, await answerOf(server, question)))
  return messages
}

const measure = async (servers: Readonly<Record<Way, Listening>>, load: LoadProcess, keys: ReadonlyArray<string>) => {
  const rows = []
  for (const row of ROWS) {
    const messages: Partial<Record<Way, ReadonlyArray<Message>>> = {}
    for (const way of WAYS) messages[way] = await messagesOf(servers[way], await questionsOf(servers[way], row, keys))
    rows.push({ ...row, messages, found: { direct: [] as Array<LoadFindings>, pooled: [] as Array<LoadFindings> } })
  }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { callers, found, messages } of rows) {
      for (const way of round % 2 === 0 ? WAYS : [...WAYS].reverse()) {
        const port = Number(new URL(servers[way].base).port)
        const asked = { port, messages: messages[way]!, milliseconds: MILLISECONDS }
        const one = await load.run({ ...asked, callers: round < 0 ? WARM_UP_CALLERS : callers })
        if (round >= 0) found[way].push(one)
      }
    }
  }
  return rows
}

const HEAD =
  "| task | callers | direct, a second | pooled, a second | ratio | p50 ms, direct / pooled |\n| --- | ---: | ---: | ---: | ---: | ---: |"

export const benchPooled = async (): Promise<Findings> => {
  if (!hasPooler) return { text: "left out: there is no pgbouncer", data: null }
  const keys = Array.from({ length: KEYS }, () => newSecret("Sandbox"))
  const servers = await startServers(keys)
  const rows = (await measure(servers, startLoad(), keys)).map(({ callers, found, task }) => {
    const perSecond = (way: Way) => found[way].map(({ requests, seconds }) => requests / seconds)
    const ratios = perSecond("pooled").map((pooled, round) => pooled / perSecond("direct")[round]!)
    const median = (samples: ReadonlyArray<number>) => spreadOf(samples).median
    const p50 = (way: Way) => median(found[way].map((one) => one.p50)).toFixed(1)
    const cells = [...WAYS.map((way) => Math.round(median(perSecond(way)))), median(ratios).toFixed(2)]
    return { text: `| ${task} | ${callers} | ${cells.join(" | ")} | ${p50("direct")} / ${p50("pooled")} |`, found }
  })
  return { text: [HEAD, ...rows.map(({ text }) => text)].join("\n"), data: rows.map(({ found }) => found) }
}
