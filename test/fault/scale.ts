/**
 * The scale of the fault tests: a normal run does little of each; FAULT_SCALE=10 does ten times as
 * much, for a nightly run or a release.
 */

const scale = Math.max(1, Number(process.env["FAULT_SCALE"] ?? 1))

export const isLongRun = scale > 1

export const times = (usual: number): number => Math.round(usual * scale)

/** A time limit, in milliseconds, for work that grows with the scale. */
export const milliseconds = (usual: number): number => usual * scale

/** Test options that repeat a race according to the scale. */
export const AGAIN = { repeats: times(1) - 1, timeout: milliseconds(30_000) }

/** Prints measurements, but only in a long run. */
export const report = (text: string): void => {
  if (isLongRun) console.log(text)
}

/** Fixed, so that failures repeat; FAULT_SEED replaces it. */
export const seed = Number(process.env["FAULT_SEED"] ?? 20261121)

/** Added to time limits, because the test machine is shared and loaded. */
export const LOADED_MACHINE_MILLIS = 600

/** Factor for limits of CPU time, because other programs compete for the caches. */
export const SHARED_CACHES = 2
