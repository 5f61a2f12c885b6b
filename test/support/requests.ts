/**
 * Valid requests, from which tests of every interface start, with known figures of their answers.
 */
import { PLAN_TYPES } from "../../schema/scenario.ts"

/** The required fields of a household. */
export const household = {
  adjustedGrossIncome: 60_000,
  filingStatus: "Single" as const,
  dependents: 0,
  state: "TX" as const,
  workingTowardsPslf: false
}

export const loan = {
  loanType: "DIRECT STAFFORD UNSUBSIDIZED" as const,
  principalBalance: 60_000,
  interestRate: 0.06
}

export const scenario = { planType: "REPAYMENT ASSISTANCE" as const, ...household }

/** 20 U.S.C. 1087e(q): 5 % of 60,000 dollars over twelve months is 250.00. */
export const projection = { scenario, loans: [loan] }
export const FIRST_PAYMENT = 250

/** 120 payments of $100 without interest, so every figure is obvious. */
export const NO_INTEREST = {
  scenario: { ...household, planType: "STANDARD", label: "No interest" },
  loans: [{ ...loan, principalBalance: 12_000, interestRate: 0 }]
}

/** The same household and loan under each of the plans, labeled by the plan in lower case. */
export const comparisonOf = <P extends string>(...plans: ReadonlyArray<P>) => ({
  arms: plans.map((planType) => ({ scenario: { ...scenario, planType, label: planType.toLowerCase() }, loans: [loan] }))
})

export const comparison = comparisonOf("REPAYMENT ASSISTANCE", "INCOME BASED", "STANDARD")

/** The largest valid comparison: ten arms of a hundred loans with the yearly series. */
export const LARGEST_COMPARISON = {
  arms: PLAN_TYPES.map((planType) => ({
    scenario: { ...household, planType },
    loans: Array.from({ length: 100 }, (_, index) => ({ ...loan, principalBalance: 1000 + index }))
  })),
  includeYearly: true
}

/** As many loans and arms, each with five things wrong. */
const wrongLoan = { loanType: "X", principalBalance: -1, interestRate: 6.8, interestBalance: -1, pslfCount: -1 }
export const WRONG_COMPARISON = {
  arms: Array.from({ length: 10 }, () => ({ scenario: {}, loans: Array.from({ length: 100 }, () => wrongLoan) }))
}

export const calculator = { balance: 60_000, ratePct: 6, borrowerAgi: 60_000 }

/** Three loans. RAP takes 6 % of 62,000 dollars over twelve months, less 50 for a dependent: 260.00 for all of them. */
export const plans = {
  scenario: { ...household, adjustedGrossIncome: 62_000, dependents: 1 },
  loans: [
    { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 19_000, interestRate: 0.045 },
    { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 32_000, interestRate: 0.055 },
    { loanType: "DIRECT PLUS GRADUATE", principalBalance: 40_000, interestRate: 0.07 }
  ]
} as const

/** Every MCP tool of a key with its arguments, its calls of the month, and the route that records its answer. */
export const TOOLS = [
  { tool: "run_projection", args: projection, calls: 1, endpoint: "POST /v1/projection" },
  { tool: "compare_scenarios", args: comparison, calls: 1, endpoint: "POST /v1/comparison" },
  { tool: "get_eligible_plans", args: { loans: [loan] }, calls: 1, endpoint: null },
  { tool: "get_plan_types", args: {}, calls: 1, endpoint: null },
  { tool: "explain_payment", args: projection, calls: 0, endpoint: null },
  { tool: "compare_plans", args: plans, calls: 0, endpoint: null }
] as const

/** The MCP tools without a key. */
export const OPEN_TOOLS = [
  { tool: "compare_plans", args: plans },
  { tool: "explain_payment", args: projection }
] as const
