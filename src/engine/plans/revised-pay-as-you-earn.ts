/**
 * REVISED PAY AS YOU EARN: REPAYE on its 2015 terms. It was replaced by SAVE and can't be elected.
 * Payment a month: 10 percent of income above 150 percent of the poverty guideline, divided by 12,
 * without a cap. Forgiveness comes after 240 months, or 300 with a graduate loan.
 * Formula: `begin` in this file, which calls `smallRuledPayment` in src/engine/plans/shared.ts. The
 * waiver of uncovered interest is `setWaiverShares` in src/engine/schedule/income-driven.ts.
 */
import { only } from "../../../ledger/circumstances.ts"
import { idrSmallPaymentRule } from "../../../ledger/rules/income-based.ts"
import { subsidizedLoanTypes } from "../../../ledger/rules/loan-types.ts"
import { repayeInterestSubsidy, repayeTerms } from "../../../ledger/rules/revised-pay-as-you-earn.ts"
import { saveVacatur } from "../../../ledger/rules/save.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import { type IncomeDrivenTerms, SplitTerms } from "../schedule/income-driven.ts"
import { type Beginning, incomeDrivenPlan } from "./plan.ts"
import {
  GRADUATE_DEBT,
  GUIDELINE,
  hasGraduateLoan,
  INCOME_AND_COUNT,
  SHARED_AND_SPLIT,
  sharedDebtOf,
  smallRuledPayment
} from "./shared.ts"
import { traced } from "./terms.ts"

/** Months to forgiveness: longer with a graduate loan. @rule repaye-terms */
const forgivenessMonths = (law: Law, book: Book, trace?: Trace): number => {
  const { forgivenessMonthsGraduate, forgivenessMonthsUndergraduate } = law.read(repayeTerms)
  const months = hasGraduateLoan(book) ? forgivenessMonthsGraduate : forgivenessMonthsUndergraduate
  return traced(months, "forgivenessMonths", repayeTerms, trace)
}

const begin = (beginning: Beginning): IncomeDrivenTerms => {
  const { law } = beginning
  const { paymentRate, povertyMultiple } = law.read(repayeTerms)
  const { otherwiseShare, subsidizedFullMonths } = law.read(repayeInterestSubsidy)
  return new SplitTerms({
    payment: smallRuledPayment(beginning, {
      paymentRate,
      povertyMultiple,
      rule: repayeTerms,
      debt: sharedDebtOf(beginning, "REVISED PAY AS YOU EARN")
    }),
    subsidizedWaiverMonths: subsidizedFullMonths,
    waiverShare: otherwiseShare,
    waivedBy: repayeInterestSubsidy
  })
}

/** @law 80 FR 67203 (30 October 2015)   @rule repaye-terms, repaye-interest-subsidy */
export const revisedPayAsYouEarn = incomeDrivenPlan({
  planType: "REVISED PAY AS YOU EARN",
  calculator: { id: "repaye", label: "Revised Pay As You Earn" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility["REVISED PAY AS YOU EARN"],
  terms: [repayeTerms, repayeInterestSubsidy, saveVacatur, idrSmallPaymentRule],
  citesForHousehold: [INCOME_AND_COUNT, GUIDELINE, ...SHARED_AND_SPLIT],
  citesForLoans: [{ rules: [subsidizedLoanTypes], when: only.subsidizedLoan }, GRADUATE_DEBT],
  forgivenessMonths,
  begin
})
