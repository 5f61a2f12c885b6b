/**
 * Income, family size and poverty guideline of a borrower, and the borrower's share of a couple's
 * payment. The guideline and tables of 2026 apply to every year without indexation. No rounding.
 */
import { type Decimal, div, fromInteger, larger, mul, ONE, power, ZERO } from "./decimal.ts"
import { type Guideline, guidelines } from "./law.ts"
import type { Household } from "./wire.ts"

/**
 * 34 CFR 685.209(e)(1): both incomes on a joint return, otherwise the borrower's. Grown by (1 +
 * g)^k in projection year k.
 */
export function incomeInYear(household: Household, year: number): Decimal {
  const joint = household.status === "MarriedFilingJointly"
  const firstYear = joint ? household.income + household.spouseIncome : household.income
  return mul(firstYear, power(ONE + household.growth, year))
}

/** Family size, 34 CFR 685.209(b)(9): a spouse counts only on a joint return. */
export function familySize(household: Household): number {
  return 1 + (household.status === "MarriedFilingJointly" ? 1 : 0) + household.dependents
}

function guidelineTable(state: string | null): Guideline {
  if (state === "AK") return guidelines.alaska
  if (state === "HI") return guidelines.hawaii
  return guidelines.contiguous
}

/** 42 U.S.C. 9902(2): Alaska and Hawaii have their own guideline, all others the contiguous one. */
function povertyGuideline(household: Household): Decimal {
  const { first, each } = guidelineTable(household.state)
  return first + mul(each, fromInteger(familySize(household) - 1))
}

/** Discretionary income of a year: income above a multiple of the guideline. */
export const discretionaryIncome = (income: Decimal, household: Household, multiple: Decimal): Decimal =>
  larger(ZERO, income - mul(multiple, povertyGuideline(household)))

/**
 * 34 CFR 685.209(e)(2): the borrower's share on a joint return with a spouse who has federal loans,
 * fixed at the start.
 */
export function shareOfCouple(household: Household, borrowerBalance: Decimal): Decimal {
  if (household.status !== "MarriedFilingJointly" || household.spouseLoans === ZERO) return ONE
  return div(borrowerBalance, borrowerBalance + household.spouseLoans)
}
