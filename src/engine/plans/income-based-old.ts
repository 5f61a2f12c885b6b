/**
 * INCOME BASED (OLD): IBR at 15 percent ("IBR 15%", "old IBR"), for borrowers who were not new on
 * July 1, 2014.
 * Payment a month: 15 percent of income above 150 percent of the poverty guideline, divided by 12
 * and capped at the ten-year standard payment. The balance is forgiven after 300 months.
 * Formula: `cappedPlan` in src/engine/plans/capped.ts, which calls `smallRuledPayment` in
 * src/engine/plans/shared.ts. The numbers are `ibrOldTerms` in ledger/rules/income-based.ts.
 */
import { ibrOldTerms } from "../../../ledger/rules/income-based.ts"
import { cappedPlan } from "./capped.ts"

/** @law 20 U.S.C. 1098e(a)-(b), 34 CFR 685.209(f)(3), (k)(1)   @rule ibr-old-terms */
export const incomeBasedOld = cappedPlan(
  {
    planType: "INCOME BASED (OLD)",
    calculator: { id: "ibr", label: "Income-Based (earlier borrowers)" },
    openTo: ({ eligibility }) => eligibility["INCOME BASED (OLD)"]
  },
  ibrOldTerms
)
