/** `repay portfolio worker`: computes chunks of portfolios that other machines send. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { unavailable } from "../failures.ts"
import { withHelp } from "../helpText.ts"
import { CommandIo, untilStopped } from "../io.ts"
import { needsZstd } from "../needsZstd.ts"
import { sayTo } from "../output.ts"
import { threadsFlag } from "./flags.ts"

/** The database through which runs and workers exchange chunks. */
export const portfolioDatabase = Effect.gen(function* () {
  const { sharedDatabase } = yield* Effect.promise(() => import("../../platform/config.ts"))
  const { commandFailure } = yield* Effect.promise(() => import("../operate/installation.ts"))
  return yield* Effect.mapError(sharedDatabase, commandFailure)
})

const flags = {
  threads: threadsFlag("Number of computing threads; else one for each processor")
}

export const portfolioWorkerCommand = Command.make(
  "worker",
  flags,
  Effect.fn("repay.portfolio.worker")(function* ({ threads }) {
    yield* needsZstd("repay portfolio worker")
    const url = yield* portfolioDatabase
    const cluster = yield* Effect.promise(() => import("../../portfolio/compute/cluster/index.ts"))
    const release = yield* cluster.releaseHere
    const io = yield* CommandIo
    const say = (line: string) => sayTo(io, line)
    yield* say(`Computes portfolios of release ${release}.`)
    return yield* cluster.portfolioWorker({ url, release, threads: Option.getOrUndefined(threads), say }).pipe(
      Effect.mapError(({ message }) => unavailable(message)),
      untilStopped
    )
  })
).pipe(
  withHelp(
    "Compute portfolios that repay portfolio run --cluster sends from other machines, until SIGTERM or Ctrl-C. Needs the same DATABASE_URL everywhere: workers and runs share that database, and nothing else.",
    "A worker computes only for runs of its own release. Start, stop or kill it at any time: other workers take over its chunks."
  ),
  Command.withShortDescription("Compute portfolios sent from other machines"),
  Command.withExamples([
    {
      command: "DATABASE_URL=postgres://portfolios:...@db/portfolios repay portfolio worker",
      description: "On each machine"
    }
  ])
)
