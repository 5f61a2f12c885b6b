/** A comparison as text: one line per arm, and the lowest. */
import type { ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { PlansResult } from "../../../schema/plans.ts"
import type { ProjectionResult } from "../../../schema/projection.ts"
import { costCents, fromCents, lowestOf } from "../../engine/index.ts"
import { month, wholeDollars } from "../../messages/figures.ts"
import { notesButLowest } from "../../messages/notes.ts"
import { closedPlanLine } from "../../messages/plansAnswer.ts"
import { lowestLines } from "../../messages/summaries.ts"
import { shortPlanName } from "../calculate/scenarioFlags.ts"
import type { Screen } from "../output.ts"
import { basisLines, briefProvenance } from "./provenance.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { harmless, wrap } from "./text.ts"

const MIN_NAME_WIDTH = 16

/** An arm's figures, as a comparison and a book under every plan have them. */
type Figures = Pick<
  ProjectionResult,
  | "amountForgiven"
  | "forgivenessTaxesOwed"
  | "label"
  | "payoffOrForgivenessDate"
  | "planType"
  | "presentValue"
  | "totalOutOfPocket"
  | "year1MonthlyPayment"
>

interface Arm {
  readonly number: number
  readonly name: string
  readonly cost: number
  readonly answer: Figures
}

const armOf = (answer: Figures, index: number): Arm => ({
  number: index + 1,
  name: harmless(answer.label ?? answer.planType ?? ""),
  cost: fromCents(costCents(answer)),
  answer
})

const NUMBER = numbers<Arm>("#", ({ number }) => String(number))
const NAME: Column<Arm> = { title: "Scenario", cell: ({ name }) => name, minWidth: MIN_NAME_WIDTH }
const PLAN: Column<Arm> = { title: "Plan", cell: ({ answer }) => harmless(answer.planType ?? ""), dropPriority: 4 }

const FORGIVEN = numbers<Arm>("Forgiven", ({ answer }) => wholeDollars(answer.amountForgiven), 5)
const PAID = numbers<Arm>("Paid", ({ answer }) => wholeDollars(answer.totalOutOfPocket), 1)
const TAX = numbers<Arm>("Tax", ({ answer }) => wholeDollars(answer.forgivenessTaxesOwed), 2)

const WORTH = numbers<Arm>("Worth today", ({ answer }) => wholeDollars(answer.presentValue ?? 0), 3)

/** Whole dollars, to save width. */
const COLUMNS: ReadonlyArray<Column<Arm>> = [
  NUMBER,
  NAME,
  PLAN,
  numbers("First payment", ({ answer }) => wholeDollars(answer.year1MonthlyPayment)),
  numbers("Ends", ({ answer: { payoffOrForgivenessDate: end } }) => (end === null ? "never" : month(end)), 3),
  FORGIVEN,
  PAID,
  TAX,
  numbers("Total with tax", ({ cost }) => wholeDollars(cost)),
  WORTH
]

/** Whether all names differ, so that arms need no numbers. */
const areNamed = (arms: ReadonlyArray<Arm>): boolean => new Set(arms.map(({ name }) => name)).size === arms.length

/** Leaves out columns that are the same for every arm, or repeat another column. */
const columnsFor = (arms: ReadonlyArray<Arm>): ReadonlyArray<Column<Arm>> => {
  const without = [
    ...(areNamed(arms) ? [NUMBER] : []),
    ...(arms.some(({ answer, name }) => name !== answer.planType) ? [] : [PLAN]),
    ...(arms.some(({ answer }) => answer.amountForgiven > 0) ? [] : [FORGIVEN]),
    ...(arms.some(({ answer }) => answer.forgivenessTaxesOwed > 0) ? [] : [PAID, TAX]),
    ...(arms.every(({ answer }) => answer.presentValue !== undefined) ? [] : [WORTH])
  ]
  const columns = COLUMNS.filter((column) => !without.includes(column))
  return without.includes(PLAN)
    ? columns.map((column) => (column === NAME ? { ...NAME, title: PLAN.title } : column))
    : columns
}

/** The head and a row for each arm, the cheapest in color. */
const rowsOf = (arms: ReadonlyArray<Arm>, lowest: number, screen: Screen): ReadonlyArray<string> =>
  tableLines(columnsFor(arms), arms, screen).map((line, at) => (at === lowest + 1 ? screen.style.accent(line) : line))

export const comparisonView =
  (answer: ScenarioComparisonResult) =>
  (screen: Screen): string => {
    const arms = answer.projections.map(armOf)
    return [
      ...rowsOf(arms, lowestOf(answer.projections), screen),
      "",
      ...lowestLines(answer, !areNamed(arms)).flatMap((line) => wrap(line, screen.columns)),
      ...briefProvenance({ ...answer.provenance, notes: notesButLowest(answer) }, screen)
    ].join("\n")
  }

/** A book under every plan: one line per plan, and why the others are closed. */
export const plansView =
  ({ assumptions, citations, excludedPlans, knownOmissions, plans }: PlansResult) =>
  (screen: Screen): string => {
    const arms = plans.map(({ label: _, ...figures }, index) =>
      armOf({ ...figures, label: shortPlanName(figures.planType), planType: shortPlanName(figures.planType) }, index)
    )
    const lowest = lowestOf(plans)
    const lines = [
      lowest === -1 ? "No plan can be chosen for these loans." : `Lowest total with tax: ${arms[lowest]!.name}.`,
      ...assumptions.map((one) => `Note: ${one.replace(/\.$/, "")}.`),
      ...excludedPlans.map(closedPlanLine)
    ]
    return [
      ...(arms.length === 0 ? [] : [...rowsOf(arms, lowest, screen), ""]),
      ...lines.flatMap((line) => wrap(line, screen.columns)),
      ...basisLines(knownOmissions.length, citations.length, screen)
    ].join("\n")
  }
