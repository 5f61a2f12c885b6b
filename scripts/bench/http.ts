/**
 * How many requests a second the service answers, beside a server written by hand for the same promise and beside one
 * that does nothing. Before anything is timed, service and hand-written server must have answered every question alike.
 * Each task is asked of all servers in turn in every round, so that a busy minute of the machine falls on all of them.
 */
import { existsSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import type { Listening } from "../programs.ts"
import { type HttpFindings, render } from "./http-report.ts"
import { type Servers, startServers } from "./http-servers.ts"
import { confirmations, headersOf, type Question, TASKS, type Task, wireText } from "./http-tasks.ts"
import { type LoadProcess, type Message, startLoad } from "./load.ts"
import type { Findings } from "./main.ts"

const MANY_KEYS = 32

/** A task as it is timed. Every number of keys and callers would take too long: these are the ones that differ. */
export interface Row {
  readonly task: Task
  readonly keys: number
  readonly callers: number
}

const ROWS: ReadonlyArray<Row> = [
  { task: "projection", keys: 1, callers: 1 },
  { task: "projection", keys: 1, callers: 8 },
  { task: "projection", keys: 1, callers: 64 },
  { task: "projection", keys: MANY_KEYS, callers: 8 },
  { task: "projection", keys: MANY_KEYS, callers: 64 },
  { task: "tool", keys: MANY_KEYS, callers: 64 },
  { task: "comparison", keys: MANY_KEYS, callers: 1 },
  { task: "comparison", keys: MANY_KEYS, callers: 64 },
  { task: "eligibility", keys: MANY_KEYS, callers: 64 },
  { task: "verify", keys: 0, callers: 1 },
  { task: "verify", keys: 0, callers: 64 },
  { task: "calculator", keys: 0, callers: 1 },
  { task: "calculator", keys: 0, callers: 64 }
]

export const SERVERS = ["service", "byHand", "ceiling"] as const
export type ServerName = (typeof SERVERS)[number]

interface Plan {
  readonly rounds: number
  readonly milliseconds: Readonly<Record<ServerName, number>>
}

const FULL: Plan = { rounds: 8, milliseconds: { service: 1000, byHand: 1000, ceiling: 300 } }
const QUICK: Plan = { rounds: 4, milliseconds: { service: 500, byHand: 500, ceiling: 150 } }

const OWN = /"(answerId|verifyUrl|computedAtUtc|recordedAtUtc)":"[^"]*"/g

/** Of an answer of the tool server too, where the answer stands as text in the answer. */
const withoutIdsAndTimes = (text: string): string => text.replace(OWN, '"$1":""')

const SHOWN_CHARACTERS = 120

const expectSame = (path: string, answer: string, byHand: string): void => {
  if (answer === byHand) return
  let first = 0
  while (answer[first] === byHand[first]) first++
  const shown = [answer, byHand].map((text) =>
    text.slice(Math.max(0, first - SHOWN_CHARACTERS), first + SHOWN_CHARACTERS)
  )
  throw new Error(`${path} is answered differently by hand:\n${shown.join("\n")}`)
}

const answerOf = async (server: Listening, question: Question): Promise<string> => {
  const { body, method, path } = question
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${server.base}${path}`, { method, headers: headersOf(question), ...sent })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
  return text
}

type Prepared = Partial<Record<ServerName, ReadonlyArray<Message>>>

const messageOf = (question: Question, answer: string): Message => ({
  text: wireText(question),
  answerBytes: Buffer.byteLength(answer)
})

/** Asks service and hand-written server alike, each its own questions, and refuses answers that differ. */
const prepare = async (
  { byHand, ceiling, service }: Servers,
  questions: ReadonlyArray<Question>,
  questionsByHand = questions
): Promise<Required<Prepared>> => {
  const messages: Record<ServerName, Array<Message>> = { service: [], byHand: [], ceiling: [] }
  for (const [index, question] of questions.entries()) {
    const same = questionsByHand[index]!
    const [answer, answerByHand] = [await answerOf(service, question), await answerOf(byHand, same)]
    expectSame(question.path, withoutIdsAndTimes(answer), withoutIdsAndTimes(answerByHand))
    messages.service.push(messageOf(question, answer))
    messages.byHand.push(messageOf(same, answerByHand))
    await fetch(`${ceiling.base}${question.path}`, { method: "PUT", body: answer })
  }
  for (const question of questions) messages.ceiling.push(messageOf(question, await answerOf(ceiling, question)))
  return messages
}

const answerIdOf = async (server: Listening, question: Question): Promise<string> =>
  JSON.parse(await answerOf(server, question)).provenance.answerId

const prepareRow = async (servers: Servers, { keys, task }: Row): Promise<Prepared> => {
  const { byHand, service } = servers
  if (task === "verify") {
    const recorded = TASKS.projection(servers.keys)
    const ids: Record<"service" | "byHand", Array<string>> = { service: [], byHand: [] }
    for (const question of recorded) {
      ids.service.push(await answerIdOf(service, question))
      ids.byHand.push(await answerIdOf(byHand, question))
    }
    return prepare(servers, confirmations(ids.service), confirmations(ids.byHand))
  }
  const questions = TASKS[task](servers.keys.slice(0, keys))
  if (task !== "tool") return prepare(servers, questions)
  const messages: Array<Message> = []
  for (const question of questions) messages.push(messageOf(question, await answerOf(service, question)))
  return { service: messages }
}

/** Of one server in one round. */
export interface Sample {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time a request; null where the system does not tell. */
  readonly cpu: number | null
}

const MILLISECONDS_PER_TICK = 10

/** Milliseconds of processor time that a process has used, without those of its database. */
const cpuOf = ({ pid }: Listening): number | null => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  // Behind the name, which may hold spaces: the 12th and the 13th field are the ticks in user and in system mode.
  const fields = readFileSync(file, "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK
}

const sample = async (
  load: LoadProcess,
  server: Listening,
  messages: ReadonlyArray<Message>,
  callers: number,
  milliseconds: number
): Promise<Sample> => {
  const before = cpuOf(server)
  const { p50, p99, requests, seconds } = await load.run({
    port: Number(new URL(server.base).port),
    callers,
    milliseconds,
    messages
  })
  const after = cpuOf(server)
  return {
    perSecond: requests / seconds,
    p50,
    p99,
    cpu: before === null || after === null ? null : (after - before) / requests
  }
}

export type Samples = Readonly<Record<ServerName, ReadonlyArray<Sample>>>

const measure = async (servers: Servers, load: LoadProcess, { milliseconds, rounds }: Plan) => {
  const prepared: Array<Prepared> = []
  for (const row of ROWS) prepared.push(await prepareRow(servers, row))
  const samples = ROWS.map((): Record<ServerName, Array<Sample>> => ({ service: [], byHand: [], ceiling: [] }))
  // The first round warms up and does not count. Who is asked first changes from round to round.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? SERVERS : [...SERVERS].reverse()
    for (const [index, { callers }] of ROWS.entries()) {
      for (const name of order) {
        const messages = prepared[index]![name]
        if (messages === undefined) continue
        const found = await sample(load, servers[name], messages, callers, milliseconds[name])
        if (round > 0) samples[index]![name].push(found)
      }
    }
  }
  return samples
}

export const benchHttp = async (isQuick: boolean): Promise<Findings> => {
  const plan = isQuick ? QUICK : FULL
  const [beforeLoad] = loadavg()
  const servers = await startServers(MANY_KEYS)
  const load = startLoad()
  try {
    const samples = await measure(servers, load, plan)
    const processors = cpus()
    const findings: HttpFindings = {
      machine: `${processors.length} x ${processors[0]?.model.trim()}, node ${process.version}, ${process.platform}`,
      loadBefore: beforeLoad!,
      rounds: plan.rounds,
      milliseconds: plan.milliseconds.service,
      rows: ROWS.map((row, index) => ({ ...row, samples: samples[index]! }))
    }
    return { text: render(findings), data: findings }
  } finally {
    load.stop()
    await servers.stop()
  }
}
