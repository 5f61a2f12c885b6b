/**
 * The keyless calculator: one loan under every federal plan, each computed or left out with its reason. The request is
 * in percent and holds no unpaid interest; nothing here is recorded.
 */
import {
  CALCULATOR_PLANS,
  type CalculatorPlan,
  type KeylessLoanRequest,
  type LoanCalcExcludedPlan,
  type LoanCalcPlan,
  type LoanCalcResult
} from "../../schema/calculator.ts"
import type { Loan } from "../../schema/loan.ts"
import { closedReason, refusedReason } from "./exclusions.ts"
import type { EnginePlan, HouseholdScenario } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { PARITY_VERIFIED_PLANS } from "./parity.ts"
import { type Projection, project } from "./projection.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"

const PERCENT = 100

/** Engine plan and name of each plan id. */
const PLANS: Readonly<Record<CalculatorPlan, { readonly plan: EnginePlan; readonly label: string }>> = {
  standard: { plan: "STANDARD", label: "Standard" },
  tiered_standard: { plan: "TIERED STANDARD", label: "Tiered Standard" },
  extended: { plan: "EXTENDED", label: "Extended" },
  graduated: { plan: "GRADUATED", label: "Graduated" },
  ibr_2014: { plan: "INCOME BASED", label: "Income-Based (new borrowers from 1 July 2014)" },
  ibr: { plan: "INCOME BASED (OLD)", label: "Income-Based (earlier borrowers)" },
  paye: { plan: "PAY AS YOU EARN", label: "Pay As You Earn" },
  icr: { plan: "INCOME CONTINGENT", label: "Income-Contingent" },
  repaye: { plan: "REVISED PAY AS YOU EARN", label: "Revised Pay As You Earn" },
  save: { plan: "SAVE", label: "Saving on a Valuable Education (SAVE)" },
  rap: { plan: "REPAYMENT ASSISTANCE", label: "Repayment Assistance Plan" }
}

const ASSUMPTIONS = [
  "One loan without unpaid interest; every payment is made on time.",
  "The first payment is made in the month after the computation.",
  "The loan is taken as made before 1 July 2026 unless borrowedOnOrAfterJul12026 is true.",
  "The new-borrower tests of Income-Based (2014), Pay As You Earn and Extended are taken as met.",
  "Pay As You Earn and Income-Contingent end after 30 June 2028; the figures ignore this.",
  "Poverty guideline, factor and tax tables of 2026 are held for the whole projection.",
  "Family size is the borrower, the spouse on a joint return, and the dependents.",
  "Interest is simple, accrues monthly and never capitalizes.",
  "The federal auto-pay interest reduction is not applied.",
  "Tax on forgiven debt is federal, and of AR, IN, MS, NC and WI where the state is given.",
  "Most other states also tax forgiven debt; their tax is not included."
]

const loanOf = (request: KeylessLoanRequest): Loan => ({
  loanType: request.loanType ?? "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: request.balance,
  interestBalance: 0,
  interestRate: request.ratePct / PERCENT,
  disbursedAmount: 0,
  idrMonthsInRepayment: request.priorIdrMonths,
  pslfCount: request.pslfCreditedMonths
})

const scenarioOf = (request: KeylessLoanRequest, planType: EnginePlan): HouseholdScenario => ({
  planType,
  adjustedGrossIncome: request.borrowerAgi,
  spouseAdjustedGrossIncome: request.spouseAgi,
  spouseFederalLoanBalance: request.spouseFederalLoanBalance,
  filingStatus: request.filingStatus ?? "Single",
  dependents: request.dependents,
  state: request.state,
  workingTowardsPslf: request.pursuingPslf,
  annualIncomeGrowth: request.incomeGrowthPct / PERCENT,
  label: null
})

const planOf = (id: CalculatorPlan, projection: Projection): LoanCalcPlan => {
  const { amountForgiven, forgivenessTaxesOwed, forgivenessType, monthsToFinish, totalOutOfPocket } = projection
  const forgiven = forgivenessType !== "None"
  return {
    plan: id,
    label: PLANS[id].label,
    monthlyPayment: projection.firstMonthPayment,
    totalPaid: totalOutOfPocket,
    forgivenBalance: amountForgiven,
    taxOnForgiveness: forgivenessTaxesOwed,
    lifetimeCost: fromCents(toCents(totalOutOfPocket) + toCents(forgivenessTaxesOwed)),
    monthsToPayoff: forgiven ? null : monthsToFinish,
    forgivenessAtMonth: forgiven ? monthsToFinish : null,
    forgivenessType,
    parityVerified: PARITY_VERIFIED_PLANS.has(PLANS[id].plan)
  }
}

/** The first plan with the lowest amount, or null when none is open. */
const lowestBy = (
  plans: ReadonlyArray<LoanCalcPlan>,
  amount: (plan: LoanCalcPlan) => number
): CalculatorPlan | null => {
  let lowest: LoanCalcPlan | undefined
  for (const plan of plans) if (lowest === undefined || amount(plan) < amount(lowest)) lowest = plan
  return lowest?.plan ?? null
}

/**
 * Every plan of the calculator, computed or excluded.
 * @param asOf date of the computation, YYYY-MM-DD
 */
export const calculate = (
  law: Law,
  request: KeylessLoanRequest,
  start: StartMonth,
  asOf: string
): Omit<LoanCalcResult, "computedBy"> => {
  const plans: Array<LoanCalcPlan> = []
  const excludedPlans: Array<LoanCalcExcludedPlan> = []
  const loan = loanOf(request)
  for (const id of CALCULATOR_PLANS) {
    const exclude = (reason: string) => excludedPlans.push({ plan: id, label: PLANS[id].label, reason })
    const closed = closedReason(law, id, PLANS[id].plan, loan, request.borrowedOnOrAfterJul12026 === true)
    if (closed !== undefined) {
      exclude(closed)
      continue
    }
    const scenario = scenarioOf(request, PLANS[id].plan)
    const outcome = project(law, { scenario, loans: [loan], includeYearly: false }, start)
    if (outcome._tag === "Refusal") exclude(refusedReason(law, loan, outcome))
    else plans.push(planOf(id, outcome))
  }
  return {
    asOf,
    lowestMonthlyPlan: lowestBy(plans, ({ monthlyPayment }) => monthlyPayment),
    lowestLifetimeCostPlan: lowestBy(plans, ({ lifetimeCost }) => lifetimeCost),
    plans,
    excludedPlans,
    assumptions: ASSUMPTIONS
  }
}
