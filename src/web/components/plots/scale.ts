/** A linear scale from amounts to pixels, with ticks at round amounts. */

export interface Scale {
  (value: number): number
  readonly ticks: ReadonlyArray<number>
}

/** The step of about `count` ticks: 1, 2 or 5 times a power of ten. */
const stepOf = (from: number, to: number, count: number): number => {
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = rough / power
  return (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10) * power
}

/**
 * @param count about how many ticks there are
 * @param isWidened whether the amounts are widened to the ticks around them
 */
export const scaleOf = (
  [from, to]: readonly [number, number],
  [first, last]: readonly [number, number],
  count: number,
  isWidened = false
): Scale => {
  const step = stepOf(from, to, count)
  const [low, high] = isWidened ? [Math.floor(from / step) * step, Math.ceil(to / step) * step] : [from, to]
  const lowest = Math.ceil(low / step)
  const ticks = Array.from(
    { length: Math.floor(high / step + 1e-9) - lowest + 1 },
    (_, index) => (lowest + index) * step
  )
  return Object.assign((value: number) => first + ((value - low) / (high - low)) * (last - first), { ticks })
}
