/** Household rules: the income that counts, family size, recalculation, and joint payments. */
import { rule } from "../entry.ts"
import { document, educationDepartment, internalRevenueService } from "../sources.ts"

export const idrIncomeBase = rule({
  id: "idr-income-base",
  label: "Whose income counts",
  plan: "ALL",
  unit: "incomes by filing status",
  definition:
    "Income-driven payments and the tax on forgiveness use adjusted gross income: both spouses' on a joint return, otherwise the borrower's own. REVISED PAY AS YOU EARN follows the same rule here. Its rule of 2015 also counted a spouse who filed separately, unless the spouses lived apart or the other's income could not be learned.",
  value: {
    Single: "borrower",
    MarriedFilingJointly: "borrower and spouse",
    MarriedFilingSeparately: "borrower",
    HeadOfHousehold: "borrower"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(a)(3), (d) and 1087e(e)(2), (q)(4)(A), texts read. 34 CFR 685.209(a)(1)(i), (b)(2)(i) and (c)(1)(i), text of early 2023 read. 685.209(e)(1) of 2026, read in quotations",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const idrFamilySize = rule({
  id: "idr-family-size",
  label: "Family size for the poverty guideline",
  plan: "ALL",
  unit: "persons",
  definition:
    "The borrower, the spouse if a joint return is filed, and the dependents. REPAYMENT ASSISTANCE uses no guideline and counts dependents only: a spouse is never a dependent. No text that was read settles whether the spouse of a separate filer counts; here none does. The regulation of early 2023 counted the spouse whatever return was filed, and others who live with the borrower.",
  value: { borrower: 1, spouseOnJointReturn: 1, eachDependent: 1 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(9) of 2026: drafted on the text of 2023; not read. The rule of July 2023, which counted the spouse on a joint return alone, was vacated in March 2026. 34 CFR 685.221(a)(3) and 685.209(a)(1)(iv), text of early 2023 read, counted the spouse always. For REPAYMENT ASSISTANCE 20 U.S.C. 1087e(q)(4)(B)(i)(II) and (v), text read",
    evidence: "convention"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-28",
  parityLocked: true
})

export const idrJointProration = rule({
  id: "idr-joint-proration",
  label: "Share of a joint payment",
  plan: "ALL",
  unit: "rule",
  definition:
    "On a joint return, if the spouse has federal loans too, the income-based amount is multiplied by own debt / (own debt + spouse's debt), before caps, small payments and the minimum. Own debt is the principal and unpaid interest, at the start, of the loans under the plan, also of those that pass to it in July 2028. Under the plans of ffel-direct-part it includes a student's FFEL loans. INCOME CONTINGENT has a share only for spouses who repay under it together, which a request cannot say. In law the share is computed anew each year. Here it is held, unless changes send another balance or return.",
  value: {
    filingStatus: "MarriedFilingJointly",
    plansWithout: ["INCOME CONTINGENT"],
    share: "own debt / (own debt + spouse's debt)",
    appliedBefore: ["ten-year cap", "small payments", "minimum payment"],
    recomputed: false
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(2)(ii)(B)-(D), (c)(2)(ii)(B) and 685.221(b)(2)(ii)-(iv), text of early 2023 read: the share comes first, the small-payment rule after it. 685.209(g)(1)(i) of 2026, read in a quotation, prorates the payments of (f)(1) to (3); that of INCOME CONTINGENT is (f)(4). 685.209(b)(2)(ii), text of early 2023 read: spouses who repay under INCOME CONTINGENT together share one payment. For REPAYMENT ASSISTANCE see rap-joint-proration. Holding the share is a choice of this engine",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const ffelDirectPart = rule({
  id: "ffel-direct-part",
  label: "Direct loans' share of a payment when FFEL loans are owed",
  plan: "ALL",
  unit: "plans; loan families",
  definition:
    "Where a student's FFEL loans are owed too, PAY AS YOU EARN, REVISED PAY AS YOU EARN and SAVE multiply the income-based amount by Direct principal / (Direct principal + FFEL principal), as of the start. Direct principal is that of the loans under the plan. FFEL principal is that of the student's FFEL loans, not of loans to parents. Caps and the small-payment rule are applied after it.",
  value: {
    plans: ["PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE"],
    ffelFamilies: ["ffel-student", "ffel-ended-before-1998"],
    appliedBefore: ["ten-year cap", "small payments"],
    recomputed: false
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(2)(ii)(A), (a)(2)(ii)(B)(3) and (c)(2)(ii)(A)-(B), text of early 2023 read: the payment is adjusted to the Direct loans' part of all eligible loans. The text of 2026 was not read. SAVE is taken as REVISED PAY AS YOU EARN, which it replaced. INCOME CONTINGENT has no such rule. Holding the part is a choice of this engine",
    evidence: "statute"
  }),
  effectiveDate: "2012-12-21",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const idrAnnualRecalculation = rule({
  id: "idr-annual-recalculation",
  label: "Yearly recalculation of income-driven payments",
  plan: "ALL",
  unit: "months",
  definition:
    "The payment is set anew after every twelve payments. It uses AGI x (1 + growth)^k, k = 0, 1, 2 ..., and the spouse's income grows alike. If changes send the income of a year, income grows on from there. Guidelines and factors are held at their newest published values, or grow with annualPriceGrowth if the request sends it. The law does not index the bands and amounts of REPAYMENT ASSISTANCE.",
  value: { monthsBetween: 12, guidelinesIndexed: false, factorsIndexed: false, repaymentAssistanceIndexed: false },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(a)(3), (c)(1), text read, for the yearly payment, and 1087e(q)(4)(B)(iv), text read, for bands without indexation. 34 CFR 685.209(a)(5)(i), (b)(1)(v) and (b)(1)(viii), text of early 2023 read; the paragraph of 2026 was not read. The growth formula and the held guidelines are choices of this engine",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const communityPropertyStates = rule({
  id: "community-property-states",
  label: "Separate returns in community property states",
  plan: "ALL",
  unit: "states",
  definition:
    "In these states the earnings of a marriage belong to both spouses, so each separate return generally carries half of them. Where a couple chooses to split its income, each separate return has half of both incomes, for the payments and for the income tax. What a spouse owned before, was given or inherited is in law not split, and a servicer may take other proof of income.",
  value: { states: ["AZ", "CA", "ID", "LA", "NV", "NM", "TX", "WA", "WI"], part: "half of both incomes" },
  source: internalRevenueService({
    url: "https://www.irs.gov/publications/p555",
    note: "26 CFR 1.66-1(a), text read: half of the total community income, with exceptions such as spouses who live apart. Publication 555, editions of 2000, 2005 and 2013, read for the list of the nine states; that of December 2024, opening read",
    evidence: "statute",
    cadence: "annually"
  }),
  effectiveDate: "2003-07-10",
  lastVerified: "2026-11-29",
  parityLocked: true
})
