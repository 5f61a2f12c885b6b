/**
 * `repay log watch`: follows the log of a service and keeps its checkpoints, one a file. Each is
 * written before it is checked (checkCheckpoint.ts).
 */
import { Effect, type Option } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag, textFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { CommandIo } from "../io.ts"
import { say } from "../output.ts"
import { checkUnchecked } from "./checkCheckpoint.ts"
import { type LogFolder, logFolder } from "./checkpointFolder.ts"
import { fetchCheckpoint } from "./logRemote.ts"
import { trustedKeys } from "./trustedKeys.ts"

const MILLIS_PER_SECOND = 1000

/** Notes that earlier rounds could not check come first, whatever the log signs now. */
const watchOnce = Effect.fnUntraced(function* (url: string, folder: LogFolder, key: Option.Option<string>) {
  const watch = { url, folder, keys: yield* trustedKeys(url, folder, key) }
  yield* checkUnchecked(watch)
  yield* folder.keepUnchecked([yield* fetchCheckpoint(url)])
  yield* checkUnchecked(watch)
})

const watchCommand = Command.make(
  "watch",
  {
    url: textFlag("url", "<address>", "The service to follow"),
    out: textFlag("out", "<folder>", "Where checkpoints are kept"),
    key: optionalFlag("key", "<key>", "Trust only this verifier key"),
    every: Flag.Int("every").pipe(
      Flag.withMetavar("<seconds>"),
      Flag.withDescription("Seconds between two checks; 0: check once"),
      Flag.withDefault(60)
    )
  },
  Effect.fn("repay.log.watch")(function* ({ every, key, out, url }) {
    const { cwd } = yield* CommandIo
    const folder = logFolder(out, cwd)
    yield* folder.make
    while (every > 0) {
      yield* Effect.catchIf(
        watchOnce(url, folder, key),
        ({ exitCode }) => exitCode === 3,
        ({ lines }) => Effect.forEach(lines, say, { discard: true })
      )
      yield* Effect.sleep(every * MILLIS_PER_SECOND)
    }
    yield* watchOnce(url, folder, key)
  })
).pipe(
  withHelp(
    "Follow the log of a service: fetch its checkpoint repeatedly, check that the log only grew, and keep each checkpoint. Ends with exit code 1 if two checkpoints disagree, or if the log shrank and stays so, or cannot prove that it only grew. Both checkpoints are kept as proof. A service that is busy or cannot be reached is retried."
  ),
  Command.withShortDescription("Keep the checkpoints of a service"),
  Command.withExamples([
    { command: "repay log watch --url https://api.example.org --out checkpoints", description: "Look each minute" }
  ])
)

export const logCommand = Command.make("log").pipe(
  withHelp("The transparency log over the records of a service."),
  Command.withSubcommands([watchCommand])
)
