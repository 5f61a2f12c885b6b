/** The summary of a portfolio as text: one line a plan. */
import { fromCents } from "../../engine/index.ts"
import { counted, grouped, wholeDollars } from "../../messages/figures.ts"
import { againstNow, againstNowNote, type Finished, notedOf, type PlanSummary } from "../../portfolio/index.ts"
import type { Screen } from "../output.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { harmless } from "./text.ts"

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
  numbers("Against now", againstNow),
  numbers("Costs least", ({ lowest }) => grouped(lowest))
]

const SHOWN_REASONS = 5

/** The most frequent reasons, each with its number of lines and the place of the first. */
export const reasonLines = ({ reasons }: Finished): ReadonlyArray<string> => {
  const more = reasons.length - SHOWN_REASONS
  return [
    ...reasons
      .slice(0, SHOWN_REASONS)
      .map(({ field, file, lines, problem, row }) =>
        harmless(
          `  ${grouped(lines)} ${lines === 1 ? "line" : "lines"}, ${field}: ${problem} (first at ${file}:${row})`
        )
      ),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : [])
  ]
}

const notComputed = (finished: Finished): ReadonlyArray<string> => {
  const { rejected, rejectedRows, rows } = finished.summary
  if (rejected === 0) return []
  const count = `${grouped(rejectedRows)} of ${grouped(rows)} rows were not computed`
  return [`${count}: ${finished.files?.rejected} says why, in ${counted(rejected, "line")}.`, ...reasonLines(finished)]
}

/** Warnings about the input, for users of the results. */
export const warningsOf = (finished: Finished): ReadonlyArray<string> => [
  ...notComputed(finished),
  ...notedOf(finished).map(harmless)
]

export const portfolioView =
  (finished: Finished) =>
  (screen: Screen): string => {
    const { files, portfolio, recorded, summary } = finished
    const lines = Object.entries(summary.plans).map(([planType, plan]): Line => ({ planType, ...plan }))
    return [
      `${grouped(summary.borrowers)} borrowers with ${grouped(summary.loans)} loans of ${wholeDollars(fromCents(summary.balanceCents))}; amounts are means of those with figures.`,
      againstNowNote(portfolio.baseline),
      ...warningsOf(finished),
      ...(recorded === null
        ? []
        : [`${grouped(recorded)} answers are recorded at ${portfolio.recordAt}: ${files?.answers} has each, whole.`]),
      "",
      ...tableLines(COLUMNS, lines, screen)
    ].join("\n")
  }
