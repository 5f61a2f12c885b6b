/**
 * The servers of the HTTP bench, each a process of its own: the service without rate limits, the
 * same of an earlier release, the hand-written server of that release, and a ceiling that does no
 * work. The hand-written server has a second database in the service's embedded cluster. All
 * databases contain the same keys.
 */
import { randomUUID } from "node:crypto"
import { hashOf, newSecret, prefixOf } from "../../src/services/accounts/apiKey.ts"
import { newTenant } from "../../src/services/accounts/Keys.ts"
import { type Listening, startProgram, untilListening, type Variables } from "../../test/support/programs.ts"
import { NO_LIMITS } from "../../test/support/settings.ts"
import { PROJECT, run, service as startService, stoppedAtEnd } from "../harness.ts"
import { inDatabase } from "../postgres.ts"
import { type Allocations, makeAllocations, TRACED } from "./allocations.ts"

export const PEPPER = "a pepper for the bench that is long enough"
export const MONTHLY_CALLS = String(1_000_000_000)
const DATABASES = { service: "postgres", byHand: "by_hand" } as const
/** A database without other connections. */
const IDLE_DATABASE = "template1"

export const SERVERS = ["service", "before", "byHand", "ceiling"] as const
export type ServerName = (typeof SERVERS)[number]

export interface Servers extends Readonly<Record<ServerName, Listening>> {
  readonly keys: ReadonlyArray<string>
  readonly allocations: Readonly<Record<ServerName, Allocations>>
  /** Process ids of the database's backends that serve a server. */
  readonly backendsOf: (server: ServerName) => Promise<ReadonlyArray<number>>
}

export const addKeys = (address: string, keys: ReadonlyArray<string>): Promise<void> =>
  inDatabase(address, async (pool) => {
    for (const key of keys) {
      await pool.query(
        `INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
         VALUES ($1, $2, $3, 'Sandbox', $4, $5, 'mint', now(), now() + interval '30 days')`,
        [randomUUID(), hashOf(PEPPER, key), prefixOf(key), newTenant(), `${randomUUID()}@example.org`]
      )
    }
  })

export const withDatabase = (address: string, database: string): string => {
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/** A database for the hand-written server, made by the migrations of its checkout. */
const secondDatabase = async (address: string, checkout: string): Promise<string> => {
  await inDatabase(address, (pool) => pool.query(`CREATE DATABASE ${DATABASES.byHand}`))
  const url = withDatabase(address, DATABASES.byHand)
  const env = { DATABASE_URL: url, SECRET_PEPPER: PEPPER }
  await run([process.execPath, "src/cli/main.ts", "migrate"], { cwd: checkout, env })
  return url
}

const backendsIn =
  (address: string): Servers["backendsOf"] =>
  async (server) => {
    if (server === "ceiling" || server === "before") return []
    const { rows } = await inDatabase(withDatabase(address, IDLE_DATABASE), (pool) =>
      pool.query<{ readonly pid: number }>("SELECT pid FROM pg_stat_activity WHERE datname = $1", [DATABASES[server]])
    )
    return rows.map(({ pid }) => pid)
  }

/** Starts a server that is one file of a checkout. */
const startFile = (folder: string, file: string, onOutput: Allocations["read"], variables: Variables = {}) => {
  const how = { folder, onOutput, variables: { ...variables, ...TRACED } }
  return stoppedAtEnd(untilListening(startProgram([process.execPath, `scripts/bench/${file}`], how)))
}

/**
 * Starts the servers; they run until the end of the task. `checkout` is the folder of the release
 * before the hot routes were rewritten, with its modules installed.
 */
export const startServers = async (keyCount: number, checkout: string): Promise<Servers> => {
  const keys = Array.from({ length: keyCount }, () => newSecret("Sandbox"))
  const settings = { SECRET_PEPPER: PEPPER, SANDBOX_MONTHLY_CALLS: MONTHLY_CALLS, ...NO_LIMITS }
  const allocations = {
    service: makeAllocations(),
    before: makeAllocations(),
    byHand: makeAllocations(),
    ceiling: makeAllocations()
  }
  const variables = { ...settings, ...TRACED }
  const service = await startService(variables, { onOutput: allocations.service.read })
  const before = await startService(variables, { folder: checkout, onOutput: allocations.before.read })
  const second = await secondDatabase(service.databaseUrl(), checkout)
  for (const address of [service.databaseUrl(), before.databaseUrl(), second]) await addKeys(address, keys)
  const byHand = await startFile(checkout, "by-hand/server.ts", allocations.byHand.read, {
    DATABASE_URL: second,
    SECRET_PEPPER: PEPPER,
    MONTHLY_CALLS,
    PUBLIC_URL: service.base,
    NODE_ENV: "production"
  })
  const ceiling = await startFile(PROJECT, "ceiling.ts", allocations.ceiling.read)
  return { service, before, byHand, ceiling, keys, allocations, backendsOf: backendsIn(service.databaseUrl()) }
}
