/** Values of which each is drawn as often as it weighs. */
import type { Random } from "./Random.ts"

export class Weighted<A> {
  private readonly values: ReadonlyArray<A>
  /** What a value and those before it weigh. */
  private readonly upTo: ReadonlyArray<number>

  constructor(weights: ReadonlyArray<readonly [value: A, weight: number]>) {
    let sum = 0
    this.values = weights.map(([value]) => value)
    this.upTo = weights.map(([, weight]) => {
      sum += weight
      return sum
    })
  }

  draw(random: Random): A {
    const at = random.unit() * this.upTo.at(-1)!
    let [first, last] = [0, this.upTo.length - 1]
    while (first < last) {
      const middle = (first + last) >> 1
      if (this.upTo[middle]! > at) last = middle
      else first = middle + 1
    }
    return this.values[first]!
  }
}

/** The positions of some weights. */
export const positions = (weights: ReadonlyArray<number>): Weighted<number> =>
  new Weighted(weights.map((weight, position) => [position, weight] as const))
