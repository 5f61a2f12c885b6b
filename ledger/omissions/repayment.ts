/** What is left out about loans, dates and payments, whatever the plan's income rule. */
import { omission } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"
import { closedToParentPlus } from "./plans.ts"

export const omissionAutoPayInterestReduction = omission({
  id: "omission-auto-pay-interest-reduction",
  label: "Federal auto-pay interest reduction",
  detail:
    "From 1 July 2026 to 30 June 2028 Direct Loans first disbursed on or after 1 July 2012, in good standing and on auto pay by 30 September 2026, accrue interest at 1.00 percentage point less (the usual 0.25 plus 0.75). Not modeled: interest and totals are overstated for these borrowers. The lasting reduction of 0.25 point is not modeled either.",
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
  detail: "Servicers accrue interest by the day; months of a twelfth of a year differ from that by small amounts.",
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
  label: "Deferment, forbearance, delinquency and default",
  detail:
    "Every payment is taken as made in full and on time. Deferment, forbearance, delinquency and default, and the interest, capitalization, fees and costs that they bring, are not modeled.",
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
    "A request carries no loan dates. Every loan is taken as made before 1 July 2026 (later loans may be repaid only under REPAYMENT ASSISTANCE or Tiered Standard), and the new-borrower tests of INCOME BASED (1 July 2014), PAY AS YOU EARN (1 October 2007 and 2011) and EXTENDED (7 October 1998) are taken as met. A projection for a borrower who fails them describes a plan that is closed to the borrower. A loan taken from 1 July 2026 on can close plans for the older loans too: Income-Based Repayment is lost.",
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
    ]
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(d)(1), (d)(6)-(7), (g)(3) and 1078(b)(9)(A)(iv), texts read. 34 CFR 685.221(a)(4) and 685.209(a)(1)(iii), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionTieredStandard = omission({
  id: "omission-tiered-standard",
  label: "Tiered Standard plan",
  detail:
    "The Standard plan of loans made from 1 July 2026 runs 120 to 300 months by balance. A request carries no loan dates, so STANDARD is the plan of older loans; for newer ones the payment is overstated from 25,000 on and the total understated.",
  bearsOn: { plans: ["STANDARD"] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "20 U.S.C. 1087e(d)(7)(A)(i), text read, for the plan and its measure, the outstanding principal of all Direct loans. The steps of 120 to 300 months: 34 CFR 685.208(c)(1)(iii) as amended by 91 FR 23768 (1 May 2026), FR Doc. 2026-08556, read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
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

export const omissionMixedBook = omission({
  id: "omission-mixed-book",
  label: "Loans that the plan cannot take",
  detail:
    "Loans that cannot be repaid under the chosen plan are shown on a fresh Standard schedule beside it. The borrower may have chosen another plan for them, or have months behind them; their cost may differ.",
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
    "The servicer weights the qualifying months of consolidated loans by balance, and may correct counts; the months entered per loan are used.",
  bearsOn: { when: ["consolidation"] },
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
    "A consolidation loan may hold a Parent PLUS loan that its type does not show. None is assumed unless the type says PLUS; a projection for such a loan may describe a plan that is closed to it.",
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
    "A payment of at least the ten-year Standard amount counts for public-service forgiveness under any plan. EXTENDED, GRADUATED and STANDARD terms over 120 months, beside another plan too, are taken as never counting; forgiveness may come sooner than shown.",
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
