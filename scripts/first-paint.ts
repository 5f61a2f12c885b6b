/**
 * The `first-paint` task: loads the start page of another checkout and of this one in turns, and
 * compares the medians of the first contentful paint.
 */
import { NO_LIMITS } from "../test/support/settings.ts"
import { insist, Misuse, PROJECT, say, service } from "./harness.ts"
import { firstPaint, openBrowser } from "./page-check/support.ts"

const LOADS = 60
/** This checkout's median may be this much of the other's. */
const MAX_RATIO = 1.1

const medianOf = (millis: ReadonlyArray<number>): number => {
  const sorted = millis.toSorted((a, b) => a - b)
  return (sorted[LOADS / 2 - 1]! + sorted[LOADS / 2]!) / 2
}

export default async ([checkout]: ReadonlyArray<string>) => {
  if (checkout === undefined) throw new Misuse("first-paint needs another checkout, with its packages installed")
  const browser = await openBrowser()
  const sides = []
  for (const folder of [checkout, PROJECT])
    sides.push({ base: (await service(NO_LIMITS, { folder })).base, millis: [] as Array<number> })
  // Compiles what the first load of each needs, and is not counted.
  for (const { base } of sides) await firstPaint(browser, base)
  for (let load = 0; load < LOADS; load++)
    for (const { base, millis } of sides) millis.push(await firstPaint(browser, base))
  const [other, here] = sides.map(({ millis }) => medianOf(millis)) as [number, number]
  say(`first contentful paint, median of ${LOADS} loads: ${other.toFixed(0)} ms there, ${here.toFixed(0)} ms here`)
  insist(here <= MAX_RATIO * other, `expected at most ${MAX_RATIO} of the other's, not ${(here / other).toFixed(2)}`)
}
