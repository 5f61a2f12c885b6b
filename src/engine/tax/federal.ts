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
import { forgivenessTaxMethod } from "../../../ledger/rules/forgiveness-tax.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Term, Trace } from "../law/trace.ts"

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

/** The inputs of a year's tax. */
type TaxedHousehold = Pick<Household, "filingStatus" | "income" | "prices">

/**
 * Tax on a taxable income, in dollars: each bracket's rate applies to its slice.
 * @param onSlice receives each slice of the income, with its rate
 */
export const bracketTax = (
  brackets: ReadonlyArray<TaxBracket>,
  taxable: number,
  onSlice?: (rate: number, slice: number) => void
): number => {
  let tax = 0
  for (const { notOver, over, rate } of brackets) {
    if (taxable <= over) break
    const slice = (notOver === null ? taxable : Math.min(taxable, notOver)) - over
    tax += rate * slice
    onSlice?.(rate, slice)
  }
  return tax
}

/**
 * Tax on an income after the standard deduction, in dollars. Deduction and brackets rise with prices.
 * @law 26 U.S.C. 1, 63   @rule federal-income-tax-brackets-*, federal-standard-deduction-*
 */
export const federalTax = (law: Law, filingStatus: FilingStatus, income: number, prices: number): number => {
  const { brackets } = law.read(FEDERAL_BRACKETS[filingStatus])
  const deduction = law.read(federalStandardDeduction)[filingStatus] * prices
  return prices * bracketTax(brackets, Math.max(0, income - deduction) / prices)
}

/** Traces the slices of a taxable income in the prices of its year. */
const sliceTracer = (trace: Trace, prices: number, table: Rule) => (rate: number, slice: number) => {
  trace("bracketRate", rate, table)
  trace("bracketSlice", slice * prices, table)
  trace("bracketTax", rate * slice * prices, table)
}

/**
 * Federal tax added by a forgiven amount F, in dollars: T(A + F - D) - T(A - D), with income A and
 * standard deduction D. Deduction and brackets rise with prices. Taxable income is never below 0.
 * @law 26 U.S.C. 1, 63, 61(a)(11)
 * @rule federal-income-tax-brackets-*, federal-standard-deduction-*
 */
export const federalTaxOnForgiven = (law: Law, household: TaxedHousehold, forgiven: number, trace?: Trace): number => {
  const { filingStatus, income, prices } = household
  const table = FEDERAL_BRACKETS[filingStatus]
  const { brackets } = law.read(table)
  const standardDeduction = law.read(federalStandardDeduction)[filingStatus] * prices
  trace?.("standardDeduction", standardDeduction, federalStandardDeduction)
  const onSlice = trace === undefined ? undefined : sliceTracer(trace, prices, table)
  const taxOf = (beyondDeduction: number, taxableTerm: Term, taxTerm: Term) => {
    const taxable = Math.max(0, beyondDeduction)
    trace?.(taxableTerm, taxable, federalStandardDeduction)
    const tax = prices * bracketTax(brackets, taxable / prices, onSlice)
    trace?.(taxTerm, tax, table)
    return tax
  }
  const taxWith = taxOf(income + forgiven - standardDeduction, "taxableWith", "federalTaxWith")
  const added = taxWith - taxOf(income - standardDeduction, "taxableWithout", "federalTaxWithout")
  trace?.("federalTax", added, forgivenessTaxMethod)
  return added
}
