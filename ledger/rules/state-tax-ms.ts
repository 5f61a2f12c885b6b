/** Mississippi income tax, and how Mississippi treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { mississippi, onLegislativeChange } from "../sources.ts"

const rateStatute = mississippi({
  url: "https://www.dor.ms.gov/individual/tax-rates",
  note: "Miss. Code 27-7-5, 27-7-17 and 27-7-21 with the phase-down of HB 1 of 2025, signed 27 March 2025, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, which cites the Department's tax rates page and form 80-100 of 2025. A summary of HB 1 agrees",
  evidence: "open-model"
})

export const stateIncomeTaxMs = series(
  {
    plan: "ALL",
    unit: "fraction; USD",
    definition:
      "No tax on the first 10,000 of taxable income, one rate above. Taxable income is income less standard deduction and exemptions."
  },
  {
    "2025-01-01": {
      id: "state-income-tax-ms-2025",
      label: "Mississippi individual income tax 2025",
      value: {
        taxYear: 2025,
        zeroBracket: 10000,
        rate: 0.044,
        standardDeduction: {
          Single: 2300,
          MarriedFilingJointly: 4600,
          MarriedFilingSeparately: 2300,
          HeadOfHousehold: 3400
        },
        exemption: { Single: 6000, MarriedFilingJointly: 12000, MarriedFilingSeparately: 6000, HeadOfHousehold: 8000 },
        exemptionPerDependent: 1500,
        enactedLaterRates: { "2027": 0.0375, "2028": 0.035, "2029": 0.0325, "2030": 0.03 },
        laterRatesApplied: false
      },
      source: rateStatute,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "state-income-tax-ms-2026",
      label: "Mississippi individual income tax 2026",
      value: {
        taxYear: 2026,
        zeroBracket: 10000,
        rate: 0.04,
        standardDeduction: {
          Single: 2300,
          MarriedFilingJointly: 4600,
          MarriedFilingSeparately: 2300,
          HeadOfHousehold: 3400
        },
        exemption: { Single: 6000, MarriedFilingJointly: 12000, MarriedFilingSeparately: 6000, HeadOfHousehold: 8000 },
        exemptionPerDependent: 1500,
        enactedLaterRates: { "2027": 0.0375, "2028": 0.035, "2029": 0.0325, "2030": 0.03 },
        laterRatesApplied: false
      },
      source: rateStatute,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const stateForgivenessTreatmentMs = rule({
  id: "state-forgiveness-treatment-ms",
  label: "Mississippi treatment of forgiven student debt",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition:
    "Mississippi does not follow the Internal Revenue Code and has no student-loan exclusion. What was read of its law, and bills to exclude PSLF that failed, suggest that even PSLF is taxed. The engine treats PSLF as tax free and discloses it.",
  value: { TimeBased: true, Pslf: false, Teacher: false, pslfProbablyTaxedByState: true },
  source: mississippi({
    url: "https://law.justia.com/codes/mississippi/title-27/chapter-7/article-1/section-27-7-15/",
    note: "Miss. Code 27-7-15, not read. 35 Miss. Code R. 3-01-01-100, read, for gross income. Bills to exclude PSLF: HB1653 and HB1720 (2025) died in committee, read in the legislature's listing. No page of the Department of Revenue was found. See omission-ms-pslf-tax",
    evidence: "third-party",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
