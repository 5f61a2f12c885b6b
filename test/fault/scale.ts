/**
 * How much the fault tests do. A run of all tests does little of each; FAULT_SCALE=10 does ten times as much, for a
 * night or a release.
 */

const scale = Math.max(1, Number(process.env["FAULT_SCALE"] ?? 1))

export const isLongRun = scale > 1

/** A count for this run. */
export const times = (usual: number): number => Math.round(usual * scale)

/** A time limit, in milliseconds, for work that grows with the scale. */
export const milliseconds = (usual: number): number => usual * scale

/** For a race that is run as often as the scale says. */
export const AGAIN = { repeats: times(1) - 1, timeout: milliseconds(30_000) }

/** What a long run has to tell; a run of all tests is not interrupted by it. */
export const report = (text: string): void => {
  if (isLongRun) console.log(text)
}

/** Fixed, so that a failure repeats; FAULT_SEED draws others. */
export const seed = Number(process.env["FAULT_SEED"] ?? 20261121)

/** What time limits are widened by: the machine of a test run is shared and loaded. */
export const LOADED_MACHINE_MILLIS = 600

/** What times that a thread has run are widened by: caches that other programs use make it slower. */
export const SHARED_CACHES = 2
