/** Whose income counts, how large the family is, and which poverty guideline applies. Years are projection years. */
import type { FilingStatus, PlanType, Scenario } from "../../../schema/scenario.ts"
import type { Law } from "./law.ts"

/** The plans of the wire, and Tiered Standard, which only the keyless calculator shows. */
export type EnginePlan = PlanType | "TIERED STANDARD"

/** A scenario whose state may be unknown (the keyless calculator): contiguous guideline, no state tax. */
export type HouseholdScenario = Omit<Scenario, "state" | "planType"> & {
  readonly state: string | null
  readonly planType: EnginePlan
}

export interface Household {
  /** Income base of projection year 0, in dollars a year. */
  readonly income: number
  /** Income of a year over that of the year before. */
  readonly growthFactor: number
  /** Poverty guideline of the family, in dollars a year. */
  readonly guideline: number
  readonly dependents: number
  readonly filingStatus: FilingStatus
  readonly state: string | null
  readonly spouseFederalLoanBalance: number
}

export const isJoint = (status: FilingStatus): boolean => status === "MarriedFilingJointly"

/**
 * Income base: the borrower's, and the spouse's on a joint return.
 * @law 34 CFR 685.209(e)(1); 20 U.S.C. 1098e(a)(3)   @rule idr-income-base
 */
const incomeBase = (scenario: HouseholdScenario): number =>
  scenario.adjustedGrossIncome + (isJoint(scenario.filingStatus) ? (scenario.spouseAdjustedGrossIncome ?? 0) : 0)

/**
 * Family size: the borrower, the spouse on a joint return, the dependents.
 * @law 34 CFR 685.209(b)(9)   @rule idr-family-size
 */
export const familySize = (status: FilingStatus, dependents: number): number => (isJoint(status) ? 2 : 1) + dependents

/**
 * Poverty guideline for a family, by place of residence, in dollars a year.
 * @law 42 U.S.C. 9902(2); 34 CFR 685.209(b)(14)   @rule poverty-guideline-2026, poverty-guideline-region-rule
 */
export const povertyGuideline = (law: Law, state: string | null, persons: number): number => {
  const table = law.guidelineOf(state)
  return table.firstPerson + (persons - 1) * table.eachAdditional
}

export const householdOf = (law: Law, scenario: HouseholdScenario): Household => ({
  income: incomeBase(scenario),
  growthFactor: 1 + scenario.annualIncomeGrowth,
  guideline: povertyGuideline(law, scenario.state, familySize(scenario.filingStatus, scenario.dependents)),
  dependents: scenario.dependents,
  filingStatus: scenario.filingStatus,
  state: scenario.state,
  spouseFederalLoanBalance: isJoint(scenario.filingStatus) ? (scenario.spouseFederalLoanBalance ?? 0) : 0
})

/**
 * The borrower's share of a joint payment: own debt over both spouses' debt, fixed at the start.
 * @law 34 CFR 685.209(g)(1)(i), (g)(3)(i)   @rule rap-joint-proration, idr-joint-proration
 */
export const shareOf = (household: Household, ownDebt: number): number =>
  household.spouseFederalLoanBalance > 0 ? ownDebt / (ownDebt + household.spouseFederalLoanBalance) : 1
