/** What a portfolio adds up to, as text: a line a plan, and for how many borrowers each costs least. */
import { fromCents } from "../../engine/schedule/rounding.ts"
import type { Finished } from "../../portfolio/portfolioRun.ts"
import type { PlanSummary } from "../../portfolio/summary.ts"
import { grouped, wholeDollars } from "../../wording/figures.ts"
import type { Screen } from "../output.ts"
import { stackedBar } from "./bars.ts"
import { type Column, numbers, table } from "./table.ts"

const MIN_BAR_CELLS = 6

interface Line extends PlanSummary {
  readonly planType: string
}

const mean = (cents: number, { answered }: Line): string =>
  answered === 0 ? "-" : wholeDollars(fromCents(cents) / answered)

const COLUMNS: ReadonlyArray<Column<Line>> = [
  { title: "Plan", cell: ({ planType }) => planType },
  numbers("Borrowers", ({ answered }) => grouped(answered)),
  numbers("First", (line) => mean(line.firstMonthCents, line), 3),
  numbers("Paid", (line) => mean(line.paidCents, line), 2),
  numbers("Forgiven", (line) => mean(line.forgiven.cents, line), 4),
  numbers("Tax", (line) => mean(line.taxCents, line), 5),
  numbers("Cost", (line) => mean(line.paidCents + line.taxCents, line), 1),
  numbers("Costs least", ({ lowest }) => grouped(lowest))
]

export const portfolioView =
  ({ files, summary }: Finished) =>
  ({ columns, style }: Screen): string => {
    const lines = Object.entries(summary.plans).map(([planType, plan]): Line => ({ planType, ...plan }))
    const shown = table(COLUMNS, lines, columns)
    const bar = ({ lowest }: Line): string =>
      shown.left < MIN_BAR_CELLS ? "" : `  ${stackedBar(lowest, 0, summary.borrowers, shown.left)}`
    return [
      `${grouped(summary.borrowers)} borrowers with ${grouped(summary.loans)} loans of ${wholeDollars(fromCents(summary.balanceCents))}; amounts are means of those with figures.`,
      ...(summary.rejected === 0
        ? []
        : [`${grouped(summary.rejected)} rows were not computed: ${files.rejected} says why.`]),
      "",
      style.bold(shown.head),
      ...shown.rows.map((row, index) => `${row}${bar(lines[index]!)}`)
    ].join("\n")
  }
