/** The answer about a whole book under every plan, and its sentences. */
import { omissionById, ruleById } from "../../ledger/index.ts"
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { leavingIncomeBased } from "../../ledger/rules/interest.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { BestPath, ExcludedPlan, PlanFigures, PlansRequest, PlansResult } from "../../schema/plans.ts"
import type { PlanType } from "../../schema/scenario.ts"
import type { Plans } from "../engine/Engine.ts"
import {
  bookOf,
  type ClosedPlan,
  costCents,
  currentLaw,
  fromCents,
  isJoint,
  omissionsOf,
  type Projection,
  toCents
} from "../engine/index.ts"
import { longDate, longMonth, month } from "./figures.ts"
import { type Naming, OF_THE_API } from "./naming.ts"
import { planNotes, requestNotes } from "./notes.ts"
import { INCOME_BASED_IS_FOR, pathsNotes } from "./paths.ts"
import { END_OF_PLANS, endOfPlans } from "./plans.ts"
import { refusalMessages } from "./refusals.ts"

const { endsOn, plans: ENDING }: { readonly endsOn: string; readonly plans: ReadonlyArray<string> } =
  currentLaw.read(idrSunsetDefault)

const { mayBeLeftFor, plans: INCOME_BASED }: { readonly [list: string]: ReadonlyArray<string> } =
  currentLaw.read(leavingIncomeBased)

/** What was not sent, and decides between plans. */
const unknownFacts = ({ loans, scenario }: PlansRequest, plans: ReadonlyArray<PlanFigures>): ReadonlyArray<string> => {
  const { filingStatus, spouseFederalLoanBalance } = scenario
  return [
    ...(loans.length > 1
      ? []
      : ["Only one loan was sent: if the borrower has others, send all of them in one request."]),
    ...(INCOME_BASED.every((plan) => plans.some(({ planType }) => planType === plan))
      ? [`firstBorrowedOn was not sent: ask. ${INCOME_BASED_IS_FOR}, INCOME BASED (OLD) for the others.`]
      : []),
    ...(isJoint(filingStatus) && spouseFederalLoanBalance === null
      ? ["spouseFederalLoanBalance was not sent and counts as 0: what the spouse owes lowers income-driven payments."]
      : [])
  ]
}

/** The plans are answered as from the first month, but not every plan may be left for every other. */
const leavingFacts = (currentPlan: PlanType | null): ReadonlyArray<string> =>
  currentPlan !== null && INCOME_BASED.includes(currentPlan)
    ? [
        `plans begin in the first month, and from ${currentPlan} a borrower can only go to ${mayBeLeftFor.join(" or ")}.`
      ]
    : []

/** Why a plan is closed, as a sentence without its stop. */
export const reasonOf = ({ plan: { planType }, reason }: ClosedPlan, naming: Naming): string => {
  if (reason._tag === "Vacated")
    return `${planType} cannot be elected since ${longDate(currentLaw.read(saveVacatur).vacatedOn)}`
  if (reason._tag === "Ended") return `${planType} ended on ${longDate(endsOn)}`
  return refusalMessages(currentLaw, reason, [], naming).join("; ")
}

/** Two plans end, and their later figures are those of the plan that follows. */
const endNotes = ({ citations, planType }: Projection): ReadonlyArray<string> =>
  citations.includes(END_OF_PLANS) && ENDING.includes(planType)
    ? [`ends in ${longMonth(endsOn)}, and later payments are those of the plan that follows`]
    : []

export const figuresOf = (
  label: string,
  projection: Projection,
  { loans }: Pick<PlansRequest, "loans">
): PlanFigures => ({
  planType: projection.planType as PlanType,
  label,
  year1MonthlyPayment: projection.year1MonthlyPayment,
  firstPayment: projection.firstMonthPayment,
  monthsToFinish: projection.monthsToFinish,
  payoffOrForgivenessDate: projection.payoffOrForgivenessDate,
  totalOutOfPocket: projection.totalOutOfPocket,
  amountForgiven: projection.amountForgiven,
  forgivenessType: projection.forgivenessType,
  forgivenessTaxesOwed: projection.forgivenessTaxesOwed,
  lifetimeCost: fromCents(costCents(projection)),
  ...(projection.presentValue === undefined ? {} : { presentValue: projection.presentValue }),
  notes: [...planNotes(projection, loans), ...endNotes(projection)]
})

/** Null if no change of plan saves anything. */
const bestPathOf = ({ open, path }: Plans, request: PlansRequest): BestPath | null => {
  if (path === undefined || path.best.planChanges.length === 0) return null
  const saved = toCents(path.bestWithoutChange.cost) - toCents(path.best.cost)
  const { paymentAfterChange, planType, projection } = path.best
  const planChanges = path.best.planChanges.map((change) => ({ ...change, firstPayment: paymentAfterChange ?? 0 }))
  const label = open.find(({ plan }) => plan.planType === planType)?.label ?? planType
  const figures = figuresOf(label, projection, request)
  return { ...figures, planChanges, saves: fromCents(saved), notes: [...figures.notes, ...pathsNotes(path, request)] }
}

/** A reason as a sentence with its plan, which most reasons name. */
export const sentenceOf = (planType: string, reason: string): string =>
  `${reason.startsWith(planType) ? "" : `${planType}. `}${reason.replace(/\.$/, "")}.`

/** A closed plan in a sentence. */
export const closedPlanLine = ({ planType, reason }: ExcludedPlan): string =>
  `Not available: ${sentenceOf(planType, reason)}`

/** The first plan with the lowest amount. */
const lowestBy = (plans: ReadonlyArray<PlanFigures>, amount: (plan: PlanFigures) => number): PlanType | null =>
  plans.reduce<PlanFigures | null>(
    (lowest, plan) => (lowest === null || amount(plan) < amount(lowest) ? plan : lowest),
    null
  )?.planType ?? null

/** @param firstMonth the instant at which the first month of repayment begins */
export const plansAnswer = (
  figures: Plans,
  request: PlansRequest,
  { asOf, ruleVersion }: Pick<PlansResult, "asOf" | "ruleVersion">,
  firstMonth: string,
  naming: Naming = OF_THE_API
): PlansResult => {
  const plans = figures.open.map(({ label, projection }) => figuresOf(label, projection, request))
  const projections = [
    ...figures.open.map(({ projection }) => projection),
    ...(figures.path === undefined ? [] : [figures.path.best.projection])
  ]
  const citations = [...new Set(projections.flatMap((one) => one.citations))]
  const omissions = [...new Set(projections.flatMap((one) => omissionsOf(one, request.currentPlan)))]
  return {
    asOf,
    ruleVersion,
    plans,
    excludedPlans: figures.closed.map(
      (closed): ExcludedPlan => ({
        planType: closed.plan.planType as PlanType,
        label: closed.label,
        reason: reasonOf(closed, naming)
      })
    ),
    lowestMonthlyPlan: lowestBy(plans, ({ firstPayment }) => firstPayment),
    lowestLifetimeCostPlan: lowestBy(plans, ({ lifetimeCost }) => lifetimeCost),
    bestPath: bestPathOf(figures, request),
    citations: citations.map((id) => ({ id, label: ruleById(id).label })),
    knownOmissions: omissions.map((id) => ({ id, label: omissionById(id).label })),
    // What decides between plans comes first, next to the lowest.
    assumptions: [
      ...unknownFacts(request, plans),
      `The first payment is made in ${month(firstMonth)}; all are made in full and on time.`,
      "Income-driven payments count once for all loans: the figures of single loans do not add up to these.",
      ...leavingFacts(request.currentPlan),
      ...(citations.includes(END_OF_PLANS) ? [`${endOfPlans(citations)}.`] : []),
      ...requestNotes(currentLaw, bookOf(request))
    ]
  }
}
