/**
 * The common formula of IBR at 10 percent, IBR at 15 percent (IBR 15%) and Pay As You Earn.
 * Payment a month: rate x (income above 150 percent of the poverty guideline) / 12, at most the
 * ten-year standard payment, then the small-payment rule. The plans differ in rate and months.
 *
 * The arithmetic is `discretionaryPayment`, `tenYearStandardPayment` and `smallRuledPayment` in
 * src/engine/plans/shared.ts; the interest waiver is `setWaiverShares` in
 * src/engine/schedule/income-driven.ts.
 */
import type { Rule } from "../../../ledger/entry.ts"
import { standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { idrSmallPaymentRule, tenYearCapBasis, tenYearCapFloor } from "../../../ledger/rules/income-based.ts"
import { idrSubsidizedInterestMonths } from "../../../ledger/rules/interest.ts"
import type { Trace } from "../law/trace.ts"
import { type IncomeDrivenTerms, SplitTerms } from "../schedule/income-driven.ts"
import { type Beginning, type EnginePlan, type IncomeDrivenPlan, incomeDrivenPlan } from "./plan.ts"
import {
  GUIDELINE,
  INCOME_AND_COUNT,
  SHARED_AND_SPLIT,
  SUBSIDY,
  sharedDebtOf,
  smallRuledPayment,
  tenYearStandardPayment
} from "./shared.ts"
import { traced } from "./terms.ts"

/** Terms of a capped plan as the ledger states them. */
type CappedTerms = Rule<{
  readonly paymentRate: number
  readonly povertyMultiple: number
  readonly forgivenessMonths: number
  readonly [other: string]: boolean | number | string
}>

const begin = (planType: EnginePlan, rule: CappedTerms, beginning: Beginning, trace?: Trace): IncomeDrivenTerms => {
  const { book, law } = beginning
  const { paymentRate, povertyMultiple } = law.read(rule)
  const cap = tenYearStandardPayment(law, book, trace)
  return new SplitTerms({
    payment: smallRuledPayment(
      beginning,
      { paymentRate, povertyMultiple, rule, debt: sharedDebtOf(beginning, planType) },
      cap
    ),
    subsidizedWaiverMonths: law.read(idrSubsidizedInterestMonths).months,
    waiverShare: 0,
    waivedBy: idrSubsidizedInterestMonths
  })
}

type PlanIdentity = Pick<IncomeDrivenPlan, "planType" | "calculator" | "openTo">

/**
 * Builds a capped plan from its name, eligibility and terms.
 * @param others further rules that it cites, such as the new-borrower tests
 */
export const cappedPlan = (
  identity: PlanIdentity,
  rule: CappedTerms,
  others: ReadonlyArray<Rule> = []
): IncomeDrivenPlan =>
  incomeDrivenPlan({
    ...identity,
    parityVerified: true,
    terms: [rule, ...others, idrSmallPaymentRule, tenYearCapBasis, tenYearCapFloor, standardPlanTerms],
    citesForHousehold: [INCOME_AND_COUNT, GUIDELINE, ...SHARED_AND_SPLIT],
    citesForLoans: SUBSIDY,
    forgivenessMonths: (law, _book, trace) =>
      traced(law.read(rule).forgivenessMonths, "forgivenessMonths", rule, trace),
    begin: (beginning, trace) => begin(identity.planType, rule, beginning, trace)
  })
