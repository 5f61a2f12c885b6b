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
