/** Polling for a condition that a test cannot be notified of. */

const POLL_MILLIS = 10

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * Waits until a condition holds, and returns the milliseconds it took. A timeout names the
 * condition and the value of `seen`.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  seconds = 120,
  seen: () => unknown = () => undefined
): Promise<number> => {
  const started = performance.now()
  let checks = 0
  while (!(await holds())) {
    checks++
    if (performance.now() - started > seconds * 1000) {
      const last = seen()
      const tail = last === undefined ? "" : `; last seen: ${JSON.stringify(last)}`
      throw new Error(`did not hold within ${seconds} s, asked ${checks} times: ${holds}${tail}`)
    }
    await pause(POLL_MILLIS)
  }
  return performance.now() - started
}
