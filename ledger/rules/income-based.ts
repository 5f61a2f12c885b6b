/** Income-Based Repayment, new and old, and the rules that it shares with Pay As You Earn. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

const incomePayment =
  "Annual payment = rate x max(0, AGI - multiple x poverty guideline); monthly payment is one twelfth, capped where stated; balance forgiven after the stated months."

export const ibrNewTerms = rule({
  id: "ibr-new-terms",
  label: "Income-Based Repayment, new borrowers (on or after 1 July 2014)",
  plan: "INCOME BASED",
  unit: "fraction; multiple of poverty guideline; months",
  definition: incomePayment,
  value: { paymentRate: 0.1, povertyMultiple: 1.5, forgivenessMonths: 240, cappedAtTenYearStandard: true },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "HEA 493C(e); 34 CFR 685.209(b)(4)(ii), (f)(2), (k)(2), read through two quotations; of 20 U.S.C. 1098e only (a)(1)-(3) was read. Plan-name mapping (INCOME BASED = new, INCOME BASED (OLD) = old) is an inference from the plan names",
    sure: "thirdParty"
  }),
  effectiveDate: "2014-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const ibrOldTerms = rule({
  id: "ibr-old-terms",
  label: "Income-Based Repayment, borrowers before 1 July 2014",
  plan: "INCOME BASED (OLD)",
  unit: "fraction; multiple of poverty guideline; months",
  definition: incomePayment,
  value: { paymentRate: 0.15, povertyMultiple: 1.5, forgivenessMonths: 300, cappedAtTenYearStandard: true },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "HEA 493C; 20 U.S.C. 1098e(a)(3), text of the 15% of income above 150% of the guideline read; 34 CFR 685.209(f)(3), (k)(1), read through two quotations",
    sure: "thirdParty"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const ibrPartialHardshipRemoved = rule({
  id: "ibr-partial-hardship-removed",
  label: "IBR partial financial hardship test removed",
  plan: "INCOME BASED",
  unit: "date",
  definition:
    "Entry no longer requires a payment below the standard payment; it stays capped at it. Only loans made before 1 July 2026.",
  value: { removedFrom: "2025-07-04", loansMadeBefore: "2026-07-01", subsidizedInterestBenefitMonths: 36 },
  source: educationDepartment({
    url: "https://fsapartners.ed.gov/knowledge-center/library/dear-colleague-letters/2025-07-18/one-big-beautiful-bill-act-obbba-information",
    note: "GEN-25-04; Pub. L. 119-21 section 82001 (URL tail from memory)",
    sure: "verified",
    cadence: "ad hoc"
  }),
  effectiveDate: "2025-07-04",
  lastVerified: "2026-11-20",
  parityLocked: false,
  informative: true
})

export const tenYearCapBasis = rule({
  id: "ten-year-cap-basis",
  label: "What the ten-year cap of IBR and PAYE is computed on",
  plan: "ALL",
  unit: "months",
  definition:
    "The sum over the loans of the plan of the level payment that repays principal and unpaid interest at the start in 120 months at the loan's own rate. Fixed for the projection; prior months do not change it.",
  value: {
    months: 120,
    balance: "principal + unpaid interest at the start",
    perLoan: true,
    recomputed: false,
    plans: ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"]
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(f)(2)(ii) and (f)(3), read through two quotations: balances and rates when the plan began. The balance at the start of the projection stands in for it",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const tenYearCapFloor = rule({
  id: "ten-year-cap-floor",
  label: "Floor of the ten-year standard amount that caps IBR and PAYE",
  plan: "ALL",
  unit: "USD per month",
  definition: "The ten-year standard amount is a standard payment, so it is at least 50.",
  value: { monthly: 50, plans: ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b); that the floor of a Standard payment reaches the cap is a reading of this engine",
    sure: "derived"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-20",
  parityLocked: false
})

export const idrSmallPaymentRule = rule({
  id: "idr-small-payment-rule",
  label: "Small calculated payments",
  plan: "ALL",
  unit: "USD per month",
  definition:
    "A calculated payment under 5 becomes 0; 5 or more but under 10 becomes 10. The unrounded amount is tested. Applies to INCOME BASED, INCOME BASED (OLD), PAY AS YOU EARN, REVISED PAY AS YOU EARN and SAVE.",
  value: { below5: 0, from5Below10: 10, zeroBelow: 5, raisedBelow: 10 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(g)(1), read through two quotations",
    sure: "thirdParty"
  }),
  effectiveDate: "2024-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrForgivenessCount = rule({
  id: "idr-forgiveness-count",
  label: "Counting months toward time-based forgiveness",
  plan: "ALL",
  unit: "rule",
  definition:
    "Each loan is forgiven after its own last counted payment: the plan's months less the months already counted. A payment of 0 counts. The same count serves every income-driven plan.",
  value: { perLoan: true, zeroPaymentsCount: true, oneCountForAllPlans: true },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(k), read through two quotations. That months under other plans count toward REPAYMENT ASSISTANCE rests on (k)(8)(i)(C), on which readers differ for a voluntary switch",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrSunsetDefault = rule({
  id: "idr-sunset-default",
  label: "End of PAYE and ICR on 1 July 2028",
  plan: "ALL",
  unit: "date; plans in order",
  definition:
    "A loan still open under PAY AS YOU EARN or INCOME CONTINGENT in the month of the end is repaid from that month on under the first successor that takes its type. The loans of one successor have one payment; months before count; nothing capitalizes. SAVE and REVISED PAY AS YOU EARN are projected on their own terms to the end.",
  value: {
    endsOn: "2028-07-01",
    plans: ["INCOME CONTINGENT", "PAY AS YOU EARN"],
    successors: ["REPAYMENT ASSISTANCE", "INCOME BASED (OLD)"]
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "Pub. L. 119-21 section 82001(a)(1)-(3)(A), text read in a copy: a loan of a borrower who does not choose passes to RAP where it is eligible, else to income-based repayment; 34 CFR 685.209(c)(7)(iii)(A), read in a quotation, says the same. Income-based repayment on the older terms is taken, which fit all but loans of new borrowers of 2014",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const newBorrowerTests = rule({
  id: "new-borrower-tests",
  label: "Loans that show that the borrower is not new",
  plan: "ALL",
  unit: "loans by plan",
  definition:
    "INCOME BASED is for new borrowers of 1 July 2014, PAY AS YOU EARN for those of 1 October 2007. A request carries no dates, but a loan of these programs or families with a balance is older, and closes the plan to every loan of the request: FFEL ended on 30 June 2010, the families named here before 1998.",
  value: {
    "INCOME BASED": {
      newFrom: "2014-07-01",
      closedByPrograms: ["ffel"],
      closedByFamilies: ["ffel-ended-before-1998"]
    },
    "PAY AS YOU EARN": {
      newFrom: "2007-10-01",
      closedByPrograms: [],
      closedByFamilies: ["ffel-ended-before-1998"]
    }
  },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(e) for INCOME BASED and 1071(d)(1) for the end of FFEL (no new loans after 30 June 2010), texts read in a copy; 34 CFR 685.209(a)(1)(iii) of 2023 for PAY AS YOU EARN, text read in a copy",
    sure: "verified"
  }),
  effectiveDate: "2014-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false
})
