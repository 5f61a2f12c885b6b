/** Omissions: rules about the income-driven plans that the engine knows and does not apply. */
import { omission } from "../entry.ts"
import { communityPropertyStates } from "../rules/household.ts"
import { document, educationDepartment, healthDepartment, internalRevenueService } from "../sources.ts"
import {
  cappedPlans,
  guidelinePlans,
  incomeDrivenPlans,
  otherThanIncomeBased,
  sharedPlans,
  subsidizingPlans
} from "./plans.ts"

export const omissionFamilyChanges = omission({
  id: "omission-family-changes",
  label: "Marriage, divorce, births and filing status changes",
  detail:
    "Marriage, divorce, births and changes of filing status are not foreseen: filing status, family size and the spouse's income and debt stay as entered throughout.",
  bearsOn: { plans: incomeDrivenPlans, notAdded: ["changes"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(5)(i)(C) and (b)(3)(vi)(A)(2), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionCommunityProperty = omission({
  id: "omission-community-property",
  label: "Community property states",
  detail:
    "Separate filers in a community property state may have to split income between the spouses. Not modeled: the income entered is used.",
  bearsOn: {
    plans: incomeDrivenPlans,
    filingStatuses: ["MarriedFilingSeparately"],
    states: communityPropertyStates.entries[0]!.value.states
  },
  source: internalRevenueService({
    url: "https://www.irs.gov/publications/p555",
    note: "Publication 555 (December 2024), opening read. The list of the nine states was not in the part read",
    evidence: "official-copy",
    cadence: "annually"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionSeparateFamilySize = omission({
  id: "omission-separate-family-size",
  label: "Family size on a separate return",
  detail:
    "On a separate return the spouse is not counted in the family here. No text that was read settles this. In April 2025 the Department told a court that servicers count the spouse, without the spouse's income. The definition in force since 1 July 2026 was not read. If the spouse counts, the yearly payment is lower by up to rate x multiple x what the guideline adds for a person, and no lower where a cap or the factor amount sets it. The multiple is 1.5, under INCOME CONTINGENT 1.0, and under SAVE 2.25.",
  bearsOn: { plans: guidelinePlans, filingStatuses: ["MarriedFilingSeparately"], notAdded: ["separateFamily"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "The Department's filing of April 2025, read in press reports. 34 CFR 685.221(a)(3) and 685.209(a)(1)(iv), text of early 2023 read, counted the spouse whatever return was filed. The rule of July 2023, which did so on a joint return alone, was enjoined in 2025 and vacated in March 2026. 34 CFR 685.209(b)(9) of 2026: drafted on the text of 2023; not read",
    evidence: "third-party"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionJointDebtShare = omission({
  id: "omission-joint-debt-share",
  label: "Spouse's loans, cap and rates",
  detail:
    "The law computes the share of a joint payment anew each year, from all eligible debt of both spouses. Here it is set from the plan's loans at the start and the spouse's debt as sent, and held until a change sends another. Under INCOME BASED and PAY AS YOU EARN the share comes first, then the cap of the borrower's own loans. Read literally, 34 CFR 685.209(g)(1)(i) caps first and shares afterwards, which lowers a capped payment. By the text of early 2023 the former hardship test is the couple's, and the capped amount the borrower's own: near the test the payment differs from the one here if the spouses' rates differ.",
  bearsOn: { plans: sharedPlans, when: ["prorated"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.221(a)(5)(ii), (b)(2)(ii), (d)(1)(i) and 685.209(a)(1)(v)(B), (a)(2)(ii)(B), text of early 2023 read: there the spouse's loans stand in the former hardship test, and the share comes before the cap. 685.209(e)(2), (g)(1)(i) and (g)(3)(i) of 2026, read in quotations: payments as calculated in (f)(1) to (3) are shared",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionIcrJointRepayment = omission({
  id: "omission-icr-joint-repayment",
  label: "Spouses who repay together",
  detail:
    "Two spouses who both repay under INCOME CONTINGENT may do so together: one payment from both incomes is then divided by what each owes. A request cannot say this. Here the borrower owes the payment alone, from the income of the joint return. For spouses who repay together, the borrower's part may be lower than shown.",
  bearsOn: { plans: ["INCOME CONTINGENT"], when: ["prorated"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(2)(ii)-(iii), text of early 2023 read. 685.209(g)(1)(i) of 2026, read in quotations, shares payments of (f)(1) to (3), and that of INCOME CONTINGENT is (f)(4)",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  expiresDate: "2028-06-30",
  lastVerified: "2026-11-28"
})

export const omissionRapExtraPayment = omission({
  id: "omission-rap-extra-payment",
  label: "Extra payments under REPAYMENT ASSISTANCE",
  detail:
    "Interest is waived and principal matched before an extra payment is applied, so all of it lowers older interest and principal. No text that was read gives the order within a month. A servicer may apply the extra first to interest that would have been waived. Most of it may then pay only that: it gains almost nothing, or costs more than shown, and more is left to be forgiven.",
  bearsOn: { plans: ["REPAYMENT ASSISTANCE"], added: ["extra"] },
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "A reading of this engine. 20 U.S.C. 1087e(q)(2)(A)-(B), enrolled text of Pub. L. 119-21 read: waiver and match look at the on-time monthly payment, and nothing is said of what is paid beyond it",
    evidence: "convention"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionGuidelineIndexation = omission({
  id: "omission-guideline-indexation",
  label: "Future poverty guidelines and ICR factors",
  detail:
    "Guidelines and ICR factors are published anew each year. Those in force at the release of this ledger are held throughout, so later payments are overstated if prices rise.",
  bearsOn: { plans: guidelinePlans, notAdded: ["pricesGrow"] },
  source: healthDepartment({
    url: "https://aspe.hhs.gov/topics/poverty-economic-mobility/poverty-guidelines",
    note: "42 U.S.C. 9902(2), text read. 34 CFR 685.209(b)(1)(v) and (viii), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-13",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionRecertificationTiming = omission({
  id: "omission-recertification-timing",
  label: "Recertification timing",
  detail:
    "Payments change on the anniversary of the plan, from the income of the last return filed. Here income changes at once with each projection year.",
  bearsOn: { plans: incomeDrivenPlans, when: ["growth"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(c)(1) and 1087e(q)(4)(A), texts read. 34 CFR 685.209(a)(5)(ii)(A), text of early 2023 read. In force by then: its first day was not read",
    evidence: "statute"
  }),
  effectiveDate: "2023-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionOneCountForAllPlans = omission({
  id: "omission-one-count-for-all-plans",
  label: "Months counted under another plan",
  detail:
    "The months entered count toward forgiveness under whichever plan is projected. In law months of Income-Based Repayment, of the income-contingent plans before July 2028, and payments of at least the ten-year amount count toward REPAYMENT ASSISTANCE. Months of that plan count toward another only if the payment was at least the ten-year amount, so forgiveness under another plan may come later than shown.",
  bearsOn: { plans: incomeDrivenPlans, when: ["priorMonths"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1087e(q)(1)(F)(i)-(vii), (e)(7) and 1098e(b)(7)(B)(i)-(v), texts read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionIbrCapitalization = omission({
  id: "omission-ibr-capitalization",
  label: "Capitalization under Income-Based Repayment",
  detail:
    "Unpaid interest is added to principal when the borrower leaves Income-Based Repayment, which is applied to changes of plan that a request sends, and when the borrower begins to pay the ten-year amount, which is not applied. Cost is understated where unpaid interest is left at that moment.",
  bearsOn: { plans: ["INCOME BASED", "INCOME BASED (OLD)"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(3)(B), text read: on subsidized and unsubsidized loans",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPayeHardshipTest = omission({
  id: "omission-paye-hardship-test",
  label: "Entry test of Pay As You Earn",
  detail:
    "A borrower enters Pay As You Earn only while the income-based payment is below the ten-year Standard amount. Not tested: a projection may describe a plan that the borrower cannot enter.",
  bearsOn: { plans: ["PAY AS YOU EARN"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(1)(v) and (a)(2)(i), text of early 2023 read. Whether the later text keeps the test was read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2012-12-21",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionPlanSunset = omission({
  id: "omission-plan-sunset",
  label: "Another choice in July 2028",
  detail:
    "A loan still open when PAY AS YOU EARN or INCOME CONTINGENT ends on 1 July 2028 is shown under REPAYMENT ASSISTANCE. If that plan cannot take it, it is shown under INCOME BASED (OLD), or under INCOME BASED if dates show a new borrower of 2014. That is where the law places a borrower who does not choose. The borrower may choose another plan, earlier too, and the cost would differ. If loans pass to two plans, each payment follows the whole income, and their sum may be overstated. The Department may end enrollment before that day.",
  bearsOn: { when: ["passedOver"] },
  source: educationDepartment({
    url: document.repaymentRuleOf2026,
    note: "Pub. L. 119-21 section 82001(a)(1)-(3)(A) and 20 U.S.C. 1087e(d)(1)(D), (q)(1)(F)(v), texts read. Readers of 34 CFR 685.209(c)(4), (c)(5) and (c)(7) as of 31 August 2026 report 30 June 2028 alone: the end of enrolment on 1 July 2027 of 90 FR 3695 (15 January 2025) is displaced. Advisers expect an earlier end of enrollment",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "2028-06-30",
  lastVerified: "2026-11-28"
})

export const omissionSaveTransition = omission({
  id: "omission-save-transition",
  label: "End of SAVE and REPAYE",
  detail:
    "SAVE was vacated on 10 March 2026 and had replaced REVISED PAY AS YOU EARN. Neither can be elected. A projection under either applies the former rules to the end, as they would have been. If such a scenario costs least in a comparison, it is not a choice that a borrower has. A borrower in SAVE who did not choose another plan within the servicer's 90 days is placed on STANDARD, or on Tiered Standard with a loan made since July 2026. The first ones were from 1 October 2026, and they may still choose.",
  bearsOn: { plans: ["SAVE", "REVISED PAY AS YOU EARN"] },
  source: educationDepartment({
    url: "https://www.nasfaa.org/news-item/38400/",
    note: "Judgment of the Eastern District of Missouri of 10 March 2026, servicers' notices from 1 July 2026, and the placement on STANDARD, read in reports. That the law covers the forbearance tied to the plan: Pub. L. 119-21 section 82001(a)(1), text read",
    evidence: "third-party",
    cadence: "ad hoc"
  }),
  effectiveDate: "2026-03-10",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionRepayeSeparateSpouse = omission({
  id: "omission-repaye-separate-spouse",
  label: "Spouse of a separate filer under REPAYE",
  detail:
    "The rule of 2015 counted both spouses' income even when they filed separately. The spouse is left out here, as under the other plans; the payment is lower than under that rule.",
  bearsOn: { plans: ["REVISED PAY AS YOU EARN"], filingStatuses: ["MarriedFilingSeparately"] },
  source: educationDepartment({
    url: "https://assets.documentcloud.org/documents/2070469/ed-dept-revised-pay-as-you-earn-repaye-proposal.txt",
    note: "34 CFR 685.209(c)(1)(i), text of early 2023 read (80 FR 67203 of 30 October 2015). It excepts spouses who live apart, or who cannot reasonably learn the other's income",
    evidence: "statute",
    cadence: "none: replaced in 2023"
  }),
  effectiveDate: "2015-12-17",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionGraduateFlag = omission({
  id: "omission-graduate-flag",
  label: "Graduate study paid by other loans",
  detail:
    "Only DIRECT PLUS GRADUATE shows graduate study. Every other loan is treated as undergraduate. If an unsubsidized loan, a consolidation, or a subsidized loan of before July 2012 paid for graduate study, the payment under SAVE is understated, and SAVE and REVISED PAY AS YOU EARN forgive later than shown.",
  bearsOn: { plans: ["SAVE", "REVISED PAY AS YOU EARN"], when: ["mayBeGraduate"] },
  source: educationDepartment({
    url: "https://regulations.justia.com/regulations/fedreg/2023/07/10/2023-13112.html",
    note: "34 CFR 685.209(c)(5)(ii), text of early 2023 read. 20 U.S.C. 1087e(a)(3)(A)(i), text read, for subsidized loans of graduate students before July 2012",
    evidence: "statute",
    cadence: "none: vacated in 2026"
  }),
  effectiveDate: "2015-12-17",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionParentPlusConsolidationWindow = omission({
  id: "omission-parent-plus-consolidation-window",
  label: "Parent PLUS consolidations under Income-Based Repayment",
  detail:
    "A Direct consolidation that repaid a Parent PLUS loan may elect Income-Based Repayment only if it was being repaid under an income-driven plan on some date from 4 July 2025 to 30 June 2028. A request carries no such date: one counted month is taken as a sign, which is no proof. Where it was not, the projection describes a plan that is closed to the loan.",
  bearsOn: { when: ["windowOpened"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(a)(2)(B), text read: a Direct consolidation that was being repaid under an income-driven plan on any date of the window",
    evidence: "statute"
  }),
  effectiveDate: "2025-07-04",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionFfelConsolidationSubsidy = omission({
  id: "omission-ffel-consolidation-subsidy",
  label: "Subsidized part of an FFEL consolidation",
  detail:
    "The subsidized part of an FFEL consolidation keeps the waiver of uncovered interest in the first 36 months. The type does not show that part, so FFEL CONSOLIDATED is treated as unsubsidized. Interest is overstated if such a part exists and the payment does not cover its interest.",
  bearsOn: { plans: ["INCOME BASED (OLD)"], when: ["ffelConsolidation"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(3)(A), text read. 34 CFR 682.215(b)(4), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionInterestOnLeavingIbr = omission({
  id: "omission-interest-on-leaving-ibr",
  label: "Unpaid interest of a borrower who leaves Income-Based Repayment",
  detail:
    "When a borrower leaves Income-Based Repayment, unpaid interest is added to principal and bears interest from then on. Not applied: the unpaid interest sent stays apart. For such a borrower cost is understated.",
  bearsOn: { plans: otherThanIncomeBased, when: ["unpaidInterest"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(3)(B), text read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionCapAtElection = omission({
  id: "omission-cap-at-election",
  label: "Balance on which the ten-year cap is fixed",
  detail:
    "The payment is capped at the ten-year amount on the balance when the borrower elected the plan. A request carries no such date: the balance sent is used. For a borrower who has been in the plan for some time the cap may be higher or lower than shown.",
  bearsOn: { plans: cappedPlans, when: ["priorMonths"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(6), text read; 34 CFR 685.221(d)(1)(i), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionSubsidyYears = omission({
  id: "omission-subsidy-years",
  label: "The three subsidized years",
  detail:
    "The government pays uncovered interest on subsidized loans for three years of time after electing the plan, not counting months of hardship deferment. A request carries no such date: the counted months of the loan are treated as months since then, whatever plan they were made under. Interest may be over- or understated.",
  bearsOn: { plans: subsidizingPlans, when: ["subsidizedLoan", "priorMonths"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(3)(A), text read; 34 CFR 685.221(b)(3), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "2009-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionLeavingIbr = omission({
  id: "omission-leaving-ibr",
  label: "Where a borrower may go from Income-Based Repayment",
  detail:
    "A borrower in Income-Based Repayment may leave it only for the Standard plan or REPAYMENT ASSISTANCE. A request does not say which plan the borrower is in. For such a borrower this plan is not open at once.",
  bearsOn: { plans: ["EXTENDED", "GRADUATED", "INCOME CONTINGENT", "PAY AS YOU EARN"], when: ["priorMonths"] },
  source: educationDepartment({
    url: document.incomeBasedStatute,
    note: "20 U.S.C. 1098e(b)(8), text read",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionIcrRecalculation = omission({
  id: "omission-icr-recalculation",
  label: "Debt on which Income-Contingent Repayment rests",
  detail:
    "The twelve-year amount rests on the debt when the first loan entered repayment, and is computed anew if payments stay below the interest. Not applied: it rests on the balance sent and is held.",
  bearsOn: { plans: ["INCOME CONTINGENT"] },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(1)(i)-(iii) and (vii), text of early 2023 read",
    evidence: "statute"
  }),
  effectiveDate: "1994-07-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})
