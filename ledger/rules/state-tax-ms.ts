/** Mississippi income tax, and how Mississippi treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { mississippi, onLegislativeChange } from "../sources.ts"

const rateStatute = mississippi({
  url: "https://www.dor.ms.gov/individual/tax-rates",
  note: "Miss. Code 27-7-5, 27-7-17, 27-7-21; phase-down by HB 1 of 2025, signed 27 March 2025; figures agree in policyengine-us (https://github.com/PolicyEngine/policyengine-us) and in notes of EY on Mondaq",
  sure: "verified"
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
      lastVerified: "2026-11-20",
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
      lastVerified: "2026-11-20",
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
    "Mississippi does not follow the Internal Revenue Code and has no student-loan exclusion. Statute reading and repeated failed exclusion bills suggest that even PSLF is taxed; the engine treats PSLF as tax free and discloses it.",
  value: { TimeBased: true, Pslf: false, Teacher: false, pslfProbablyTaxedByState: true },
  source: mississippi({
    url: "https://law.justia.com/codes/mississippi/title-27/chapter-7/article-1/section-27-7-15/",
    note: "Miss. Code 27-7-15. PSLF exclusion bills HB1485 (2024), HB1653 and HB1720 (2025) died; HB1773 outcome not verified; no DOR page found. See omission-ms-pslf-tax",
    sure: "thirdParty",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
