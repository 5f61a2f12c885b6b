/** Indiana income tax, and how Indiana treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { indiana, onLegislativeChange } from "../sources.ts"

const rateNotice = indiana({
  url: "https://www.in.gov/dor/individual-income-taxes/",
  note: "IC 6-3-2-1(a), text read, for the rate. The exemptions of IC 6-3-1-3.5(a), as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026",
  evidence: "statute"
})

export const stateIncomeTaxIn = series(
  {
    plan: "ALL",
    unit: "fraction; USD",
    definition:
      "Flat rate on adjusted gross income after exemptions; no standard deduction. The county income tax levied in all 92 counties (0.5% to 3.0%) is not included."
  },
  {
    "2025-01-01": {
      id: "state-income-tax-in-2025",
      label: "Indiana adjusted gross income tax 2025",
      value: {
        taxYear: 2025,
        rate: 0.03,
        exemptionPerPerson: 1000,
        exemptionAdditionalPerDependentChild: 1500,
        additionalChildExemptionApplied: false,
        countyTaxIncluded: false,
        nextRates: { "2026": 0.0295, "2027": 0.029 }
      },
      source: rateNotice,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "state-income-tax-in-2026",
      label: "Indiana adjusted gross income tax 2026",
      value: {
        taxYear: 2026,
        rate: 0.0295,
        exemptionPerPerson: 1000,
        exemptionAdditionalPerDependentChild: 1500,
        additionalChildExemptionApplied: false,
        countyTaxIncluded: false,
        nextRates: { "2027": 0.029 }
      },
      source: rateNotice,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const stateForgivenessTreatmentIn = rule({
  id: "state-forgiveness-treatment-in",
  label: "Indiana treatment of forgiven student debt",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition:
    "Indiana added back discharges excluded under IRC 108(f)(5) for 2021-2025; from 2026 time-based forgiveness arrives through federal AGI.",
  value: { TimeBased: true, Pslf: false, Teacher: false },
  source: indiana({
    url: "https://www.in.gov/dor/individual-income-taxes/student-loans/",
    note: "IC 6-3-1-3.5(a)(30). Page of the Department of Revenue, read in an excerpt: it names PSLF, Teacher Loan Forgiveness, National Health Service Corps, disability, death and bankruptcy as exceptions",
    evidence: "official-copy",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
