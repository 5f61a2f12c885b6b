/** How interest accrues and what a payment pays first. */
import { rule } from "../entry.ts"
import { document, educationDepartment, engineConvention } from "../sources.ts"

export const interestAccrual = rule({
  id: "interest-accrual",
  label: "How interest accrues",
  plan: "ALL",
  unit: "rule",
  definition:
    "Simple interest on principal: each month principal x annual rate / 12, before the payment. Unpaid interest is kept apart, bears none, and is never added to principal.",
  value: { method: "simple", periodsPerYear: 12, accruesBefore: "payment", capitalizes: false },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.202",
    note: "34 CFR 685.202(b), read through a quotation. Servicers accrue by the day; twelfths reproduce published outputs of the Loan Simulator to the dollar. The events that still capitalize are disclosed as omissions",
    sure: "thirdParty"
  }),
  effectiveDate: "2023-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const paymentApplicationOrder = rule({
  id: "payment-application-order",
  label: "What a payment pays first",
  plan: "ALL",
  unit: "order",
  definition: "Within a loan: the month's interest, then older unpaid interest, then principal. No fees are modeled.",
  value: ["interest of the month", "older unpaid interest", "principal"],
  source: educationDepartment({
    url: document.paymentRule,
    note: "34 CFR 685.211(a)(1), text read: charges, interest, principal; 20 U.S.C. 1098e(b)(2) for the income-based plans, read in a summary. Current interest before older interest is a choice of this engine",
    sure: "verified"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrPaymentAllocation = rule({
  id: "idr-payment-allocation",
  label: "How one payment is split over several loans",
  plan: "ALL",
  unit: "rule",
  definition:
    "Under the income-driven plans other than REPAYMENT ASSISTANCE the payment is split over the open loans of the plan in proportion to principal and interest after the month's accrual. It is not reduced when one of the loans is forgiven or paid off, and is at most what is owed.",
  value: { inProportionTo: "principal + unpaid interest + interest of the month", reducedWhenALoanEnds: false },
  source: engineConvention({
    url: document.paymentRule,
    note: "Choice of this engine; the regulations leave the split over loans of one borrower to the servicer",
    sure: "derived"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})

export const idrSubsidizedInterestMonths = rule({
  id: "idr-subsidized-interest-months",
  label: "Months in which uncovered interest on subsidized loans is waived",
  plan: "ALL",
  unit: "months",
  definition:
    "First 36 months in INCOME BASED, INCOME BASED (OLD) or PAY AS YOU EARN, counted per loan; months already counted toward forgiveness are taken as months in the plan.",
  value: { months: 36, plans: ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(b)(3)(A); 34 CFR 685.209; read through two quotations. In force with INCOME BASED (OLD), from 1 July 2009, a date from memory",
    sure: "thirdParty"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
