/** Plans whose payments do not depend on income: Standard, Extended, Graduated, Tiered Standard. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const standardPlanTerms = rule({
  id: "standard-plan-terms",
  label: "Standard plan",
  plan: "STANDARD",
  unit: "months; USD per month",
  definition:
    "Equal payments over 120 months, not less than 50 a month over all loans: where the sum is lower, all are raised in proportion (loans made before 1 July 2026).",
  value: { months: 120, minimumMonthly: 50 },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b)(1)(i); the minimum read in the text of 2002",
    sure: "verified"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const consolidationStandardTerms = rule({
  id: "consolidation-standard-terms",
  label: "Standard terms of consolidation loans made before 1 July 2026",
  plan: "STANDARD",
  unit: "months by USD balance",
  definition:
    "Months of STANDARD and GRADUATED for consolidation loans, by program (Direct or FFEL): principal and interest of the program's consolidation loans in the request, and of all other loans up to that same amount; a balance on a boundary takes the longer term.",
  value: {
    tiers: [
      { below: 7500, months: 120 },
      { below: 10000, months: 144 },
      { below: 20000, months: 180 },
      { below: 40000, months: 240 },
      { below: 60000, months: 300 },
      { below: null, months: 360 }
    ]
  },
  source: educationDepartment({
    url: "https://www.law.cornell.edu/uscode/text/20/1078-3",
    note: "20 U.S.C. 1078-3(c)(2)(A)-(B), text read in a copy: the table, and that other loans may not be counted beyond the amount of the consolidation loan; for Direct loans by 1087e(a)(1), 34 CFR 685.208(j) and 685.220(i)(3) of 2023, texts read in a copy",
    sure: "verified"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const tieredStandardPlanTerms = rule({
  id: "tiered-standard-plan-terms",
  label: "Tiered Standard plan for loans from 1 July 2026",
  plan: "STANDARD",
  unit: "months by USD balance",
  definition:
    "Equal payments over a term by total balance at the start, not less than 50 a month; a balance on a boundary takes the longer term. Payments on it do not count for PSLF.",
  value: {
    tiers: [
      { below: 25000, months: 120 },
      { below: 50000, months: 180 },
      { below: 100000, months: 240 },
      { below: null, months: 300 }
    ],
    minimumMonthly: 50
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; 34 CFR 685.208(c)(1)(iii); HEA 455(d)(7)(A)(i)",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const extendedPlanTerms = rule({
  id: "extended-plan-terms",
  label: "Extended plan",
  plan: "EXTENDED",
  unit: "months; USD",
  definition:
    "300 equal payments, not less than 50 a month in all, for borrowers owing more than 30,000 of principal and interest, Direct and FFEL loans counted separately. A loan whose program owes no more does not fit the plan, in a projection as in eligibility.",
  value: { months: 300, balanceOver: 30000, minimumMonthly: 50, perProgram: true },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b)(4), read through a quotation; the minimum is taken from the Standard plan",
    sure: "thirdParty"
  }),
  effectiveDate: "1998-10-07",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const graduatedPlanTerms = rule({
  id: "graduated-plan-terms",
  label: "Graduated plan",
  plan: "GRADUATED",
  unit: "months; ratio",
  definition:
    "Payments start low and rise, usually every 24 months, over 120 months (consolidation loans: the consolidation table); no payment more than three times any other.",
  value: { months: 120, maxRatio: 3, usualStepMonths: 24 },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b)(6), read through a quotation; the 24-month step is servicer practice, from memory",
    sure: "thirdParty"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const graduatedSchedule = rule({
  id: "graduated-schedule",
  label: "Graduated schedule: two-year geometric steps, last payment three times the first",
  plan: "GRADUATED",
  unit: "months; ratio",
  definition:
    "Levels of 24 months (the last may be shorter) rising geometrically so that the last is 3 times the first. The first is never below the interest of the first month; where it would be, it is that interest and the ratio is solved anew. No minimum of 50. Recovered from published Loan Simulator outputs, which it reproduces to the dollar.",
  value: { stepMonths: 24, lastOverFirst: 3, steps: "geometric" },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208 allows any such schedule; this one was fitted to published outputs",
    sure: "derived"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const fixedPlanPriorMonths = rule({
  id: "fixed-plan-prior-months",
  label: "Months already behind a fixed plan",
  plan: "STANDARD",
  unit: "rule",
  definition:
    "A fixed plan amortizes over its term less the loan's counted months. Under STANDARD with a term of 120 months the larger of the income-driven and the public-service count is taken for a Direct loan, so that it is paid off no later than public-service forgiveness would come. A loan repaid beside the chosen plan starts a fresh term.",
  value: {
    standard: "larger of income-driven and public-service count (Direct loans)",
    otherFixedPlans: "income-driven count"
  },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b) for the term. That counted months stand for months already used is a convention of this service",
    sure: "derived"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
