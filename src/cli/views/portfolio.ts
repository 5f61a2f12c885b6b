/** What a portfolio adds up to, as text: a line a plan, and for how many borrowers each costs least. */
import { fromCents } from "../../engine/schedule/rounding.ts"
import type { Finished } from "../../portfolio/portfolioRun.ts"
import type { PlanSummary } from "../../portfolio/summary.ts"
import { wholeDollars } from "../../wording/figures.ts"
import type { Screen } from "../output.ts"
import { stackedBar } from "./bars.ts"
import { type Column, table } from "./table.ts"

const MIN_BAR_CELLS = 6

const grouped = (count: number): string => count.toLocaleString("en-US")

interface Line extends PlanSummary {
  readonly planType: string
}

const mean = (cents: number, { answered }: Line): string =>
  answered === 0 ? "-" : wholeDollars(fromCents(cents) / answered)

const number = (title: string, cell: Column<Line>["cell"], dropPriority?: number): Column<Line> => ({
  title,
  cell,
  align: "right",
  ...(dropPriority === undefined ? {} : { dropPriority })
})

const COLUMNS: ReadonlyArray<Column<Line>> = [
  { title: "Plan", cell: ({ planType }) => planType },
  number("Borrowers", ({ answered }) => grouped(answered)),
  number("First", (line) => mean(line.firstMonthCents, line), 3),
  number("Paid", (line) => mean(line.paidCents, line), 2),
  number("Forgiven", (line) => mean(line.forgiven.cents, line), 4),
  number("Tax", (line) => mean(line.taxCents, line), 5),
  number("Cost", (line) => mean(line.paidCents + line.taxCents, line), 1),
  number("Costs least", ({ lowest }) => grouped(lowest))
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
