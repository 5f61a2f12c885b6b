/** Which plans a loan may elect, and what happens to a loan that the chosen plan cannot take. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

const standardOnly = {
  STANDARD: "open",
  EXTENDED: "closed",
  GRADUATED: "closed",
  "INCOME BASED": "closed",
  "INCOME BASED (OLD)": "closed",
  "INCOME CONTINGENT": "closed",
  "PAY AS YOU EARN": "closed",
  "REVISED PAY AS YOU EARN": "closed",
  SAVE: "closed",
  "REPAYMENT ASSISTANCE": "closed"
} as const

const fixedPlansOnly = {
  STANDARD: "open",
  EXTENDED: "above-balance",
  GRADUATED: "open",
  "INCOME BASED": "closed",
  "INCOME BASED (OLD)": "closed",
  "INCOME CONTINGENT": "closed",
  "PAY AS YOU EARN": "closed",
  "REVISED PAY AS YOU EARN": "closed",
  SAVE: "closed",
  "REPAYMENT ASSISTANCE": "closed"
} as const

const everyOpenPlan = {
  STANDARD: "open",
  EXTENDED: "above-balance",
  GRADUATED: "open",
  "INCOME BASED": "open",
  "INCOME BASED (OLD)": "open",
  "INCOME CONTINGENT": "open",
  "PAY AS YOU EARN": "open",
  "REVISED PAY AS YOU EARN": "vacated",
  SAVE: "vacated",
  "REPAYMENT ASSISTANCE": "open"
} as const

export const planEligibilityMatrix = rule({
  id: "plan-eligibility-matrix",
  label: "Which plans each loan family may elect",
  plan: "ALL",
  unit: "code by family and plan",
  definition:
    "A word for each family and plan. open: may elect. closed: may not. above-balance: where principal and interest of the borrower's loans of the same program (Direct or FFEL) exceed 30,000. after-counted-month: where at least one month already counts toward income-driven forgiveness on the loan. vacated: would be open, but ended by the judgment of 10 March 2026; such a plan is never offered, and a projection under it takes the loans of PAY AS YOU EARN. No loan is taken as made on or after 1 July 2026 or as in default.",
  value: {
    "direct-student": {
      codes: everyOpenPlan,
      rule: "Direct student loans may elect every open plan. A converted TEACH grant is an ordinary Direct Unsubsidized loan, and the 150 percent rule of a SULA loan only limited its subsidy.",
      citation: "34 CFR 685.208(b), 685.209(c); 20 U.S.C. 1098e(b)(1). Read through two quotations."
    },
    "direct-consolidation": {
      codes: everyOpenPlan,
      rule: "Direct consolidation loans that show no Parent PLUS may elect what Direct student loans may; none is assumed inside.",
      citation:
        "34 CFR 685.208(b), 685.209(c). Assumption of this engine: the type string does not reveal what was consolidated."
    },
    "direct-consolidation-of-parent-plus": {
      codes: {
        STANDARD: "open",
        EXTENDED: "above-balance",
        GRADUATED: "open",
        "INCOME BASED": "after-counted-month",
        "INCOME BASED (OLD)": "after-counted-month",
        "INCOME CONTINGENT": "open",
        "PAY AS YOU EARN": "closed",
        "REVISED PAY AS YOU EARN": "closed",
        SAVE: "closed",
        "REPAYMENT ASSISTANCE": "closed"
      },
      rule: "Direct consolidation loans that repaid a Parent PLUS loan may elect the fixed plans and ICR; the income-based plans only after a payment under an income-driven plan between 4 July 2025 and 30 June 2028, for which one counted month is taken as proof, since a request carries no dates. DIRECT PLUS CONSOLIDATED does not say whose PLUS loan it repaid and is taken as a parent's. Two readings of the 2026 rule would also open RAP after such a payment; Federal Student Aid lists these loans as never eligible, which is followed here.",
      citation:
        "20 U.S.C. 1098e(a)(2)(B), statute text read; 34 CFR 685.209(b)(6)(ii), (c), read through quotations that differ on RAP."
    },
    "direct-parent-plus": {
      codes: fixedPlansOnly,
      rule: "Direct PLUS loans to parents may elect the fixed plans only.",
      citation: "20 U.S.C. 1087e(d)(1), 1098e(a)(1). Statute text read in part; two quotations agree."
    },
    "ffel-student": {
      codes: {
        STANDARD: "open",
        EXTENDED: "above-balance",
        GRADUATED: "open",
        "INCOME BASED": "closed",
        "INCOME BASED (OLD)": "open",
        "INCOME CONTINGENT": "closed",
        "PAY AS YOU EARN": "closed",
        "REVISED PAY AS YOU EARN": "closed",
        SAVE: "closed",
        "REPAYMENT ASSISTANCE": "closed"
      },
      rule: "FFEL student loans may elect the fixed plans and income-based repayment on the older terms; every one was made before July 2010, so no borrower is new. The other plans need a Direct consolidation first.",
      citation: "20 U.S.C. 1098e(b)(1); 34 CFR 682.215. Read through two quotations."
    },
    "ffel-ended-before-1998": {
      codes: {
        STANDARD: "open",
        EXTENDED: "closed",
        GRADUATED: "open",
        "INCOME BASED": "closed",
        "INCOME BASED (OLD)": "open",
        "INCOME CONTINGENT": "closed",
        "PAY AS YOU EARN": "closed",
        "REVISED PAY AS YOU EARN": "closed",
        SAVE: "closed",
        "REPAYMENT ASSISTANCE": "closed"
      },
      rule: "FFEL types that ended before 1998 are as other FFEL student loans, but not EXTENDED: holding one shows a balance on 7 October 1998.",
      citation: "34 CFR 682.209(a), 682.215. Inference from program end dates, which are from memory."
    },
    "ffel-parent-plus": {
      codes: fixedPlansOnly,
      rule: "FFEL PLUS loans to parents and FFEL consolidations of them may elect the fixed plans only; the way into income-based repayment is for Direct consolidations.",
      citation: "20 U.S.C. 1098e(a)(2)(B). Statute text read."
    },
    perkins: {
      codes: standardOnly,
      rule: "Perkins loans follow the ten-year schedule set by the school; no federal plan without a Direct consolidation.",
      citation: "34 CFR 674.33. Opening of the section read."
    },
    "health-professions": {
      codes: standardOnly,
      rule: "Health Professions Student Loans are Title VII loans of the Department of Health and Human Services; no federal plan without a Direct consolidation.",
      citation: "Read in a third party's table."
    },
    "income-contingent-loan": {
      codes: standardOnly,
      rule: "Income Contingent Loans of the 1987 to 1992 demonstration follow their own contract, which is not the ICR plan.",
      citation: "From memory."
    }
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.208 and 685.209 as in force from 1 July 2026 (91 FR 23768); 20 U.S.C. 1087e(d), 1098e(a). Each family states its own citation and how it was read",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})

export const loansOutsideThePlan = rule({
  id: "loans-outside-the-plan",
  label: "Loans that the chosen plan cannot take",
  plan: "ALL",
  unit: "rule",
  definition:
    "Where some loans of a book cannot be repaid under the chosen plan, they are repaid beside it on STANDARD with a fresh term and their own minimum of 50 a month.",
  value: { plan: "STANDARD", freshTerm: true },
  source: educationDepartment({
    url: document.planChoiceRule,
    note: "34 CFR 685.210: loans not eligible for the chosen plan are repaid under another. That the other is STANDARD with a fresh term is a choice of this engine",
    sure: "derived"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})
