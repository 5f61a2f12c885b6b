/**
 * A bounded map that evicts the entry set least recently. Maps keep insertion order, so setting an
 * entry moves it to the end. An iterator over the oldest entries advances with each eviction, so
 * that no eviction has to search.
 */
export class RecentMap<Value> {
  private readonly entries = new Map<string, Value>()
  private oldest: MapIterator<string> | undefined
  private changes = 0
  private readonly maxEntries: number

  constructor(maxEntries: number) {
    this.maxEntries = maxEntries
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): Value | undefined {
    return this.entries.get(key)
  }

  /** Sets the value of an entry without making it recent. */
  correct(key: string, value: Value): void {
    this.entries.set(key, value)
  }

  set(key: string, value: Value): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    // An idle iterator keeps all internal tables alive that the map has outgrown. So it is renewed
    // after `maxEntries` changes, and dropped while nothing is evicted.
    const isFull = this.entries.size >= this.maxEntries
    if (!isFull || ++this.changes >= this.maxEntries) {
      this.oldest = undefined
      this.changes = 0
    }
    if (this.entries.size <= this.maxEntries) return
    this.oldest ??= this.entries.keys()
    this.entries.delete(this.oldest.next().value!)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
