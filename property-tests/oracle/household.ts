/**
 * Income, family size and poverty guideline of the household of a year (years.ts), and the
 * borrower's share of a couple's payment. No rounding.
 */
import { type Decimal, div, fromInteger, larger, mul, ONE, ZERO } from "./decimal.ts"
import { type Guideline, guidelines } from "./law.ts"
import type { Household } from "./years.ts"

/** 34 CFR 685.209(e)(1): both incomes on a joint return, otherwise the borrower's. */
export const incomeBase = (household: Household): Decimal =>
  household.status === "MarriedFilingJointly" ? household.income + household.spouseIncome : household.income

/** The persons on the return. */
export const personsOnReturn = (household: Household): number =>
  1 + (household.status === "MarriedFilingJointly" ? 1 : 0) + household.dependents

/** Family size, 34 CFR 685.209(b)(9): as sent, or else the persons on the return. */
const familySize = (household: Household): number => household.familySize ?? personsOnReturn(household)

function guidelineTable(state: string | null): Guideline {
  if (state === "AK") return guidelines.alaska
  if (state === "HI") return guidelines.hawaii
  return guidelines.contiguous
}

/**
 * 42 U.S.C. 9902(2): Alaska and Hawaii have their own guideline, all others the contiguous one. It
 * rises with prices.
 */
function povertyGuideline(household: Household): Decimal {
  const { first, each } = guidelineTable(household.state)
  return mul(first + mul(each, fromInteger(familySize(household) - 1)), household.prices)
}

/** Discretionary income: income above a multiple of the guideline. */
export const discretionaryIncome = (household: Household, multiple: Decimal): Decimal =>
  larger(ZERO, incomeBase(household) - mul(multiple, povertyGuideline(household)))

/**
 * 34 CFR 685.209(e)(2): the borrower's share on a joint return with a spouse who has federal loans.
 * The borrower's own balance is that of the start, also in later years. INCOME CONTINGENT has no
 * share: (g)(1)(i) prorates the payments of the other plans.
 */
export function shareOfCouple(household: Household, borrowerBalance: Decimal): Decimal {
  if (household.status !== "MarriedFilingJointly" || household.spouseLoans === ZERO) return ONE
  return div(borrowerBalance, borrowerBalance + household.spouseLoans)
}
