/**
 * An outage of the database in two log lines: one for its first failed operation, and one when
 * operations succeed again. Every call that it refuses is counted, and none has a line of its own.
 */
import { Context, Layer } from "effect"

/** An outage ends after this time without a failure, because some operations may succeed during it. */
const QUIET_MILLISECONDS = 1000
/** A disk that was full this long ago may have room again: the next write shows it. */
const FULL_MILLISECONDS = 10_000
/** A failure after this time without another begins a new outage. */
const FORGOTTEN_MILLISECONDS = 60_000

interface State {
  readonly since: number
  readonly operations: Set<string>
  lastAt: number
  /** Of the last failure: ConnectionError if the database was not reached. */
  reason: string
  refusedCalls: number
}

export class Outage {
  private state: State | undefined

  /** Notes a failure; true if it begins an outage. */
  begins(operation: string, reason: string, now = performance.now()): boolean {
    const known = this.isOn(now)
    if (!known) this.state = { since: now, operations: new Set(), lastAt: now, reason, refusedCalls: 0 }
    Object.assign(this.state!, { lastAt: now, reason })
    this.state!.operations.add(operation)
    return !known
  }

  isOn(now = performance.now()): boolean {
    return this.state !== undefined && now - this.state.lastAt < FORGOTTEN_MILLISECONDS
  }

  /** Whether the database's disk was full a moment ago, so that it takes no writes. */
  isDiskFull(now = performance.now()): boolean {
    return this.state?.reason === "DiskFull" && now - this.state.lastAt < FULL_MILLISECONDS
  }

  /** Notes that a call was refused because the database failed. */
  refuse(): void {
    if (this.state !== undefined) this.state.refusedCalls++
  }

  /** Notes a success. If it ends the outage, returns the outage's cost. */
  ends(operation: string, now = performance.now()): { readonly seconds: number; readonly refusedCalls: number } | null {
    if (this.state === undefined) return null
    const { lastAt, operations, reason, refusedCalls, since } = this.state
    const isAway = reason === "ConnectionError"
    // A read-only database still answers reads, so only an operation that failed can end it.
    if (now - lastAt < QUIET_MILLISECONDS || !(isAway || operations.has(operation))) return null
    this.state = undefined
    return { seconds: Math.round((now - since) / 100) / 10, refusedCalls }
  }
}

export const CurrentOutage = Context.Reference<Outage>("repayment-of-record/Outage", {
  defaultValue: () => new Outage()
})

/** Each service has an outage of its own. */
export const outageLayer = Layer.sync(CurrentOutage, () => new Outage())
