/**
 * The text summaries of answers, for language models: the main figures, the link to the record, and
 * the labels of the rules that were not applied. The tables of the command line use their sentences.
 */
import { omissionById } from "../../ledger/index.ts"
import type {
  BriefComparison,
  BriefEligibility,
  BriefExplanation,
  BriefProjection,
  BriefProvenance
} from "../../schema/brief.ts"
import type { ExplainedLoan } from "../../schema/explanation.ts"
import type { PlanFigures, PlansResult } from "../../schema/plans.ts"
import type { YearlyPoint } from "../../schema/projection.ts"
import { lowestOf } from "../engine/index.ts"
import { partTitle, stepName, stepValue } from "./explanation.ts"
import { counted, dollars, longMonth, month, oneLine, owesNothing, wholeDollars } from "./figures.ts"
import { notesButLowest } from "./notes.ts"
import { savedAgainst } from "./paths.ts"
import { END_OF_PLANS, endOfPlans, isElectable, LEAVING_INCOME_BASED } from "./plans.ts"
import { closedPlanLine } from "./plansAnswer.ts"

type Figures = Omit<BriefProjection, "provenance">

const ENDINGS: Readonly<Record<Figures["forgivenessType"], string>> = {
  None: "paid off",
  Pslf: "forgiven for public service",
  TimeBased: "forgiven after the plan's term",
  Teacher: "forgiven for teaching"
}

const ending = ({
  forgivenessType,
  monthsToFinish,
  payoffOrForgivenessDate
}: Pick<Figures, "forgivenessType" | "monthsToFinish" | "payoffOrForgivenessDate">): string =>
  payoffOrForgivenessDate === null || monthsToFinish === null
    ? "not paid off within the projection"
    : `${ENDINGS[forgivenessType]} in ${month(payoffOrForgivenessDate)}, after ${counted(monthsToFinish + 1, "month")}`

const forgiven = ({
  amountForgiven,
  forgivenessTaxesOwed
}: Pick<Figures, "amountForgiven" | "forgivenessTaxesOwed">): string =>
  amountForgiven === 0
    ? "nothing forgiven"
    : `${dollars(amountForgiven)} forgiven, ${dollars(forgivenessTaxesOwed)} tax on that`

const worth = ({ presentValue }: Pick<Figures, "presentValue">): string =>
  presentValue === undefined ? "" : `; worth ${dollars(presentValue)} today, with tax`

const paymentsOf = (figures: Figures): string =>
  owesNothing(figures)
    ? "nothing is owed"
    : `${wholeDollars(figures.year1MonthlyPayment)} a month at first; ${ending(figures)}; ` +
      `${dollars(figures.totalOutOfPocket)} paid in all; ${forgiven(figures)}${worth(figures)}`

const figuresLine = (figures: Figures): string =>
  `${figures.planType}: ${paymentsOf(figures)}.${isElectable(figures) ? "" : " It can no longer be elected."}`

const nameOf = ({ label, planType }: Pick<Figures, "label" | "planType">): string =>
  label === null || label === planType ? "" : `${oneLine(label)}, `

/** The figures in a sentence, after the label. */
export const namedFigures = (figures: Figures): string => `${nameOf(figures)}${figuresLine(figures)}`

const yearLine = ({ interestBalance, paymentsThisYear, principalBalance, year }: YearlyPoint): string =>
  `${year}: ${dollars(paymentsThisYear)} paid; ${dollars(principalBalance)} + ${dollars(interestBalance)}`

const yearLines = ({ yearly }: Figures): ReadonlyArray<string> =>
  yearly == null ? [] : ["Year: paid in it; principal + unpaid interest at its end", ...yearly.map(yearLine)]

const omissionLines = (ids: ReadonlyArray<string>, title: string): ReadonlyArray<string> =>
  ids.length === 0 ? [] : [title, ...ids.map((id) => omissionById(id).label)]

const sourceLines = ({
  citations,
  knownOmissions = [],
  notes = [],
  verifyUrl
}: BriefProvenance): ReadonlyArray<string> => {
  return [
    ...notes,
    ...(citations.includes(END_OF_PLANS) ? [`${endOfPlans(citations)}.`] : []),
    ...(verifyUrl === null ? [] : [`Record: ${verifyUrl}`]),
    ...omissionLines(knownOmissions, "Not applied (see rules://omissions):")
  ]
}

export const projectionSummary = (answer: BriefProjection): string =>
  [figuresLine(answer), ...yearLines(answer), ...sourceLines(answer.provenance)].join("\n")

/** The cheapest arm by its number, and the cheapest electable arm if that one can't be elected. */
export const lowestLines = (
  { lowestCostLabel, projections }: Pick<BriefComparison, "lowestCostLabel" | "projections">,
  isNumbered = true
): ReadonlyArray<string> => {
  const named = (index: number) =>
    `${nameOf(projections[index]!)}${projections[index]!.planType}${isNumbered ? ` (${index + 1})` : ""}`
  const lowest = lowestOf(projections, ({ label }) => label === lowestCostLabel)
  const line = `Lowest total with tax: ${named(lowest)}.`
  if (isElectable(projections[lowest]!)) return [line]
  const open = lowestOf(projections, isElectable)
  return [line, open === -1 ? "None of these plans can be elected." : `Lowest that can be elected: ${named(open)}.`]
}

export const comparisonSummary = (answer: BriefComparison): string => {
  const { projections, provenance } = answer
  const arms = projections.flatMap((figures, index) => [
    `${index + 1}. ${namedFigures(figures)}`,
    ...yearLines(figures)
  ])
  return [...arms, ...lowestLines(answer), ...sourceLines({ ...provenance, notes: notesButLowest(answer) })].join("\n")
}

export const eligibleLines = (loans: BriefEligibility["loans"]): ReadonlyArray<string> =>
  loans.map(
    ({ balance, eligiblePlanTypes, loanType }, index) =>
      `${index + 1}. ${loanType}, ${dollars(balance)}: ${eligiblePlanTypes.join("; ") || "none"}`
  )

export const eligibilitySummary = ({ loans, provenance: { notes = [] } }: BriefEligibility): string =>
  [...eligibleLines(loans), ...notes.map((note) => `${note}.`)].join("\n")

const planLine = ({ planType, ...figures }: PlanFigures): string =>
  `${planType}: ${dollars(figures.firstPayment)} a month at first; ${ending(figures)}; ` +
  `${dollars(figures.totalOutOfPocket)} paid in all; ${forgiven(figures)}${worth(figures)}.`

const pathLine = ({
  planChanges,
  planType: first,
  saves,
  ...figures
}: NonNullable<PlansResult["bestPath"]>): string => {
  const changes = planChanges
    .map(
      ({ firstPayment, from, planType }) =>
        `, then ${planType} from ${longMonth(from)} (${dollars(firstPayment)} in that month)`
    )
    .join("")
  return `Lowest cost of the paths tried: ${first} (${dollars(figures.firstPayment)} at first)${changes}: ${dollars(figures.lifetimeCost)} with tax, ${dollars(saves)} less than ${savedAgainst({ planChanges, planType: first })}; ${ending(figures)}. Its notes say what could undo it.`
}

/** @param isSearched whether the best path was asked for */
export const plansSummary = (answer: PlansResult, isSearched: boolean): string => {
  const { assumptions, bestPath, excludedPlans, lowestLifetimeCostPlan, lowestMonthlyPlan, plans } = answer
  return [
    ...plans.map(planLine),
    `Lowest first payment, which may rise: ${lowestMonthlyPlan ?? "none"}. Lowest total with tax: ${lowestLifetimeCostPlan ?? "none"}.`,
    ...assumptions,
    ...(bestPath === null ? [] : [pathLine(bestPath)]),
    ...(isSearched && bestPath === null
      ? ["No change of plan that was tried costs less than the best plan alone."]
      : []),
    ...excludedPlans.map(closedPlanLine),
    "knownOmissions has what is not counted."
  ].join("\n")
}

const loanLine = (loan: ExplainedLoan): string =>
  `Loan ${loan.loan + 1}: ${dollars(loan.payment)} paid, ${dollars(loan.toInterest + loan.toUnpaidInterest)} of it to interest and ` +
  `${dollars(loan.toPrincipal)} to principal; ${dollars(loan.principalLeft)} + ${dollars(loan.interestLeft)} left.`

type Explained = Pick<BriefExplanation, "date" | "label" | "month" | "payment" | "planType">

export const explainedPayment = ({ date, label, month: number, payment, planType }: Explained): string => {
  const name = label === null ? "" : `${oneLine(label)}, `
  return `${name}${planType}, month ${number} (${month(date)}): ${dollars(payment)}.`
}

/** The interest that joined the principal when the plan took over from Income-Based; empty if none did. */
export const leavingLines = ({
  parts,
  planType
}: Pick<BriefExplanation, "parts" | "planType">): ReadonlyArray<string> => {
  const joined = parts
    .flatMap(({ steps }) => steps)
    .filter(({ rules, term }) => term === "interestJoined" && rules.includes(LEAVING_INCOME_BASED))
    .reduce((sum, { value }) => sum + value, 0)
  if (joined === 0) return []
  return [`You left Income-Based for ${planType}: ${dollars(joined)} of unpaid interest joined the principal.`]
}

export const explanationSummary = (answer: BriefExplanation): string => {
  const { knownOmissions, notes = [], parts } = answer
  return [
    explainedPayment(answer),
    ...leavingLines(answer),
    ...parts.flatMap((part) => [
      `${partTitle(part, answer)}:`,
      ...part.steps.map((step) => `${stepName(step)}: ${stepValue(step)}. ${step.formula} [${step.rules.join(", ")}]`),
      ...part.loans.map(loanLine)
    ]),
    ...notes.map((note) => `${note}.`),
    ...omissionLines(knownOmissions, "Not applied:")
  ].join("\n")
}
