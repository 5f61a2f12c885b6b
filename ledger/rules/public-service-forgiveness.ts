/** Forgiveness for public service and for teachers. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const pslfTerms = rule({
  id: "pslf-terms",
  label: "Public Service Loan Forgiveness",
  plan: "PSLF",
  unit: "months",
  definition:
    "After this number of qualifying payments, made after 1 October 2007 while working full time for a qualifying employer, the balance is forgiven tax free federally.",
  value: { payments: 120 },
  source: educationDepartment({
    url: document.publicServiceRule,
    note: "20 U.S.C. 1087e(m)(1)-(3), text read. 34 CFR 685.219(e)(1), read in a quotation. Tax: 26 U.S.C. 108(f)(1), text read",
    evidence: "statute"
  }),
  effectiveDate: "2007-10-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const pslfQualifyingPlans = rule({
  id: "pslf-qualifying-plans",
  label: "Plans whose payments count for public service",
  plan: "PSLF",
  unit: "plans; months",
  definition:
    "Payments on Direct loans count under an income-driven plan, or under STANDARD if the loan's term is 120 months. Longer STANDARD terms, EXTENDED, GRADUATED and Tiered Standard do not count. If time-based and public-service forgiveness fall in the same month, it is public-service forgiveness. In law a payment of at least the ten-year amount under a plan of 1087e(d)(1), or on a consolidation, counts too, and those of REPAYMENT ASSISTANCE must be on time. Tiered Standard is not in the law's list.",
  value: {
    plans: [
      "STANDARD",
      "INCOME BASED",
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "PAY AS YOU EARN",
      "REVISED PAY AS YOU EARN",
      "SAVE",
      "REPAYMENT ASSISTANCE"
    ],
    standardTermMonths: 120,
    loanProgram: "direct"
  },
  source: educationDepartment({
    url: document.publicServiceRule,
    note: "20 U.S.C. 1087e(m)(1)(A)(i)-(v) and (m)(3)(A), text read. PAY AS YOU EARN, REVISED PAY AS YOU EARN and SAVE count as plans of 1087e(d)(1)(D)",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const teacherLoanForgiveness = rule({
  id: "teacher-loan-forgiveness",
  label: "Teacher Loan Forgiveness amounts",
  plan: "TEACHER",
  unit: "USD",
  definition:
    "After five complete and consecutive years at a low-income school: the higher amount for highly qualified secondary math or science and special education teachers, else the lower. Not applied: the request carries no teaching service.",
  value: { higher: 17500, lower: 5000, years: 5 },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.217",
    note: "20 U.S.C. 1087j(b)-(c), text read. 34 CFR 685.217(a)-(d), text of early 2023 read. Tax: 26 U.S.C. 108(f)(1), text read",
    evidence: "statute"
  }),
  effectiveDate: "2004-10-30",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})
