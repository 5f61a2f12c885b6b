/** A comparison as text: one line per arm, its cost, and its balance over the years. */
import type { ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { ProjectionResult } from "../../../schema/projection.ts"
import { lowestOf } from "../../engine/comparison.ts"
import { costCents } from "../../engine/projection.ts"
import { fromCents } from "../../engine/schedule/rounding.ts"
import { dollars, wholeDollars } from "../../messages/figures.ts"
import { notesButLowest } from "../../messages/notes.ts"
import { isElectable } from "../../messages/plans.ts"
import type { Screen } from "../output.ts"
import { LIGHT_MARK, SOLID_MARK, sparkline, stackedBar } from "./bars.ts"
import { endMonth } from "./projection.ts"
import { provenanceLines } from "./provenance.ts"
import { type Column, numbers, table } from "./table.ts"
import { harmless, padEnd, padStart, widthOf } from "./text.ts"

const MIN_NAME_WIDTH = 16
const MIN_BAR_CELLS = 6
const GAP = "  "

interface Arm {
  readonly number: number
  readonly name: string
  readonly cost: number
  readonly answer: ProjectionResult
}

const armOf = (answer: ProjectionResult, index: number): Arm => ({
  number: index + 1,
  name: harmless(answer.label ?? answer.planType ?? ""),
  cost: fromCents(costCents(answer)),
  answer
})

const NAME: Column<Arm> = { title: "Scenario", cell: ({ name }) => name, minWidth: MIN_NAME_WIDTH }
const PLAN: Column<Arm> = { title: "Plan", cell: ({ answer }) => harmless(answer.planType ?? ""), dropPriority: 4 }

/** Whole dollars, to save width: the cents are in the costs below. */
const COLUMNS: ReadonlyArray<Column<Arm>> = [
  numbers("#", ({ number }) => String(number)),
  NAME,
  PLAN,
  numbers("First", ({ answer }) => wholeDollars(answer.year1MonthlyPayment)),
  numbers("Ends", ({ answer }) => endMonth(answer), 3),
  numbers("Forgiven", ({ answer }) => wholeDollars(answer.amountForgiven), 5),
  numbers("Paid", ({ answer }) => wholeDollars(answer.totalOutOfPocket), 1),
  numbers("Tax", ({ answer }) => wholeDollars(answer.forgivenessTaxesOwed), 2),
  numbers("Cost", ({ cost }) => wholeDollars(cost))
]

/** The plan has a separate column only if labels hide it. */
const columnsFor = (arms: ReadonlyArray<Arm>): ReadonlyArray<Column<Arm>> =>
  arms.some(({ answer, name }) => name !== answer.planType) ? COLUMNS : COLUMNS.filter((each) => each !== PLAN)

const costBars = (arms: ReadonlyArray<Arm>, columns: number): ReadonlyArray<string> => {
  const widest = Math.max(...arms.map(({ cost }) => widthOf(dollars(cost))))
  const cells = columns - widest - String(arms.length).length - 2 * GAP.length
  if (cells < MIN_BAR_CELLS) return []
  const whole = Math.max(...arms.map(({ cost }) => cost))
  return arms.map(({ answer, cost, number }) => {
    const bar = stackedBar(answer.totalOutOfPocket, answer.forgivenessTaxesOwed, whole, cells)
    const place = padStart(String(number), String(arms.length).length)
    return [place, padEnd(bar, cells), padStart(dollars(cost), widest)].join(GAP)
  })
}

const balances = ({ answer }: Arm): ReadonlyArray<number> =>
  (answer.yearly ?? []).map(({ interestBalance, principalBalance }) => principalBalance + interestBalance)

const balanceLines = (arms: ReadonlyArray<Arm>): ReadonlyArray<string> => {
  const whole = Math.max(0, ...arms.flatMap(balances))
  return arms.map(
    (arm) => `${padStart(String(arm.number), String(arms.length).length)}${GAP}${sparkline(balances(arm), whole)}`
  )
}

const section = (title: string, lines: ReadonlyArray<string>, { style }: Screen): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", style.bold(title), ...lines.map((line) => line.trimEnd())]

/**
 * The cheapest arm, and if its plan is closed to enrollment, the cheapest one that can be elected.
 */
const lowestLines = (arms: ReadonlyArray<Arm>, best: Arm, { style }: Screen): ReadonlyArray<string> => {
  const line = (heading: string, { cost, name, number }: Arm) =>
    `${heading}: ${style.bold(`${number} ${name}`)}, ${dollars(cost)}.`
  if (isElectable(best.answer)) return [line("Lowest cost", best)]
  const open =
    arms[
      lowestOf(
        arms.map(({ answer }) => answer),
        isElectable
      )
    ]
  const closed = `${line("Lowest cost", best)} ${best.answer.planType} cannot be elected any more.`
  return open === undefined ? [closed] : [closed, line("Lowest that can be elected", open)]
}

export const comparisonView =
  (answer: ScenarioComparisonResult) =>
  (screen: Screen): string => {
    const arms = answer.projections.map(armOf)
    const best = arms[lowestOf(answer.projections)]!
    const { head, rows } = table(columnsFor(arms), arms, screen.columns)
    const drawn = rows.map((row, index) => (index === arms.indexOf(best) ? screen.style.accent(row) : row).trimEnd())
    const hasSeries = arms.some(({ answer: { yearly } }) => yearly !== undefined && yearly !== null)
    return [
      screen.style.bold(head.trimEnd()),
      ...drawn,
      ...section(
        `Cost: ${SOLID_MARK} paid  ${LIGHT_MARK} tax on what is forgiven`,
        costBars(arms, screen.columns),
        screen
      ),
      ...(hasSeries ? section("Balance year by year, from the opening balance", balanceLines(arms), screen) : []),
      "",
      ...lowestLines(arms, best, screen),
      ...provenanceLines({ ...answer.provenance, notes: notesButLowest(answer) }, screen)
    ].join("\n")
  }
