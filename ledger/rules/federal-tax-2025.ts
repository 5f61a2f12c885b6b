/** Federal income tax of 2025. Kept for history: no projection is priced with it. */
import { rule } from "../entry.ts"
import { document, internalRevenueService } from "../sources.ts"

const bracketTable =
  "Ordinary income rate table. Tax is the sum over brackets of rate times the part of taxable income between over and notOver."

const revenueProcedure = internalRevenueService({
  url: document.taxTables2025,
  note: "Rev. Proc. 2024-40, section 2.01. Figures agree in policyengine-us (https://github.com/PolicyEngine/policyengine-us) and Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator), both as of August 2026",
  sure: "verified"
})

export const federalIncomeTaxBrackets2025Single = rule({
  id: "federal-income-tax-brackets-2025-single",
  label: "Federal income tax brackets 2025, Single",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2025-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2025Mfj = rule({
  id: "federal-income-tax-brackets-2025-mfj",
  label: "Federal income tax brackets 2025, MarriedFilingJointly",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2025-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2025Mfs = rule({
  id: "federal-income-tax-brackets-2025-mfs",
  label: "Federal income tax brackets 2025, MarriedFilingSeparately",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2025-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2025Hoh = rule({
  id: "federal-income-tax-brackets-2025-hoh",
  label: "Federal income tax brackets 2025, HeadOfHousehold",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2025-01-01",
  lastVerified: "2026-11-20"
})

export const federalStandardDeduction2025 = rule({
  id: "federal-standard-deduction-2025",
  label: "Federal standard deduction 2025",
  plan: "ALL",
  unit: "USD per year",
  definition:
    "Basic standard deduction by filing status; no addition for age, blindness or the 2025-2028 senior deduction.",
  value: {
    taxYear: 2025,
    Single: 15750,
    MarriedFilingJointly: 31500,
    MarriedFilingSeparately: 15750,
    HeadOfHousehold: 23625
  },
  source: internalRevenueService({
    url: document.taxTables2026,
    note: "Raised for 2025 by Pub. L. 119-21 section 70102 (replaces the Rev. Proc. 2024-40 amounts); restated in Rev. Proc. 2025-32",
    sure: "verified"
  }),
  effectiveDate: "2025-01-01",
  lastVerified: "2026-11-20"
})
