/**
 * Income, family and poverty guideline of a borrower, and the part of a couple's payment that falls on this book.
 * Guideline and tables stay those of 2026 for every projected year; nothing is indexed and incomes are not rounded.
 */
import { type Decimal, div, fromInteger, larger, mul, ONE, power, ZERO } from "./decimal.ts"
import { type Guideline, guidelines } from "./law.ts"
import type { Household } from "./wire.ts"

/** 34 CFR 685.209(e)(1): both incomes on a joint return, else the borrower's; grown (1 + g)^k by projection year k. */
export function incomeInYear(household: Household, year: number): Decimal {
  const joint = household.status === "MarriedFilingJointly"
  const firstYear = joint ? household.income + household.spouseIncome : household.income
  return mul(firstYear, power(ONE + household.growth, year))
}

/** 34 CFR 685.209(b)(9): a spouse counts only on a joint return. */
export function familySize(household: Household): number {
  return 1 + (household.status === "MarriedFilingJointly" ? 1 : 0) + household.dependents
}

function guidelineTable(state: string | null): Guideline {
  if (state === "AK") return guidelines.alaska
  if (state === "HI") return guidelines.hawaii
  return guidelines.contiguous
}

/** 42 U.S.C. 9902(2): Alaska and Hawaii have their own figures, everywhere else the contiguous ones. */
function povertyGuideline(household: Household): Decimal {
  const { first, each } = guidelineTable(household.state)
  return first + mul(each, fromInteger(familySize(household) - 1))
}

/** Discretionary income of a year: what exceeds a multiple of the guideline. */
export const discretionaryIncome = (income: Decimal, household: Household, multiple: Decimal): Decimal =>
  larger(ZERO, income - mul(multiple, povertyGuideline(household)))

/** 34 CFR 685.209(e)(2): on a joint return a spouse with federal loans carries the other part. Fixed at the start. */
export function shareOfCouple(household: Household, borrowerBalance: Decimal): Decimal {
  if (household.status !== "MarriedFilingJointly" || household.spouseLoans === ZERO) return ONE
  return div(borrowerBalance, borrowerBalance + household.spouseLoans)
}
