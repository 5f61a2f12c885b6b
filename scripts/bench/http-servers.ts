/**
 * The two servers of the HTTP bench, each a process of its own without rate limits: the service,
 * and that of a checkout. Commit 09f8d4e also has a hand-written server with the same guarantees,
 * which then runs instead; its database is a second one in the service's embedded cluster. All
 * databases contain the same keys.
 */
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { hashOf, newSecret, newTenant, prefixOf } from "../../src/services/accounts/index.ts"
import { type Listening, startProgram, untilListening } from "../../test/support/programs.ts"
import { NO_LIMITS } from "../../test/support/settings.ts"
import { run, service as startService, stoppedAtEnd } from "../harness.ts"
import { inDatabase } from "../postgres.ts"

const PEPPER = "a pepper for the bench that is long enough"
const MONTHLY_CALLS = String(1_000_000_000)
const SETTINGS = { SECRET_PEPPER: PEPPER, SANDBOX_MONTHLY_CALLS: MONTHLY_CALLS, ...NO_LIMITS }
const BY_HAND = "scripts/bench/by-hand/server.ts"

export interface Servers {
  readonly service: Listening
  readonly beside: Listening
  readonly isByHand: boolean
  readonly keys: ReadonlyArray<string>
}

const addKeys = (address: string, keys: ReadonlyArray<string>): Promise<void> =>
  inDatabase(address, async (pool) => {
    for (const key of keys) {
      await pool.query(
        `INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
         VALUES ($1, $2, $3, 'Sandbox', $4, $5, 'mint', now(), now() + interval '30 days')`,
        [randomUUID(), hashOf(PEPPER, key), prefixOf(key), newTenant(), `${randomUUID()}@example.org`]
      )
    }
  })

/** Starts the hand-written server on a database made by the migrations of its checkout. */
const startByHand = async (address: string, folder: string, PUBLIC_URL: string) => {
  await inDatabase(address, (pool) => pool.query("CREATE DATABASE by_hand"))
  const url = new URL(address)
  url.pathname = "/by_hand"
  const env = { DATABASE_URL: url.href, SECRET_PEPPER: PEPPER }
  await run([process.execPath, "src/cli/main.ts", "migrate"], { cwd: folder, env })
  const variables = { ...env, MONTHLY_CALLS, PUBLIC_URL, NODE_ENV: "production" }
  const server = await stoppedAtEnd(
    untilListening(startProgram([process.execPath, BY_HAND], { folder, variables, onOutput: () => undefined }))
  )
  return { ...server, databaseUrl: () => url.href }
}

/** Starts both; they run until the end of the task. `folder` is a checkout with its modules. */
export const startServers = async (keyCount: number, folder: string): Promise<Servers> => {
  const keys = Array.from({ length: keyCount }, () => newSecret("Sandbox"))
  const isByHand = existsSync(join(folder, BY_HAND))
  const service = await startService(SETTINGS, { onOutput: () => undefined })
  const beside = isByHand
    ? await startByHand(service.databaseUrl(), folder, service.base)
    : await startService(SETTINGS, { folder, onOutput: () => undefined })
  for (const { databaseUrl } of [service, beside]) await addKeys(databaseUrl(), keys)
  return { service, beside, isByHand, keys }
}
