/** INCOME BASED (OLD): Income-Based Repayment for borrowers before 1 July 2014. */
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
