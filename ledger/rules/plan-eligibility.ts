/** The plans that a loan may elect, and the repayment of loans that the chosen plan cannot take. */
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

const fixedPlansWhateverTheBalance = { ...fixedPlansOnly, EXTENDED: "open" } as const

export const planEligibilityMatrix = rule({
  id: "plan-eligibility-matrix",
  label: "Which plans each loan family may elect",
  plan: "ALL",
  unit: "code by family and plan",
  definition:
    "A word for each family and plan. open: may elect. closed: may not. above-balance: open if principal and interest of the borrower's loans of the same program (Direct or FFEL) exceed 30,000. after-counted-month: open if at least one month already counts toward income-driven forgiveness on the loan (a sign of the window, not proof). vacated: ended by the judgment of 10 March 2026. It is never offered, and a projection under it takes the loans of PAY AS YOU EARN. Loans are assumed not to be in default and, without dates, to have been made before 1 July 2026. A Direct loan or consolidation made since leaves all of the borrower's Direct loans only REPAYMENT ASSISTANCE and Tiered Standard.",
  value: {
    "direct-student": {
      codes: everyOpenPlan,
      rule: "Direct student loans may elect every open plan. A converted TEACH grant is an ordinary Direct Unsubsidized loan, and the 150 percent rule of a SULA loan only limited its subsidy.",
      citation: "20 U.S.C. 1087e(d)(1) and 1098e(b)(1), texts read. 34 CFR 685.208(a), text of early 2023 read."
    },
    "direct-consolidation": {
      codes: everyOpenPlan,
      rule: "Direct consolidation loans that show no Parent PLUS may elect what Direct student loans may. None is assumed inside, although a Parent PLUS loan consolidated since 1 July 2006 does not show in the type.",
      citation:
        "20 U.S.C. 1087e(d)(1), text read. 34 CFR 685.208(a) and 685.220(c)(2)(i), texts of early 2023 read. That none is inside is an assumption of this engine."
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
      rule: 'Direct consolidation loans that repaid a Parent PLUS loan may elect the fixed plans and ICR. The income-based plans take one only if it was being repaid under an income-driven plan on any date from 4 July 2025 to 30 June 2028. A counted month is a sign of that. REPAYMENT ASSISTANCE takes none, inside the window too. Some read 34 CFR 685.209(b)(6)(ii) otherwise, but the statute shuts it ("notwithstanding subparagraph (B)"), and so does Federal Student Aid.',
      citation:
        "20 U.S.C. 1087e(d)(1)(F) and 1098e(a)(2)(B), texts read. That the window does not open REPAYMENT ASSISTANCE: 1087e(d)(7)(E)(ii)(II)(bb), enrolled text of Pub. L. 119-21 read."
    },
    "direct-plus-consolidation": {
      codes: fixedPlansWhateverTheBalance,
      rule: "DIRECT PLUS CONSOLIDATED exists only in consolidations made before 1 July 2006. They may elect only the fixed plans of that time: STANDARD, EXTENDED and GRADUATED. Send a newer consolidation of a Parent PLUS loan as DIRECT PARENT PLUS CONSOLIDATED.",
      citation: "34 CFR 685.220(c)(3) and 685.208(a)(1)(ii), (b), (d), (f), (i), texts of early 2023 read."
    },
    "direct-parent-plus": {
      codes: fixedPlansOnly,
      rule: "Direct PLUS loans to parents may elect the fixed plans only.",
      citation:
        "20 U.S.C. 1087e(d)(1)(D)-(F) and 1098e(a)(1), (b)(1), texts read. 34 CFR 685.208(a), text of early 2023 read."
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
      rule: "FFEL student loans may elect the fixed plans and income-based repayment on the older terms. Every one was made before July 2010, so no borrower is new. A Direct consolidation made since 1 July 2026 opens only REPAYMENT ASSISTANCE and Tiered Standard, and closes the older plans for all of the borrower's Direct loans.",
      citation:
        "20 U.S.C. 1098e(b)(1), 1071(d)(1) and 1087e(d)(1), (d)(7), (g)(3), texts read. 34 CFR 682.209 and 682.215, texts of early 2023 read."
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
      rule: "FFEL types that ended before 1998 may elect what other FFEL student loans may, except EXTENDED, which takes FFEL loans only of borrowers who owed none on 7 October 1998.",
      citation:
        "34 CFR 682.100(a), 682.209(a)(6)(ix) and 682.215, texts of early 2023 read: SLS loans were made for periods before 1 July 1994. When the other types ended was not read and is inferred."
    },
    "ffel-parent-plus": {
      codes: fixedPlansOnly,
      rule: "FFEL PLUS loans to parents and FFEL consolidations of them may elect the fixed plans only. The window of income-based repayment is for Direct consolidations. A Direct consolidation of one made since 1 July 2026 is repaid only under Tiered Standard.",
      citation: "20 U.S.C. 1098e(a)(2)(B) and 1087e(d)(7)(E), (g)(3), texts read."
    },
    perkins: {
      codes: standardOnly,
      rule: "Perkins loans follow the ten-year schedule set by the school, and no federal plan takes them. A Direct consolidation made since 1 July 2026 opens only REPAYMENT ASSISTANCE and Tiered Standard, and closes the older plans for all of the borrower's Direct loans.",
      citation:
        "20 U.S.C. 1087dd(c)(1) and 1087e(d)(7), (g)(3), texts read. 34 CFR 674.33(b) and 685.220(b), texts of early 2023 read."
    },
    "health-professions": {
      codes: standardOnly,
      rule: "Health Professions Student Loans are Title VII loans of the Department of Health and Human Services, and no federal plan takes them. A Direct consolidation made since 1 July 2026 opens only REPAYMENT ASSISTANCE and Tiered Standard, and closes the older plans for all of the borrower's Direct loans.",
      citation:
        "34 CFR 685.220(b)(19), text of early 2023 read, and 20 U.S.C. 1087e(d)(7), (g)(3), texts read, for the consolidation. That no plan takes them: read in a third party's table."
    },
    "income-contingent-loan": {
      codes: standardOnly,
      rule: "Income Contingent Loans of the 1987 to 1992 demonstration follow their own contract, which is not the ICR plan.",
      citation:
        "An assumption of this engine: no text on them was read. 34 CFR 685.220(b), text of early 2023 read, does not name them among the loans that a Direct consolidation takes."
    }
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(d)(1)(D)-(F), (d)(6)-(7), (g)(3) and 1098e(a)(1)-(2), (b)(1), texts read. 34 CFR 685.208(a) and 685.220(b)-(c), texts of early 2023 read. The rule of 2026 (91 FR 23768), read in quotations. Each family states its own citation",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: false
})

export const loansOutsideThePlan = rule({
  id: "loans-outside-the-plan",
  label: "Loans that the chosen plan cannot take",
  plan: "ALL",
  unit: "rule",
  definition:
    "If the chosen plan cannot take some of the loans, these are repaid outside it on STANDARD, with a fresh term and their own minimum of 50 a month. In law a school may ask for a minimum of 15, 30 or 40 a month on Perkins loans.",
  value: { plan: "STANDARD", freshTerm: true },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "20 U.S.C. 1087e(d)(1)(F)(ii) and (d)(7)(C), text read. 34 CFR 685.208(a)(4)(i), text of early 2023 read; the paragraph of 2026 was not read. That the other plan is STANDARD with a fresh term is a choice of this engine. Perkins minimum: 34 CFR 674.33(b)(6), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false
})
