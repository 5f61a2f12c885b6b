/**
 * Whether what was sampled over time stays flat: the median of the slopes between any two samples (Theil and Sen), which
 * no few outliers move, over the second half of the samples, and what it would come to in that half. Measures nothing.
 */

/**
 * What is sampled of a service, each a number that must not grow. The heap is counted with what was
 * not collected yet, and handles with the connections and timers of callers, so both may vary more.
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

/** Numbers of one moment, or of the time since the one before; `null` for one that says nothing of the service. */
export type Sample = { readonly seconds: number } & Readonly<Record<Measure, number | null>>

export interface Trend {
  readonly measure: Measure
  readonly median: number
  /** Over the time that was judged. */
  readonly growth: number
  readonly bound: number
  readonly isFlat: boolean
}

export const medianOf = (numbers: ReadonlyArray<number>): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** What is known of a measure, by time. */
const pointsOf = (samples: ReadonlyArray<Sample>, measure: Measure) =>
  samples.flatMap(({ seconds, [measure]: value }) => (value === null ? [] : [{ seconds, value }]))

const slopeOf = (points: ReturnType<typeof pointsOf>): number =>
  medianOf(
    points.flatMap((one, at) =>
      points.slice(at + 1).map((other) => (other.value - one.value) / (other.seconds - one.seconds))
    )
  )

/** Two samples make a slope, and so few of them no judgment. */
const LEAST_JUDGED = 4

export const trendsOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Trend> => {
  const judged = samples.slice(Math.floor(samples.length / 2))
  if (judged.length < LEAST_JUDGED) throw new Error("too few samples to tell a trend")
  const seconds = judged.at(-1)!.seconds - judged[0]!.seconds
  return (Object.keys(MEASURES) as ReadonlyArray<Measure>).flatMap((measure) => {
    const points = pointsOf(judged, measure)
    if (points.length < LEAST_JUDGED) return []
    const median = medianOf(points.map(({ value }) => value))
    const growth = slopeOf(points) * seconds
    const bound = Math.max(MEASURES[measure].least, MEASURES[measure].part * median)
    return [{ measure, median, growth, bound, isFlat: growth <= bound }]
  })
}
