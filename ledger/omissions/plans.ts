/** Groups of plans on which several omissions (rules not applied) bear. */

/** Plans whose payment depends on income. */
export const incomeDrivenPlans = [
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const

/** Plans that look up a poverty guideline, and so ask for a family size. */
export const guidelinePlans = incomeDrivenPlans.filter((plan) => plan !== "REPAYMENT ASSISTANCE")

/** Plans that share a payment with a spouse who repays under any plan. */
export const sharedPlans = incomeDrivenPlans.filter((plan) => plan !== "INCOME CONTINGENT")

/** Income-driven plans that consolidation alone does not open to a Parent PLUS loan. */
export const closedToParentPlus = incomeDrivenPlans.filter((plan) => plan !== "INCOME CONTINGENT")

/** Income-driven plans that cap the payment at the ten-year amount. */
export const cappedPlans = ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"] as const

/** Income-driven plans that waive interest on subsidized loans in the first years. */
export const subsidizingPlans = [...cappedPlans, "REVISED PAY AS YOU EARN"] as const

/** Plans that a borrower may have entered after leaving Income-Based Repayment. */
export const otherThanIncomeBased = [
  "STANDARD",
  "EXTENDED",
  "GRADUATED",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const
