/** Arkansas income tax, and how Arkansas treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { arkansas, onLegislativeChange } from "../sources.ts"

export const stateIncomeTaxAr = series(
  {
    plan: "ALL",
    unit: "USD of net taxable income; rates as fractions",
    definition:
      "One schedule for every filing status. Tax = rate x net income - subtract, using the last row whose from is at or below net income. The rows from 94,701 (2026) or 95,001 (2025) are the higher-income table with its bracket adjustment. Low-income tables and the $29 personal credits are not applied."
  },
  {
    "2025-01-01": {
      id: "state-income-tax-ar-2025",
      label: "Arkansas individual income tax 2025",
      value: {
        taxYear: 2025,
        rows: [
          { from: 0, rate: 0, subtract: 0 },
          { from: 5600, rate: 0.02, subtract: 112 },
          { from: 11200, rate: 0.03, subtract: 224 },
          { from: 16000, rate: 0.034, subtract: 288 },
          { from: 26400, rate: 0.039, subtract: 420 },
          { from: 95001, rate: 0.039, subtract: 369 },
          { from: 95101, rate: 0.039, subtract: 359 },
          { from: 95201, rate: 0.039, subtract: 349 },
          { from: 95301, rate: 0.039, subtract: 339 },
          { from: 95401, rate: 0.039, subtract: 329 },
          { from: 95501, rate: 0.039, subtract: 319 },
          { from: 95601, rate: 0.039, subtract: 309 },
          { from: 95701, rate: 0.039, subtract: 299 },
          { from: 95801, rate: 0.039, subtract: 289 },
          { from: 95901, rate: 0.039, subtract: 279 },
          { from: 96001, rate: 0.039, subtract: 269 },
          { from: 96101, rate: 0.039, subtract: 259 },
          { from: 96201, rate: 0.039, subtract: 249 },
          { from: 96301, rate: 0.039, subtract: 239 },
          { from: 96401, rate: 0.039, subtract: 229 },
          { from: 96501, rate: 0.039, subtract: 219 },
          { from: 96601, rate: 0.039, subtract: 209 },
          { from: 96701, rate: 0.039, subtract: 199 },
          { from: 96801, rate: 0.039, subtract: 189 },
          { from: 96901, rate: 0.039, subtract: 179 },
          { from: 97001, rate: 0.039, subtract: 169 },
          { from: 97101, rate: 0.039, subtract: 159 },
          { from: 97201, rate: 0.039, subtract: 149 },
          { from: 97301, rate: 0.039, subtract: 139 },
          { from: 97401, rate: 0.039, subtract: 129 },
          { from: 97501, rate: 0.039, subtract: 119 },
          { from: 97601, rate: 0.039, subtract: 109 },
          { from: 97701, rate: 0.039, subtract: 99 },
          { from: 97801, rate: 0.039, subtract: 89 }
        ],
        standardDeduction: {
          Single: 2470,
          MarriedFilingJointly: 4940,
          MarriedFilingSeparately: 2470,
          HeadOfHousehold: 2470
        },
        standardDeductionYear: 2025
      },
      source: arkansas({
        url: "https://www.dfa.arkansas.gov/wp-content/uploads/2025_AR1000F_and_AR1000NR_Instructions.pdf",
        note: "2025 AR1000F instructions, page 26, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026: rates, reductions and standard deduction compared",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "state-income-tax-ar-2026",
      label: "Arkansas individual income tax 2026",
      value: {
        taxYear: 2026,
        rows: [
          { from: 0, rate: 0, subtract: 0 },
          { from: 5600, rate: 0.02, subtract: 112 },
          { from: 11200, rate: 0.03, subtract: 224 },
          { from: 16000, rate: 0.034, subtract: 288 },
          { from: 26400, rate: 0.037, subtract: 367.2 },
          { from: 94701, rate: 0.037, subtract: 369.9 },
          { from: 94801, rate: 0.037, subtract: 359.9 },
          { from: 94901, rate: 0.037, subtract: 349.9 },
          { from: 95001, rate: 0.037, subtract: 339.9 },
          { from: 95101, rate: 0.037, subtract: 329.9 },
          { from: 95201, rate: 0.037, subtract: 319.9 },
          { from: 95301, rate: 0.037, subtract: 309.9 },
          { from: 95401, rate: 0.037, subtract: 299.9 },
          { from: 95501, rate: 0.037, subtract: 289.9 },
          { from: 95601, rate: 0.037, subtract: 279.9 },
          { from: 95701, rate: 0.037, subtract: 269.9 },
          { from: 95801, rate: 0.037, subtract: 259.9 },
          { from: 95901, rate: 0.037, subtract: 249.9 },
          { from: 96001, rate: 0.037, subtract: 239.9 },
          { from: 96101, rate: 0.037, subtract: 229.9 },
          { from: 96201, rate: 0.037, subtract: 219.9 },
          { from: 96301, rate: 0.037, subtract: 209.9 },
          { from: 96401, rate: 0.037, subtract: 199.9 },
          { from: 96501, rate: 0.037, subtract: 189.9 },
          { from: 96601, rate: 0.037, subtract: 179.9 },
          { from: 96701, rate: 0.037, subtract: 169.9 },
          { from: 96801, rate: 0.037, subtract: 159.9 },
          { from: 96901, rate: 0.037, subtract: 149.9 },
          { from: 97001, rate: 0.037, subtract: 139.9 },
          { from: 97101, rate: 0.037, subtract: 129.9 },
          { from: 97201, rate: 0.037, subtract: 119.9 },
          { from: 97301, rate: 0.037, subtract: 109.9 },
          { from: 97401, rate: 0.037, subtract: 99.9 },
          { from: 97501, rate: 0.037, subtract: 89.9 },
          { from: 97601, rate: 0.037, subtract: 79.9 }
        ],
        standardDeduction: {
          Single: 2470,
          MarriedFilingJointly: 4940,
          MarriedFilingSeparately: 2470,
          HeadOfHousehold: 2470
        },
        standardDeductionYear: 2025
      },
      source: arkansas({
        url: "https://www.arkleg.state.ar.us/Home/FTPDocument?path=%2FBills%2F2026S1%2FPublic%2FHB1001.pdf",
        note: "A.C.A. 26-51-201(a)(4) as amended by Act 1 of the 2026 First Extraordinary Session (HB1001), signed 6 May 2026, retroactive to 1 January 2026, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026. The standard deduction is that of 2025: the indexed amount of 2026 was not found",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const stateForgivenessTreatmentAr = rule({
  id: "state-forgiveness-treatment-ar",
  label: "Arkansas treatment of forgiven student debt",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition: "Arkansas uses its own definition of gross income and did not adopt the federal student-loan exclusion.",
  value: { TimeBased: true, Pslf: false, Teacher: false },
  source: arkansas({
    url: "https://www.dfa.arkansas.gov/news/details/dfa-statement-regarding-student-loan-forgiveness",
    note: "Statement of the Department of 9 September 2022, read in an excerpt: it gives the general rule and leaves the case of student loans open. Taxable except PSLF and total disability: a spokesperson, as reported by Investopedia. A.C.A. 26-51-404 was not read. Teacher by analogy with 26 U.S.C. 108(f)(1)",
    evidence: "third-party",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
