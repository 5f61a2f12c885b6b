/**
 * Since when the log has not come past a record that was there, by the clock of this process: of its mark, of who was
 * writing then and of how far it has come, whoever may write to log_head can say what he likes.
 */
import { WRITER_MILLISECONDS } from "./backlog.ts"

export interface Standing {
  /** The highest number of a record that was visible then. */
  readonly newest: number
  readonly since: number
}

export const standingAt = (
  before: Standing | null,
  { done, newest }: { readonly done: number; readonly newest: number },
  now: number
): Standing | null =>
  newest <= done ? null : before !== null && before.newest > done ? before : { newest, since: now }

/** A number which the log goes past, whoever may still be writing below it; -Infinity if there is none. */
export const overdue = (standing: Standing | null, now: number): number =>
  standing !== null && Math.abs(now - standing.since) > WRITER_MILLISECONDS ? standing.newest : Number.NEGATIVE_INFINITY
