/**
 * The keyless calculator, which needs no API key: one loan under every federal plan. Each plan is
 * computed, or excluded with reasons. Rates of the request are in percent, and there is no unpaid
 * interest. Texts are in src/messages.
 */
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { CalculatorPlan, KeylessLoanRequest, LoanCalcPlan } from "../../schema/calculator.ts"
import type { Loan, LoanType } from "../../schema/loan.ts"
import { type Contradiction, contradictoryDates } from "./answer/contradictions.ts"
import { type Obstacle, obstacleTo } from "./answer/refusals.ts"
import { type HouseholdScenario, NO_ADDITIONS } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import type { EnginePlan, Plan } from "./plans/plan.ts"
import { CALCULATOR_PLANS } from "./plans/registry.ts"
import { costCents, type Figures, figuresOf } from "./projection.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { type History, historyOf } from "./schedule/history.ts"
import { fits, holdingsOf } from "./schedule/holdings.ts"
import { fromCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

const PERCENT = 100

/**
 * The reason why the calculator excludes a plan: an obstacle as in any projection, or one that only
 * the calculator tests.
 */
export type Exclusion =
  | Obstacle
  /** Nobody can elect the plan anymore. */
  | { readonly _tag: "Vacated" }
  /** The loan is too new for the plan. */
  | {
      readonly _tag: "ClosedToNewLoans"
      /** Whether the flag for new loans was sent; else `firstBorrowedOn` shows a new loan. */
      readonly isSent: boolean
    }
  /** The loan is not new enough for the plan. */
  | { readonly _tag: "OnlyNewLoans" }
  /** Every loan of this type was made before July 1, 2026. */
  | { readonly _tag: "NeverNew"; readonly loanType: LoanType }

export interface ExcludedPlan {
  readonly plan: CalculatorPlan
  readonly label: string
  /** At least one. */
  readonly exclusions: ReadonlyArray<Exclusion>
}

export interface Calculation {
  readonly lowestMonthlyPlan: CalculatorPlan | null
  readonly lowestLifetimeCostPlan: CalculatorPlan | null
  readonly plans: ReadonlyArray<LoanCalcPlan>
  readonly excludedPlans: ReadonlyArray<ExcludedPlan>
}

const loanOf = (request: KeylessLoanRequest): Loan => ({
  loanType: request.loanType ?? "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: request.balance,
  interestBalance: 0,
  interestRate: request.ratePct / PERCENT,
  disbursedAmount: 0,
  idrMonthsInRepayment: request.priorIdrMonths,
  pslfCount: request.pslfCreditedMonths,
  madeOn: null
})

/** The household, the same for every plan. */
const householdOf = (request: KeylessLoanRequest): HouseholdScenario => ({
  ...NO_ADDITIONS,
  adjustedGrossIncome: request.borrowerAgi,
  spouseAdjustedGrossIncome: request.spouseAgi,
  spouseFederalLoanBalance: request.spouseFederalLoanBalance,
  filingStatus: request.filingStatus ?? "Single",
  dependents: request.dependents,
  state: request.state,
  workingTowardsPslf: request.pursuingPslf,
  annualIncomeGrowth: request.incomeGrowthPct / PERCENT,
  label: null,
  firstBorrowedOn: request.firstBorrowedOn,
  familySize: request.familySize
})

const computed = ({ calculator, parityVerified }: Plan, figures: Figures): LoanCalcPlan => {
  const { amountForgiven, forgivenessTaxesOwed, forgivenessType, monthsToFinish, totalOutOfPocket } = figures
  const forgiven = forgivenessType !== "None"
  return {
    plan: calculator.id,
    label: calculator.label,
    monthlyPayment: figures.firstMonthPayment,
    totalPaid: totalOutOfPocket,
    forgivenBalance: amountForgiven,
    taxOnForgiveness: forgivenessTaxesOwed,
    lifetimeCost: fromCents(costCents(figures)),
    monthsToPayoff: forgiven ? null : monthsToFinish,
    forgivenessAtMonth: forgiven ? monthsToFinish : null,
    forgivenessType,
    parityVerified
  }
}

const includes = (plans: ReadonlyArray<EnginePlan>, { planType }: Plan): boolean => plans.includes(planType)

/**
 * The reason why the law closes the plan to the loan, or undefined.
 * @rule save-vacatur, new-loan-plans-2026-07 and the eligibility rules of a projection
 */
const exclusionByLaw = (
  law: Law,
  plan: Plan,
  loans: readonly [Loan],
  { borrowedOnOrAfterJul12026 }: KeylessLoanRequest,
  history: History | undefined
): Exclusion | undefined => {
  if (includes(law.read(saveVacatur).notElectable, plan)) return { _tag: "Vacated" }
  const [{ idrMonthsInRepayment, loanType }] = loans
  const traits = law.traitsOf[loanType]
  const isNew = traits.direct && (borrowedOnOrAfterJul12026 ?? history?.isNew ?? false)
  const held = holdingsOf(law, plan, loans, history)
  const obstacle = fits(law, plan, traits, idrMonthsInRepayment, held)
    ? undefined
    : obstacleTo(law, plan, loans, 0, held)
  if (plan.openTo(traits) === "closed") return obstacle
  if (traits.directPlusConsolidation && (isNew || plan.onlyNewLoans)) return { _tag: "NeverNew", loanType }
  if (isNew && !includes(law.read(newLoanPlans202607).plans, plan))
    return { _tag: "ClosedToNewLoans", isSent: borrowedOnOrAfterJul12026 === true }
  if (!isNew && plan.onlyNewLoans) return { _tag: "OnlyNewLoans" }
  return obstacle
}

/** The contradictions of a request's date: with the calendar, and with the flag of new loans. */
export const contradictionsOfLoan = (
  law: Law,
  request: KeylessLoanRequest,
  start?: StartMonth
): ReadonlyArray<Contradiction> => {
  const { borrowedOnOrAfterJul12026, firstBorrowedOn } = request
  if (firstBorrowedOn === null) return []
  const loans = [loanOf(request)]
  const found = contradictoryDates(law, { firstBorrowedOn, loans, path: ["firstBorrowedOn"] }, start)
  if (found.length > 0 || borrowedOnOrAfterJul12026 !== false) return found
  const { loansMadeFrom } = law.read(newLoanPlans202607)
  return firstBorrowedOn < loansMadeFrom
    ? []
    : [{ _tag: "NotFirst", path: ["borrowedOnOrAfterJul12026"], firstBorrowedOn, from: loansMadeFrom }]
}

/** The first plan with the lowest amount, or null if none is open. */
const lowestBy = (
  plans: ReadonlyArray<LoanCalcPlan>,
  amount: (plan: LoanCalcPlan) => number
): CalculatorPlan | null => {
  let lowest: LoanCalcPlan | undefined
  for (const plan of plans) if (lowest === undefined || amount(plan) < amount(lowest)) lowest = plan
  return lowest?.plan ?? null
}

/** Computes or excludes every plan of the calculator. */
export const calculate = (
  law: Law,
  request: KeylessLoanRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): Calculation => {
  const plans: Array<LoanCalcPlan> = []
  const excludedPlans: Array<ExcludedPlan> = []
  const loans = [loanOf(request)] as const
  const household = householdOf(request)
  const history = historyOf(law, request.firstBorrowedOn, loans)
  for (const plan of CALCULATOR_PLANS) {
    const exclude = (...exclusions: ReadonlyArray<Exclusion>) =>
      excludedPlans.push({ plan: plan.calculator.id, label: plan.calculator.label, exclusions })
    const byLaw = exclusionByLaw(law, plan, loans, request, history)
    if (byLaw !== undefined) {
      exclude(byLaw)
      continue
    }
    const scenario = { ...household, planType: plan.planType }
    const outcome = figuresOf(law, { scenario, loans, includeYearly: false }, start, workspace)
    if ("_tag" in outcome) exclude(...outcome.loans.map(({ obstacle }) => obstacle))
    else plans.push(computed(plan, outcome))
  }
  return {
    lowestMonthlyPlan: lowestBy(plans, ({ monthlyPayment }) => monthlyPayment),
    lowestLifetimeCostPlan: lowestBy(plans, ({ lifetimeCost }) => lifetimeCost),
    plans,
    excludedPlans
  }
}
