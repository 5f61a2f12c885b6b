/** Income-Based Repayment at 10 and 15 percent, and rules shared by other income-driven plans. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

const incomePayment =
  "The annual payment is rate x max(0, AGI - multiple x poverty guideline). A twelfth of it is paid monthly, capped where stated. The balance is forgiven after the stated months."

export const ibrNewTerms = rule({
  id: "ibr-new-terms",
  label: "Income-Based Repayment, new borrowers (on or after 1 July 2014)",
  plan: "INCOME BASED",
  unit: "fraction; multiple of poverty guideline; months",
  definition: `${incomePayment} In law the terms belong to loans made to a new borrower from 1 July 2014 to 30 June 2026.`,
  value: { paymentRate: 0.1, povertyMultiple: 1.5, forgivenessMonths: 240, cappedAtTenYearStandard: true },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(a)(3), (b)(6)-(7) and (e), text read. 34 CFR 685.221(a)(4), (b)(1) and (d)(1)(i), text of early 2023 read; now 685.209(b)(4)(ii), (f)(2) and (k)(2), read in quotations. That INCOME BASED means these terms is read from the plan names",
    evidence: "statute"
  }),
  effectiveDate: "2014-07-01",
  lastVerified: "2026-11-21",
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
    note: "20 U.S.C. 1098e(a)(3), (b)(1) and (b)(6)-(7), text read. It says at most 25 years. 34 CFR 685.209(f)(3)(i) and (k)(1) of 2026, read in quotations. First day: 1087e(d)(1)(E), text read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const ibrPartialHardshipRemoved = rule({
  id: "ibr-partial-hardship-removed",
  label: "IBR partial financial hardship test removed",
  plan: "INCOME BASED",
  unit: "date",
  definition:
    "Entry no longer requires a payment below the standard payment, but the payment stays capped at it. This holds only for loans made before 1 July 2026.",
  value: { removedFrom: "2025-07-04", loansMadeBefore: "2026-07-01", subsidizedInterestBenefitMonths: 36 },
  source: educationDepartment({
    url: "https://fsapartners.ed.gov/knowledge-center/library/dear-colleague-letters/2025-07-18/federal-student-loan-program-provisions-effective-upon-enactment-under-one-big-beautiful-bill-act",
    note: "GEN-25-04 of 18 July 2025, letter read in a copy. 20 U.S.C. 1098e(b)(1) and (b)(6), texts read. The statute gives the interest benefit for three years after the election",
    evidence: "official-copy",
    cadence: "ad hoc"
  }),
  effectiveDate: "2025-07-04",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})

export const tenYearCapBasis = rule({
  id: "ten-year-cap-basis",
  label: "What the ten-year cap of IBR and PAYE is computed on",
  plan: "ALL",
  unit: "months",
  definition:
    "For each loan of the plan, take the level payment that repays principal and unpaid interest at the start in 120 months at the loan's own rate. The cap is the sum. It is fixed for the projection: prior months do not change it. In law it rests on what was outstanding when the borrower began the plan, over all Direct and FFEL loans but the excepted ones.",
  value: {
    months: 120,
    balance: "principal + unpaid interest at the start",
    perLoan: true,
    recomputed: false,
    plans: ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"]
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(b)(6)(A), text read. 34 CFR 685.221(d)(1)(i) and 685.209(a)(4)(i)(A), text of early 2023 read: the amount outstanding when the borrower began the plan; now 685.209(f)(2)(ii), read in quotations. The balance at the start of the projection stands in for it",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-21",
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
    note: "A reading of this engine. 20 U.S.C. 1098e(b)(6), text read, and 34 CFR 685.221(d)(1)(i), text of early 2023 read, make the cap the amount of the Standard plan, whose minimum of 50 is 34 CFR 685.208(b)(2), text of early 2023 read, (b)(1)(i) in the numbering of 2026. The minimum follows by implication only",
    evidence: "convention"
  }),
  effectiveDate: "2009-07-01",
  lastVerified: "2026-11-23",
  parityLocked: false
})

export const idrSmallPaymentRule = rule({
  id: "idr-small-payment-rule",
  label: "Small calculated payments",
  plan: "ALL",
  unit: "USD per month",
  definition:
    "A calculated payment under 5 becomes 0. One of 5 or more but under 10 becomes 10. The unrounded amount is tested, after the shares of idr-joint-proration and ffel-direct-part. Applies to INCOME BASED, INCOME BASED (OLD), PAY AS YOU EARN, REVISED PAY AS YOU EARN and SAVE.",
  value: { below5: 0, from5Below10: 10, zeroBelow: 5, raisedBelow: 10 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.221(b)(2)(iii)-(iv) and 685.209(a)(2)(ii)(C)-(D), (c)(2)(ii)(C)-(D), text of early 2023 read. In force by then: its first day was not read. 685.209(g)(1) of 2026, read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2023-01-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const idrForgivenessCount = rule({
  id: "idr-forgiveness-count",
  label: "Counting months toward time-based forgiveness",
  plan: "ALL",
  unit: "rule",
  definition:
    "Each loan is forgiven after its own last counted payment: the plan's months less the months already counted. A payment of 0 counts. Here one count serves every income-driven plan. In law months of income-based repayment, and of income-contingent plans before July 2028, count toward REPAYMENT ASSISTANCE however the borrower came there. That plan forgives only if the last payment was made under it. A month of it counts toward the other plans only if the payment was at least the ten-year Standard amount.",
  value: { perLoan: true, zeroPaymentsCount: true, oneCountForAllPlans: true },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(q)(1)(E)-(F), (e)(7) and 1098e(b)(7)(B)(i)-(v), texts read. 34 CFR 685.209(a)(6) and (b)(3)(iii), text of early 2023 read; now 685.209(k)(4)(i)(A) and (k)(8)(i)(C), read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const idrSunsetDefault = rule({
  id: "idr-sunset-default",
  label: "End of PAYE and ICR on 1 July 2028",
  plan: "ALL",
  unit: "date; plans in order",
  definition:
    "PAY AS YOU EARN and INCOME CONTINGENT end in July 2028. From that month on, a loan still open under them is repaid under the first plan of successors that takes its type, or of successorsOfNewBorrowers if dates show a new borrower of 2014. The loans of one successor have one payment, and on a joint return a share of their own by what they owed at the start. Earlier months count, and nothing capitalizes. The law also ends SAVE and REVISED PAY AS YOU EARN, and the forbearance tied to them. Here both are projected on their own terms to the end.",
  value: {
    endsOn: "2028-07-01",
    plans: ["INCOME CONTINGENT", "PAY AS YOU EARN"],
    successors: ["REPAYMENT ASSISTANCE", "INCOME BASED (OLD)"],
    newBorrowersFrom: "2014-07-01",
    successorsOfNewBorrowers: ["REPAYMENT ASSISTANCE", "INCOME BASED"]
  },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "Pub. L. 119-21 section 82001(a)(1)-(3)(A), text read: loan by loan, to REPAYMENT ASSISTANCE where the loan is eligible, else to income-based repayment. 20 U.S.C. 1087e(d)(1)(D)-(F), text read. 34 CFR 685.209(c)(7)(iii)(A), read in a quotation, says the same. Income-based repayment then has the terms of 1098e(b) or (e), by the new-borrower test of 2014: the older ones where no date shows a new borrower",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const newBorrowerTests = rule({
  id: "new-borrower-tests",
  label: "Who counts as a new borrower",
  plan: "ALL",
  unit: "loans by plan",
  definition:
    "A new borrower of a day owed nothing then or when taking the next loan. INCOME BASED is for those of 1 July 2014, INCOME BASED (OLD) for all others. PAY AS YOU EARN is for those of 1 October 2007 with a Direct loan, other than a Parent PLUS loan, made from 1 October 2011. EXTENDED is for those of 7 October 1998, program by program. Dates decide if sent: firstBorrowedOn, or a loan's madeOn before the day. Without dates, a loan with a balance of a program or family named here shows that the borrower is not new. It closes the plan to all loans, or to FFEL loans, as closes says. FFEL ended on 30 June 2010, DIRECT PLUS CONSOLIDATED on 30 June 2006, and types of ffel-ended-before-1998 before 1998.",
  value: {
    "INCOME BASED": {
      newFrom: "2014-07-01",
      closedByPrograms: ["ffel"],
      closedByFamilies: ["ffel-ended-before-1998", "direct-plus-consolidation"],
      closes: "all"
    },
    "INCOME BASED (OLD)": {
      notNewFrom: "2014-07-01",
      newBorrowersHave: "INCOME BASED",
      closedByPrograms: [],
      closedByFamilies: [],
      closes: "all"
    },
    "PAY AS YOU EARN": {
      newFrom: "2007-10-01",
      someDirectLoanFrom: "2011-10-01",
      exceptLoanTypes: ["DIRECT PARENT PLUS", "DIRECT PLUS PARENT"],
      closedByPrograms: [],
      closedByFamilies: ["ffel-ended-before-1998", "direct-plus-consolidation"],
      closes: "all"
    },
    EXTENDED: {
      everyLoanFrom: "1998-10-07",
      closedByPrograms: [],
      closedByFamilies: ["ffel-ended-before-1998"],
      closes: "ffel"
    }
  },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(e) for INCOME BASED and 1071(d)(1) for the end of FFEL, texts read. 34 CFR 685.221(a)(4) and 685.209(a)(1)(iii), text of early 2023 read. EXTENDED: 20 U.S.C. 1078(b)(9)(A)(iv), text read, and 34 CFR 682.209(a)(6)(ix), text of early 2023 read. DIRECT PLUS CONSOLIDATED: 34 CFR 685.220(c)(3), text of early 2023 read. That SLS loans ended in 1994: 34 CFR 682.100(a), text of early 2023 read. The end of the other older types was not read",
    evidence: "statute"
  }),
  effectiveDate: "2014-07-01",
  lastVerified: "2026-11-23",
  parityLocked: false
})

export const loanTypesEnded = rule({
  id: "loan-types-ended",
  label: "Last days of loan programs and types",
  plan: "ALL",
  unit: "dates",
  definition:
    "A balance on a loan of a program or family named here proves that something was owed on the day given. The borrower is then not new on any later day, whatever dates were sent.",
  value: {
    programs: { ffel: "2010-06-30" },
    families: { "ffel-ended-before-1998": "2006-06-30", "direct-plus-consolidation": "2006-06-30" }
  },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1071(d)(1), text read, for the end of FFEL. 34 CFR 685.220(c)(3), text of early 2023 read, for DIRECT PLUS CONSOLIDATED. The types of ffel-ended-before-1998 ended earlier: a day that is surely not too early is taken",
    evidence: "statute"
  }),
  effectiveDate: "2010-07-01",
  lastVerified: "2026-11-26",
  parityLocked: false
})
