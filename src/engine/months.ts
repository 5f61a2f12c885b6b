/**
 * A projection month by month: its payments, for a curve, a maximum or a present value, and when it
 * forgives. The loops of a projection run here for one month at a time. That is slower, so a
 * projection does not use it.
 */
import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import { Repayment } from "./repayment.ts"
import { type EngineRequest, prepare, type Run } from "./run.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import type { Tally } from "./schedule/tally.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/** Reads the tally of each month alone. Its columns have the month's sums at the month's year. */
const eachMonth = <A>(run: Run, count: number, read: (tally: Tally, year: number) => A): Array<A> => {
  const { tally } = run.workspace
  const repayment = new Repayment(run)
  return Array.from({ length: count }, (_, month) => {
    tally.reset()
    repayment.advance(month + 1)
    return read(tally, Math.floor(month / MONTHS_PER_YEAR))
  })
}

/**
 * The sum that all loans pay in each month, in unrounded dollars, or the refusal.
 * @param count number of months from the first one; a projection has `monthsToFinish` + 1
 */
export const monthlyPayments = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  count: number,
  workspace: Workspace = makeWorkspace()
): Float64Array | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  return Float64Array.from(eachMonth(run, count, ({ paid }, year) => paid[year]!))
}

/** A forgiveness at the end of a month. */
export interface Forgiveness {
  /** Index from 0. */
  readonly month: number
  /** Dollars, not rounded. */
  readonly amount: number
}

/** What is forgiven, month after month, or the refusal. */
export const forgivenesses = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  count: number,
  workspace: Workspace = makeWorkspace()
): ReadonlyArray<Forgiveness> | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const forgiven = eachMonth(
    run,
    count,
    ({ forgivenPslf, forgivenTimeBased }, year) => forgivenTimeBased[year]! + forgivenPslf[year]!
  )
  return forgiven.flatMap((amount, month) => (amount > 0 ? [{ month, amount }] : []))
}
