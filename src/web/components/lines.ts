/** Shared by the cards, the plots and the list: a plan's names, ends, and button for an explanation. */
import { type ComponentChild, h } from "preact"
import { type EnginePlan, MONTHS_PER_YEAR } from "../../engine/index.ts"
import { month as monthName, wholeDollars } from "../../messages/figures.ts"
import { type Rise, answerTexts as words } from "../answerTexts.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { putAside } from "../book/putAside.ts"
import type { Figure } from "../book/why/explanation.ts"
import type { Actions } from "./state.ts"

/** In characters, of a label next to a line of a plot. */
const MAX_SHORT = 24

/** The name, with the return if there are two. */
export const nameOf = ({ filing, label, planType }: Line): string =>
  label != null ? label : filing === null ? words.plans[planType] : `${words.plans[planType]}, ${words.filings[filing]}`

/** The name next to a line of a plot. */
export const shortOf = ({ filing, label, planType }: Line): string =>
  label != null
    ? label.slice(0, MAX_SHORT)
    : filing === null
      ? words.shorts[planType]
      : `${words.shorts[planType]}, ${words.shortFilings[filing]}`

export const endMonthOf = ({ figures: { payoffOrForgivenessDate } }: Pick<Line, "figures">): string | undefined =>
  payoffOrForgivenessDate === null ? undefined : monthName(payoffOrForgivenessDate)

/** The instant of a month counted from the first payment. */
export const dateOf = (firstMonth: string, months: number): string => {
  const date = new Date(firstMonth)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString()
}

export const rises = ({ figures, highestPayment }: Line): boolean =>
  Math.round(highestPayment) > Math.round(figures.firstMonthPayment)

export const riseOf = (line: Line): Rise => {
  if (line.resumes) return "later"
  if (!line.isByIncome) return "steps"
  return line.notes.includes("ends") ? "later" : "income"
}

/** The lowest payment, if payments fall and never rise above the first. The last one is ignored. */
export const leastOf = (line: Line): number | undefined => {
  const least = Math.min(...line.months.slice(line.paused, -1))
  return !rises(line) && line.figures.firstMonthPayment - least >= 1 ? least : undefined
}

/** Whole dollars to put aside each month for the tax, if all tax is due for one year. */
export const putAsideOf = ({ figures, forgivenIn, months }: Line): number | undefined => {
  const [year, ...others] = new Set(forgivenIn.map((month) => Math.floor(month / MONTHS_PER_YEAR)))
  if (year === undefined || others.length > 0) return undefined
  const until = Math.min((year + 1) * MONTHS_PER_YEAR, months.length) - 1
  return putAside([{ tax: figures.forgivenessTaxesOwed, until }])
}

/** The month of the last forgiveness. */
export const forgivenMonthOf = ({ figures, forgivenIn, months }: Line): string | undefined => {
  const last = forgivenIn.at(-1)
  if (last === undefined || figures.payoffOrForgivenessDate === null) return undefined
  return monthName(dateOf(figures.payoffOrForgivenessDate, last - (months.length - 1)))
}

/** Whether forgiveness comes before the end, because other loans of the book last longer. */
export const isPartForgiven = (line: Line): boolean =>
  isShown(line.figures.amountForgiven) && forgivenMonthOf(line) !== endMonthOf(line)

/** The difference of two amounts as they are shown, in whole dollars. */
export const shownDifference = (more: number, less: number): number => Math.round(more) - Math.round(less)

/** An amount as people read it, with all its cents for programs. */
export const amount = (value: number, shown: string = wholeDollars(value)) => h("data", { value: String(value) }, shown)

/** The id to which links to a plan's details lead; a browser opens the fold around it. */
export const detailId = (planType: EnginePlan): string => `plan-${planType.toLowerCase().replace(/[^a-z]+/g, "-")}`

interface FigureProps {
  readonly line: Line
  readonly figure: Figure
  readonly shown: string
  readonly actions: Actions
  readonly children?: ComponentChild
}

/** A figure as a button that opens its explanation. */
export const FigureButton = ({ actions, children, figure, line, shown }: FigureProps) =>
  h(
    "button",
    {
      type: "button",
      class: "fig",
      "aria-label": words.why(words.figures[figure], shown),
      onClick: () => actions.explain(line, figure)
    },
    children
  )
