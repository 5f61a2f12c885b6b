/**
 * For how long a process stood still that should have ticked all the time: others had the processor, or the machine slept.
 * The service gives a client so many seconds for what it has begun to send, and cannot know that it is the client's clock
 * that stood still.
 */

/** Ticks that are remembered: those of a minute, at fifty a second. */
const MOST_TICKS = 3000

export class Lateness {
  readonly #everyMillis: number
  readonly #late: Array<{ readonly at: number; readonly millis: number }> = []
  #last: number

  /** Times are of one clock, in milliseconds. */
  constructor(everyMillis: number, now: number) {
    this.#everyMillis = everyMillis
    this.#last = now
  }

  tick(now: number): void {
    this.#late.push({ at: now, millis: this.#since(now) })
    if (this.#late.length > MOST_TICKS) this.#late.shift()
    this.#last = now
  }

  /** Milliseconds that were lost in those before `now`, with what is lost since the last tick. */
  within(millis: number, now: number): number {
    const recent = this.#late.filter(({ at }) => at >= now - millis)
    return recent.reduce((sum, tick) => sum + tick.millis, this.#since(now))
  }

  #since(now: number): number {
    return Math.max(0, now - this.#last - this.#everyMillis)
  }
}
