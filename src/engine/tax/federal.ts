/** Federal income tax that forgiven debt adds, at the tables of one year. No credits, no phase-outs, no minimum tax. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Law, TaxBracket } from "../law/law.ts"

/** Tax on a taxable income, in dollars: each bracket's rate on the slice inside it. */
export const bracketTax = (brackets: ReadonlyArray<TaxBracket>, taxable: number): number => {
  let tax = 0
  for (const { notOver, over, rate } of brackets) {
    if (taxable <= over) break
    tax += rate * ((notOver === null ? taxable : Math.min(taxable, notOver)) - over)
  }
  return tax
}

/**
 * What a forgiven amount adds to federal tax, in dollars: T(A + F - D) - T(A - D), taxable income never below 0.
 * @law 26 U.S.C. 1, 63, 61(a)(11)   @rule federal-income-tax-brackets-2026-*, federal-standard-deduction-2026
 */
export const federalTaxOnForgiven = (law: Law, status: FilingStatus, income: number, forgiven: number): number => {
  const { brackets, standardDeduction } = law.federalTax[status]
  return (
    bracketTax(brackets, Math.max(0, income + forgiven - standardDeduction)) -
    bracketTax(brackets, Math.max(0, income - standardDeduction))
  )
}
