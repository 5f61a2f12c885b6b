/**
 * Federal income tax on forgiven debt, by the tables of one year. Credits and the alternative
 * minimum tax are left out.
 */
import type { Json, Rule } from "../../../ledger/entry.ts"
import {
  federalIncomeTaxBracketsHoh,
  federalIncomeTaxBracketsMfj,
  federalIncomeTaxBracketsMfs,
  federalIncomeTaxBracketsSingle,
  federalStandardDeduction
} from "../../../ledger/rules/federal-tax.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"

/** A slice of taxable income, and its marginal rate. */
type TaxBracket = {
  readonly rate: number
  readonly over: number
  readonly notOver: number | null
}

type BracketTable = Rule<{ readonly brackets: ReadonlyArray<TaxBracket>; readonly [other: string]: Json }>

export const FEDERAL_BRACKETS: Readonly<Record<FilingStatus, BracketTable>> = {
  Single: federalIncomeTaxBracketsSingle,
  MarriedFilingJointly: federalIncomeTaxBracketsMfj,
  MarriedFilingSeparately: federalIncomeTaxBracketsMfs,
  HeadOfHousehold: federalIncomeTaxBracketsHoh
}

/** What the tax of a year depends on. */
type TaxedHousehold = Pick<Household, "filingStatus" | "income" | "prices">

/** Tax on a taxable income, in dollars: each bracket's rate applies to its slice. */
export const bracketTax = (brackets: ReadonlyArray<TaxBracket>, taxable: number): number => {
  let tax = 0
  for (const { notOver, over, rate } of brackets) {
    if (taxable <= over) break
    tax += rate * ((notOver === null ? taxable : Math.min(taxable, notOver)) - over)
  }
  return tax
}

/**
 * Federal tax added by a forgiven amount F, in dollars: T(A + F - D) - T(A - D), with income A and
 * standard deduction D, which rises with prices, as the brackets do. Taxable income is never below 0.
 * @law 26 U.S.C. 1, 63, 61(a)(11)
 * @rule federal-income-tax-brackets-*, federal-standard-deduction-*
 */
export const federalTaxOnForgiven = (law: Law, household: TaxedHousehold, forgiven: number): number => {
  const { filingStatus, income, prices } = household
  const { brackets } = law.read(FEDERAL_BRACKETS[filingStatus])
  const standardDeduction = law.read(federalStandardDeduction)[filingStatus] * prices
  const taxOf = (taxable: number) => prices * bracketTax(brackets, Math.max(0, taxable) / prices)
  return taxOf(income + forgiven - standardDeduction) - taxOf(income - standardDeduction)
}
