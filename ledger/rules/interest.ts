/** Interest accrual, the order in which a payment is applied, and the interest subsidy. */
import { rule } from "../entry.ts"
import { document, educationDepartment, engineConvention } from "../sources.ts"

export const interestAccrual = rule({
  id: "interest-accrual",
  label: "How interest accrues",
  plan: "ALL",
  unit: "rule",
  definition:
    "Interest is simple: each month, before the payment, principal x annual rate / 12 accrues. Unpaid interest is kept apart, bears none, and is not added to principal here. In law it is added when the borrower leaves income-based repayment or begins to pay the ten-year amount, and in other events that are disclosed as omissions.",
  value: { method: "simple", periodsPerYear: 12, accruesBefore: "payment", capitalizes: false },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.202",
    note: "20 U.S.C. 1087e(b)(7)(A), (b)(8) and 1098e(b)(3)(B), texts read: interest on principal, and when it is added to principal. 34 CFR 685.202(b), text of early 2023 read. Servicers accrue by the day: twelfths are a choice of this engine that reproduces published outputs of the Loan Simulator to the dollar",
    evidence: "statute"
  }),
  effectiveDate: "2023-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const paymentApplicationOrder = rule({
  id: "payment-application-order",
  label: "What a payment pays first",
  plan: "ALL",
  unit: "order",
  definition:
    "Within a loan: the month's interest, then older unpaid interest, then principal. No payment is more than what is owed. No fees are modeled.",
  value: ["interest of the month", "older unpaid interest", "principal"],
  source: educationDepartment({
    url: document.paymentRule,
    note: "34 CFR 685.211(a)(1), text of early 2023 read: charges, interest, principal. 20 U.S.C. 1098e(b)(2), text read, for the income-based plans. Current interest before older interest is a choice of this engine",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-21",
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
    note: "A choice of this engine: no text was found on the split over the loans of one borrower. Between Direct and FFEL loans 34 CFR 685.221(b)(2)(i), text of early 2023 read, splits by principal",
    evidence: "convention"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false
})

export const extraPaymentOrder = rule({
  id: "extra-payment-order",
  label: "Where extra payments go",
  plan: "ALL",
  unit: "order",
  definition:
    "An extra payment is spent in the same month, after the payments due. It goes to the open loan with the highest rate, or the earlier in the request if rates are equal: to unpaid interest, then principal, then the next loan. It waives no interest, is not matched, and neither adds nor takes a month toward forgiveness. Payments due do not change, as if the borrower asks that the due date not be advanced. Otherwise an amount of a whole payment or more advances it. The waiver and match of REPAYMENT ASSISTANCE follow the payment due alone; the law does not settle this.",
  value: { loans: "highest rate first", withinALoan: ["unpaid interest", "principal"] },
  source: educationDepartment({
    url: document.paymentRule,
    note: "34 CFR 685.211(a)(1), text of early 2023 read: charges, interest, then principal. 682.209(b)(1), for FFEL loans, was not read. The highest rate first is a choice of this engine: what servicers are reported to do where the borrower names no loan",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-26",
  parityLocked: false
})

export const idrSubsidizedInterestMonths = rule({
  id: "idr-subsidized-interest-months",
  label: "Months in which uncovered interest on subsidized loans is waived",
  plan: "ALL",
  unit: "months",
  definition:
    "The first 36 months in INCOME BASED, INCOME BASED (OLD) or PAY AS YOU EARN, counted per loan. Months already counted toward forgiveness are treated as months in the plan. The law gives three years of time after the election, not counted months. By regulation they are consecutive and per loan, and these plans and REVISED PAY AS YOU EARN share one period. Months of INCOME CONTINGENT, REPAYMENT ASSISTANCE or hardship deferment do not use it up.",
  value: { months: 36, plans: ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(b)(3)(A), text read. 34 CFR 685.221(b)(3) and 685.209(a)(2)(iii), text of early 2023 read; the paragraph of 2026 was not read. From 1 July 2009: 20 U.S.C. 1087e(d)(1)(E), text read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const pauseInterest = rule({
  id: "pause-interest",
  label: "Interest during and after a pause",
  plan: "ALL",
  unit: "rule",
  definition:
    "A paused loan accrues interest as always, which stays unpaid. In school, in the grace period and in a deferment, subsidized, Perkins and health-professions loans accrue none. When a deferment ends, what a Direct, FFEL or FISL loan accrued in it since the first month joins its principal; of the other kinds, that of FFEL and FISL loans alone. A loan that has entered repayment has a deferment where InSchool is sent, and so has a consolidation or a PLUS loan, which has no school period. Months of a pause count toward no forgiveness, and the term of a fixed plan stands still.",
  value: {
    interestFreeKinds: ["InSchool", "Deferment"],
    interestFreeFamilies: ["perkins", "health-professions"],
    joinsPrincipalAfterDeferment: ["direct", "ffel", "FEDERALLY INSURED (FISL)"],
    joinsPrincipalAlways: ["ffel", "FEDERALLY INSURED (FISL)"],
    withoutSchoolPeriod: [
      "DIRECT CONSOLIDATED SUBSIDIZED",
      "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
      "DIRECT CONSOLIDATED UNSUBSIDIZED",
      "DIRECT PARENT PLUS",
      "DIRECT PARENT PLUS CONSOLIDATED",
      "DIRECT PLUS CONSOLIDATED",
      "DIRECT PLUS GRADUATE",
      "DIRECT PLUS PARENT",
      "FFEL CONSOLIDATED",
      "FFEL PARENT PLUS",
      "FFEL PARENT PLUS CONSOLIDATED",
      "FFEL PLUS GRADUATE",
      "FFEL PLUS PARENT"
    ]
  },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.204",
    note: "20 U.S.C. 1087e(f)(1)(A)-(B) and 1087dd(c)(2)(A), texts read: no interest on subsidized and Perkins loans in a deferment, and interest that joins the principal at its end. 34 CFR 685.202(b) since July 2023: no other event of a Direct loan adds interest to principal. 682.202(b), for FFEL loans, and 685.204, for deferments of loans in repayment, were not read",
    evidence: "statute"
  }),
  effectiveDate: "2023-07-01",
  lastVerified: "2026-11-28",
  parityLocked: true
})

export const leavingIncomeBased = rule({
  id: "leaving-income-based",
  label: "Leaving Income-Based Repayment",
  plan: "ALL",
  unit: "rule",
  definition:
    "A borrower may leave INCOME BASED and INCOME BASED (OLD) for STANDARD or REPAYMENT ASSISTANCE alone. The unpaid interest of each open loan that leaves joins its principal as the month of the change begins. No other change of plan adds interest to principal. Months under REPAYMENT ASSISTANCE count toward other plans only where its payment is at least the ten-year amount; months of STANDARD over ten years count toward all, those of Tiered Standard toward REPAYMENT ASSISTANCE.",
  value: {
    plans: ["INCOME BASED", "INCOME BASED (OLD)"],
    mayBeLeftFor: ["STANDARD", "REPAYMENT ASSISTANCE"],
    monthsMayCountElsewhere: ["EXTENDED", "GRADUATED", "REPAYMENT ASSISTANCE"]
  },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(3)(B), (b)(7)(B) and (b)(8), 1087e(e)(7) and (q)(1)(F), texts read; 34 CFR 685.210(b), text of early 2023 read: the term runs from when the loan entered repayment",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-28",
  parityLocked: true
})
