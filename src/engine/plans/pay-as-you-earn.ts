/**
 * PAY AS YOU EARN: PAYE, for borrowers who were new on October 1, 2007. It ends on July 1, 2028.
 * Payment a month: 10 percent of income above 150 percent of the poverty guideline, divided by 12
 * and capped at the ten-year standard payment. The balance is forgiven after 240 months.
 * Formula: `cappedPlan` in src/engine/plans/capped.ts, which calls `smallRuledPayment` in
 * src/engine/plans/shared.ts. The numbers are `payeTerms` in ledger/rules/pay-as-you-earn.ts.
 *
 * For loans still open at the end see src/engine/plans/ending.ts.
 */
import { newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { payeTerms } from "../../../ledger/rules/pay-as-you-earn.ts"
import { cappedPlan } from "./capped.ts"

/** @law 34 CFR 685.209(f)(2), (k)(2)   @rule paye-terms, new-borrower-tests */
export const payAsYouEarn = cappedPlan(
  {
    planType: "PAY AS YOU EARN",
    calculator: { id: "paye", label: "Pay As You Earn" },
    openTo: ({ eligibility }) => eligibility["PAY AS YOU EARN"]
  },
  payeTerms,
  [newBorrowerTests]
)
