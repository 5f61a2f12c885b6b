/** Federal income tax: brackets, standard deduction, and for reference the AMT. */
import { rule, series } from "../entry.ts"
import { document, internalRevenueService } from "../sources.ts"

const bracketTable =
  "Tax on ordinary income is the sum over brackets of rate times the part of taxable income between over and notOver."

const tables2025 = internalRevenueService({
  url: document.taxTables2025,
  note: "Rev. Proc. 2024-40, section 2.01, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, and by Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator) as of 22 August 2026. Both were compared figure by figure and agree",
  evidence: "open-model"
})

const tables2026 = internalRevenueService({
  url: document.taxTables2026,
  note: "Rev. Proc. 2025-32, section 4.01 (released 9 October 2025), as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, and by Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator) as of 22 August 2026. Both were compared figure by figure and agree",
  evidence: "open-model"
})

export const federalIncomeTaxBracketsSingle = series(
  {
    plan: "ALL",
    unit: "USD of taxable income; rates as fractions",
    definition: bracketTable
  },
  {
    "2025-01-01": {
      id: "federal-income-tax-brackets-2025-single",
      label: "Federal income tax brackets 2025, Single",
      value: {
        taxYear: 2025,
        filingStatus: "Single",
        brackets: [
          { rate: 0.1, over: 0, notOver: 11925 },
          { rate: 0.12, over: 11925, notOver: 48475 },
          { rate: 0.22, over: 48475, notOver: 103350 },
          { rate: 0.24, over: 103350, notOver: 197300 },
          { rate: 0.32, over: 197300, notOver: 250525 },
          { rate: 0.35, over: 250525, notOver: 626350 },
          { rate: 0.37, over: 626350, notOver: null }
        ]
      },
      source: tables2025,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "federal-income-tax-brackets-2026-single",
      label: "Federal income tax brackets 2026, Single",
      value: {
        taxYear: 2026,
        filingStatus: "Single",
        brackets: [
          { rate: 0.1, over: 0, notOver: 12400 },
          { rate: 0.12, over: 12400, notOver: 50400 },
          { rate: 0.22, over: 50400, notOver: 105700 },
          { rate: 0.24, over: 105700, notOver: 201775 },
          { rate: 0.32, over: 201775, notOver: 256225 },
          { rate: 0.35, over: 256225, notOver: 640600 },
          { rate: 0.37, over: 640600, notOver: null }
        ]
      },
      source: tables2026,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const federalIncomeTaxBracketsMfj = series(
  {
    plan: "ALL",
    unit: "USD of taxable income; rates as fractions",
    definition: bracketTable
  },
  {
    "2025-01-01": {
      id: "federal-income-tax-brackets-2025-mfj",
      label: "Federal income tax brackets 2025, MarriedFilingJointly",
      value: {
        taxYear: 2025,
        filingStatus: "MarriedFilingJointly",
        brackets: [
          { rate: 0.1, over: 0, notOver: 23850 },
          { rate: 0.12, over: 23850, notOver: 96950 },
          { rate: 0.22, over: 96950, notOver: 206700 },
          { rate: 0.24, over: 206700, notOver: 394600 },
          { rate: 0.32, over: 394600, notOver: 501050 },
          { rate: 0.35, over: 501050, notOver: 751600 },
          { rate: 0.37, over: 751600, notOver: null }
        ]
      },
      source: tables2025,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "federal-income-tax-brackets-2026-mfj",
      label: "Federal income tax brackets 2026, MarriedFilingJointly",
      value: {
        taxYear: 2026,
        filingStatus: "MarriedFilingJointly",
        brackets: [
          { rate: 0.1, over: 0, notOver: 24800 },
          { rate: 0.12, over: 24800, notOver: 100800 },
          { rate: 0.22, over: 100800, notOver: 211400 },
          { rate: 0.24, over: 211400, notOver: 403550 },
          { rate: 0.32, over: 403550, notOver: 512450 },
          { rate: 0.35, over: 512450, notOver: 768700 },
          { rate: 0.37, over: 768700, notOver: null }
        ]
      },
      source: tables2026,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const federalIncomeTaxBracketsMfs = series(
  {
    plan: "ALL",
    unit: "USD of taxable income; rates as fractions",
    definition: bracketTable
  },
  {
    "2025-01-01": {
      id: "federal-income-tax-brackets-2025-mfs",
      label: "Federal income tax brackets 2025, MarriedFilingSeparately",
      value: {
        taxYear: 2025,
        filingStatus: "MarriedFilingSeparately",
        brackets: [
          { rate: 0.1, over: 0, notOver: 11925 },
          { rate: 0.12, over: 11925, notOver: 48475 },
          { rate: 0.22, over: 48475, notOver: 103350 },
          { rate: 0.24, over: 103350, notOver: 197300 },
          { rate: 0.32, over: 197300, notOver: 250525 },
          { rate: 0.35, over: 250525, notOver: 375800 },
          { rate: 0.37, over: 375800, notOver: null }
        ]
      },
      source: tables2025,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "federal-income-tax-brackets-2026-mfs",
      label: "Federal income tax brackets 2026, MarriedFilingSeparately",
      value: {
        taxYear: 2026,
        filingStatus: "MarriedFilingSeparately",
        brackets: [
          { rate: 0.1, over: 0, notOver: 12400 },
          { rate: 0.12, over: 12400, notOver: 50400 },
          { rate: 0.22, over: 50400, notOver: 105700 },
          { rate: 0.24, over: 105700, notOver: 201775 },
          { rate: 0.32, over: 201775, notOver: 256225 },
          { rate: 0.35, over: 256225, notOver: 384350 },
          { rate: 0.37, over: 384350, notOver: null }
        ]
      },
      source: tables2026,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const federalIncomeTaxBracketsHoh = series(
  {
    plan: "ALL",
    unit: "USD of taxable income; rates as fractions",
    definition: bracketTable
  },
  {
    "2025-01-01": {
      id: "federal-income-tax-brackets-2025-hoh",
      label: "Federal income tax brackets 2025, HeadOfHousehold",
      value: {
        taxYear: 2025,
        filingStatus: "HeadOfHousehold",
        brackets: [
          { rate: 0.1, over: 0, notOver: 17000 },
          { rate: 0.12, over: 17000, notOver: 64850 },
          { rate: 0.22, over: 64850, notOver: 103350 },
          { rate: 0.24, over: 103350, notOver: 197300 },
          { rate: 0.32, over: 197300, notOver: 250500 },
          { rate: 0.35, over: 250500, notOver: 626350 },
          { rate: 0.37, over: 626350, notOver: null }
        ]
      },
      source: tables2025,
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "federal-income-tax-brackets-2026-hoh",
      label: "Federal income tax brackets 2026, HeadOfHousehold",
      value: {
        taxYear: 2026,
        filingStatus: "HeadOfHousehold",
        brackets: [
          { rate: 0.1, over: 0, notOver: 17700 },
          { rate: 0.12, over: 17700, notOver: 67450 },
          { rate: 0.22, over: 67450, notOver: 105700 },
          { rate: 0.24, over: 105700, notOver: 201750 },
          { rate: 0.32, over: 201750, notOver: 256200 },
          { rate: 0.35, over: 256200, notOver: 640600 },
          { rate: 0.37, over: 640600, notOver: null }
        ]
      },
      source: tables2026,
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const federalStandardDeduction = series(
  {
    plan: "ALL",
    unit: "USD per year",
    definition:
      "Basic standard deduction by filing status; no addition for age, blindness or the 2025-2028 senior deduction."
  },
  {
    "2025-01-01": {
      id: "federal-standard-deduction-2025",
      label: "Federal standard deduction 2025",
      value: {
        taxYear: 2025,
        Single: 15750,
        MarriedFilingJointly: 31500,
        MarriedFilingSeparately: 15750,
        HeadOfHousehold: 23625
      },
      source: internalRevenueService({
        url: document.taxTables2026,
        note: "26 U.S.C. 63(c)(2) and (c)(7)(A), text read, as amended by Pub. L. 119-21 section 70102. The figures agree in policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026",
        evidence: "statute"
      }),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-01-01": {
      id: "federal-standard-deduction-2026",
      label: "Federal standard deduction 2026",
      value: {
        taxYear: 2026,
        Single: 16100,
        MarriedFilingJointly: 32200,
        MarriedFilingSeparately: 16100,
        HeadOfHousehold: 24150
      },
      source: internalRevenueService({
        url: document.taxTables2026,
        note: "Rev. Proc. 2025-32, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, and by Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator) as of 22 August 2026. The indexing of 26 U.S.C. 63(c)(7)(B), text read",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const federalAmtExemption2026 = rule({
  id: "federal-amt-exemption-2026",
  label: "Alternative minimum tax exemption 2026 (not applied)",
  plan: "ALL",
  unit: "USD per year",
  definition: "Published only so that the AMT omission can be quantified.",
  value: {
    taxYear: 2026,
    exemption: { Single: 90100, MarriedFilingJointly: 140200, MarriedFilingSeparately: 70100, HeadOfHousehold: 90100 },
    phaseOutStart: {
      Single: 500000,
      MarriedFilingJointly: 1000000,
      MarriedFilingSeparately: 500000,
      HeadOfHousehold: 500000
    },
    phaseOutRate: 0.5
  },
  source: internalRevenueService({
    url: document.taxTables2026,
    note: "Rev. Proc. 2025-32, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, and by Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator) as of 22 August 2026. The phase-out rate of 26 U.S.C. 55(d)(4)(A), text read",
    evidence: "open-model"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})
