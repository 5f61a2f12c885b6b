/**
 * TIERED STANDARD: the Tiered Standard plan, for Direct loans made on or after July 1, 2026.
 * Payment a month: the annuity of each loan over 10, 15, 20 or 25 years, at least $50 over all
 * loans. The principal of all Direct loans sets the term, and prior months do not shorten it.
 * Formula: `levelSchedule` in src/engine/schedule/level.ts, `annuity` in
 * src/engine/schedule/annuity.ts.
 *
 * The keyless calculator shows it by this name. In a projection it is STANDARD of Direct loans, if
 * dates show that the borrower has a new loan.
 */
import { standardPlanTerms, tieredStandardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { levelSchedule } from "../schedule/level.ts"
import { fixedPlan, TIERED_STANDARD } from "./plan.ts"
import { termOfTier, traced } from "./terms.ts"

/** @law 34 CFR 685.208(c)(1)(iii); 20 U.S.C. 1087e(d)(7)(A)   @rule tiered-standard-plan-terms */
export const tieredStandard = fixedPlan({
  planType: TIERED_STANDARD,
  calculator: { id: "tiered_standard", label: "Tiered Standard" },
  parityVerified: true,
  openTo: ({ direct }) => (direct ? "open" : "closed"),
  onlyNewLoans: true,
  terms: [tieredStandardPlanTerms, standardPlanTerms],
  term: (law, _traits, { directPrincipal }, trace) => {
    trace?.("tierBalance", directPrincipal, tieredStandardPlanTerms)
    const months = termOfTier(law.read(tieredStandardPlanTerms).tiers, directPrincipal)
    return traced(months, "term", tieredStandardPlanTerms, trace)
  },
  monthsBehind: () => 0,
  termRule: () => tieredStandardPlanTerms,
  countsForPslf: () => false,
  schedule: (law, book, month, _held, trace) =>
    levelSchedule(law, book, month, { terms: tieredStandardPlanTerms }, trace)
})
