/** The weighted random choice of values. */
import type { Random } from "./Random.ts"

export class Weighted<A> {
  private readonly values: ReadonlyArray<A>
  private readonly cumulative: ReadonlyArray<number>

  constructor(weights: ReadonlyArray<readonly [value: A, weight: number]>) {
    let sum = 0
    this.values = weights.map(([value]) => value)
    this.cumulative = weights.map(([, weight]) => {
      sum += weight
      return sum
    })
  }

  draw(random: Random): A {
    const at = random.unit() * this.cumulative.at(-1)!
    let [first, last] = [0, this.cumulative.length - 1]
    while (first < last) {
      const middle = (first + last) >> 1
      if (this.cumulative[middle]! > at) last = middle
      else first = middle + 1
    }
    return this.values[first]!
  }
}

/** A weighted choice of positions in a list of weights. */
export const positions = (weights: ReadonlyArray<number>): Weighted<number> =>
  new Weighted(weights.map((weight, position) => [position, weight] as const))
