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
    note: "Announced 18 June 2026; read through five news reports. Authority for repayment incentives: HEA 455(b)(9)(C), 20 U.S.C. 1087e(b)(9)(C), and 34 CFR 685.211(b), both texts read",
    sure: "thirdParty",
    cadence: "ad hoc"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "2028-06-30",
  lastVerified: "2026-11-20"
})

export const omissionDailyInterest = omission({
  id: "omission-daily-interest",
  label: "Daily simple interest",
  detail: "Servicers accrue interest by the day; months of a twelfth of a year differ from that by small amounts.",
  bearsOn: {},
  source: educationDepartment({
    url: "https://studentaid.gov/understand-aid/types/loans/interest-rates",
    note: "Interest accrual page",
    sure: "memory",
    cadence: "on change"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionDefermentForbearance = omission({
  id: "omission-deferment-forbearance",
  label: "Deferment, forbearance, delinquency and default",
  detail:
    "Every payment is taken as made in full and on time. Deferment, forbearance, delinquency and default, and the interest, capitalization, fees and costs that they bring, are not modeled.",
  bearsOn: {},
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.202, 685.204, 685.205",
    sure: "memory"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionTeacherLoanForgiveness = omission({
  id: "omission-teacher-loan-forgiveness",
  label: "Teacher Loan Forgiveness",
  detail:
    "A teacher may have up to 17,500 or 5,000 forgiven after five years at a low-income school. A request carries no teaching service, so this is never applied; cost is overstated for such a borrower.",
  bearsOn: {},
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.217",
    note: "34 CFR 685.217 and 682.216; the latter read",
    sure: "verified"
  }),
  effectiveDate: "2004-10-30",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionLoanDates = omission({
  id: "omission-loan-dates",
  label: "Dates of loans and new-borrower tests",
  detail:
    "A request carries no loan dates. Every loan is taken as made before 1 July 2026. One Direct loan or consolidation made on or after that day closes every older plan for all of the borrower's Direct loans: only REPAYMENT ASSISTANCE and Tiered Standard remain, for Parent PLUS loans Tiered Standard alone. The dates of INCOME BASED (new borrowers of 1 July 2014), PAY AS YOU EARN (1 October 2007 and 2011) and EXTENDED (7 October 1998) are taken as met where no loan shows the contrary. For a borrower who fails them the projection describes a plan that is closed to the borrower.",
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
    note: "34 CFR 685.208(b) and (c), 685.209(b)(13) and (c); read through two quotations",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionTieredStandard = omission({
  id: "omission-tiered-standard",
  label: "Tiered Standard plan",
  detail:
    "The Standard plan of borrowers with a loan made from 1 July 2026 runs 120 to 300 months by the principal of all Direct loans. A request carries no loan dates, so STANDARD is the plan of older loans. For the others the payment is overstated from 25,000 on and the total understated.",
  bearsOn: { plans: ["STANDARD"] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; HEA 455(d)(7)",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionExtendedGraduated = omission({
  id: "omission-extended-graduated",
  label: "Extended plan with graduated payments",
  detail:
    "The Extended plan may also be repaid in rising payments, which start lower and cost more in all. EXTENDED is the variant with equal payments.",
  bearsOn: { plans: ["EXTENDED"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(b)(4), read through a quotation",
    sure: "thirdParty"
  }),
  effectiveDate: "1998-10-07",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionConsolidationTermBalance = omission({
  id: "omission-consolidation-term-balance",
  label: "Consolidation terms on the balances of today",
  detail:
    "The term of a consolidation loan was fixed when it entered repayment, by what was owed then. Here it is read off the balances sent. Where they have fallen or grown across a step of the table, the term differs, and with it the payment.",
  bearsOn: { when: ["consolidationTable"] },
  source: educationDepartment({
    url: "https://www.law.cornell.edu/uscode/text/20/1078-3",
    note: "20 U.S.C. 1078-3(c)(2)(A)-(B), text read; 34 CFR 685.208(j), text of early 2023 read",
    sure: "verified"
  }),
  effectiveDate: "1994-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionConsolidationAge = omission({
  id: "omission-consolidation-age",
  label: "Counted months as the age of a consolidation",
  detail:
    "A consolidation loan keeps the counted months of the loans that it repaid, but its own term begins when it is made. On the fixed plans the counted months are taken as months of that term. Where they are older than the consolidation, the payment is overstated and the end comes later than shown.",
  bearsOn: { plans: ["STANDARD", "EXTENDED", "GRADUATED"], when: ["shortenedConsolidation"] },
  source: educationDepartment({
    url: document.repaymentPlanRule,
    note: "34 CFR 685.208(a)(5) and 685.210(b)(2)(ii), text of early 2023 read: a term runs from when the loan enters repayment",
    sure: "verified"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionTieredPriorMonths = omission({
  id: "omission-tiered-prior-months",
  label: "Counted months on Tiered Standard",
  detail:
    "Months already counted toward forgiveness shorten Tiered Standard here as they shorten the other fixed plans. In law its term runs from when the loan enters the plan.",
  bearsOn: { plans: ["TIERED STANDARD"], when: ["shortened"] },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(d)(7)(A)(i), text read",
    sure: "verified"
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
    sure: "verified"
  }),
  effectiveDate: "1992-10-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionMixedBook = omission({
  id: "omission-mixed-book",
  label: "Loans that the plan cannot take",
  detail:
    "Loans that cannot be repaid under the chosen plan are shown on a fresh Standard schedule beside it. The borrower may have chosen another plan for them, or have months behind them, and their cost may differ.",
  bearsOn: { when: ["loansOutsidePlan"] },
  source: educationDepartment({ url: document.planChoiceRule, note: "34 CFR 685.210", sure: "derived" }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionPaymentCountWeighting = omission({
  id: "omission-payment-count-weighting",
  label: "Weighted payment counts after consolidation",
  detail:
    "The servicer weights the qualifying months of consolidated loans by balance, and may correct counts; the months entered per loan are used.",
  bearsOn: { when: ["consolidation"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209 and 685.219; NSLDS counts are the record",
    sure: "memory"
  }),
  effectiveDate: "2024-07-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionHiddenParentPlus = omission({
  id: "omission-hidden-parent-plus",
  label: "Parent PLUS loans inside a consolidation",
  detail:
    "Since 1 July 2006 a Parent PLUS loan that is consolidated becomes part of an unsubsidized consolidation loan, which its type does not show. None is assumed unless the type says PLUS. A projection for a consolidation that holds one may describe a plan that is closed to it.",
  bearsOn: { plans: closedToParentPlus, when: ["unnamedConsolidation"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(a)(2); statute text read",
    sure: "verified"
  }),
  effectiveDate: "2025-07-04",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionPslfOtherPlans = omission({
  id: "omission-pslf-other-plans",
  label: "Public service under other fixed plans",
  detail:
    "A payment of at least the ten-year Standard amount also counts for public service under the other plans for loans made before 1 July 2026, and on consolidations, but not under Tiered Standard. EXTENDED, GRADUATED and STANDARD terms over 120 months, outside another plan too, are taken as never counting. Forgiveness may come sooner than shown.",
  bearsOn: { when: ["pslfUncounted"] },
  source: educationDepartment({ url: document.publicServiceRule, note: "34 CFR 685.219(c)", sure: "memory" }),
  effectiveDate: "2007-10-01",
  expiresDate: "",
  lastVerified: "2026-11-20"
})

export const omissionProfessionalDegreeLitigation = omission({
  id: "omission-professional-degree-litigation",
  label: "Loan limits under litigation",
  detail:
    "The definition of professional degree is stayed by an order of the District Court for the District of Columbia of 24 June 2026. The loan limits published here are informative; no figure depends on them.",
  bearsOn: { plans: [] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "91 FR 23768 (1 May 2026), FR Doc. 2026-08556; the order is known from press reports",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-06-24",
  expiresDate: "",
  lastVerified: "2026-11-20"
})
