/**
 * The HTTP bench: requests a second of the service and of a checkout beside it. Both must first
 * answer every question alike, except for ids, times, salts, hashes, versions and texts. Each round
 * runs every task against both in turn, so that a busy minute affects all of them.
 */
import { existsSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import type { Listening } from "../../test/support/programs.ts"
import { comparable } from "../comparable.ts"
import { type Servers, startServers } from "./http-servers.ts"
import { confirmations, headersOf, type Question, type Row, TASKS, wireText } from "./http-tasks.ts"
import { type Message, startLoad } from "./load.ts"
import { alternated, median, medianRatio } from "./rounds.ts"

const MANY_KEYS = 32

/** All combinations of keys and callers would take too long; these are the ones that differ. */
const ROWS: ReadonlyArray<Row> = [
  { task: "projection", keys: 1, callers: 1 },
  { task: "projection", keys: 1, callers: 64 },
  { task: "projection", keys: MANY_KEYS, callers: 64 },
  { task: "brief", keys: MANY_KEYS, callers: 64 },
  { task: "tool", keys: MANY_KEYS, callers: 64 },
  { task: "statelessTool", keys: MANY_KEYS, callers: 64 },
  { task: "comparison", keys: MANY_KEYS, callers: 64 },
  { task: "eligibility", keys: MANY_KEYS, callers: 64 },
  { task: "verify", keys: 0, callers: 1 },
  { task: "verify", keys: 0, callers: 64 },
  { task: "calculator", keys: 0, callers: 1 },
  { task: "calculator", keys: 0, callers: 64 }
]

const NAMES: Readonly<Record<Row["task"], string>> = {
  projection: "projection, 3 loans",
  comparison: "comparison, 3 x 10 loans",
  eligibility: "plan eligibility, 10 loans",
  verify: "verify",
  calculator: "calculator, keyless",
  brief: "projection in brief",
  tool: "tool server, the same projection",
  statelessTool: "tool server, revision 2026-07-28"
}
const NOT_BY_HAND: ReadonlyArray<Row["task"]> = ["brief", "tool", "statelessTool"]

const FULL = { rounds: 8, milliseconds: 1000 }
const QUICK = { rounds: 3, milliseconds: 500 }

/** Warm-up rounds are discarded. A single caller would not warm up a server. */
const WARM_UP_ROUNDS = 2
const WARM_UP_CALLERS = 64

const NAMES_OF_SERVERS = ["service", "beside"] as const
type Name = (typeof NAMES_OF_SERVERS)[number]

/** Members whose wording a release may change. */
const TEXTS: ReadonlyArray<string> = ["notes", "reason", "assumptions", "textsHash"]

const comparableText = (answer: string): string =>
  JSON.stringify(comparable(JSON.parse(answer)), (name, value) => (TEXTS.includes(name) ? undefined : value))

const SHOWN_CHARACTERS = 120

const expectSame = (path: string, [answer = "", other = ""]: ReadonlyArray<string>): void => {
  if (answer === other) return
  const first = [...answer].findIndex((character, at) => character !== other[at])
  const shown = [answer, other].map((text) =>
    text.slice(Math.max(0, first - SHOWN_CHARACTERS), first + SHOWN_CHARACTERS)
  )
  throw new Error(`${path} is answered differently:\n${shown.join("\n")}`)
}

const answerOf = async ({ base }: Listening, question: Question): Promise<string> => {
  const { body, method, path } = question
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${base}${path}`, { method, headers: headersOf(question), ...sent })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
  return text
}

const questionsOf = async (server: Listening, { keys, task }: Row, all: ReadonlyArray<string>) => {
  if (task !== "verify") return TASKS[task](all.slice(0, keys))
  const ids: Array<string> = []
  for (const question of TASKS.projection(all))
    ids.push(JSON.parse(await answerOf(server, question)).provenance.answerId)
  return confirmations(ids)
}

/** The messages of a row for each server; none for a task that the hand-written one lacks. */
const messagesOf = async (servers: Servers, row: Row) => {
  const messages: Record<Name, Array<Message>> = { service: [], beside: [] }
  const names = NAMES_OF_SERVERS.slice(0, servers.isByHand && NOT_BY_HAND.includes(row.task) ? 1 : 2)
  const asked = await Promise.all(names.map((name) => questionsOf(servers[name], row, servers.keys)))
  for (const index of asked[0]!.keys()) {
    const answers: Array<string> = []
    for (const [which, name] of names.entries()) {
      const question = asked[which]![index]!
      const answer = await answerOf(servers[name], question)
      messages[name].push({ text: wireText(question), answerBytes: Buffer.byteLength(answer) })
      answers.push(answer)
    }
    // A tool's answer contains the ids of its record inside a text.
    const { path } = asked[0]![index]!
    if (answers.length === 2 && path !== "/mcp") expectSame(path, answers.map(comparableText))
  }
  return messages
}

const MILLISECONDS_PER_TICK = 10

/** CPU milliseconds that a process has used; NaN if the system has no figure. */
const cpuOf = (pid: number): number => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  // The name may contain spaces. After it, the 12th and 13th fields are user and system ticks.
  const fields = readFileSync(file, "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK
}

/** Measurements of one server, a value for each round. CPU is in milliseconds per request. */
const noSamples = () => ({
  perSecond: [] as Array<number>,
  p50: [] as Array<number>,
  p99: [] as Array<number>,
  cpu: [] as Array<number>
})
type Samples = ReturnType<typeof noSamples>

const HEADER =
  "| task | keys | callers | service, a second | beside | ratio | p50 ms | p99 ms | CPU ms a request | its ratio |"

const lineOf = ({ callers, keys, task }: Row, { beside, service }: Readonly<Record<Name, Samples>>): string => {
  const cell = (value: number, digits: number) => (Number.isNaN(value) ? "-" : value.toFixed(digits))
  const pair = (figure: keyof Samples, digits: number) =>
    [service, beside].map((samples) => cell(median(samples[figure]), digits)).join(" / ")
  const ratio = (figure: keyof Samples) => cell(medianRatio(service[figure], beside[figure]), 2)
  const cells = [
    ...[NAMES[task], keys === 0 ? "-" : keys, callers],
    ...[cell(median(service.perSecond), 0), cell(median(beside.perSecond), 0), ratio("perSecond")],
    ...[pair("p50", 2), pair("p99", 1), pair("cpu", 3), ratio("cpu")]
  ]
  return `| ${cells.join(" | ")} |`
}

/** @param beside a folder with another version of this project, with its modules installed */
export const benchHttp = async (isQuick: boolean, beside: string): Promise<string> => {
  const { milliseconds, rounds } = isQuick ? QUICK : FULL
  const [loadBefore] = loadavg()
  const servers = await startServers(MANY_KEYS, beside)
  const load = startLoad()
  const rows = []
  for (const row of ROWS) {
    const samples = { service: noSamples(), beside: noSamples() }
    rows.push({ row, messages: await messagesOf(servers, row), samples })
  }
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const { messages, row, samples } of rows) {
      for (const name of alternated(NAMES_OF_SERVERS, round)) {
        if (messages[name].length === 0) continue
        const { base, pid } = servers[name]
        const callers = round < 0 ? WARM_UP_CALLERS : row.callers
        const before = cpuOf(pid)
        const asked = { messages: messages[name], milliseconds, callers, port: Number(new URL(base).port) }
        const { p50, p99, requests, seconds } = await load(asked)
        if (round < 0) continue
        const found = { perSecond: requests / seconds, p50, p99, cpu: (cpuOf(pid) - before) / requests }
        for (const figure of ["perSecond", "p50", "p99", "cpu"] as const) samples[name][figure].push(found[figure])
      }
    }
  }
  return [
    `${cpus().length} x ${cpus()[0]?.model.trim()}, node ${process.version}; load average before ${loadBefore!.toFixed(1)}.`,
    `Medians of ${rounds} rounds of ${milliseconds} ms, the service / the one beside it.`,
    "",
    HEADER,
    HEADER.replaceAll(/[^|]+/g, "--:"),
    ...rows.map(({ row, samples }) => lineOf(row, samples))
  ].join("\n")
}
