/** What a summary says of borrowers who were computed as they were sent, of whom something was likely meant otherwise. */
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
