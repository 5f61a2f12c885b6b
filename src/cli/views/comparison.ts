/**
 * A comparison as text: one line per arm with a bar of its cost, and the lowest. If the years were
 * asked for, also each balance over the years.
 */
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
import { briefProvenance } from "./provenance.ts"
import { type Column, numbers, table } from "./table.ts"
import { harmless, padStart } from "./text.ts"

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

const FORGIVEN = numbers<Arm>("Forgiven", ({ answer }) => wholeDollars(answer.amountForgiven), 5)
const PAID = numbers<Arm>("Paid", ({ answer }) => wholeDollars(answer.totalOutOfPocket), 1)
const TAX = numbers<Arm>("Tax", ({ answer }) => wholeDollars(answer.forgivenessTaxesOwed), 2)

/** Whole dollars, to save width. */
const COLUMNS: ReadonlyArray<Column<Arm>> = [
  numbers("#", ({ number }) => String(number)),
  NAME,
  PLAN,
  numbers("First payment", ({ answer }) => wholeDollars(answer.year1MonthlyPayment)),
  numbers("Ends", ({ answer }) => endMonth(answer), 3),
  FORGIVEN,
  PAID,
  TAX,
  numbers("Total cost", ({ cost }) => wholeDollars(cost))
]

const isTaxed = (arms: ReadonlyArray<Arm>): boolean => arms.some(({ answer }) => answer.forgivenessTaxesOwed > 0)

/** Without columns that would say the same of every arm, or what another column says. */
const columnsFor = (arms: ReadonlyArray<Arm>): ReadonlyArray<Column<Arm>> => {
  const without = [
    ...(arms.some(({ answer, name }) => name !== answer.planType) ? [] : [PLAN]),
    ...(arms.some(({ answer }) => answer.amountForgiven > 0) ? [] : [FORGIVEN]),
    ...(isTaxed(arms) ? [] : [PAID, TAX])
  ]
  return COLUMNS.filter((column) => !without.includes(column))
}

/** The table, with the cost of each arm as a bar where there is room. */
const rowsOf = (arms: ReadonlyArray<Arm>, best: Arm, { columns, style }: Screen): ReadonlyArray<string> => {
  const { head, left, rows } = table(columnsFor(arms), arms, columns)
  const whole = Math.max(...arms.map(({ cost }) => cost))
  const hasBars = left >= MIN_BAR_CELLS
  const drawn = arms.map(({ answer }, index) => {
    const bar = hasBars ? stackedBar(answer.totalOutOfPocket, answer.forgivenessTaxesOwed, whole, left) : ""
    return `${rows[index]}${GAP}${bar}`.trimEnd()
  })
  const legend =
    hasBars && isTaxed(arms) ? [style.dim(`${SOLID_MARK} paid  ${LIGHT_MARK} tax on what is forgiven`)] : []
  return [
    style.bold(head.trimEnd()),
    ...drawn.map((row, index) => (arms[index] === best ? style.accent(row) : row)),
    ...legend
  ]
}

const balances = ({ answer }: Arm): ReadonlyArray<number> =>
  (answer.yearly ?? []).map(({ interestBalance, principalBalance }) => principalBalance + interestBalance)

const balanceLines = (arms: ReadonlyArray<Arm>): ReadonlyArray<string> => {
  const whole = Math.max(0, ...arms.flatMap(balances))
  return arms.map(
    (arm) => `${padStart(String(arm.number), String(arms.length).length)}${GAP}${sparkline(balances(arm), whole)}`
  )
}

const section = (title: string, lines: ReadonlyArray<string>, { style }: Screen): ReadonlyArray<string> => [
  "",
  style.bold(title),
  ...lines.map((line) => line.trimEnd())
]

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
    const hasSeries = arms.some(({ answer: { yearly } }) => yearly !== undefined && yearly !== null)
    return [
      ...rowsOf(arms, best, screen),
      ...(hasSeries ? section("Balance year by year, from the opening balance", balanceLines(arms), screen) : []),
      "",
      ...lowestLines(arms, best, screen),
      ...briefProvenance({ ...answer.provenance, notes: notesButLowest(answer) }, screen)
    ].join("\n")
  }
