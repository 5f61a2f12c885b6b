/**
 * EXTENDED: the Extended plan (fixed), 25 years of level payments for more than $30,000 of debt.
 * Payment a month: the annuity of each loan over the months left, at least $50 over all loans.
 * Formula: `levelSchedule` in src/engine/schedule/level.ts, `annuity` in
 * src/engine/schedule/annuity.ts.
 *
 * A DIRECT PLUS CONSOLIDATED keeps its older terms of 12 to 30 years. The Extended Graduated plan
 * is not modeled.
 */
import { only } from "../../../ledger/circumstances.ts"
import {
  directPlusConsolidationTerms,
  extendedPlanTerms,
  standardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import { newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { levelSchedule } from "../schedule/level.ts"
import { fixedPlan } from "./plan.ts"
import { countedMonths, directPlusConsolidationTerm, traced } from "./terms.ts"

/**
 * @law 34 CFR 685.208(b)(4); (d), (i) of early 2023
 * @rule extended-plan-terms, direct-plus-consolidation-terms, new-borrower-tests
 */
export const extended = fixedPlan({
  planType: "EXTENDED",
  calculator: { id: "extended", label: "Extended" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility.EXTENDED,
  terms: [extendedPlanTerms, standardPlanTerms],
  citesForLoans: [{ rules: [newBorrowerTests], when: only.closedByOlderLoan }],
  term: (law, { directPlusConsolidation }, held, trace) =>
    directPlusConsolidation
      ? directPlusConsolidationTerm(law, held, trace)
      : traced(law.read(extendedPlanTerms).months, "term", extendedPlanTerms, trace),
  termRule: ({ directPlusConsolidation }) =>
    directPlusConsolidation ? directPlusConsolidationTerms : extendedPlanTerms,
  monthsBehind: countedMonths,
  countsForPslf: () => false,
  schedule: (law, book, month, _held, trace) => levelSchedule(law, book, month, { terms: extendedPlanTerms }, trace)
})
