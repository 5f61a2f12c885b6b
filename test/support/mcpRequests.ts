/** Valid arguments for each tool. */
export const loan = { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 60_000, interestRate: 0.06 }

export const scenario = {
  planType: "REPAYMENT ASSISTANCE",
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

/** 20 U.S.C. 1087e(q): 5% of 60,000 dollars over twelve months is 250 dollars. */
export const projection = { scenario, loans: [loan] }
export const FIRST_PAYMENT = 250

export const comparison = {
  arms: ["REPAYMENT ASSISTANCE", "STANDARD"].map((planType) => ({
    scenario: { ...scenario, planType, label: planType },
    loans: [loan]
  }))
}

/** Every tool with its arguments and the route that it maps to. */
export const CALLS = [
  { tool: "run_projection", args: projection, endpoint: "POST /v1/projection" },
  { tool: "compare_scenarios", args: comparison, endpoint: "POST /v1/comparison" },
  { tool: "get_eligible_plans", args: { loans: [loan] }, endpoint: null },
  { tool: "get_plan_types", args: {}, endpoint: null }
] as const
