/** The plans for loans made on or after July 1, 2026. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const newLoanPlans202607 = rule({
  id: "new-loan-plans-2026-07",
  label: "Plans for loans made from 1 July 2026",
  plan: "ALL",
  unit: "plans",
  definition:
    "A borrower who has received a Direct loan or consolidation made on or after 1 July 2026 may repay Direct loans, older ones included, only under REPAYMENT ASSISTANCE or Tiered Standard, and all of them under the same. Parent PLUS loans and consolidations that repaid one are repaid only under Tiered Standard. FFEL loans are not affected. In law the day is that on which the loan was made, not disbursed. Here it is madeOn, the day of the first disbursement.",
  value: {
    loansMadeFrom: "2026-07-01",
    plans: ["REPAYMENT ASSISTANCE", "TIERED STANDARD"],
    parentPlus: ["TIERED STANDARD"]
  },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: '20 U.S.C. 1087e(d)(1), (d)(6), (d)(7)(A)-(E) and (g)(3), text read. 34 CFR 685.208(c) and 685.209(c) as amended by 91 FR 23768 (1 May 2026), FR Doc. 2026-08556, read in quotations. 685.209(d)(5), read in a quotation, is worded by loan: "only Direct Loans made before July 1, 2026, may be repaid under the PAYE, IBR, and ICR plans". That one new loan closes the older plans for all loans of the borrower is in the statute, and schools and advisers read it so',
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-28",
  parityLocked: false
})

export const loanLimits202607 = rule({
  id: "loan-limits-2026-07",
  label: "Federal loan limits from 1 July 2026 (informative)",
  plan: "ALL",
  unit: "USD",
  definition:
    "Annual and aggregate limits set by Pub. L. 119-21 section 81001. Grad PLUS ends for new borrowers. Borrowers enrolled with a loan by 30 June 2026 keep the older limits for up to three years. A court order of 24 June 2026 stays parts of the definition of professional degree, not the limits.",
  value: {
    graduate: { annual: 20500, aggregate: 100000 },
    professional: { annual: 50000, aggregate: 200000 },
    parentPlus: { annualPerStudent: 20000, aggregatePerStudent: 65000 },
    lifetimeExcludingParentPlus: 257500,
    legacyYearsMax: 3
  },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(a)(3)(C), (a)(4)-(6) and (a)(8), text read. The order of 24 June 2026 of the District Court for the District of Columbia, read in reports",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})
