/**
 * Helpers of the oracle's tests: short requests and readable amounts. The default is a single
 * borrower in Texas with one large unsubsidized loan; a test states only what matters.
 */
import {
  type OracleProjection,
  oracleEligibility,
  oracleProject,
  type Start,
  type WireLoan,
  type WireScenario
} from "../oracle.ts"
import { toCents } from "../rounding.ts"

/** The start of an answer of November 2026, 19 months before July 2028. */
export const start: Start = { year: 2026, month: 12 }

export const scenarioOf = (part: Partial<WireScenario> & Pick<WireScenario, "planType">): WireScenario => ({
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false,
  ...part
})

export const loanOf = (part: Partial<WireLoan>): WireLoan => ({
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: 500_000,
  interestRate: 0.06,
  ...part
})

export type Loans = ReadonlyArray<Partial<WireLoan>>

/** A loan without interest, so that its level payment is a division. */
export const free = (loanType: string, principalBalance: number, more: Partial<WireLoan> = {}): Partial<WireLoan> => ({
  loanType,
  principalBalance,
  interestRate: 0,
  ...more
})

export const direct = (balance: number, more: Partial<WireLoan> = {}) =>
  free("DIRECT STAFFORD UNSUBSIDIZED", balance, more)

export const ffel = (balance: number, more: Partial<WireLoan> = {}) => free("FFEL STAFFORD SUBSIDIZED", balance, more)

/** A consolidation of PLUS loans made before July 2006. */
export const plusConsolidation = (balance: number, more: Partial<WireLoan> = {}) =>
  free("DIRECT PLUS CONSOLIDATED", balance, more)

/** The kind and loans of a refusal; null if projected. */
export function refusalOf(planType: string, loans: Loans, scenario: Partial<WireScenario> = {}) {
  const answer = oracleProject({ scenario: scenarioOf({ ...scenario, planType }), loans: loans.map(loanOf) }, start)
  return answer.kind === "projection" ? null : { kind: answer.kind, loans: answer.loans }
}

/** The plans that each loan can elect. */
export const electable = (loans: Loans, firstBorrowedOn: string | null = null) =>
  oracleEligibility({ loans: loans.map(loanOf), firstBorrowedOn }).loans.map((loan) => loan.eligiblePlanTypes)

export function projected(
  scenario: Partial<WireScenario> & Pick<WireScenario, "planType">,
  loans: Loans,
  from: Start = start
): OracleProjection {
  const answer = oracleProject({ scenario: scenarioOf(scenario), loans: loans.map(loanOf), includeYearly: true }, from)
  if (answer.kind !== "projection") throw new Error(`refused: ${answer.kind} ${answer.loans.join()}`)
  return answer
}

export const dollars = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`

export const shown = (value: bigint): string => dollars(toCents(value))

export const sumOf = (values: ReadonlyArray<bigint>): bigint => values.reduce((sum, value) => sum + value, 0n)
