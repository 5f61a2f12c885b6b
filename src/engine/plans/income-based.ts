/** INCOME BASED: Income-Based Repayment for new borrowers on or after 1 July 2014. */
import { ibrNewTerms, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { cappedPlan } from "./capped.ts"

/** @law 20 U.S.C. 1098e(e), 34 CFR 685.209(f)(2), (k)(2)   @rule ibr-new-terms, new-borrower-tests */
export const incomeBased = cappedPlan(
  {
    planType: "INCOME BASED",
    calculator: { id: "ibr_2014", label: "Income-Based (new borrowers from 1 July 2014)" },
    openTo: ({ eligibility }) => eligibility["INCOME BASED"]
  },
  ibrNewTerms,
  [newBorrowerTests]
)
