/** A projection as text: its figures, then one line and one bar per year. */
import { constants } from "../../../ledger/index.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import type { ProjectionResult, YearlyPoint } from "../../../schema/projection.ts"
import { currentLaw } from "../../engine/law/law.ts"
import { dollars, month, owesNothing, percent, wholeDollars } from "../../messages/figures.ts"
import { CLOSED_PLANS, END_OF_PLANS } from "../../messages/plans.ts"
import type { Screen } from "../output.ts"
import { LIGHT_MARK, SOLID_MARK, stackedBar } from "./bars.ts"
import { provenanceLines } from "./provenance.ts"
import { type Column, definitionList, table } from "./table.ts"
import { harmless } from "./text.ts"

const MIN_BAR_CELLS = 6

const ENDINGS: Readonly<Record<ProjectionResult["forgivenessType"], string>> = {
  None: "paid off",
  Pslf: "forgiven for public service",
  TimeBased: "forgiven after its term",
  Teacher: "forgiven for teaching"
}

export const endMonth = ({ payoffOrForgivenessDate }: ProjectionResult): string =>
  payoffOrForgivenessDate === null ? "never" : month(payoffOrForgivenessDate)

const ending = (answer: ProjectionResult): string => {
  if (owesNothing(answer)) return "nothing is owed"
  return answer.payoffOrForgivenessDate === null ? "never" : `${endMonth(answer)}, ${ENDINGS[answer.forgivenessType]}`
}

const paymentsToFinish = (answer: ProjectionResult): string => {
  if (owesNothing(answer)) return "0"
  return answer.monthsToFinish === null ? "-" : String(answer.monthsToFinish + 1)
}

/** The successors of a plan that ends: those whose own rules the answer cites. */
const successorFigure = ({ provenance }: ProjectionResult): ReadonlyArray<readonly [string, string]> => {
  const { endsOn, successors } = currentLaw.read(idrSunsetDefault)
  const cited = new Set(provenance.citations.map(({ id }) => id))
  const ofPlan = (plan: string) => constants.some((constant) => constant.plan === plan && cited.has(constant.id))
  return cited.has(END_OF_PLANS) ? [[`From ${month(endsOn)}`, successors.filter(ofPlan).join(" and ")]] : []
}

const figures = (answer: ProjectionResult): ReadonlyArray<readonly [string, string]> => [
  [
    "Plan",
    `${harmless(answer.planType ?? "")}${CLOSED_PLANS.includes(answer.planType) ? ", which can no longer be elected" : ""}`
  ],
  ...(answer.label === null ? [] : [["Label", harmless(answer.label)] as const]),
  ["First monthly payment", wholeDollars(answer.year1MonthlyPayment)],
  ...successorFigure(answer),
  ["Ends", ending(answer)],
  ["Payments to finish", paymentsToFinish(answer)],
  ["Total paid", dollars(answer.totalOutOfPocket)],
  ["Forgiven", dollars(answer.amountForgiven)],
  ["Tax on forgiveness", dollars(answer.forgivenessTaxesOwed)],
  ["Mean interest rate", percent(answer.weightedAverageInterestRate)]
]

const COLUMNS: ReadonlyArray<Column<YearlyPoint>> = [
  { title: "Year", cell: ({ year }) => String(year), align: "right" },
  { title: "Month", cell: ({ date }) => month(date), dropPriority: 1 },
  { title: "Paid", cell: ({ paymentsThisYear }) => dollars(paymentsThisYear), align: "right" },
  { title: "Principal", cell: ({ principalBalance }) => dollars(principalBalance), align: "right" },
  { title: "Interest", cell: ({ interestBalance }) => dollars(interestBalance), align: "right", dropPriority: 2 }
]
const FORGIVEN: Column<YearlyPoint> = {
  title: "Forgiven",
  cell: ({ forgivenThisYear }) => (forgivenThisYear === 0 ? "" : dollars(forgivenThisYear)),
  align: "right",
  dropPriority: 3
}

const balance = ({ interestBalance, principalBalance }: YearlyPoint): number => principalBalance + interestBalance

const years = (points: ReadonlyArray<YearlyPoint>, { columns, style }: Screen): ReadonlyArray<string> => {
  const shown = points.some(({ forgivenThisYear }) => forgivenThisYear > 0) ? [...COLUMNS, FORGIVEN] : COLUMNS
  const roomy = table(shown, points, columns - MIN_BAR_CELLS)
  const cells = roomy.left + MIN_BAR_CELLS
  const whole = Math.max(...points.map(balance))
  const bars = cells < MIN_BAR_CELLS ? [] : points.map((point) => yearBar(point, whole, cells))
  const legend = bars.length === 0 ? [] : [style.dim(`${SOLID_MARK} principal  ${LIGHT_MARK} unpaid interest`)]
  const rows = roomy.rows.map((row, index) => `${row}  ${style.accent(bars[index] ?? "")}`.trimEnd())
  return ["", style.bold(roomy.head.trimEnd()), ...rows, ...legend]
}

const yearBar = ({ interestBalance, principalBalance }: YearlyPoint, whole: number, cells: number): string =>
  stackedBar(principalBalance, interestBalance, whole, cells)

export const projectionView =
  (answer: ProjectionResult) =>
  (screen: Screen): string =>
    [
      ...definitionList(figures(answer), screen.style.bold),
      ...(answer.yearly ? years(answer.yearly, screen) : []),
      "",
      ...provenanceLines(answer.provenance, screen)
    ].join("\n")
