/**
 * The text summaries of answers, for language models: the main figures, the link to the record, and
 * the labels of the rules that were not applied.
 */
import { omissionById } from "../../ledger/index.ts"
import type { BriefComparison, BriefEligibility, BriefProjection, BriefProvenance } from "../../schema/brief.ts"
import type { YearlyPoint } from "../../schema/projection.ts"
import { lowestOf } from "../engine/comparison.ts"
import { counted, dollars, month, owesNothing, wholeDollars } from "./figures.ts"
import { notesButLowest } from "./notes.ts"
import { END_OF_PLANS, endOfPlans, isElectable } from "./plans.ts"

type Figures = Omit<BriefProjection, "provenance">

const ENDINGS: Readonly<Record<Figures["forgivenessType"], string>> = {
  None: "paid off",
  Pslf: "forgiven for public service",
  TimeBased: "forgiven after the plan's term",
  Teacher: "forgiven for teaching"
}

const ending = ({ forgivenessType, monthsToFinish, payoffOrForgivenessDate }: Figures): string =>
  payoffOrForgivenessDate === null || monthsToFinish === null
    ? "not paid off within the projection"
    : `${ENDINGS[forgivenessType]} in ${month(payoffOrForgivenessDate)}, after ${counted(monthsToFinish + 1, "payment")}`

const forgiven = ({ amountForgiven, forgivenessTaxesOwed }: Figures): string =>
  amountForgiven === 0
    ? "nothing forgiven"
    : `${dollars(amountForgiven)} forgiven, ${dollars(forgivenessTaxesOwed)} tax on that`

const paymentsOf = (figures: Figures): string =>
  owesNothing(figures)
    ? "nothing is owed"
    : `${wholeDollars(figures.year1MonthlyPayment)} a month at first; ${ending(figures)}; ` +
      `${dollars(figures.totalOutOfPocket)} paid in all; ${forgiven(figures)}`

const figuresLine = (figures: Figures): string =>
  `${figures.planType}: ${paymentsOf(figures)}.${isElectable(figures) ? "" : " Nobody can elect it any more."}`

const yearLine = ({ interestBalance, paymentsThisYear, principalBalance, year }: YearlyPoint): string =>
  `${year}: ${dollars(paymentsThisYear)} paid; ${dollars(principalBalance)} + ${dollars(interestBalance)}`

const yearLines = ({ yearly }: Figures): ReadonlyArray<string> =>
  yearly == null ? [] : ["Year: paid in it; principal + unpaid interest at its end", ...yearly.map(yearLine)]

const sourceLines = ({
  citations,
  knownOmissions = [],
  notes = [],
  verifyUrl
}: BriefProvenance): ReadonlyArray<string> => {
  const labels = knownOmissions.map((id) => omissionById(id).label)
  return [
    ...notes,
    ...(citations.includes(END_OF_PLANS) ? [`${endOfPlans(citations)}.`] : []),
    ...(verifyUrl === null ? [] : [`Record: ${verifyUrl}`]),
    ...(labels.length === 0 ? [] : ["Not applied (see rules://omissions):", ...labels])
  ]
}

export const projectionSummary = (answer: BriefProjection): string =>
  [figuresLine(answer), ...yearLines(answer), ...sourceLines(answer.provenance)].join("\n")

const nameOf = ({ label, planType }: Figures): string => (label === null || label === planType ? "" : `${label}, `)

/** The cheapest arm by its number, and the cheapest electable arm if that one can't be elected. */
const lowestLines = ({ lowestCostLabel, projections }: BriefComparison): ReadonlyArray<string> => {
  const named = (index: number) => `${nameOf(projections[index]!)}${projections[index]!.planType} (${index + 1})`
  const lowest = lowestOf(projections, ({ label }) => label === lowestCostLabel)
  const line = `Lowest total with tax: ${named(lowest)}.`
  if (isElectable(projections[lowest]!)) return [line]
  const open = lowestOf(projections, isElectable)
  return [line, open === -1 ? "None of these plans can be elected." : `Lowest that can be elected: ${named(open)}.`]
}

export const comparisonSummary = (answer: BriefComparison): string => {
  const { projections, provenance } = answer
  const arms = projections.flatMap((figures, index) => [
    `${index + 1}. ${nameOf(figures)}${figuresLine(figures)}`,
    ...yearLines(figures)
  ])
  return [...arms, ...lowestLines(answer), ...sourceLines({ ...provenance, notes: notesButLowest(answer) })].join("\n")
}

export const eligibilitySummary = ({ loans, provenance: { notes = [] } }: BriefEligibility): string => {
  const plans = loans.map(
    ({ balance, eligiblePlanTypes, loanType }, index) =>
      `${index + 1}. ${loanType}, ${dollars(balance)}: ${eligiblePlanTypes.join("; ") || "none"}`
  )
  return [...plans, ...notes.map((note) => `${note}.`)].join("\n")
}
