/** The household of a scenario: income base, family size, poverty guideline, share of a payment. */
import type { Rule } from "../../../ledger/entry.ts"
import { ffelDirectPart, idrFamilySize, idrIncomeBase } from "../../../ledger/rules/household.ts"
import { povertyGuideline, povertyGuidelineRegionRule } from "../../../ledger/rules/poverty-guideline.ts"
import type { FilingStatus, Scenario } from "../../../schema/scenario.ts"
import type { Law } from "./law.ts"
import type { Trace } from "./trace.ts"

/**
 * A scenario whose state may be unknown. Without a state, the poverty guideline of the contiguous
 * states applies, and no state tax.
 */
export type HouseholdScenario = Omit<Scenario, "state" | "planType"> & {
  readonly state: string | null
}

export interface Household {
  /** Income base of projection year 0, in dollars a year. */
  readonly income: number
  /** Income of a year divided by that of the year before. */
  readonly growthFactor: number
  readonly familySize: number
  /** Poverty guideline of the family, in dollars a year. */
  readonly guideline: number
  readonly dependents: number
  readonly filingStatus: FilingStatus
  readonly state: string | null
  /** The borrower's share of a joint payment, 0 to 1, constant over the projection. */
  readonly share: number
  /** Principal of the plan's own loans at the start; 0 if no FFEL loans reduce the payment. */
  readonly directPrincipal: number
  /** Principal at the start of the FFEL loans that reduce the payment. */
  readonly ffelPrincipal: number
}

/**
 * The debts at the start by which a payment is divided with a spouse or with FFEL loans, in
 * dollars.
 */
export interface SharedDebt extends Pick<Household, "directPrincipal" | "ffelPrincipal"> {
  /** Principal plus unpaid interest of the loans in the borrower's share. */
  readonly own: number
}

export const isJoint = (status: FilingStatus): boolean => status === "MarriedFilingJointly"

/**
 * Income base: the borrower's income, plus the spouse's on a joint return.
 * @law 34 CFR 685.209(e)(1); 20 U.S.C. 1098e(a)(3)
 * @rule idr-income-base, idr-annual-recalculation
 */
const incomeBase = (scenario: HouseholdScenario): number =>
  scenario.adjustedGrossIncome + (isJoint(scenario.filingStatus) ? (scenario.spouseAdjustedGrossIncome ?? 0) : 0)

/**
 * Family size: the borrower, the spouse on a joint return, and the dependents.
 * @law 34 CFR 685.209(b)(9)   @rule idr-family-size
 */
export const familySize = (law: Law, status: FilingStatus, dependents: number): number => {
  const { borrower, eachDependent, spouseOnJointReturn } = law.read(idrFamilySize)
  return borrower + (isJoint(status) ? spouseOnJointReturn : 0) + eachDependent * dependents
}

/**
 * Poverty guideline of a family by place of residence, in dollars a year.
 * @law 42 U.S.C. 9902(2); 34 CFR 685.209(b)(14)
 * @rule poverty-guideline-*, poverty-guideline-region-rule
 */
const guidelineOf = (law: Law, state: string | null, persons: number): number => {
  const { AK, HI, other } = law.read(povertyGuidelineRegionRule)
  const region = state === "AK" ? AK : state === "HI" ? HI : other
  const { eachAdditional, firstPerson } = law.read(povertyGuideline)[region]
  return firstPerson + (persons - 1) * eachAdditional
}

/** Whether a joint payment is prorated with a spouse's federal loans. */
export const isProrated = ({ filingStatus, spouseFederalLoanBalance }: HouseholdScenario): boolean =>
  isJoint(filingStatus) && (spouseFederalLoanBalance ?? 0) > 0

/** The trace of a household, with the rules by which its plan prorates a joint payment. */
export interface HouseholdTrace {
  readonly trace: Trace
  readonly sharedBy: ReadonlyArray<Rule>
}

/**
 * The borrower's share of a joint payment: own debt / both spouses' debt, fixed at the start.
 * @law 34 CFR 685.209(g)(1)(i), (g)(3)(i)   @rule rap-joint-proration, idr-joint-proration
 */
const prorationShare = (scenario: HouseholdScenario, ownDebt: number, householdTrace?: HouseholdTrace): number => {
  if (!isProrated(scenario)) return 1
  const spouseDebt = scenario.spouseFederalLoanBalance ?? 0
  householdTrace?.trace("ownDebt", ownDebt, ...householdTrace.sharedBy)
  householdTrace?.trace("spouseDebt", spouseDebt, ...householdTrace.sharedBy)
  return ownDebt / (ownDebt + spouseDebt)
}

/** Whether students' FFEL loans outside the plan reduce its payment. @rule ffel-direct-part */
export const isWithFfel = (law: Law, planType: string): boolean => {
  const plans: ReadonlyArray<string> = law.read(ffelDirectPart).plans
  return plans.includes(planType)
}

/**
 * The Direct part of a payment: Direct principal / (Direct + FFEL principal), at the start.
 * @law 34 CFR 685.209(a)(2)(ii)(A), (c)(2)(ii)(A) of early 2023   @rule ffel-direct-part
 */
export const directPartOf = ({ directPrincipal, ffelPrincipal }: Household): number =>
  ffelPrincipal === 0 ? 1 : directPrincipal / (directPrincipal + ffelPrincipal)

export const householdOf = (
  law: Law,
  scenario: HouseholdScenario,
  debt: SharedDebt,
  householdTrace?: HouseholdTrace
): Household => {
  const { annualIncomeGrowth, dependents, filingStatus, state } = scenario
  const income = incomeBase(scenario)
  householdTrace?.trace("incomeBase", income, idrIncomeBase)
  const persons = familySize(law, filingStatus, dependents)
  return {
    income,
    growthFactor: 1 + annualIncomeGrowth,
    familySize: persons,
    guideline: guidelineOf(law, state, persons),
    dependents,
    filingStatus,
    state,
    share: prorationShare(scenario, debt.own, householdTrace),
    directPrincipal: debt.directPrincipal,
    ffelPrincipal: debt.ffelPrincipal
  }
}
