/**
 * Rounds of the benches. Each round measures every case in turn, so that a busy minute of the
 * machine affects all of them. A process of its own can compute the rounds of a case.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { atEnd } from "../harness.ts"

const sorted = (samples: ReadonlyArray<number>) => Float64Array.from(samples).sort()

/** The value below which a part of the samples lies. NaN without samples. */
export const quantile = (samples: ReadonlyArray<number>, part: number): number =>
  sorted(samples)[Math.min(samples.length - 1, Math.floor(samples.length * part))] ?? Number.NaN

export const median = (samples: ReadonlyArray<number>): number => quantile(samples, 0.5)

/** Median over the rounds of one's sample by the other's. */
export const medianRatio = (over: ReadonlyArray<number>, under: ReadonlyArray<number>): number =>
  median(under.map((one, round) => over[round]! / one))

/** The list, reversed in every second round. */
export const alternated = <A>(list: ReadonlyArray<A>, round: number): ReadonlyArray<A> =>
  round % 2 === 0 ? list : [...list].reverse()

interface Outcome<Found> {
  readonly found?: Found
  readonly failure?: string
}

/** Longest round, including the answers still in flight at its end. */
const ROUND_MILLISECONDS = 60_000

/** Starts a file that calls `computeRounds`. Its process runs until the end of the task. */
export const startRounds = <Asked extends object, Found>(file: string, ...args: ReadonlyArray<string>) => {
  const child = fork(file, args)
  atEnd(() => child.kill())
  return async (asked: Asked): Promise<Found> => {
    const answered = once(child, "message", { signal: AbortSignal.timeout(ROUND_MILLISECONDS) })
    child.send(asked)
    const [{ failure, found }] = (await answered) as [Outcome<Found>]
    if (found === undefined) throw new Error(failure)
    return found
  }
}

export const computeRounds = <Asked, Found>(round: (asked: Asked) => Promise<Found>): void =>
  void process.on("message", (asked: Asked) =>
    round(asked).then(
      (found) => process.send?.({ found }),
      (error: Error) => process.send?.({ failure: error.message })
    )
  )
