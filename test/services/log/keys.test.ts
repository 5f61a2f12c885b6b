/** The name and the keys of a log: the name taken from an address, and errors of invalid keys. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { AppConfig } from "../../../src/platform/config.ts"
import { makeSigner, originOf } from "../../../src/services/log/keys.ts"
import { LogKeys } from "../../../src/services/log/LogKeys.ts"
import { assert, describe, it } from "../../support/effects.ts"
import { TEST_PEPPER, TEST_SIGNING_KEY } from "../../support/settings.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "log-key-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const signersOf = (variables: Readonly<Record<string, string>>) =>
  LogKeys.use(({ signing }) => Effect.flatMap(signing, (named) => named("api.example.org/log"))).pipe(
    Effect.provide(LogKeys.layer),
    Effect.provide(AppConfig.layerFrom({ SECRET_PEPPER: TEST_PEPPER, ...variables }))
  )

const problemOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(signersOf(variables)), ({ lines }) => lines.join("\n"))

describe("the name of a log", () => {
  it("consists of the host and path of the address, and nothing else of it", function* () {
    for (const [address, origin] of [
      ["https://api.example.org", "api.example.org/log"],
      ["HTTPS://API.Example.org:443/", "api.example.org/log"],
      ["http://127.0.0.1:8080", "127.0.0.1:8080/log"],
      ["http://[::1]:8080/a/", "[::1]:8080/a/log"],
      ["https://user:secret@api.example.org/v?q=1#x", "api.example.org/v/log"],
      ["https://api.example.org/a+b c/\u00e9", "api.example.org/a%2Bb%20c/%C3%A9/log"]
    ] as const)
      assert.strictEqual(originOf(address), origin)
  })

  it("is valid in a verifier key", function* () {
    const name = originOf("https://api.example.org/a+b c\u00a0d\u2028e")
    const { verifierKey } = yield* Effect.promise(() => makeSigner(name, Buffer.from(TEST_SIGNING_KEY, "hex")))
    assert.include(verifierKey, `${name}+`)
  })
})

describe("a key of the log", () => {
  it("is generated once and kept, and an invalid key file is named in the error", function* () {
    const dataDir = yield* folder
    const made = yield* signersOf({ DATA_DIR: dataDir })
    assert.deepStrictEqual((yield* signersOf({ DATA_DIR: dataDir })).trusted, made.trusted)
    for (const junk of ["x".repeat(64), "ab".repeat(33), "ab".repeat(31), ""]) {
      writeFileSync(join(dataDir, "log-key"), junk)
      const line = yield* problemOf({ DATA_DIR: dataDir })
      assert.match(line, /^LOG_SIGNING_KEY: .*log-key.*restore/)
      assert.isTrue(junk === "" || !line.includes(junk))
    }
    writeFileSync(join(dataDir, "log-key"), `${TEST_SIGNING_KEY.toUpperCase()}\n`)
    assert.deepStrictEqual(
      (yield* signersOf({ DATA_DIR: dataDir })).trusted,
      (yield* signersOf({ LOG_SIGNING_KEY: TEST_SIGNING_KEY })).trusted
    )
  })

  it("must be configured exactly as published if it is lost", function* () {
    const base = { LOG_SIGNING_KEY: TEST_SIGNING_KEY }
    const [key] = (yield* signersOf(base)).trusted
    const { trusted, signers } = yield* signersOf({ LOG_SIGNING_KEY: "fe".repeat(32), LOG_KEY_LOST: key! })
    assert.strictEqual(trusted.at(-1), key)
    assert.lengthOf(signers, 1)
    for (const wrong of [key!.slice(1), key!.slice(0, -4), TEST_SIGNING_KEY])
      assert.match(yield* problemOf({ ...base, LOG_KEY_LOST: wrong }), /^LOG_KEY_LOST: .*GET \/log\/key/)
  })
})
