/** Forgiveness for public service and for teachers. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const pslfTerms = rule({
  id: "pslf-terms",
  label: "Public Service Loan Forgiveness",
  plan: "PSLF",
  unit: "months",
  definition:
    "Qualifying payments while working full time for a qualifying employer; the balance is then forgiven tax free federally.",
  value: { payments: 120 },
  source: educationDepartment({
    url: document.publicServiceRule,
    note: "34 CFR 685.219(e)(1), read through a quotation; HEA 455(m)",
    sure: "thirdParty"
  }),
  effectiveDate: "2007-10-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const pslfQualifyingPlans = rule({
  id: "pslf-qualifying-plans",
  label: "Plans whose payments count for public service",
  plan: "PSLF",
  unit: "plans; months",
  definition:
    "Payments on Direct loans under an income-driven plan, or under STANDARD where the loan's term is 120 months. Longer STANDARD terms, EXTENDED, GRADUATED and Tiered Standard do not count. Where time-based and public-service forgiveness fall in the same month, it is public-service forgiveness.",
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
    note: "34 CFR 685.219, read through quotations; REVISED PAY AS YOU EARN and SAVE as they stood. A payment of at least the ten-year amount under another plan also counts in law; that is not modeled",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
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
    note: "34 CFR 685.217, read in the parallel 682.216; IRC 108(f)(1) for tax",
    sure: "verified"
  }),
  effectiveDate: "2004-10-30",
  lastVerified: "2026-11-20",
  parityLocked: false,
  informative: true
})
