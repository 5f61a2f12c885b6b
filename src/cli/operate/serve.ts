/** `repay serve`: runs the service, which is passed in. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { withHelp } from "../helpText.ts"
import { untilStopped } from "../io.ts"

/** Loads the service, which runs until it is interrupted, and then shuts down gracefully. */
export type LoadService = () => Promise<Effect.Effect<never, Error>>

/** Like `npm start`. */
export const serveCommand = (loadService: LoadService) =>
  Command.make(
    "serve",
    {},
    Effect.fnUntraced(function* () {
      const { commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
      const serve = yield* Effect.promise(loadService)
      return yield* untilStopped(Effect.mapError(serve, commandFailure))
    })
  ).pipe(
    withHelp(
      "Run the service until SIGTERM or Ctrl-C, then finish the requests in flight. Configured by environment variables: HOST, PORT, DATABASE_URL, DATA_DIR and the others in docs/configuration.md. Standard error says why it cannot start."
    ),
    Command.withExamples([{ command: "PORT=9000 repay serve", description: "With the embedded database in ./.data" }])
  )
