/** Indiana income tax, and how Indiana treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { indiana, onLegislativeChange } from "../sources.ts"

const rateNotice = indiana({
  url: "https://www.in.gov/dor/individual-income-taxes/",
  note: "IC 6-3-2-1; Departmental Notice #1 states 2.95% from 1 January 2026 (read via payroll.org); figures agree with policyengine-us (https://github.com/PolicyEngine/policyengine-us)",
  sure: "verified"
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
      lastVerified: "2026-11-20",
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
      lastVerified: "2026-11-20",
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
    note: "IC 6-3-1-3.5(a)(30). DOR names PSLF, Teacher Loan Forgiveness, National Health Service Corps, disability, death and bankruptcy as exceptions",
    sure: "verified",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
