/** The plans whose payment follows income, for omissions that bear on all of them. */
export const incomeDrivenPlans = [
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const
