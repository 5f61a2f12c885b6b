/** Income-Contingent Repayment (ICR), which ends after June 30, 2028. */
import { rule } from "../entry.ts"
import { document, educationDepartment, federalStudentAid } from "../sources.ts"

export const icrTerms = rule({
  id: "icr-terms",
  label: "Income-Contingent Repayment",
  plan: "INCOME CONTINGENT",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "The payment is the lesser of two amounts: rate x (AGI - multiple x guideline) / 12, and the income percentage factor x the level payment that repays the balance at the start over the amortization months. Uncovered interest accrues and is not added to principal. The balance is forgiven after the stated months. The regulation of early 2023 differs in two points. Its 12-year amount rests on the debt when the first loan entered repayment, and is computed anew after payments below the interest. It adds unpaid interest to principal until that is 10 percent above the original.",
  value: {
    paymentRate: 0.2,
    povertyMultiple: 1,
    forgivenessMonths: 300,
    amortizationMonths: 144,
    endsAfter: "2028-06-30"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(1)(i)-(iii), (b)(1)(vii) and (b)(3)(iii)-(iv), text of early 2023 read; now 685.209(b)(4)(iii), (f)(4) and (k)(1), read in a quotation. 20 U.S.C. 1087e(d)(1)(D), text read, has its end before June 30, 2028, and (q)(1)(F)(v) before July 1, 2028",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const icrFactorLookup = rule({
  id: "icr-factor-lookup",
  label: "How the ICR factor is read from its table",
  plan: "INCOME CONTINGENT",
  unit: "rule",
  definition:
    "The column is that of the filing status. Between two rows the percentage is interpolated linearly and rounded half up to two decimals. Beyond the ends of the table it is that of the first or last row.",
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
    note: "34 CFR 685.209(b)(1)(iv), text of early 2023 read, for the interpolation. The rounding, the ends of the table and the columns: worked method of the notice of 9 June 2026, FR Doc. 2026-11540, as quoted in https://github.com/nothinginfinity/student-loan-idr-mcp. The column of separate filers was not read",
    evidence: "statute",
    cadence: "annually, April-August, applied 1 July to 30 June (Federal Register notice)"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const icrMinimumPayment = rule({
  id: "icr-minimum-payment",
  label: "ICR: smallest payment above zero",
  plan: "INCOME CONTINGENT",
  unit: "USD per month",
  definition: "An amount above 0 and not above 5 becomes 5. An amount of 0 stays 0.",
  value: { minimumWhenPositive: 5 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(1)(vi), text of early 2023 read: above 0 and not above 5. (g)(2) in the numbering of 2026. Ended by Pub. L. 119-21 by 1 July 2028",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
