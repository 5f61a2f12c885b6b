/**
 * Durable commits: a server with unsafe settings is refused unless they are allowed by name. The
 * embedded database is durable by default.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import type { DatabaseAddress } from "../../src/database/client.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseAt, databaseLayer } from "../../src/database/postgres.ts"
import { addressOf } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import { testConfig } from "../support/settings.ts"

type Variables = Readonly<Record<string, string>>

/** Builds the services of one start on a database. */
const opened = (address: DatabaseAddress, variables: Variables = {}) =>
  Layer.build(
    Layer.fresh(
      databaseAt("url" in address ? addressOf(address.url) : address).pipe(Layer.provide(testConfig(variables)))
    )
  )

/** Starts on a database and stops again. */
const start = (address: DatabaseAddress, variables: Variables = {}) => Effect.scoped(opened(address, variables))

describe("a commit [F65]", () => {
  it("is refused on a server that may lose it in a crash, unless that is allowed by name", function* () {
    const address = yield* embeddedDatabase({})
    const refused = yield* Effect.flip(start(address, { DATABASE_ALLOW_OFF: "" }))
    assert.match(refused.message, /fsync and full_page_writes off.*DATABASE_ALLOW_OFF=fsync,full_page_writes$/)
    const stillRefused = yield* Effect.flip(start(address, { DATABASE_ALLOW_OFF: "fsync" }))
    assert.match(stillRefused.message, /with full_page_writes off.*DATABASE_ALLOW_OFF=full_page_writes$/)
    yield* start(address, { DATABASE_ALLOW_OFF: "full_page_writes, fsync" })
  })

  it("is durable on the embedded database of a service by default", function* () {
    const dataDir = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-data-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const settings = testConfig({ DATA_DIR: dataDir, DATABASE_ALLOW_OFF: "" })
    yield* Effect.scoped(Layer.build(databaseLayer.pipe(Layer.provide(settings))))
  })
})
