/**
 * The check that the pepper, the secret with which API keys are hashed, belongs to this database.
 * With another pepper every API key would be refused without an explanation, so the start fails
 * instead. The database stores only a fingerprint, which reveals no more of the pepper than the
 * hash of any key. A database without a fingerprint accepts the first pepper.
 */
import { createHmac } from "node:crypto"
import { Context, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../platform/config.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"

const CONSTANT = "repayment-of-record: fingerprint of the pepper, 1"

const fingerprintOf = (pepper: Redacted.Redacted<string>): Uint8Array =>
  new Uint8Array(createHmac("sha256", Redacted.value(pepper)).update(CONSTANT).digest())

/**
 * Whether a database accepts this pepper although it has another. Only an operator may decide that.
 */
export const PepperIsReplaced = Context.Reference<boolean>("repayment-of-record/PepperIsReplaced", {
  defaultValue: () => false
})

const refusal = new DatabaseStartError({
  message:
    "SECRET_PEPPER is not the one of this database, so no API key would be accepted; set this database's pepper (without DATABASE_URL: restore the file pepper in DATA_DIR); to rotate, put the old pepper into SECRET_PEPPER_PREVIOUS; if it is lost, run repay migrate --replace-pepper"
})

/**
 * Finds the configured pepper that the database has: the present or the previous one. Otherwise
 * returns "none" if it has none yet, or "other". Only reads.
 */
export const pepperOfDatabase = Effect.gen(function* () {
  const { pepper, previousPepper } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const [kept] = yield* sql<{
    readonly fingerprint: Uint8Array
  }>`SELECT pepper_fingerprint AS fingerprint FROM installation`
  if (kept === undefined) return "none"
  const isOf = (one: Redacted.Redacted<string>) => Buffer.compare(kept.fingerprint, fingerprintOf(one)) === 0
  if (isOf(pepper)) return "present"
  return previousPepper !== null && isOf(previousPepper) ? "previous" : "other"
})

export const checkPepper = Effect.gen(function* () {
  const { pepper, previousPepper } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const current = fingerprintOf(pepper)
  // Reads first so that a start needs no write, because a read-only database may recover.
  const same = yield* sql`SELECT FROM installation WHERE pepper_fingerprint = ${current}`
  if (same.length > 0) return
  // If several nodes start at once, the first one's row decides, and the others are checked against
  // it.
  const anyIsReplaced = yield* PepperIsReplaced
  const replaceable = previousPepper === null ? current : fingerprintOf(previousPepper)
  const taken = yield* sql`
    INSERT INTO installation (pepper_fingerprint) VALUES (${current})
    ON CONFLICT (only_row) DO UPDATE SET pepper_fingerprint = excluded.pepper_fingerprint
    WHERE installation.pepper_fingerprint IN (${current}, ${replaceable}) OR ${anyIsReplaced}::boolean
    RETURNING only_row`
  if (taken.length === 0) return yield* refusal
})
