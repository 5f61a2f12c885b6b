/**
 * A map that holds a bounded number of entries and forgets the one that was set least recently. Plain maps keep the order
 * of insertion, so an entry that is set goes to the end; the iterator that finds the first one passes each entry that goes
 * once, so that nothing is searched for.
 */
export class RecentMap<Value> {
  private readonly entries = new Map<string, Value>()
  private oldest: MapIterator<string> | undefined
  private changes = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
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
    // An iterator that does not move keeps every table that the map has outgrown since, so it is not kept for long, and not
    // at all while nothing has to go.
    const isFull = this.entries.size >= this.most
    if (!isFull || ++this.changes >= this.most) {
      this.oldest = undefined
      this.changes = 0
    }
    if (this.entries.size <= this.most) return
    this.oldest ??= this.entries.keys()
    this.entries.delete(this.oldest.next().value!)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
