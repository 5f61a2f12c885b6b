/** Whose income counts, how large the family is, and how income-driven payments are shared and renewed. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const idrIncomeBase = rule({
  id: "idr-income-base",
  label: "Whose income counts",
  plan: "ALL",
  unit: "incomes by filing status",
  definition:
    "Adjusted gross income on which income-driven payments and the tax on forgiveness rest: both spouses' on a joint return, the borrower's own otherwise. REVISED PAY AS YOU EARN is given the same rule, although its rule of 2015 also counted a spouse who filed separately.",
  value: {
    Single: "borrower",
    MarriedFilingJointly: "borrower and spouse",
    MarriedFilingSeparately: "borrower",
    HeadOfHousehold: "borrower"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(e)(1), read through two quotations; 20 U.S.C. 1098e(a)(3), statute text read",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrFamilySize = rule({
  id: "idr-family-size",
  label: "Family size for the poverty guideline",
  plan: "ALL",
  unit: "persons",
  definition:
    "The borrower, the spouse where a joint return is filed, and the dependents. REPAYMENT ASSISTANCE has no guideline and counts dependents only; a spouse is never a dependent.",
  value: { borrower: 1, spouseOnJointReturn: 1, eachDependent: 1 },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(b)(9) as revised, read through a quotation; its list of members from memory. One number of dependents serves both this rule and 685.209(b)(3)",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrJointProration = rule({
  id: "idr-joint-proration",
  label: "Share of a joint payment",
  plan: "ALL",
  unit: "rule",
  definition:
    "On a joint return, where the spouse has federal loans too, the income-based amount is multiplied by own debt / (own debt + spouse's debt). Debt is the principal and unpaid interest of the loans under the plan at the start; the share is then held. Caps, the small-payment rule and the minimum are applied after it.",
  value: {
    filingStatus: "MarriedFilingJointly",
    share: "own debt / (own debt + spouse's debt)",
    appliedBefore: ["ten-year cap", "small payments", "minimum payment"],
    recomputed: false
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(e)(2), (g)(1)(i) and (g)(3)(i), read through two quotations. The law recomputes the share each year; holding it is a choice of this engine",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const idrAnnualRecalculation = rule({
  id: "idr-annual-recalculation",
  label: "Yearly recalculation of income-driven payments",
  plan: "ALL",
  unit: "months",
  definition:
    "The payment is set anew after every twelve payments from AGI x (1 + growth)^k, k = 0, 1, 2 ..., the spouse's income growing alike. Guidelines, factors and bands are held at their newest published values; the amounts of REPAYMENT ASSISTANCE are not indexed by law.",
  value: { monthsBetween: 12, guidelinesIndexed: false, factorsIndexed: false, repaymentAssistanceIndexed: false },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(l), from memory for the paragraph; that the bands of 2026 are not indexed was read in reports. The growth formula is a choice of this engine",
    sure: "derived"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
