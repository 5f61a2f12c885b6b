/**
 * A standby as the database: it answers queries and takes no writes, so the service is not ready
 * and reports the reason.
 */
import { Effect, Schedule } from "effect"
import { clientLayer } from "../../src/database/client.ts"
import { databaseObstacle } from "../../src/database/postgres.ts"
import { assert, describe, it } from "../support/effects.ts"
import { dataFolder, standby } from "../support/standby.ts"

describe("a standby [F66]", () => {
  it("is reported as the reason why the service is not ready", function* () {
    const dataDir = yield* dataFolder
    const socketPath = yield* standby(dataDir)
    const reason = yield* databaseObstacle.pipe(
      Effect.provide(clientLayer({ socketPath })),
      Effect.filterOrFail((found) => found !== "the database cannot be reached"),
      Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
    )
    assert.strictEqual(reason, "the database is a standby, which accepts no writes")
  })
})
