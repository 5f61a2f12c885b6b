/**
 * Remarks on a request that refuse nothing: parts of it that change no figure, or that are read
 * otherwise than they were sent. src/messages words them.
 */
import { erasOf, familySizeOf, type HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Changed } from "../repayment.ts"
import { indexOfMonth, type StartMonth } from "../schedule/calendar.ts"
import { amountOf } from "../schedule/extra.ts"
import type { Rests } from "../schedule/pauses.ts"
import { toCents, toWholeDollars } from "../schedule/rounding.ts"

export type Remark =
  /** The pause ended before the first month. */
  | { readonly _tag: "PauseIsOver"; readonly pause: number; readonly until: string }
  /** The change of plan has happened: it is the plan of the first month, or another took its place. */
  | { readonly _tag: "PlanHasChanged"; readonly change: number; readonly from: string; readonly isInForce: boolean }
  /** The budget of the first year is less than the first payment due, in whole dollars. */
  | { readonly _tag: "BudgetTooSmall"; readonly due: number }
  /** InSchool counts as a deferment for these loans, by position. */
  | { readonly _tag: "NotInSchool"; readonly loans: ReadonlyArray<number> }
  /** Nothing is repaid in the month of a lump sum. */
  | { readonly _tag: "LumpSumUnused"; readonly lumpSum: number; readonly on: string }
  /** Unpaid interest joins principal where a change leaves Income-Based, in dollars. */
  | { readonly _tag: "InterestJoins"; readonly change: number; readonly dollars: number }
  /** A change moves these loans to STANDARD, by position, because the plan cannot take them. */
  | { readonly _tag: "MovedOut"; readonly change: number; readonly loans: ReadonlyArray<number> }
  /** The family sent is smaller than that of the return; `change` is null for the first year. */
  | { readonly _tag: "SmallFamily"; readonly change: number | null; readonly sent: number; readonly ofReturn: number }

export const NO_REMARKS: ReadonlyArray<Remark> = []

/** Whether a request may have remarks. */
export const mayHaveRemarks = (scenario: HouseholdScenario): boolean => {
  const { changes, familySize, lumpSums, monthlyBudget, pauses, planChanges } = scenario
  return (
    familySize !== null ||
    (monthlyBudget ?? 0) > 0 ||
    isSent(changes) ||
    isSent(lumpSums) ||
    isSent(pauses) ||
    isSent(planChanges)
  )
}

const isSent = (list: ReadonlyArray<unknown> | null): boolean => list !== null && list.length > 0

interface Facts {
  readonly start: StartMonth
  readonly rests: Rests
  /** In dollars. */
  readonly firstPayment: number
  /** Index of the last month, or null if the projection does not finish. */
  readonly lastMonth: number | null
}

/** The years from which on a family is smaller than that of the return. */
export const smallFamilies = (law: Law, scenario: HouseholdScenario): ReadonlyArray<Remark> => {
  const families = [scenario, ...erasOf(scenario)].map(({ dependents, familySize, filingStatus }) => ({
    ofReturn: familySizeOf(law, filingStatus, dependents),
    sent: familySize
  }))
  return families.flatMap(({ ofReturn, sent }, index): ReadonlyArray<Remark> => {
    const before = families[index - 1]
    if (sent === null || sent >= ofReturn || (before?.sent === sent && before.ofReturn === ofReturn)) return []
    return [{ _tag: "SmallFamily", change: index === 0 ? null : index - 1, sent, ofReturn }]
  })
}

/** What a change of plan did besides. */
export const remarksOnChange = ({
  change,
  joined: dollars,
  movedOut: loans
}: Pick<Changed, "change" | "joined" | "movedOut">): ReadonlyArray<Remark> => [
  ...(toCents(dollars) === 0 ? [] : [{ _tag: "InterestJoins", change, dollars } as const]),
  ...(loans.length === 0 ? [] : [{ _tag: "MovedOut", change, loans } as const])
]

/** The remarks on a request; usually none. */
export const remarksOn = (
  law: Law,
  scenario: HouseholdScenario,
  { firstPayment, lastMonth, rests, start }: Facts
): ReadonlyArray<Remark> => {
  const renamed = (rests ?? []).flatMap((ofLoan, position) =>
    ofLoan.some(({ isRenamed }) => isRenamed) ? [position] : []
  )
  const begun = (scenario.planChanges ?? []).filter(({ from }) => indexOfMonth(start, from) <= 0)
  return [
    ...begun.map(
      ({ from }, change): Remark => ({ _tag: "PlanHasChanged", change, from, isInForce: change === begun.length - 1 })
    ),
    ...(amountOf(scenario.monthlyBudget) > 0 && amountOf(scenario.monthlyBudget) < firstPayment
      ? [{ _tag: "BudgetTooSmall", due: toWholeDollars(firstPayment) } as const]
      : []),
    ...(scenario.pauses ?? []).flatMap(
      ({ until }, pause): ReadonlyArray<Remark> =>
        indexOfMonth(start, until) > 0 ? [] : [{ _tag: "PauseIsOver", pause, until }]
    ),
    ...(renamed.length === 0 ? [] : [{ _tag: "NotInSchool", loans: renamed } as const]),
    ...(scenario.lumpSums ?? []).flatMap(({ on }, lumpSum): ReadonlyArray<Remark> => {
      const month = indexOfMonth(start, on)
      return month >= 0 && month <= (lastMonth ?? month) ? [] : [{ _tag: "LumpSumUnused", lumpSum, on }]
    }),
    ...smallFamilies(law, scenario)
  ]
}
