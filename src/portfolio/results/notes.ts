/** The warnings of a summary about input that was computed as sent, but is probably a mistake. */
import { grouped } from "../../messages/figures.ts"
import { ODD_RATES } from "../../messages/notes.ts"
import type { Summary } from "./summary.ts"

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
