import { Effect, Layer } from "effect"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseLayer } from "../../src/database/postgres.ts"
import { start } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import { testConfig } from "../support/settings.ts"
import { dataFolder } from "../support/standby.ts"

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
    const dataDir = yield* dataFolder
    const settings = testConfig({ DATA_DIR: dataDir, DATABASE_ALLOW_OFF: "" })
    yield* Effect.scoped(Layer.build(databaseLayer.pipe(Layer.provide(settings))))
  })
})
