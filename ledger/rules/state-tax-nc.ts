/** North Carolina income tax, and how North Carolina treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { northCarolina, onLegislativeChange } from "../sources.ts"

const rateStatute = northCarolina({
  url: "https://www.ncdor.gov/taxes-forms/tax-rate-schedules",
  note: "G.S. 105-153.7(a) and (a1), text read, for the rate. The standard deduction of 105-153.5(a)(1), as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026. The result of the 2027 revenue trigger was not found",
  evidence: "statute"
})

export const stateIncomeTaxNc = series(
  {
    plan: "ALL",
    unit: "fraction; USD",
    definition: "Flat rate on income above the North Carolina standard deduction. The child deduction is not applied."
  },
  {
    "2025-01-01": {
      id: "state-income-tax-nc-2025",
      label: "North Carolina individual income tax 2025",
      value: {
        taxYear: 2025,
        rate: 0.0425,
        standardDeduction: {
          Single: 12750,
          MarriedFilingJointly: 25500,
          MarriedFilingSeparately: 12750,
          HeadOfHousehold: 19125
        },
        trigger2027: { fiscalYear: "2025-26", revenueAbove: 33042000000, rateCut: 0.005, floor: 0.0249, outcome: null }
      },
      source: rateStatute,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "state-income-tax-nc-2026",
      label: "North Carolina individual income tax 2026",
      value: {
        taxYear: 2026,
        rate: 0.0399,
        standardDeduction: {
          Single: 12750,
          MarriedFilingJointly: 25500,
          MarriedFilingSeparately: 12750,
          HeadOfHousehold: 19125
        },
        trigger2027: { fiscalYear: "2025-26", revenueAbove: 33042000000, rateCut: 0.005, floor: 0.0249, outcome: null }
      },
      source: rateStatute,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const stateForgivenessTreatmentNc = rule({
  id: "state-forgiveness-treatment-nc",
  label: "North Carolina treatment of forgiven student debt",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition:
    "North Carolina did not adopt IRC 108(f)(5) as amended by ARPA; from 2026 time-based forgiveness arrives through federal AGI. Amounts excluded by 108(f)(1) are not added back.",
  value: { TimeBased: true, Pslf: false, Teacher: false },
  source: northCarolina({
    url: "https://www.ncdor.gov/media/13808/open",
    note: "Important Notice of the Department of Revenue of 14 December 2022, read as quoted on the page of the North Carolina Department of Justice (ncdoj.gov)",
    evidence: "official-copy",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2022-12-14",
  lastVerified: "2026-11-21",
  parityLocked: true
})
