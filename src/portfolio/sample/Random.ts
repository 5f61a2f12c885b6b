/**
 * Random numbers of one borrower, made of the seed and of the borrower's number alone: sfc32 of Chris Doty-Humphrey's PractRand,
 * a generator of 128 bits of state with a counter. For samples, not for secrets.
 */

/** As many rounds as PractRand lets pass after a new seed. */
const ROUNDS_BEFORE = 15
const TWO_TO_32 = 2 ** 32

export class Random {
  private a = 0
  private b = 0
  private c = 0
  private counter = 0

  /** Begins anew. Both are whole numbers from 0 to 2^32 - 1. */
  begin(seed: number, borrower: number): void {
    this.a = seed | 0
    this.b = borrower | 0
    this.c = 0
    this.counter = 1
    for (let round = 0; round < ROUNDS_BEFORE; round++) this.bits()
  }

  private bits(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    return this.bits() / TWO_TO_32
  }

  chance(share: number): boolean {
    return this.unit() < share
  }

  /** A whole number of a range, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1))
  }

  /** Of the normal distribution, by the method of Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit())
  }
}
