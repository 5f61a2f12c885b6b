/** The Repayment Assistance Plan (RAP), open since July 1, 2026. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const rapBasePaymentBands = rule({
  id: "rap-base-payment-bands",
  label: "RAP annual base payment by AGI",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per year or fraction of whole AGI",
  definition:
    "The rate applies to the whole AGI, not to a slice. A band includes its upper bound. Monthly payment = base / 12 - dependents x reduction, not below the minimum.",
  value: {
    bands: [
      { over: null, notOver: 10000, flatAnnual: 120 },
      { over: 10000, notOver: 20000, rate: 0.01 },
      { over: 20000, notOver: 30000, rate: 0.02 },
      { over: 30000, notOver: 40000, rate: 0.03 },
      { over: 40000, notOver: 50000, rate: 0.04 },
      { over: 50000, notOver: 60000, rate: 0.05 },
      { over: 60000, notOver: 70000, rate: 0.06 },
      { over: 70000, notOver: 80000, rate: 0.07 },
      { over: 80000, notOver: 90000, rate: 0.08 },
      { over: 90000, notOver: 100000, rate: 0.09 },
      { over: 100000, notOver: null, rate: 0.1 }
    ]
  },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(4)(B)(i) and (iv), enrolled text of Pub. L. 119-21 read. 34 CFR 685.209(f)(5) as amended by 91 FR 23768 (1 May 2026), FR Doc. 2026-08556, read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapDependentReduction = rule({
  id: "rap-dependent-reduction",
  label: "RAP reduction per dependent",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition:
    "Subtracted from the monthly payment for each dependent (26 U.S.C. 152). A married borrower who files separately counts only those claimed on that return.",
  value: { perDependentMonthly: 50 },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(4)(B)(i)(II) and (v), enrolled text of Pub. L. 119-21 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapMinimumPayment = rule({
  id: "rap-minimum-payment",
  label: "RAP minimum monthly payment",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition:
    "Payment after the dependent reduction is never less than this. Where the whole balance is smaller than the payment, the balance is the payment.",
  value: { monthly: 10 },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(4)(B)(ii)-(iii), enrolled text of Pub. L. 119-21 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapForgivenessTerm = rule({
  id: "rap-forgiveness-term",
  label: "RAP qualifying payments to forgiveness",
  plan: "REPAYMENT ASSISTANCE",
  unit: "months",
  definition:
    "The balance of a loan is forgiven after this number of qualifying monthly payments on it, the last of them under REPAYMENT ASSISTANCE. In law seven kinds qualify. Among them are months of this plan, of Tiered Standard, of income-based repayment, and of income-contingent plans before July 2028, and payments of at least the ten-year Standard amount under any plan.",
  value: { months: 360 },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(1)(E)-(F), enrolled text of Pub. L. 119-21 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapInterestWaiver = rule({
  id: "rap-interest-waiver",
  label: "RAP unpaid interest waiver",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "After an on-time full payment the part of that month's interest not covered by the payment is not charged.",
  value: { waivesUnpaidMonthlyInterest: true, requiresOnTimePayment: true },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(2)(A), enrolled text of Pub. L. 119-21 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapPrincipalMatch = rule({
  id: "rap-principal-match",
  label: "RAP matching principal payment",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition:
    "If an on-time payment reduces principal, over all loans of the plan, by less than 50, principal is reduced further, to min(50, payment) in total.",
  value: { cap: 50, formula: "min(50, payment) - principalPaid, not below 0" },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(2)(B), enrolled text of Pub. L. 119-21 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapPaymentApplication = rule({
  id: "rap-payment-application",
  label: "How a RAP payment is applied over the loans",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "All loans of the plan are one pool. The payment goes to the month's interest (split by accrued interest), then older unpaid interest (by unpaid interest), then principal (by principal). The match is split by principal.",
  value: {
    pooled: true,
    order: ["interest of the month", "older unpaid interest", "principal"],
    split: ["accrued interest", "unpaid interest", "principal"],
    matchSplit: "principal"
  },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(1)(B) and (q)(2), enrolled text of Pub. L. 119-21 read: interest, then fees, then principal, over all loans, and waiver and match on the totals. Current interest before older interest, and the splits, are choices of this engine",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapPaymentCap = rule({
  id: "rap-payment-cap",
  label: "RAP has no standard-payment cap",
  plan: "REPAYMENT ASSISTANCE",
  unit: "boolean",
  definition: "The monthly payment may exceed the 10-year standard payment.",
  value: { cappedAtStandard: false },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(q)(1)(A) and (q)(4)(B), enrolled text of Pub. L. 119-21 read: no cap but the balance itself. 34 CFR 685.209(f)(5) of 2026, read in a quotation, has none",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapJointProration = rule({
  id: "rap-joint-proration",
  label: "RAP joint-return proration",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "Joint filers use combined AGI, separate filers their own. On a joint return each spouse owes a share: own eligible debt over both spouses' eligible debt. Own debt is that of the loans under this plan at the start, also where it takes them over in July 2028. This share is in the regulation only.",
  value: { jointUsesCombinedAgi: true, prorateByDebtShare: true },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "Income: 20 U.S.C. 1087e(q)(4)(A), enrolled text of Pub. L. 119-21 read. The share by debt is not in the statute: 34 CFR 685.209(e)(2) and (g)(3)(i) as amended by 91 FR 23768 (1 May 2026), FR Doc. 2026-08556, read in quotations",
    evidence: "third-party"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const rapLoanExclusions = rule({
  id: "rap-loan-exclusions",
  label: "RAP excluded loans",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    'Parent PLUS loans and consolidation loans that repaid one cannot use RAP. The statute closes RAP to them without naming a date. The window from 4 July 2025 to 30 June 2028 opens income-based repayment only: the statute bars these loans from RAP "notwithstanding" it. Some read the regulation otherwise.',
  value: { parentPlus: false, exceptedConsolidation: false, carveOutWindow: ["2025-07-04", "2028-06-30"] },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(d)(1)(F)(i), (d)(7)(C) and (d)(7)(E)(ii)(II)(bb), enrolled text of Pub. L. 119-21 read. 20 U.S.C. 1098e(a)(2)(B) and Pub. L. 119-21 section 82001(a)(1)-(3)(A), texts read. Federal Student Aid's page of August 2026 says the same. 34 CFR 685.209(b)(6)(ii) of 2026, read in quotations: some find RAP open inside the window",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-28",
  parityLocked: false
})
