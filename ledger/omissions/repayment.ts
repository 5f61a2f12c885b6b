/**
 * Omissions: rules about loans, dates and payments that the engine knows and does not apply. Those
 * about payments by income are in income-driven.ts.
 */
import { omission } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"
import { closedToParentPlus, incomeDrivenPlans } from "./plans.ts"

export const omissionAutoPayInterestReduction = omission({
  id: "omission-auto-pay-interest-reduction",
  label: "Federal auto-pay interest reduction",
  detail:
    "From 1 July 2026 to 30 June 2028 auto pay lowers the interest rate by 1.00 percentage point (the usual 0.25 plus 0.75). This is for Direct Loans first disbursed on or after 1 July 2012, in good standing and on auto pay by 30 September 2026. Not modeled: interest and totals are overstated for these borrowers. The lasting reduction of 0.25 point is not modeled either.",
  bearsOn: {},
  source: educationDepartment({
    url: "https://www.ed.gov/about/news/press-release/us-department-of-education-announces-student-loan-interest-rate-reduction",
    note: "Announced 18 June 2026, read in news reports. Authority for repayment incentives: 20 U.S.C. 1087e(b)(9)(C), text read, and 34 CFR 685.211(b), text of early 2023 read",
    evidence: "third-party",
    cadence: "ad hoc"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "2028-06-30",
  lastVerified: "2026-11-21"
})

export const omissionDailyInterest = omission({
  id: "omission-daily-interest",
  label: "Daily simple interest",
  detail:
    "Servicers accrue interest by the day. Here each month is a twelfth of a year, which differs by small amounts.",
  bearsOn: {},
  source: educationDepartment({
    url: "https://studentaid.gov/understand-aid/types/loans/interest-rates",
    note: "A servicer's page, read. The Department's own page was not found in a copy",
    evidence: "third-party",
    cadence: "on change"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionDefermentForbearance = omission({
  id: "omission-deferment-forbearance",
  label: "Delinquency, default, and pauses that were not sent",
  detail:
    "Every payment is assumed to be made in full and on time. Delinquency and default, a deferment or forbearance that the request does not send as a pause, and the interest, capitalization, fees and costs that they bring, are not modeled.",
  bearsOn: {},
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(f)(1)-(3), (f)(7)-(8) and (q)(1)(F)(vi)-(vii), text read. 34 CFR 685.202(b), text of early 2023 read. 34 CFR 685.204 and 685.205 were not read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPauses = omission({
  id: "omission-pauses",
  label: "What a pause may count and cost besides",
  detail:
    "No month of a pause counts here. In law some deferments count (economic hardship, cancer treatment, military service), for public service some forbearances too, and other paused months may be bought back (34 CFR 685.219(c)(2)(v), (g)(6)): forgiveness may come sooner. The end of a deferment also adds to principal what a loan accrued in it before the first month; that part is not known, and cost is understated. While all loans are paused, nothing of a budget or a monthly extra is paid. For loans made on or after 1 July 2027 there is no economic hardship or unemployment deferment, and a forbearance lasts at most nine months in any 24. Pauses are taken as sent.",
  bearsOn: { added: ["pauses"] },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(f)(1)-(3), (f)(7)-(8) and 1098e(b)(7)(B)(iv), texts read. Pub. L. 119-21, section 82002, enrolled text read. 34 CFR 685.204 and 685.205 were not read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionPaymentsThatMayCount = omission({
  id: "omission-payments-that-may-count",
  label: "Payments under the plan before that may count",
  detail:
    "Months of EXTENDED and GRADUATED add to no count here. In law a payment under them of at least the ten-year Standard amount counts. Months of REPAYMENT ASSISTANCE among the counted months sent may not count toward other plans; here they do. After a change they count if the payment was the ten-year amount at its beginning; the statute may mean that at the election of Income-Based Repayment, and more months would count.",
  bearsOn: { added: ["mayCount"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(7)(B) and 1087e(e)(7), texts read: payments of at least the ten-year amount, and which plans' payments count",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionTeacherLoanForgiveness = omission({
  id: "omission-teacher-loan-forgiveness",
  label: "Teacher Loan Forgiveness",
  detail:
    "A teacher may have up to 17,500 or 5,000 forgiven after five years at a low-income school. A request carries no teaching service, so this is never applied; cost is overstated for such a borrower.",
  bearsOn: {},
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.217",
    note: "20 U.S.C. 1087j, text read. 34 CFR 685.217, text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2004-10-30",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionLoanDates = omission({
  id: "omission-loan-dates",
  label: "Dates of loans and new-borrower tests",
  detail:
    "A loan without madeOn is assumed to have been made before 1 July 2026, unless firstBorrowedOn says otherwise. One Direct loan or consolidation made since leaves all of the borrower's Direct loans only REPAYMENT ASSISTANCE and Tiered Standard, and Parent PLUS loans only Tiered Standard. Where dates are missing, INCOME BASED (new borrowers of 1 July 2014), PAY AS YOU EARN (1 October 2007 and 2011) and EXTENDED (7 October 1998) are assumed to be open unless a loan type shows the contrary. A borrower who fails a date cannot elect the plan. A new borrower of 2014 under INCOME BASED (OLD) would pay less under INCOME BASED.",
  bearsOn: {
    plans: [
      "STANDARD",
      "EXTENDED",
      "GRADUATED",
      "INCOME BASED",
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "PAY AS YOU EARN",
      "REVISED PAY AS YOU EARN",
      "SAVE"
    ],
    notAdded: ["datesKnown"]
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(d)(1), (d)(6)-(7), (g)(3) and 1078(b)(9)(A)(iv), texts read. 34 CFR 685.221(a)(4) and 685.209(a)(1)(iii), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-23"
})

export const omissionTieredStandard = omission({
  id: "omission-tiered-standard",
  label: "Tiered Standard plan",
  detail:
    "For borrowers with a loan made from 1 July 2026, the Standard plan is Tiered Standard: 120 to 300 months by the principal of all Direct loans. If the dates sent do not show whether the borrower has such a loan, STANDARD is the plan of older loans. Under Tiered Standard, a loan shown on ten-year STANDARD would have a lower payment and a higher total if that principal is 25,000 or more. A consolidation shown on a longer term would mostly have a higher payment and a lower total.",
  bearsOn: { plans: ["STANDARD"], notAdded: ["newnessKnown"] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "20 U.S.C. 1087e(d)(7)(A), enrolled text of Pub. L. 119-21 read, for the plan, its steps of 120 to 300 months and its measure, the outstanding principal of all Direct loans",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-23"
})

export const omissionExtendedGraduated = omission({
  id: "omission-extended-graduated",
  label: "Extended plan with graduated payments",
  detail:
    "The Extended plan may also be repaid in rising payments, which start lower and cost more in all. EXTENDED is the variant with equal payments.",
  bearsOn: { plans: ["EXTENDED"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(e)(1), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "1998-10-07",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionConsolidationTermBalance = omission({
  id: "omission-consolidation-term-balance",
  label: "Terms of consolidation loans",
  detail:
    "The term of a consolidation loan was fixed when it entered repayment, by what was owed then. Here it follows the balances sent, and the consolidations of one program are treated as one. If balances have crossed a step of the table, or several separate consolidations are sent, the term and the payment differ. A consolidation that entered repayment before 1 July 2006 has a ten-year Standard term.",
  bearsOn: { when: ["consolidationTable"] },
  source: educationDepartment({
    url: "https://www.law.cornell.edu/uscode/text/20/1078-3",
    note: "20 U.S.C. 1078-3(c)(2)(A)-(B), text read; 34 CFR 685.208(j), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionRepaymentBefore2006 = omission({
  id: "omission-repayment-before-2006",
  label: "Direct loans in repayment before July 2006",
  detail:
    "Direct loans that entered repayment before 1 July 2006 have Extended and Graduated terms of 12 to 30 years by balance. Later ones have 25 and 10 years. A request does not say when a loan entered repayment, and madeOn is not used for that: every loan except DIRECT PLUS CONSOLIDATED is treated as a later one. DIRECT PLUS CONSOLIDATED has the older terms, by the balances sent.",
  bearsOn: { plans: ["EXTENDED", "GRADUATED"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b), (d), (f) and (i), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2006-07-01",
  expiresDate: "",
  lastVerified: "2026-11-23"
})

export const omissionConsolidationAge = omission({
  id: "omission-consolidation-age",
  label: "Counted months as the age of a consolidation",
  detail:
    "A consolidation loan keeps the counted months of the loans that it repaid, but its own term begins when it is made. On the fixed plans the counted months are treated as months of that term. If they are older than the consolidation, the payment is overstated and the end comes later than shown.",
  bearsOn: { plans: ["STANDARD", "EXTENDED", "GRADUATED"], when: ["shortenedConsolidation"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(a)(5) and 685.210(b)(2)(ii), text of early 2023 read: a term runs from when the loan enters repayment",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPerkinsMinimum = omission({
  id: "omission-perkins-minimum",
  label: "Minimum payment of Perkins loans",
  detail:
    "A school may ask for at least 40 dollars a month on a Perkins loan, on older ones 30 or 15. The floor of 50 over all loans on STANDARD is applied to them instead.",
  bearsOn: { when: ["perkins"] },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-674.33",
    note: "20 U.S.C. 1087dd(c)(1)(C)(i), text read; 34 CFR 674.33(b)(6), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "1992-10-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionMixedBook = omission({
  id: "omission-mixed-book",
  label: "Loans that the plan cannot take",
  detail:
    "Loans that cannot be repaid under the chosen plan are shown outside it, on a fresh Standard schedule. The borrower may have chosen another plan for them, or have used part of their term, and their cost may differ.",
  bearsOn: { when: ["loansOutsidePlan"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "20 U.S.C. 1087e(d)(1)(F)(ii) and (d)(7)(C), text read. 34 CFR 685.208(a)(4)(i), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPaymentCountWeighting = omission({
  id: "omission-payment-count-weighting",
  label: "Weighted payment counts after consolidation",
  detail:
    "The servicer weights the qualifying months of consolidated loans by balance, and may correct counts. Public service counts a consolidation by the same weighting (34 CFR 685.219(c)(3)). Here the months entered per loan are used.",
  bearsOn: { plans: incomeDrivenPlans, when: ["consolidation"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "Practice since 2024, read in reports. No official text was found. 34 CFR 685.209(a)(6)(iii)(B), text of early 2023 read, began the count anew",
    evidence: "third-party"
  }),
  effectiveDate: "2024-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionHiddenParentPlus = omission({
  id: "omission-hidden-parent-plus",
  label: "Parent PLUS loans inside a consolidation",
  detail:
    "Since 1 July 2006 a consolidated Parent PLUS loan becomes part of an unsubsidized consolidation loan, whose type does not show it. None is assumed unless the type says PLUS. A projection for a consolidation that holds one may describe a plan that is closed to it.",
  bearsOn: { plans: closedToParentPlus, when: ["unnamedConsolidation"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(a)(2)(A), text read. 34 CFR 685.220(c)(2)(i) and (c)(3), text of early 2023 read: since 1 July 2006 a consolidated Parent PLUS loan is in the unsubsidized part",
    evidence: "statute"
  }),
  effectiveDate: "2025-07-04",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPslfOtherPlans = omission({
  id: "omission-pslf-other-plans",
  label: "Public service under other fixed plans",
  detail:
    "A payment of at least the ten-year Standard amount also counts for public service under the other plans for loans made before 1 July 2026, and on consolidations, but not under Tiered Standard. Here payments under EXTENDED, GRADUATED and STANDARD terms over 120 months never count, also for loans outside the chosen plan. Forgiveness may come sooner than shown.",
  bearsOn: { when: ["pslfUncounted"] },
  source: educationDepartment({
    url: document.publicServiceRule,
    note: "20 U.S.C. 1087e(m)(1)(A)(iii), text read: plans of 1087e(d)(1), and consolidations under (g)",
    evidence: "statute"
  }),
  effectiveDate: "2007-10-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionProfessionalDegreeLitigation = omission({
  id: "omission-professional-degree-litigation",
  label: "Loan limits under litigation",
  detail:
    "The definition of professional degree is stayed by an order of the District Court for the District of Columbia of 24 June 2026. The loan limits published here are informative; no figure depends on them.",
  bearsOn: { plans: [] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "Order of the District Court for the District of Columbia of 24 June 2026, read in reports: it stays parts of the definition. The limits: 20 U.S.C. 1087e(a)(4)-(6), text read",
    evidence: "third-party"
  }),
  effectiveDate: "2026-06-24",
  expiresDate: "",
  lastVerified: "2026-11-21"
})
