/**
 * INCOME BASED: IBR at 10 percent ("IBR 10%"), for new borrowers on or after July 1, 2014. Payment
 * a month: 10 percent of income above 150 percent of the poverty guideline, divided by 12 and
 * capped at the ten-year standard payment. The balance is forgiven after 240 months. Formula:
 * `cappedPlan` in src/engine/plans/capped.ts, which calls `smallRuledPayment` in
 * src/engine/plans/shared.ts. The numbers are `ibrNewTerms` in ledger/rules/income-based.ts.
 *
 * A borrower whose request has no dates is taken as new unless a loan's type proves otherwise.
 */
import { ibrNewTerms, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { cappedPlan } from "./capped.ts"

/**
 * @law 20 U.S.C. 1098e(e), 34 CFR 685.209(f)(2), (k)(2)   @rule ibr-new-terms, new-borrower-tests
 */
export const incomeBased = cappedPlan(
  {
    planType: "INCOME BASED",
    calculator: { id: "ibr_2014", label: "Income-Based (new borrowers from 1 July 2014)" },
    openTo: ({ eligibility }) => eligibility["INCOME BASED"]
  },
  ibrNewTerms,
  [newBorrowerTests]
)
