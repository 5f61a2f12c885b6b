/** The monitor of live workers: reports their number and threads, or why there are none. */
import { Effect, Ref, Schedule } from "effect"
import { type Runner, RunnerStorage } from "effect/cluster"
import { counted } from "../../../messages/figures.ts"

const INTERVAL = "2 seconds"

type Workers = ReadonlyArray<Runner.Runner>

const statusLine = (release: string, own: Workers, workers: Workers): string => {
  const threads = own.reduce((sum, { weight }) => sum + weight, 0)
  if (own.length > 0) return `Computing: ${counted(own.length, "worker")} with ${counted(threads, "thread")}.`
  const others = [...new Set(workers.flatMap(({ groups }) => groups))]
  const there = others.length === 0 ? "" : ` The workers that run are of ${others.join(", ")}.`
  return `Waiting: no worker of release ${release} is running; start repay portfolio worker on some machines.${there}`
}

const UNREACHABLE = "Waiting: the database does not answer."

export interface Watcher {
  readonly release: string
  readonly say: (line: string) => Effect.Effect<void>
  /** Called with the workers of the release at every check. */
  readonly found?: (workers: Workers) => void
}

/** Reports a line whenever it differs from the last line. */
export const watchWorkers = Effect.fnUntraced(function* ({ found, release, say }: Watcher) {
  const storage = yield* RunnerStorage.RunnerStorage
  const last = yield* Ref.make("")
  const line = storage.getRunners.pipe(
    Effect.map((runners) => {
      const workers = runners.filter(([, healthy]) => healthy).map(([runner]) => runner)
      const own = workers.filter(({ groups }) => groups.includes(release))
      found?.(own)
      return statusLine(release, own, workers)
    }),
    Effect.catchCause(() => Effect.succeed(UNREACHABLE))
  )
  const check = Effect.flatMap(line, (now) =>
    Effect.flatMap(Ref.getAndSet(last, now), (before) => (now === before ? Effect.void : say(now)))
  )
  yield* check
  return yield* Effect.forkScoped(Effect.repeat(Effect.delay(check, INTERVAL), Schedule.forever))
})
