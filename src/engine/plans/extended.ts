/** EXTENDED: level payments over 25 years. Its variant with rising payments is not modeled. */
import { extendedPlanTerms, standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { levelSchedule } from "../schedule/level.ts"
import { fixedPlan } from "./plan.ts"
import { countedMonths, told } from "./terms.ts"

/** @law 34 CFR 685.208(b)(4)   @rule extended-plan-terms */
export const extended = fixedPlan({
  planType: "EXTENDED",
  calculator: { id: "extended", label: "Extended" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility.EXTENDED,
  terms: [extendedPlanTerms, standardPlanTerms],
  term: (law, _traits, _held, note) => told(law.read(extendedPlanTerms).months, "term", extendedPlanTerms, note),
  monthsBehind: countedMonths,
  usesConsolidationTable: false,
  countsForPslf: () => false,
  schedule: (law, book, note) => levelSchedule(law, book, extendedPlanTerms, note)
})
