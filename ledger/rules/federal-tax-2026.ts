/** Federal income tax of 2026, with which the tax on forgiveness is priced. */
import { rule } from "../entry.ts"
import { document, internalRevenueService } from "../sources.ts"

const bracketTable =
  "Ordinary income rate table. Tax is the sum over brackets of rate times the part of taxable income between over and notOver."

const revenueProcedure = internalRevenueService({
  url: document.taxTables2026,
  note: "Rev. Proc. 2025-32, section 4.01 (released 9 October 2025). Figures agree in policyengine-us (https://github.com/PolicyEngine/policyengine-us) and Tax-Calculator (https://github.com/PSLmodels/Tax-Calculator), both as of August 2026",
  sure: "verified"
})

export const federalIncomeTaxBrackets2026Single = rule({
  id: "federal-income-tax-brackets-2026-single",
  label: "Federal income tax brackets 2026, Single",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2026Mfj = rule({
  id: "federal-income-tax-brackets-2026-mfj",
  label: "Federal income tax brackets 2026, MarriedFilingJointly",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2026Mfs = rule({
  id: "federal-income-tax-brackets-2026-mfs",
  label: "Federal income tax brackets 2026, MarriedFilingSeparately",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})

export const federalIncomeTaxBrackets2026Hoh = rule({
  id: "federal-income-tax-brackets-2026-hoh",
  label: "Federal income tax brackets 2026, HeadOfHousehold",
  plan: "ALL",
  unit: "USD of taxable income; rates as fractions",
  definition: bracketTable,
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
  source: revenueProcedure,
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})

export const federalStandardDeduction2026 = rule({
  id: "federal-standard-deduction-2026",
  label: "Federal standard deduction 2026",
  plan: "ALL",
  unit: "USD per year",
  definition:
    "Basic standard deduction by filing status; no addition for age, blindness or the 2025-2028 senior deduction.",
  value: {
    taxYear: 2026,
    Single: 16100,
    MarriedFilingJointly: 32200,
    MarriedFilingSeparately: 16100,
    HeadOfHousehold: 24150
  },
  source: internalRevenueService({
    url: document.taxTables2026,
    note: "Rev. Proc. 2025-32; IRC 63(c)(7) as amended by Pub. L. 119-21 section 70102",
    sure: "verified"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})

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
    note: "Rev. Proc. 2025-32; phase-out rate from Pub. L. 119-21",
    sure: "verified"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20"
})
