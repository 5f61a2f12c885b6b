/**
 * Tiered Standard, for loans made from 1 July 2026: level payments over a term by total balance. Only the keyless
 * calculator shows it, because a projection request carries no loan dates.
 */
import { standardPlanTerms, tieredStandardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { levelSchedule } from "../schedule/level.ts"
import { fixedPlan } from "./plan.ts"
import { countedMonths, termOfTier, told } from "./terms.ts"

export type TieredStandard = "TIERED STANDARD"

/** @law 34 CFR 685.208(c)(1)(iii); 20 U.S.C. 1087e(d)(7)(A)(i)   @rule tiered-standard-plan-terms */
export const tieredStandard = fixedPlan({
  planType: "TIERED STANDARD",
  calculator: { id: "tiered_standard", label: "Tiered Standard" },
  parityVerified: true,
  openTo: () => "open",
  onlyNewLoans: true,
  terms: [tieredStandardPlanTerms, standardPlanTerms],
  term: (law, _traits, { total }, note) => {
    note?.("tierBalance", total, tieredStandardPlanTerms)
    return told(termOfTier(law.read(tieredStandardPlanTerms).tiers, total), "term", tieredStandardPlanTerms, note)
  },
  monthsBehind: countedMonths,
  usesConsolidationTable: false,
  countsForPslf: () => false,
  schedule: (law, book, note) => levelSchedule(law, book, tieredStandardPlanTerms, note)
})
