/**
 * A bounded map that evicts the entry set least recently. A Map keeps insertion order, so `set`
 * deletes an entry and inserts it again, which moves it to the end. Deleted entries leave gaps at
 * the front that a new iterator would have to step over. So one iterator is kept, and each eviction
 * continues where the last one ended.
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
    // When a Map resizes, it makes a new internal table, and an iterator that does not advance keeps
    // every older one in memory. So the iterator is replaced after `maxEntries` sets of a full map,
    // and none is kept while the map is not full.
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
