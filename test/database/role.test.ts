/**
 * The service under a role that owns nothing, with the roles and rights of deploy/sql: everything
 * works, and the role cannot change recorded answers.
 */

import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { listSubscriptions } from "../../src/services/accounts/lists.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { claim, keysMailedTo } from "../support/claims.ts"
import { start } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import { checkLog, gauges, recordMany, sequenceAll } from "../support/logs.ts"
import { apply, buyer, call, servicesOn } from "../support/services.ts"
import { TEST_PEPPER } from "../support/settings.ts"
import * as stripe from "../support/stripe.ts"

/** The statements of a file of deploy/sql for roles of another name, without that for backups. */
const statementsOf = (file: string, name: string): ReadonlyArray<string> =>
  readFileSync(`deploy/sql/${file}`, "utf8")
    .replaceAll(/^(--|\\).*\n/gm, "")
    .split(";\n")
    .filter((statement) => statement.trim() !== "" && !statement.includes("repayment_backup"))
    .map((statement) =>
      statement.replaceAll(/\brepayment(_owner)?\b/g, `${name}$1`).replaceAll(/:'(\w+)'/g, "'of the $1'")
    )

const urlOf = (user: string, password: string, database: string) => {
  const url = new URL(inject("postgres"))
  Object.assign(url, { username: user, password, pathname: `/${database}` })
  return Redacted.make(url.href)
}

const execute = (url: Redacted.Redacted<string>, statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

/** A database with its two roles, dropped when the scope closes. */
const twoRoles = Effect.gen(function* () {
  const name = `t_${randomUUID().replaceAll("-", "")}`
  const administrator = Redacted.make(inject("postgres"))
  const drop = [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${name}, ${name}_owner`]
  yield* Effect.acquireRelease(execute(administrator, statementsOf("roles.sql", name)), () =>
    Effect.orDie(execute(administrator, drop))
  )
  return {
    owner: urlOf(`${name}_owner`, "of the owner", name),
    service: urlOf(name, "of the service", name),
    grant: execute(urlOf(`${name}_owner`, "of the owner", name), statementsOf("rights.sql", name))
  }
})

describe("a role that owns nothing [F67]", () => {
  it("can serve calls, payments, mails, claims and operators' commands", function* () {
    const { grant, owner, service } = yield* twoRoles
    yield* start({ url: owner })
    yield* grant
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      const { email, purchase, secret } = yield* buyer()
      yield* call(secret)
      yield* apply(stripe.checkout(purchase))
      yield* apply(stripe.oldInvoice(purchase))
      yield* call((yield* keysMailedTo(email))[0]!)
      const [subscription] = yield* listSubscriptions(email, 1)

      // Held by a refund of the same customer, then refunded itself, then allowed again.
      assert.strictEqual(yield* apply(stripe.refund({ ...purchase, of: randomUUID() })), "Applied")
      assert.strictEqual(yield* apply(stripe.refund(purchase)), "Applied")
      yield* administration.allow(subscription!.id)
      const { keyPrefix } = yield* claim(secret)
      yield* administration.revoke(keyPrefix)

      const nameless = stripe.oldInvoice({ ...purchase, of: randomUUID(), email: "" })
      assert.strictEqual(yield* apply(nameless), "Unapplied")
      assert.strictEqual(yield* apply(stripe.refund({ of: randomUUID(), customer: "cus_unknown" })), "Unapplied")
      yield* administration.end(subscription!.id)
      assert.strictEqual((yield* administration.pay({ email, key: null }))._tag, "Paid")
      yield* apply(stripe.deleted(purchase, stripe.PAID_AT))
    }).pipe(Effect.provide(servicesOn(service)))
  })

  it("can append records to the log, and cannot change log entries", function* () {
    const { grant, owner, service } = yield* twoRoles
    yield* start({ url: owner })
    yield* grant
    yield* Effect.gen(function* () {
      for (const count of [2, 300]) {
        yield* recordMany(count)
        yield* sequenceAll
      }
      assert.strictEqual(yield* checkLog, 302)
      assert.strictEqual((yield* gauges).get("log_entries"), 302)
    }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(service)))))
    const failure = yield* Effect.flip(execute(service, ["UPDATE log_entry SET seq = 0"]))
    assert.deepInclude(failure.reason, { _tag: "AuthorizationError" })
  })

  it("cannot change a recorded answer, delete anything or disable a trigger", function* () {
    const { grant, owner, service } = yield* twoRoles
    yield* start({ url: owner })
    yield* grant
    for (const forbidden of [
      "UPDATE answer SET recorded_at = now()",
      "DELETE FROM answer",
      "UPDATE answer_kind SET endpoint = 'forged'",
      "DELETE FROM payment_event",
      "INSERT INTO schema_migration (migration_id, name) VALUES (999, 'later')",
      "UPDATE schema_migration SET migration_id = 999 WHERE migration_id = 1",
      "UPDATE installation SET pepper_fingerprint = sha256('other')",
      "ALTER TABLE answer DISABLE TRIGGER ALL",
      "SET session_replication_role = replica"
    ]) {
      const failure = yield* Effect.flip(execute(service, [forbidden]))
      assert.deepInclude(failure.reason, { _tag: "AuthorizationError" }, forbidden)
    }
  })

  it("is refused until the owner has migrated, and has rights on tables that are added later", function* () {
    const { grant, owner, service } = yield* twoRoles
    const early = yield* Effect.flip(start({ url: service }))
    assert.match(
      early.message,
      /^The database cannot be used: this role may not bring it up to date; run repay migrate/
    )
    yield* start({ url: owner })
    yield* grant
    const rotated = { SECRET_PEPPER: TEST_PEPPER.toUpperCase(), SECRET_PEPPER_PREVIOUS: TEST_PEPPER }
    const unrotated = yield* Effect.flip(start({ url: service }, rotated))
    assert.strictEqual(unrotated.message, early.message)
    yield* start({ url: owner }, rotated)
    yield* start({ url: service }, rotated)
    yield* execute(owner, ["DELETE FROM schema_migration", "CREATE TABLE later (id int)"])
    const behind = yield* Effect.flip(start({ url: service }))
    assert.strictEqual(behind.message, early.message)
    yield* execute(service, ["INSERT INTO later VALUES (1)", "UPDATE later SET id = 2", "SELECT FROM later"])
  })
})
