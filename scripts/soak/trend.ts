/**
 * The trend of sampled measurements: the median of the slopes between any two samples (Theil-Sen),
 * which is robust against outliers. It is computed over the second half of the samples, and stated
 * as growth over that half. Measures nothing.
 */

/**
 * The sampled numbers of a service, and how much each may grow: a part of its median, or an
 * absolute amount if that is more. The heap includes garbage, and handles include the callers'
 * connections and timers, so both may vary more.
 */
export const MEASURES = {
  residentMiB: { part: 0.1, least: 24 },
  heapMiB: { part: 0.25, least: 32 },
  handles: { part: 0.25, least: 32 },
  descriptors: { part: 0.1, least: 8 },
  connections: { part: 0, least: 3 },
  lockWaits: { part: 0, least: 2 },
  inFlight: { part: 0, least: 8 },
  loopDelayP99: { part: 0.5, least: 25 },
  p50: { part: 0.5, least: 5 },
  p99: { part: 0.5, least: 50 }
} as const satisfies Readonly<Record<string, { readonly part: number; readonly least: number }>>

export type Measure = keyof typeof MEASURES

/**
 * Numbers of a moment or of the interval before it; `null` if unknown or distorted by a busy
 * machine.
 */
export type Sample = { readonly seconds: number } & Readonly<Record<Measure, number | null>>

export interface Trend {
  readonly measure: Measure
  readonly median: number
  /** Growth over the half that is evaluated. */
  readonly growth: number
  readonly bound: number
  readonly isFlat: boolean
}

export const medianOf = (numbers: ReadonlyArray<number>): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The known values of a measure, by time. */
const pointsOf = (samples: ReadonlyArray<Sample>, measure: Measure) =>
  samples.flatMap(({ seconds, [measure]: value }) => (value === null ? [] : [{ seconds, value }]))

const slopeOf = (points: ReturnType<typeof pointsOf>): number =>
  medianOf(
    points.flatMap((one, at) =>
      points.slice(at + 1).map((other) => (other.value - one.value) / (other.seconds - one.seconds))
    )
  )

/** Fewer samples give no reliable trend. */
const MIN_SAMPLES = 4

/**
 * The trends of the measures that are known in at least half of the samples: a slope between a few
 * neighbours says nothing of the whole time.
 */
export const trendsOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Trend> => {
  const judged = samples.slice(Math.floor(samples.length / 2))
  if (judged.length < MIN_SAMPLES) throw new Error("too few samples to tell a trend")
  const seconds = judged.at(-1)!.seconds - judged[0]!.seconds
  return (Object.keys(MEASURES) as ReadonlyArray<Measure>).flatMap((measure) => {
    const points = pointsOf(judged, measure)
    if (points.length < Math.max(MIN_SAMPLES, judged.length / 2)) return []
    const median = medianOf(points.map(({ value }) => value))
    const growth = slopeOf(points) * seconds
    const bound = Math.max(MEASURES[measure].least, MEASURES[measure].part * median)
    return [{ measure, median, growth, bound, isFlat: growth <= bound }]
  })
}
