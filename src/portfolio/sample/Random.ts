/**
 * The random number generator of one borrower, seeded with the sample's seed and the borrower's
 * number. It is sfc32 of Chris Doty-Humphrey's PractRand, with 128 bits of state, and not
 * cryptographic.
 */

/** Rounds that PractRand discards after seeding. */
const DISCARDED_ROUNDS = 15
const TWO_TO_32 = 2 ** 32

export class Random {
  private a = 0
  private b = 0
  private c = 0
  private counter = 0

  /** Reseeds. Both are whole numbers from 0 to 2^32 - 1. */
  begin(seed: number, borrower: number): void {
    this.a = seed | 0
    this.b = borrower | 0
    this.c = 0
    this.counter = 1
    for (let round = 0; round < DISCARDED_ROUNDS; round++) this.bits()
  }

  private bits(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** A uniform number in [0, 1). */
  unit(): number {
    return this.bits() / TWO_TO_32
  }

  chance(share: number): boolean {
    return this.unit() < share
  }

  /** A whole number in a range, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.unit() * (max - min + 1))
  }

  /** A standard normal number, by the Box-Muller method. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit())
  }
}
