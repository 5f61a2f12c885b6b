/**
 * Which records a process takes to be in the log already: those that were there when it last took all there were, those up
 * to the newest that is in it, and those that log_head says are done. One of them without an entry was committed late, or
 * somebody has raised `done`, or has taken its entry away. So it is entered in a round only if none of the entries is gone
 * that it could have; else it is left to the search for late records, which looks at all of them before.
 */
import type { Head } from "./backlog.ts"

export interface Known {
  /** The highest number of a record that was there when this process last took all there were. */
  readonly upTo: number
  /** Records above the number to which this process has come have no entry before this one. */
  readonly index: number
  /** The last number that was given when the log had `size` entries: once it has come to that, none before these either. */
  readonly last: number
  readonly size: number
}

/** Records up to a number; those above where the process is have their entries from `index` on, of `size`. */
export type Entered = Pick<Known, "index" | "size" | "upTo">

export const enteredIn = ({ done, entered, size }: Head, known: Known | null): Entered => ({
  upTo: Math.max(done, entered, known?.upTo ?? 0),
  index: known?.index ?? 0,
  size
})

/**
 * After a round on this head. Where the records of a process that begins have their entries is not known before its next.
 * @param reached the number to which the process has come
 * @param all the number up to which it took all there were; null if there were more than a round takes
 */
export const knownAfter = (before: Known | null, { last, size }: Head, reached: number, all: number | null): Known => {
  const upTo = all ?? before?.upTo ?? 0
  if (before !== null && reached < before.last) return { ...before, upTo }
  return { upTo, index: before?.size ?? 0, last, size }
}
