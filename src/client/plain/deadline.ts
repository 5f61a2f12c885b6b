/**
 * The deadline of a whole call, retries and pauses included, and its cancellation by the caller.
 */
import { ServiceUnreachable } from "./failures.ts"

/** The longest delay that `setTimeout` accepts: about 24.8 days. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1

/**
 * Runs the work until it finishes, the time is over, or the caller's signal aborts. An abort
 * rejects with the signal's own reason. The promise also ends in time if a `fetch` ignores its
 * signal.
 */
export const within = async <A>(
  millis: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  const onTimeout = () => controller.abort(new ServiceUnreachable(`no response within ${millis} ms`))
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason))
  })
  signal?.addEventListener("abort", onAbort)
  const timer = setTimeout(onTimeout, Math.min(millis, MAX_TIMER_MILLIS))
  try {
    return await Promise.race([work(controller.signal), aborted])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}
