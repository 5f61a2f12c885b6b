/** Places words in a drawing so that no word covers another, by their estimated width. */

export interface Spot {
  readonly x: number
  readonly y: number
  readonly anchor: "start" | "middle" | "end"
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Wider than the mean character of bold system fonts at 12 px, so that an estimate is rarely too small. */
const CHARACTER_PIXELS = 7.9
const ABOVE_BASELINE = 10
const BELOW_BASELINE = 4
const GAP = 2
const STEP_PIXELS = 6

const boxOf = (text: string, { anchor, x, y }: Spot): Box => {
  const width = text.length * CHARACTER_PIXELS
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2
  return { left, right: left + width, top: y - ABOVE_BASELINE, bottom: y + BELOW_BASELINE }
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right + GAP &&
  other.left < one.right + GAP &&
  one.top < other.bottom + GAP &&
  other.top < one.bottom + GAP

const contains = ({ bottom, left, right, top }: Box, [x, y]: readonly [number, number]): boolean =>
  x > left - GAP && x < right + GAP && y > top - GAP && y < bottom + GAP

export class Labels {
  private readonly taken: Array<Box> = []
  private readonly crossed: Array<readonly [number, number]> = []
  private readonly within: Box

  constructor(within: Box) {
    this.within = within
  }

  /** Keeps words away from a dot. */
  keepFree(x: number, y: number, radius: number): void {
    this.taken.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })
  }

  /** Keeps words off the line between two points, if there is room. */
  avoid([fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number]): void {
    const steps = Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY)) / STEP_PIXELS)
    for (let step = 0; step <= steps; step++) {
      const part = steps === 0 ? 0 : step / steps
      this.crossed.push([fromX + (toX - fromX) * part, fromY + (toY - fromY) * part])
    }
  }

  /** The first spot where the text fits and covers no word, and if possible no line; undefined if none. */
  place(text: string, spots: ReadonlyArray<Spot>, mayCross = true): Spot | undefined {
    const { bottom, left, right, top } = this.within
    const free = spots.filter((spot) => {
      const box = boxOf(text, spot)
      const isInside = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom
      return isInside && !this.taken.some((one) => overlap(one, box))
    })
    const found =
      free.find((spot) => !this.crossed.some((point) => contains(boxOf(text, spot), point))) ??
      (mayCross ? free[0] : undefined)
    if (found !== undefined) this.taken.push(boxOf(text, found))
    return found
  }
}
