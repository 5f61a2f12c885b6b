/** Loans made from 1 July 2026. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const newLoanPlans202607 = rule({
  id: "new-loan-plans-2026-07",
  label: "Plans for loans made from 1 July 2026",
  plan: "ALL",
  unit: "plans",
  definition:
    "A loan first disbursed on or after 1 July 2026 may be repaid only under REPAYMENT ASSISTANCE or the Tiered Standard plan; a Parent PLUS loan only under Tiered Standard.",
  value: {
    loansMadeFrom: "2026-07-01",
    plans: ["REPAYMENT ASSISTANCE", "TIERED STANDARD"],
    parentPlus: ["TIERED STANDARD"]
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; HEA 455(d)(7); 34 CFR 685.208(c), 685.209(c). Read through two quotations",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})

export const loanLimits202607 = rule({
  id: "loan-limits-2026-07",
  label: "Federal loan limits from 1 July 2026 (informative)",
  plan: "ALL",
  unit: "USD",
  definition:
    "Annual and aggregate limits set by Pub. L. 119-21 section 81001. Grad PLUS ends for new borrowers. Borrowers enrolled with a loan by 30 June 2026 keep the older limits for up to three years.",
  value: {
    graduate: { annual: 20500, aggregate: 100000 },
    professional: { annual: 50000, aggregate: 200000 },
    parentPlus: { annualPerStudent: 20000, aggregatePerStudent: 65000 },
    lifetimeExcludingParentPlus: 257500,
    legacyYearsMax: 3
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768, FR Doc. 2026-08556; a D.D.C. order of 24 June 2026 stays only the definition of professional degree",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false,
  informative: true
})
