/** Keys: which are accepted, how others are refused, and that an address has one sandbox key. */
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newSecret } from "../../../src/services/accounts/apiKey.ts"
import { Keys } from "../../../src/services/accounts/Keys.ts"
import { assert, layer } from "../../support/effects.ts"
import { call, countOf, mint, newEmail, payForAddress, tally, testServices, together } from "../../support/services.ts"
import { TEST_PEPPER, testConfig } from "../../support/settings.ts"

layer(testServices())("a sandbox key", (it) => {
  it("has its own tenant, starts with its prefix, and expires after 30 days", function* () {
    const [first, second] = [yield* mint(), yield* mint()]
    assert.match(first.secret, /^slr_sbx_[0-9A-Za-z]{38}$/)
    assert.strictEqual(first.keyPrefix, first.secret.slice(0, 14))
    assert.notStrictEqual(first.tenant, second.tenant)
    assert.approximately(first.expiresAt!.getTime(), Date.now() + 30 * 86_400_000, 5000)
    const caller = yield* (yield* Keys).authenticate(first.secret)
    assert.deepInclude(caller, { keyId: first.keyId, tenant: first.tenant, tier: "Sandbox", plan: "sandbox" })
    assert.deepInclude(caller.usage, { limit: 100, used: 0 })
  })

  it("is hidden when the result of its mint is printed", function* () {
    const minted = yield* (yield* Keys).mintSandbox(newEmail())
    assert.notInclude(JSON.stringify(minted), Redacted.value(minted.apiKey))
  })

  it("replaces the previous one of its address, however the address is written", function* () {
    const first = yield* mint("Ada.Replaced@Example.org ")
    const second = yield* mint(" ada.replaced@example.ORG")
    assert.strictEqual((yield* Effect.flip(call(first.secret)))._tag, "KeyRefused")
    assert.strictEqual((yield* call(second.secret)).used, 1)
  })

  it("leaves connections for other calls while many mints and payment events wait", function* () {
    const sql = yield* SqlClient.SqlClient
    const { secret } = yield* mint()
    const mailbox = newEmail()
    const isHeld = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const locks = sql`
      SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(ARRAY['sandbox', 'payments']) AS name`
    const holder = Effect.andThen(locks, Effect.andThen(Deferred.succeed(isHeld, undefined), Deferred.await(release)))
    yield* Effect.forkChild(sql.withTransaction(holder))
    yield* Deferred.await(isHeld)
    const waiting = yield* Effect.forkChild(
      Effect.all(
        [together(40, (tag) => mint(mailbox.replace("@", `+${tag}@`))), together(40, () => payForAddress(newEmail()))],
        {
          concurrency: "unbounded"
        }
      )
    )
    for (let round = 1; round <= 5; round++) {
      assert.strictEqual((yield* call(secret)).used, round)
      yield* Effect.sleep("20 millis")
    }
    yield* Deferred.succeed(release, undefined)
    const results = yield* Fiber.join(waiting)
    assert.deepStrictEqual(results.map(tally), [{ ok: 40 }, { ok: 40 }])
  })

  it("is the only active one of its address after 20 concurrent mints, each announced by mail [F16]", function* () {
    const email = newEmail()
    const minted = yield* together(20, () => mint(email))
    assert.deepStrictEqual(tally(minted), { ok: 20 })
    const used = yield* together(20, (index) => call((minted[index] as { success: { secret: string } }).success.secret))
    assert.deepStrictEqual(tally(used), { ok: 1, KeyRefused: 19 })
    assert.strictEqual(yield* countOf("api_key", `email = '${email}' AND revoked_at IS NULL`), 1)
    assert.strictEqual(yield* countOf("outbox", `mail_to = '${email}' AND kind = 'sandbox-minted'`), 20)
  })

  it("is stored as a hash only", function* () {
    const { secret } = yield* mint()
    const text = (table: string) => countOf(`${table} AS stored`, `stored::text LIKE '%${secret.slice(14)}%'`)
    assert.strictEqual(yield* text("api_key"), 0)
    assert.strictEqual(yield* text("outbox"), 0)
  })
})

layer(testServices())("a key", (it) => {
  it.onTestClock("works until the instant it expires", function* () {
    const { secret } = yield* mint()
    yield* TestClock.adjust("719 hours")
    yield* call(secret)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual((yield* Effect.flip(call(secret)))._tag, "KeyRefused")
  })

  it("gets the same refusal if it is unknown, truncated, mistyped, too long or malformed", function* () {
    const keys = yield* Keys
    const { secret } = yield* mint()
    const mistyped = secret.replace(/.(?=.{10}$)/, (character) => (character === "a" ? "b" : "a"))
    const wrong = [newSecret("Sandbox"), newSecret("Production"), secret.slice(0, -1), mistyped, `${secret}x`]
    for (const attempt of [...wrong, secret.repeat(200), "", "slr_sbx_", "'; DROP TABLE api_key --", "\0"]) {
      assert.strictEqual((yield* Effect.flip(keys.authenticate(attempt)))._tag, "KeyRefused", attempt)
    }
  })
})

layer(testServices({ SECRET_PEPPER_PREVIOUS: "the pepper of the year before, long enough" }))("a pepper", (it) => {
  it("accepts its own keys while a previous one is set", function* () {
    const keys = yield* Keys
    const { secret, keyId } = yield* mint()
    assert.strictEqual((yield* keys.authenticate(secret)).keyId, keyId)
  })

  it("accepts keys of the previous one only while that is set", function* () {
    const { keyId, secret } = yield* mint()
    const rotated = (variables: Readonly<Record<string, string>>) =>
      Keys.use((keys) => keys.authenticate(secret)).pipe(
        Effect.provide(Layer.fresh(Keys.layer)),
        Effect.provide(testConfig({ SECRET_PEPPER: "the pepper of the year after, long enough", ...variables }))
      )
    assert.strictEqual((yield* rotated({ SECRET_PEPPER_PREVIOUS: TEST_PEPPER })).keyId, keyId)
    assert.strictEqual((yield* Effect.flip(rotated({})))._tag, "KeyRefused")
  })
})
