/** Who is there to compute, told whenever it changes: how many workers and threads, or why there are none. */
import { Effect, Ref, Schedule } from "effect"
import { type Runner, RunnerStorage } from "effect/cluster"
import { counted } from "../../../messages/figures.ts"

const EACH = "2 seconds"

type Workers = ReadonlyArray<Runner.Runner>

const told = (release: string, own: Workers, workers: Workers): string => {
  const threads = own.reduce((sum, { weight }) => sum + weight, 0)
  if (own.length > 0) return `At work: ${counted(own.length, "worker")} with ${counted(threads, "thread")}.`
  const others = [...new Set(workers.flatMap(({ groups }) => groups))]
  const there = others.length === 0 ? "" : ` Those that are there are of ${others.join(", ")}.`
  return `Waits: no worker of release ${release} is there; start repay portfolio worker on some machines.${there}`
}

const AWAY = "Waits: the database does not answer."

export interface Watcher {
  readonly release: string
  readonly say: (line: string) => Effect.Effect<void>
  /** Told of the workers of the release, again and again. */
  readonly found?: (workers: Workers) => void
}

/** Says a line when it is another than before. */
export const watchWorkers = Effect.fnUntraced(function* ({ found, release, say }: Watcher) {
  const storage = yield* RunnerStorage.RunnerStorage
  const last = yield* Ref.make("")
  const line = storage.getRunners.pipe(
    Effect.map((runners) => {
      const workers = runners.filter(([, healthy]) => healthy).map(([runner]) => runner)
      const own = workers.filter(({ groups }) => groups.includes(release))
      found?.(own)
      return told(release, own, workers)
    }),
    Effect.catchCause(() => Effect.succeed(AWAY))
  )
  const look = Effect.flatMap(line, (now) =>
    Effect.flatMap(Ref.getAndSet(last, now), (before) => (now === before ? Effect.void : say(now)))
  )
  yield* look
  return yield* Effect.forkScoped(Effect.repeat(Effect.delay(look, EACH), Schedule.forever))
})
