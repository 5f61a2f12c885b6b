/**
 * Texts that the screen and the report share. They compare a plan with the borrowers' current
 * plans, and warn about input that was computed as sent but is probably a mistake.
 */
import { fromCents } from "../../engine/index.ts"
import { grouped, wholeDollars } from "../../messages/figures.ts"
import { ODD_RATES } from "../../messages/notes.ts"
import type { PlanSummary, Summary } from "./summary.ts"

export const againstNowNote = (baseline: string): string =>
  `If a plan is not open to every borrower, its means cover fewer borrowers. Against now compares the same borrowers: it is the mean difference in cost from their current plan, or from ${baseline} if the input names none.`

/** The mean difference in cost of the borrowers with figures under both plans, with its sign. */
export const againstNow = ({ answered, cheaper, dearer, notCompared }: PlanSummary): string => {
  const compared = answered - notCompared
  if (compared === 0) return "-"
  const difference = Math.round(fromCents(dearer.cents - cheaper.cents) / compared)
  return `${difference > 0 ? "+" : ""}${wholeDollars(difference || 0)}`
}

export const notedOf = ({
  summary: {
    noted: { oddRates, remarks = 0, spouseIncomeMissing }
  },
  warnings
}: {
  readonly summary: Summary
  readonly warnings: ReadonlyArray<string>
}): ReadonlyArray<string> => [
  ...warnings,
  ...(oddRates === 0
    ? []
    : [
        `${grouped(oddRates)} ${oddRates === 1 ? "borrower has" : "borrowers have"} an interest rate outside the federal range (${ODD_RATES}; 0.065 is 6.5%).`
      ]),
  ...(spouseIncomeMissing === 0
    ? []
    : [
        `${grouped(spouseIncomeMissing)} ${spouseIncomeMissing === 1 ? "borrower files" : "borrowers file"} jointly without a spouse's income, which counts as 0.`
      ]),
  ...(remarks === 0
    ? []
    : [
        `${grouped(remarks)} ${remarks === 1 ? "borrower has" : "borrowers have"} a pause that is over, a pause InSchool for a loan that has no school period, a lump sum in a month without repayment, or a familySize below that of the return.`
      ])
]
