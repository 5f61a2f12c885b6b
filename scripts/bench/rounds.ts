/**
 * Timing in rounds. Each round times every case in turn, so that a busy minute of the machine
 * affects all of them. The best round is the figure; the others show how far to trust it.
 */

/** Nanoseconds in each round. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export const spreadOf = (samples: ReadonlyArray<number>): Spread => {
  const sorted = [...samples].sort((a, b) => a - b)
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]!, max: sorted[sorted.length - 1]! }
}

export interface Quantiles {
  readonly median: number
  readonly p99: number
}

export const quantilesOf = (samples: ReadonlyArray<number>): Quantiles => {
  const sorted = [...samples].sort((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)]!, p99: sorted[Math.floor(sorted.length * 0.99)]! }
}

export const nanosecondsOf = (work: () => void): number => {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started)
}

/** Repetitions of work that take about `sampleNanoseconds`, estimated from two runs. */
export const repetitionsFor = (work: () => void, sampleNanoseconds: number): number =>
  Math.max(1, Math.round(sampleNanoseconds / Math.max(1, Math.min(nanosecondsOf(work), nanosecondsOf(work)))))

const CALIBRATION_STEPS = 1_000_000

/** Nanoseconds of one dependent multiplication and addition: the current speed of the machine. */
export const calibrate = (): number => {
  let value = 1
  const nanoseconds = nanosecondsOf(() => {
    for (let step = 0; step < CALIBRATION_STEPS; step++) value = value * 0.999999 + 0.000002
  })
  if (!(value > 1)) throw new Error("the calibration was not computed")
  return nanoseconds / CALIBRATION_STEPS
}
