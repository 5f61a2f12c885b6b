/** Waiting for what a test cannot be told of. */

const POLL_MILLIS = 10

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Waits until something holds, and says how long that took. */
export const until = async (holds: () => boolean | Promise<boolean>, seconds = 25): Promise<number> => {
  const begun = performance.now()
  while (!(await holds())) {
    if (performance.now() - begun > seconds * 1000) throw new Error("waited in vain")
    await pause(POLL_MILLIS)
  }
  return performance.now() - begun
}
