/**
 * A measure of how long this process could not run: others had the CPU, or the machine slept. The
 * service limits the time in which a request must arrive, and cannot know that the client was
 * stopped.
 */

/** One minute of ticks at fifty a second. */
const MAX_TICKS = 3000

export class Lateness {
  readonly #everyMillis: number
  readonly #late: Array<{ readonly at: number; readonly millis: number }> = []
  #last: number

  /** All times are milliseconds of the same clock. */
  constructor(everyMillis: number, now: number) {
    this.#everyMillis = everyMillis
    this.#last = now
  }

  tick(now: number): void {
    this.#late.push({ at: now, millis: this.#since(now) })
    if (this.#late.length > MAX_TICKS) this.#late.shift()
    this.#last = now
  }

  /** Milliseconds lost in the window before `now`, including those since the last tick. */
  within(millis: number, now: number): number {
    const recent = this.#late.filter(({ at }) => at >= now - millis)
    return recent.reduce((sum, tick) => sum + tick.millis, this.#since(now))
  }

  #since(now: number): number {
    return Math.max(0, now - this.#last - this.#everyMillis)
  }
}
