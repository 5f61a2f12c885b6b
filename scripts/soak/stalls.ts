/**
 * A measure of how long the database could not commit: a disk or a processor stood still. The service
 * waits for a second and then refuses calls, and cannot be blamed for that.
 */
import { setTimeout } from "node:timers/promises"
import pg from "pg"

const PAUSE_MILLIS = 100
/** Half of what the service waits for. */
const SLOW_MILLIS = 500

const COMMIT = "SELECT pg_logical_emit_message(true, 'soak', '')"

export interface Stalls {
  /** Whether a commit was slow since a moment of `performance.now()`. */
  readonly since: (moment: number) => boolean
  /** Of all slow commits. */
  readonly seconds: () => number
  readonly stop: () => Promise<void>
}

/** Commits in a session of its own, one after another. */
export const watchCommits = async (databaseUrl: string): Promise<Stalls> => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  let isStopped = false
  let [begun, slowUntil, slowMillis] = [performance.now(), 0, 0]
  const commit = async () => {
    while (!isStopped) {
      begun = performance.now()
      await client.query(COMMIT)
      const now = performance.now()
      if (now - begun > SLOW_MILLIS) [slowUntil, slowMillis] = [now, slowMillis + now - begun]
      begun = Number.POSITIVE_INFINITY
      await setTimeout(PAUSE_MILLIS)
    }
    await client.end()
  }
  const done = commit()
  return {
    since: (moment) => slowUntil >= moment || performance.now() - begun > SLOW_MILLIS,
    seconds: () => slowMillis / 1000,
    stop: () => {
      isStopped = true
      return done
    }
  }
}
