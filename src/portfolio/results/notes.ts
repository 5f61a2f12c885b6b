/**
 * Texts that the screen and the report share: how a plan compares with what borrowers have now, and
 * warnings about input that was computed as sent, but is probably a mistake.
 */
import { fromCents } from "../../engine/schedule/rounding.ts"
import { grouped, wholeDollars } from "../../messages/figures.ts"
import { ODD_RATES } from "../../messages/notes.ts"
import type { PlanSummary, Summary } from "./summary.ts"

export const againstNowNote = (baseline: string): string =>
  `A plan that is not open to all has means of fewer borrowers. Against now compares the same borrowers: the mean difference in cost from their current plan, or ${baseline} if the input names none.`

/** The mean difference in cost of the borrowers with figures under both plans, with its sign. */
export const againstNow = ({ answered, cheaper, dearer, notCompared }: PlanSummary): string => {
  const compared = answered - notCompared
  if (compared === 0) return "-"
  const difference = Math.round(fromCents(dearer.cents - cheaper.cents) / compared)
  return `${difference > 0 ? "+" : ""}${wholeDollars(difference || 0)}`
}

export const notedOf = ({ noted: { oddRates, spouseIncomeMissing } }: Summary): ReadonlyArray<string> => [
  ...(oddRates === 0
    ? []
    : [
        `Interest rates that no federal student loan has, of so many borrowers: ${grouped(oddRates)} (${ODD_RATES}; 0.065 is 6.5%).`
      ]),
  ...(spouseIncomeMissing === 0
    ? []
    : [
        `A joint return without the spouse's income, which counts as 0, of so many borrowers: ${grouped(spouseIncomeMissing)}.`
      ])
]
