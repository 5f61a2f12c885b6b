/** The Repayment Assistance Plan, open since 1 July 2026. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

const repaymentRule = educationDepartment({
  url: document.repaymentRuleOf2026,
  note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; HEA 455(q)",
  sure: "thirdParty"
})

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
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; 34 CFR 685.209 as amended; HEA 455(q), Pub. L. 119-21 section 82001; text read through quotations",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapDependentReduction = rule({
  id: "rap-dependent-reduction",
  label: "RAP reduction per dependent",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition: "Subtracted from the monthly payment for each dependent claimed on the return.",
  value: { perDependentMonthly: 50 },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapMinimumPayment = rule({
  id: "rap-minimum-payment",
  label: "RAP minimum monthly payment",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition: "Payment after the dependent reduction is never less than this.",
  value: { monthly: 10 },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapForgivenessTerm = rule({
  id: "rap-forgiveness-term",
  label: "RAP qualifying payments to forgiveness",
  plan: "REPAYMENT ASSISTANCE",
  unit: "months",
  definition: "Number of qualifying monthly payments after which the balance is forgiven.",
  value: { months: 360 },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
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
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapPrincipalMatch = rule({
  id: "rap-principal-match",
  label: "RAP matching principal payment",
  plan: "REPAYMENT ASSISTANCE",
  unit: "USD per month",
  definition:
    "When an on-time payment reduces principal by less than 50, principal is cut further so the total cut equals min(50, payment).",
  value: { cap: 50, formula: "min(50, payment) - principalPaid, not below 0" },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapPaymentApplication = rule({
  id: "rap-payment-application",
  label: "How a RAP payment is applied over the loans",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "All loans of the plan are one pool: the payment goes to the month's interest (split by accrued interest), then older unpaid interest (by unpaid interest), then principal (by principal); the match is split by principal.",
  value: {
    pooled: true,
    order: ["interest of the month", "older unpaid interest", "principal"],
    split: ["accrued interest", "unpaid interest", "principal"],
    matchSplit: "principal"
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; HEA 455(q)(1)(B), (q)(2), which state the waiver and the match on all loans together. Current interest before older interest, and the splits, are choices of this engine",
    sure: "derived"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
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
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; 34 CFR 685.209(f)(5) has no lesser-of clause",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapJointProration = rule({
  id: "rap-joint-proration",
  label: "RAP joint-return proration",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "Joint filers use combined AGI; each spouse owes the share equal to own eligible debt over both spouses' eligible debt. Separate filers use own AGI.",
  value: { jointUsesCombinedAgi: true, prorateByDebtShare: true },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const rapLoanExclusions = rule({
  id: "rap-loan-exclusions",
  label: "RAP excluded loans",
  plan: "REPAYMENT ASSISTANCE",
  unit: "rule",
  definition:
    "Parent PLUS loans and consolidation loans that repaid them cannot use RAP. The rule speaks of consolidations with an ICR, PAYE or IBR payment between 4 July 2025 and 30 June 2028; two readers find them eligible for RAP, Federal Student Aid lists them as never eligible. They are refused here.",
  value: { parentPlus: false, exceptedConsolidation: false, carveOutWindow: ["2025-07-04", "2028-06-30"] },
  source: repaymentRule,
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})
