/** A projection as text: its figures in a sentence, then one line per year. */
import type { ProjectionResult, YearlyPoint } from "../../../schema/projection.ts"
import type { Scenario } from "../../../schema/scenario.ts"
import { MONTHS_PER_YEAR } from "../../engine/index.ts"
import { dollars, month, monthAfter } from "../../messages/figures.ts"
import { lumpSumWords, pauseWords, planChangeWords } from "../../messages/pauses.ts"
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

const INDENT = "      "

type Bends = Pick<Scenario, "lumpSums" | "pauses" | "planChanges">

/** What happens in a year of the series, in words; nothing in year 0, which is the start. */
const bendsIn = ({ lumpSums, pauses, planChanges }: Bends, year: number, start: string): string => {
  const [begin, end] = [year - 1, year].map((years) => monthAfter(start, years * MONTHS_PER_YEAR)) as [string, string]
  if (year === 0) return ""
  const isIn = (month: string) => month >= begin && month < end
  return [
    ...(pauses ?? []).filter(({ from, until }) => (from ?? begin) < end && until > begin).map(pauseWords),
    ...(lumpSums ?? []).filter(({ on }) => isIn(on)).map(lumpSumWords),
    ...(planChanges ?? []).filter(({ from }) => isIn(from)).map(planChangeWords)
  ].join(", ")
}

/** A line for each year, and under it what bends in it. */
const years = (points: ReadonlyArray<YearlyPoint>, screen: Screen, bends: Bends): ReadonlyArray<string> => {
  const isForgiven = points.some(({ forgivenThisYear }) => forgivenThisYear > 0)
  const [head, ...rows] = tableLines(isForgiven ? [...COLUMNS, FORGIVEN] : COLUMNS, points, screen)
  const wordsOf = ({ year }: YearlyPoint) => wrap(bendsIn(bends, year, points[0]!.date), screen.columns, INDENT)
  return ["", head!, ...rows.flatMap((row, index) => [row, ...wordsOf(points[index]!)])]
}

/** @param bends what the scenario says of its months, which the answer does not repeat */
export const projectionView =
  (answer: ProjectionResult, bends: Bends = { lumpSums: null, pauses: null, planChanges: null }) =>
  (screen: Screen): string =>
    [
      ...wrap(namedFigures(answer), screen.columns).map(screen.style.bold),
      ...(answer.yearly ? years(answer.yearly, screen, bends) : []),
      "",
      ...provenanceLines(answer.provenance, screen)
    ].join("\n")
