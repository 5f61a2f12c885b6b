/** PAY AS YOU EARN, which ends on 1 July 2028: what is open then passes over, see plans/ending.ts. */
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
