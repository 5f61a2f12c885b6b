/**
 * `repay migrate`: migrates the database without starting the service, for example as the first
 * step of a deployment.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, type Screen, show } from "../output.ts"
import { definitionList } from "../views/table.ts"
import { counted } from "../views/text.ts"

interface Migration {
  readonly id: number
  readonly name: string
}

const view =
  (migrations: ReadonlyArray<Migration>) =>
  ({ style }: Screen): string =>
    [
      `The database is up to date, at ${counted(migrations.length, "migration")}:`,
      ...definitionList(
        migrations.map(({ id, name }) => [String(id), name] as const),
        style.bold
      )
    ].join("\n")

/** The migrations recorded in the database; opening it has applied the missing ones. */
const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Migration>`SELECT migration_id AS id, name FROM schema_migration ORDER BY migration_id`
})

const flags = {
  replacePepper: switchFlag(
    "replace-pepper",
    "Replace a lost SECRET_PEPPER with the one set now; every API key stops working"
  )
}

export const migrateCommand = dataCommand(
  "migrate",
  flags,
  Effect.fn("repay.migrate")(function* (input, format) {
    const { commandFailure, NewInstallation, PepperIsReplaced } = yield* Effect.promise(
      () => import("./installation.ts")
    )
    const migrations = yield* applied.pipe(
      Effect.provide(NewInstallation),
      Effect.provideService(PepperIsReplaced, input.replacePepper),
      Effect.mapError(commandFailure)
    )
    return yield* show(format, { migrations }, view(migrations))
  })
).pipe(
  withHelp(
    "Bring the database of DATABASE_URL or DATA_DIR up to date and print the migrations that it has. The service does the same when it starts; several may run at once, one migrates and the others wait."
  ),
  Command.withExamples([{ command: "repay migrate --json", description: "The migrations applied, as JSON" }])
)
