/**
 * The HTTP bench: requests a second of the service, of a hand-written server with the same
 * guarantees, and of one that does nothing. Service and hand-written server must first answer every
 * question alike. Each round runs every task against all servers in turn, so that a busy minute
 * affects all of them.
 */
import { existsSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { resolve } from "node:path"
import type { Findings } from "./findings.ts"
import { type Prepared, prepareRow } from "./http-prepare.ts"
import { type HttpFindings, render, type Sample } from "./http-report.ts"
import { SERVERS, type ServerName, type Servers, startServers } from "./http-servers.ts"
import type { Row } from "./http-tasks.ts"
import { type Load, type LoadProcess, startLoad } from "./load.ts"

const MANY_KEYS = 32

/** All combinations of keys and callers would take too long; these are the ones that differ. */
const ROWS: ReadonlyArray<Row> = [
  { task: "projection", keys: 1, callers: 1, goals: { p50: 1.5 } },
  { task: "projection", keys: 1, callers: 8 },
  { task: "projection", keys: 1, callers: 64, goals: { speed: 1.8, p99: 1.1 } },
  { task: "projection", keys: MANY_KEYS, callers: 8 },
  { task: "projection", keys: MANY_KEYS, callers: 64, goals: { speed: 1.6, p99: 1.1, cpuOverBefore: 0.62 } },
  { task: "brief", keys: MANY_KEYS, callers: 64 },
  { task: "tool", keys: MANY_KEYS, callers: 64, goals: { cpuAboveBrief: 0.45 } },
  { task: "statelessTool", keys: MANY_KEYS, callers: 64, goals: { cpuAboveBrief: 0.45 } },
  { task: "comparison", keys: MANY_KEYS, callers: 1 },
  { task: "comparison", keys: MANY_KEYS, callers: 64, goals: { speed: 1.2, p99: 1.1 } },
  { task: "eligibility", keys: MANY_KEYS, callers: 64, goals: { speed: 1.2, p99: 1.1 } },
  { task: "verify", keys: 0, callers: 1, goals: { p50: 1.8 } },
  { task: "verify", keys: 0, callers: 64, goals: { p99: 1.1 } },
  { task: "calculator", keys: 0, callers: 1, goals: { p50: 1.1 } },
  { task: "calculator", keys: 0, callers: 64, goals: { speed: 1, p99: 1.1 } }
]

interface Plan {
  readonly rounds: number
  readonly milliseconds: Readonly<Record<ServerName, number>>
}

const FULL: Plan = { rounds: 8, milliseconds: { service: 1000, before: 1000, byHand: 1000, ceiling: 300 } }
const QUICK: Plan = { rounds: 3, milliseconds: { service: 500, before: 500, byHand: 500, ceiling: 150 } }

/**
 * Results of warm-up rounds are discarded. They use many callers, because a single one would not
 * warm up a server.
 */
const WARM_UP_ROUNDS = 2
const WARM_UP_CALLERS = 64

const MILLISECONDS_PER_TICK = 10

/** CPU milliseconds that processes have used; null if the system has no figure. */
const cpuOf = (pids: ReadonlyArray<number>): number | null => {
  const files = pids.map((pid) => `/proc/${pid}/stat`).filter((file) => existsSync(file))
  if (files.length < pids.length) return null
  const ticks = files.map((file) => {
    // The name may contain spaces. After it, the 12th and 13th fields are user and system ticks.
    const fields = readFileSync(file, "utf8").split(") ").at(-1)!.split(" ")
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) * MILLISECONDS_PER_TICK
}

const shareOf = (before: number | null, after: number | null, requests: number): number | null =>
  before === null || after === null ? null : (after - before) / requests

const sample = async (
  servers: Servers,
  load: LoadProcess,
  name: ServerName,
  asked: Pick<Load, "callers" | "messages" | "milliseconds">
): Promise<Sample> => {
  const { base, pid } = servers[name]
  const backends = await servers.backendsOf(name)
  const [before, backendsBefore] = [cpuOf([pid]), cpuOf(backends)]
  const allocatedBefore = servers.allocations[name].bytes()
  const { p50, p99, requests, seconds } = await load.run({ ...asked, port: Number(new URL(base).port) })
  return {
    perSecond: requests / seconds,
    p50,
    p99,
    cpu: shareOf(before, cpuOf([pid]), requests),
    databaseCpu: shareOf(backendsBefore, cpuOf(backends), requests),
    allocated: (servers.allocations[name].bytes() - allocatedBefore) / requests
  }
}

const measure = async (servers: Servers, load: LoadProcess, { milliseconds, rounds }: Plan) => {
  const prepared: Array<Prepared> = []
  for (const row of ROWS) prepared.push(await prepareRow(servers, row))
  const samples = ROWS.map(
    (): Record<ServerName, Array<Sample>> => ({ service: [], before: [], byHand: [], ceiling: [] })
  )
  // The order of the servers alternates between rounds.
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const order = round % 2 === 0 ? SERVERS : [...SERVERS].reverse()
    for (const [index, { callers }] of ROWS.entries()) {
      for (const name of order) {
        const messages = prepared[index]![name]
        if (messages.length === 0) continue
        const asked = { messages, milliseconds: milliseconds[name], callers: round < 0 ? WARM_UP_CALLERS : callers }
        const found = await sample(servers, load, name, asked)
        if (round >= 0) samples[index]![name].push(found)
      }
    }
  }
  return samples
}

/** @param beside a checkout of the release to compare with, whose hand-written server runs too */
export const benchHttp = async (isQuick: boolean, beside: string): Promise<Findings> => {
  const plan = isQuick ? QUICK : FULL
  const [beforeLoad] = loadavg()
  const servers = await startServers(MANY_KEYS, resolve(beside))
  const samples = await measure(servers, startLoad(), plan)
  const processors = cpus()
  const findings: HttpFindings = {
    machine: `${processors.length} x ${processors[0]?.model.trim()}, node ${process.version}, ${process.platform}`,
    loadBefore: beforeLoad!,
    rounds: plan.rounds,
    milliseconds: plan.milliseconds.service,
    rows: ROWS.map((row, index) => ({ ...row, samples: samples[index]! }))
  }
  return { text: render(findings), data: findings }
}
