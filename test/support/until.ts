/** Waiting for what nobody tells a test. */

const POLL_MILLIS = 10

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * Waits until something holds, and returns how long that took. A failure names the condition and what `seen` returns, if
 * it is given.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  seconds = 25,
  seen: () => unknown = () => undefined
): Promise<number> => {
  const begun = performance.now()
  let rounds = 0
  while (!(await holds())) {
    rounds++
    if (performance.now() - begun > seconds * 1000) {
      const last = seen()
      const tail = last === undefined ? "" : `; last seen: ${JSON.stringify(last)}`
      throw new Error(`did not hold within ${seconds} s, asked ${rounds} times: ${holds}${tail}`)
    }
    await pause(POLL_MILLIS)
  }
  return performance.now() - begun
}
