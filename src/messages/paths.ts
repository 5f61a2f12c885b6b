/** The sentences about the best path. */
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { leavingIncomeBased } from "../../ledger/rules/interest.ts"
import type { PlanChange } from "../../schema/scenario.ts"
import { currentLaw, fromCents, toCents } from "../engine/index.ts"
import { dollars, grouped, longMonth } from "./figures.ts"
import { closedPlan } from "./plans.ts"

const { endsOn, plans: ending } = currentLaw.read(idrSunsetDefault)
const { mayBeLeftFor, plans: incomeBased } = currentLaw.read(leavingIncomeBased)

const CAUTION = `The best of the paths tried is not advice. Income, family and the law may change before the plan does. ${ending.join(" and ")} end in ${longMonth(endsOn)}. ${incomeBased.join(" and ")} can be left for ${mayBeLeftFor.join(" or ")} alone. The servicer may count other months than were sent`

/** What could make another path the best one, and whether its first plan has ended. */
export const pathsNotes = ({ planType }: { readonly planType: string }): ReadonlyArray<string> => {
  const closed = closedPlan(planType)
  return [CAUTION, ...(closed === undefined ? [] : [closed])]
}

interface PathFigures {
  readonly planType: string | null
  readonly planChanges: ReadonlyArray<PlanChange>
  readonly cost: number
  readonly presentValue?: number | undefined
}

/** For example "PAYE, then IBR-NEW from June 2028". */
const pathWords = ({ planChanges, planType }: PathFigures, named: (planType: string) => string): string =>
  [
    named(planType ?? ""),
    ...planChanges.map(({ from, planType: next }) => `then ${named(next)} from ${longMonth(from)}`)
  ].join(", ")

/** @param named the names of plans */
export const bestPathSentence = (
  best: PathFigures,
  without: PathFigures,
  projected: number,
  named: (planType: string) => string
): string => {
  const what = best.presentValue === undefined ? "with tax" : "with tax, as worth today"
  const saved = fromCents(toCents(without.cost) - toCents(best.cost))
  const beside =
    best.planChanges.length === 0
      ? "No change of plan that was tried costs less"
      : `That is ${dollars(saved)} less than the best without a change: ${pathWords(without, named)}`
  return `Lowest cost of ${grouped(projected)} paths tried: ${pathWords(best, named)}, at ${dollars(best.cost)} ${what}. ${beside}.`
}
