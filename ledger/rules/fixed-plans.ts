/** Plans whose payments do not depend on income: Standard, Extended, Graduated, Tiered Standard. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const standardPlanTerms = rule({
  id: "standard-plan-terms",
  label: "Standard plan",
  plan: "STANDARD",
  unit: "months; USD per month",
  definition:
    "For borrowers without a Direct loan made since 1 July 2026: equal payments over 120 months, not less than 50 a month over all loans. If the sum is lower, all are raised in proportion: the law does not say how the minimum is spread.",
  value: { months: 120, minimumMonthly: 50 },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b)(1)-(2), text of early 2023 read, (b)(1)(i) in the numbering of 2026. 20 U.S.C. 1078(b)(9)(A)(i) and 1087e(d)(1)(A), texts read",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const consolidationStandardTerms = rule({
  id: "consolidation-standard-terms",
  label: "Standard terms of consolidation loans made before 1 July 2026",
  plan: "STANDARD",
  unit: "months by USD balance",
  definition:
    "Under STANDARD and GRADUATED the term of a consolidation loan follows a balance, by program (Direct or FFEL): principal and interest of the program's consolidation loans in the request, and of all other loans up to that same amount. A balance on a boundary takes the longer term. In law a Direct consolidation has this table only if it entered repayment since 1 July 2006 (an older one has a ten-year STANDARD term), and loans in default or owed to an individual do not count. Neither is applied: a request does not name these debts or say when a loan entered repayment, and madeOn is not used for that.",
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
    note: "20 U.S.C. 1078-3(c)(2)(A)-(B), text read: the table, and that other loans count at most up to the consolidation loan's own amount. 34 CFR 685.208(j), 685.220(i)(2)-(3) and 682.209(e)(2)-(3), texts of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2006-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const directPlusConsolidationTerms = rule({
  id: "direct-plus-consolidation-terms",
  label: "Terms of DIRECT PLUS CONSOLIDATED",
  plan: "ALL",
  unit: "months by USD balance",
  definition:
    "DIRECT PLUS CONSOLIDATED exists only in consolidations made before 1 July 2006, which keep the plans of that time. STANDARD runs 120 months. EXTENDED and GRADUATED run 144 to 360 months by the principal and interest of the Direct loans in the request; a balance on a boundary takes the longer term. EXTENDED does not require more than 30,000. GRADUATED pays at least the interest that accrues, and 0.5 to 1.5 times the ten-year payment: it starts as low as that allows, and every payment is the same if even equal ones reach a bound. In law the balance is the one on which the loan entered repayment.",
  value: {
    loanTypes: ["DIRECT PLUS CONSOLIDATED"],
    madeBefore: "2006-07-01",
    extendedAndGraduated: [
      { below: 10000, months: 144 },
      { below: 20000, months: 180 },
      { below: 40000, months: 240 },
      { below: 60000, months: 300 },
      { below: null, months: 360 }
    ],
    standardTermMonths: 120,
    leastOverStandard: 0.5,
    mostOverStandard: 1.5
  },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(a)(1)(ii), (b), (d), (f) and (i), and 685.220(c)(3), texts of early 2023 read; the bounds of payments are (f)(3). Which schedule within the bounds is open in law: the lowest start is a choice of this engine",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const tieredStandardPlanTerms = rule({
  id: "tiered-standard-plan-terms",
  label: "Tiered Standard plan for loans from 1 July 2026",
  plan: "STANDARD",
  unit: "months by USD balance",
  definition:
    "Equal payments, not less than 50 a month, over a term that follows the principal of all of the borrower's Direct loans at the start, older ones included. A balance on a boundary takes the longer term. The term is fixed: months already counted do not shorten it. The plan takes Direct loans only. The minimum of 50 is not in the statute. Payments on the plan do not count for PSLF.",
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
    note: "20 U.S.C. 1087e(d)(7)(A)-(E), enrolled text of Pub. L. 119-21 read: the steps, and a fixed period measured once by the principal of all Direct loans. The minimum: 34 CFR 685.208(c)(1)(iii) as amended by 91 FR 23768 (1 May 2026), FR Doc. 2026-08556, read in quotations. That PSLF does not name the plan: 1087e(m)(1)(A), text read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const extendedPlanTerms = rule({
  id: "extended-plan-terms",
  label: "Extended plan",
  plan: "EXTENDED",
  unit: "months; USD",
  definition:
    "300 equal payments, not less than 50 a month in all, for borrowers owing more than 30,000 of principal and interest. Direct and FFEL loans are counted separately. If a program owes no more, none of its loans fits the plan, in a projection or in eligibility. DIRECT PLUS CONSOLIDATED has other terms and no such test: see direct-plus-consolidation-terms. In law interest is named for FFEL loans only, the debt must have been borrowed since 7 October 1998, and all Direct loans that entered repayment before 1 July 2006 have those other terms.",
  value: { months: 300, balanceOver: 30000, minimumMonthly: 50, perProgram: true },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(e)(1)-(2), the minimum included, and 682.209(a)(6)(ix), texts of early 2023 read; the first is now 685.208(b)(4), read in a quotation. 20 U.S.C. 1078(b)(9)(A)(iv) and 1087e(d)(1)(C), texts read",
    evidence: "statute"
  }),
  effectiveDate: "1998-10-07",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const graduatedPlanTerms = rule({
  id: "graduated-plan-terms",
  label: "Graduated plan",
  plan: "GRADUATED",
  unit: "months; ratio",
  definition:
    "Payments start low and rise, usually every 24 months, over 120 months. Consolidation loans have the term of consolidation-standard-terms, and DIRECT PLUS CONSOLIDATED that of direct-plus-consolidation-terms. No payment is more than three times any other. A payment may be below 50, but not below the interest that accrues.",
  value: { months: 120, maxRatio: 3, usualStepMonths: 24 },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(g)(1), (g)(3), (h) and (a)(2)(v), text of early 2023 read; now 685.208(b)(6), read in a quotation. The 24-month step is in no text that was read: it is the practice of servicers",
    evidence: "statute"
  }),
  effectiveDate: "2006-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const graduatedSchedule = rule({
  id: "graduated-schedule",
  label: "Graduated schedule: two-year geometric steps, last payment three times the first",
  plan: "GRADUATED",
  unit: "months; ratio",
  definition:
    "Payments stay level for 24 months at a time (the last level may be shorter) and rise geometrically, so that the last is 3 times the first. If the first would be below the first month's interest, it is that interest and the ratio is solved anew. There is no minimum of 50. DIRECT PLUS CONSOLIDATED has the steps, and its ratio follows from direct-plus-consolidation-terms. Recovered from published Loan Simulator outputs, which it reproduces to the dollar.",
  value: { stepMonths: 24, lastOverFirst: 3, steps: "geometric" },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(a)(2)(v) and (g), text of early 2023 read, now 685.208(b)(6), read in a quotation, allows any schedule of two or more levels. This one was fitted to published outputs. That no payment is below the interest, and that there is no minimum of 50, is law",
    evidence: "convention"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const fixedPlanPriorMonths = rule({
  id: "fixed-plan-prior-months",
  label: "Counted months that shorten a fixed plan",
  plan: "STANDARD",
  unit: "rule",
  definition:
    "A fixed plan repays a loan over its term less the loan's counted months. For a Direct loan on STANDARD with a term of 120 months, the larger of its income-driven and public-service counts is used, so that it is paid off no later than public-service forgiveness would come. The term of Tiered Standard is not shortened. A loan repaid outside the chosen plan starts a fresh term. In law the months used up are the time since the loan entered repayment, not the counted months.",
  value: {
    standard: "larger of income-driven and public-service count (Direct loans)",
    extendedAndGraduated: "income-driven count",
    tieredStandard: "none"
  },
  source: educationDepartment({
    url: document.planChoiceRule,
    note: "A convention of this service. 34 CFR 685.210(b)(2)(ii) and 685.208(a)(5), texts of early 2023 read (the paragraphs of 2026 were not): in law the months used up are the time since the loan entered repayment, less deferment and forbearance",
    evidence: "convention"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})
