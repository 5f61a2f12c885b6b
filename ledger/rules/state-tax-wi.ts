/** Wisconsin income tax, and how Wisconsin treats forgiven student debt. */
import { rule, series } from "../entry.ts"
import { onLegislativeChange, wisconsin } from "../sources.ts"

export const stateIncomeTaxWi = series(
  {
    plan: "ALL",
    unit: "USD of taxable income; rates as fractions",
    definition:
      "Bracket table by filing status. The standard deduction is max(0, max - rate x (income - phaseOutStart)) above phaseOutStart; head of household never gets less than single. Exemption 700 per person. Credits not applied."
  },
  {
    "2025-01-01": {
      id: "state-income-tax-wi-2025",
      label: "Wisconsin individual income tax 2025",
      value: {
        taxYear: 2025,
        brackets: {
          Single: [
            { rate: 0.035, over: 0, notOver: 14680 },
            { rate: 0.044, over: 14680, notOver: 50480 },
            { rate: 0.053, over: 50480, notOver: 323290 },
            { rate: 0.0765, over: 323290, notOver: null }
          ],
          MarriedFilingJointly: [
            { rate: 0.035, over: 0, notOver: 19580 },
            { rate: 0.044, over: 19580, notOver: 67300 },
            { rate: 0.053, over: 67300, notOver: 431060 },
            { rate: 0.0765, over: 431060, notOver: null }
          ],
          MarriedFilingSeparately: [
            { rate: 0.035, over: 0, notOver: 9790 },
            { rate: 0.044, over: 9790, notOver: 33650 },
            { rate: 0.053, over: 33650, notOver: 215530 },
            { rate: 0.0765, over: 215530, notOver: null }
          ],
          HeadOfHousehold: [
            { rate: 0.035, over: 0, notOver: 14680 },
            { rate: 0.044, over: 14680, notOver: 50480 },
            { rate: 0.053, over: 50480, notOver: 323290 },
            { rate: 0.0765, over: 323290, notOver: null }
          ]
        },
        standardDeduction: {
          Single: { max: 13560, phaseOutStart: 19550, rate: 0.12 },
          MarriedFilingJointly: { max: 25110, phaseOutStart: 28210, rate: 0.19778 },
          MarriedFilingSeparately: { max: 11930, phaseOutStart: 13390, rate: 0.19778 },
          HeadOfHousehold: { max: 17520, phaseOutStart: 19550, rate: 0.22515, neverLessThanSingle: true }
        },
        exemptionPerPerson: 700
      },
      source: wisconsin({
        url: "https://www.revenue.wi.gov/Pages/FAQS/pcs-taxrates.aspx",
        note: "2025 Form 1 instructions, page 38, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026. The end of the 4.4% bracket (50,480, 67,300 and 33,650) is that of 2025 Act 15, read in a report of EY that quotes Wisconsin Tax Bulletin 230: the model still shows 51,130, 68,170 and 34,090",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "state-income-tax-wi-2026",
      label: "Wisconsin individual income tax 2026",
      value: {
        taxYear: 2026,
        brackets: {
          Single: [
            { rate: 0.035, over: 0, notOver: 15110 },
            { rate: 0.044, over: 15110, notOver: 51950 },
            { rate: 0.053, over: 51950, notOver: 332720 },
            { rate: 0.0765, over: 332720, notOver: null }
          ],
          MarriedFilingJointly: [
            { rate: 0.035, over: 0, notOver: 20150 },
            { rate: 0.044, over: 20150, notOver: 69260 },
            { rate: 0.053, over: 69260, notOver: 443630 },
            { rate: 0.0765, over: 443630, notOver: null }
          ],
          MarriedFilingSeparately: [
            { rate: 0.035, over: 0, notOver: 10080 },
            { rate: 0.044, over: 10080, notOver: 34630 },
            { rate: 0.053, over: 34630, notOver: 221820 },
            { rate: 0.0765, over: 221820, notOver: null }
          ],
          HeadOfHousehold: [
            { rate: 0.035, over: 0, notOver: 15110 },
            { rate: 0.044, over: 15110, notOver: 51950 },
            { rate: 0.053, over: 51950, notOver: 332720 },
            { rate: 0.0765, over: 332720, notOver: null }
          ]
        },
        standardDeduction: {
          Single: { max: 13960, phaseOutStart: 20120, rate: 0.12 },
          MarriedFilingJointly: { max: 25840, phaseOutStart: 29040, rate: 0.19778 },
          MarriedFilingSeparately: { max: 12280, phaseOutStart: 13780, rate: 0.19778 },
          HeadOfHousehold: { max: 18030, phaseOutStart: 20120, rate: 0.22515, neverLessThanSingle: true }
        },
        exemptionPerPerson: 700
      },
      source: wisconsin({
        url: "https://www.revenue.wi.gov/TaxForms2026/2026-Form1-ES-Inst.pdf",
        note: "Form 1-ES instructions D-101A (R. 1-26), read as transcribed in two public files. Checked with the published single $60,000 figure of $2,069.54",
        evidence: "third-party"
      }),
      lastVerified: "2026-11-20",
      parityLocked: true
    }
  }
)

export const stateForgivenessTreatmentWi = rule({
  id: "state-forgiveness-treatment-wi",
  label: "Wisconsin treatment of forgiven student debt",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition:
    "Wisconsin follows the Internal Revenue Code as of a past date, without ARPA section 9675. From 2026 time-based forgiveness arrives through federal AGI. PSLF is not taxable.",
  value: { TimeBased: true, Pslf: false, Teacher: false },
  source: wisconsin({
    url: "https://www.revenue.wi.gov/Pages/FAQS/ise-studentloan.aspx",
    note: "Questions and answers of the Department of Revenue, read in two versions. 2023 Act 36. The date of conformity was not seen: the older version says 31 December 2020. Whether 2025 SB 859 (conformity to 31 December 2025) was enacted was not found: it would not exempt time-based forgiveness",
    evidence: "official-copy",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
