/** Groups of plans that several omissions bear on. */

/** The plans whose payment follows income. */
export const incomeDrivenPlans = [
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const

/** Those of them that no Parent PLUS loan reaches by being consolidated alone. */
export const closedToParentPlus = incomeDrivenPlans.filter((plan) => plan !== "INCOME CONTINGENT")

/** Those of them that cap the payment at the ten-year amount. */
export const cappedPlans = ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"] as const

/** Those of them that waive the interest of subsidized loans in the first years. */
export const subsidizingPlans = [...cappedPlans, "REVISED PAY AS YOU EARN"] as const

/** The plans to which a borrower may have come from Income-Based Repayment. */
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
