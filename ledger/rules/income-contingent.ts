/** Income-Contingent Repayment, which ends after 30 June 2028. */
import { rule } from "../entry.ts"
import { document, educationDepartment, federalStudentAid } from "../sources.ts"

export const icrTerms = rule({
  id: "icr-terms",
  label: "Income-Contingent Repayment",
  plan: "INCOME CONTINGENT",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "Payment = lesser of rate x (AGI - multiple x guideline) / 12 and the level payment over the amortization months on the balance at the start x the income percentage factor. Uncovered interest accrues; the balance is forgiven after the stated months.",
  value: {
    paymentRate: 0.2,
    povertyMultiple: 1,
    forgivenessMonths: 300,
    amortizationMonths: 144,
    endsAfter: "2028-06-30"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(4)(iii), (f)(4), (k)(1), read through a quotation; that the 12-year amount rests on the debt at the start was read in the text of 1998. Ended by Pub. L. 119-21 by 1 July 2028",
    sure: "thirdParty"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const icrFactorLookup = rule({
  id: "icr-factor-lookup",
  label: "How the ICR factor is read from its table",
  plan: "INCOME CONTINGENT",
  unit: "rule",
  definition:
    "Column by filing status; linear between two rows; the percentage rounded half up to two decimals; the first or last row beyond the ends of the table.",
  value: {
    column: {
      Single: "single",
      MarriedFilingJointly: "marriedOrHeadOfHousehold",
      MarriedFilingSeparately: "marriedOrHeadOfHousehold",
      HeadOfHousehold: "marriedOrHeadOfHousehold"
    },
    interpolation: "linear",
    percentDecimals: 2,
    outside: "nearest row"
  },
  source: federalStudentAid({
    url: "https://www.govinfo.gov/content/pkg/FR-2026-06-09/pdf/2026-11540.pdf",
    note: "Worked method of the notice of 9 June 2026, FR Doc. 2026-11540, as quoted in https://github.com/nothinginfinity/student-loan-idr-mcp. The column of separate filers is from memory",
    sure: "thirdParty",
    cadence: "annually, April-August, applied 1 July to 30 June (Federal Register notice)"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const icrMinimumPayment = rule({
  id: "icr-minimum-payment",
  label: "ICR: smallest payment above zero",
  plan: "INCOME CONTINGENT",
  unit: "USD per month",
  definition: "An amount above 0 and below 5 is raised to 5; an amount of 0 stays 0.",
  value: { minimumWhenPositive: 5 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(g)(2), paragraph from memory; ended by Pub. L. 119-21 by 1 July 2028",
    sure: "thirdParty"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
