/** A projection as text: its figures in a sentence, then one line per year. */
import type { ProjectionResult, YearlyPoint } from "../../../schema/projection.ts"
import { dollars, month } from "../../messages/figures.ts"
import { namedFigures } from "../../messages/summaries.ts"
import type { Screen } from "../output.ts"
import { provenanceLines } from "./provenance.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { wrap } from "./text.ts"

const COLUMNS: ReadonlyArray<Column<YearlyPoint>> = [
  numbers("Year", ({ year }) => String(year)),
  { title: "Month", cell: ({ date }) => month(date), dropPriority: 1 },
  numbers("Paid", ({ paymentsThisYear }) => dollars(paymentsThisYear)),
  numbers("Principal", ({ principalBalance }) => dollars(principalBalance)),
  numbers("Interest", ({ interestBalance }) => dollars(interestBalance), 2)
]
const FORGIVEN = numbers<YearlyPoint>("Forgiven", ({ forgivenThisYear }) => dollars(forgivenThisYear), 3)

const years = (points: ReadonlyArray<YearlyPoint>, screen: Screen): ReadonlyArray<string> => {
  const isForgiven = points.some(({ forgivenThisYear }) => forgivenThisYear > 0)
  return ["", ...tableLines(isForgiven ? [...COLUMNS, FORGIVEN] : COLUMNS, points, screen)]
}

export const projectionView =
  (answer: ProjectionResult) =>
  (screen: Screen): string =>
    [
      ...wrap(namedFigures(answer), screen.columns).map(screen.style.bold),
      ...(answer.yearly ? years(answer.yearly, screen) : []),
      "",
      ...provenanceLines(answer.provenance, screen)
    ].join("\n")
