/** The time that a whole call has, retries and pauses included, and its caller's wish to give it up. */
import { ServiceUnreachable } from "./failures.ts"

/** Timers know no longer time; this is over three weeks. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1

/**
 * Runs the work until it is done, the time is over, or the caller's signal says so, which rejects with that signal's own
 * reason. Whatever ends the call ends what it has under way, also where a `fetch` does not listen to its signal.
 */
export const within = async <A>(
  millis: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const giveUp = () => ending.abort(signal?.reason)
  const tooLate = () => ending.abort(new ServiceUnreachable(`no response within ${millis} ms`))
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason))
  })
  signal?.addEventListener("abort", giveUp)
  const timer = setTimeout(tooLate, Math.min(millis, MAX_TIMER_MILLIS))
  try {
    return await Promise.race([work(ending.signal), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
  }
}
