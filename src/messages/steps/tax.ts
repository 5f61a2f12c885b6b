/**
 * The names, units and formulas of the steps of the tax on forgiveness. They repeat for each year
 * in which something is forgiven.
 */
import { A_YEAR, DOLLARS, FRACTION, type Wording } from "./words.ts"

/** The steps of the tax on the forgiveness of a year. */
export const TAX_STEPS = {
  taxYear: ["year of forgiveness", "years from the start", "the year in which something is forgiven by time"],
  taxIncome: ["income of the year", A_YEAR, "the income that payments of that year follow"],
  taxForgiven: ["forgiven by time in the year", DOLLARS, "it counts as income of the year"],
  standardDeduction: ["standard deduction", A_YEAR, "of the filing status x prices, if they grow"],
  taxableWith: [
    "taxable income with what is forgiven",
    A_YEAR,
    "income of the year + forgiven - standard deduction, at least 0"
  ],
  taxableWithout: ["taxable income without it", A_YEAR, "income of the year - standard deduction, at least 0"],
  bracketRate: ["rate of the bracket", FRACTION, "of the table for the filing status"],
  bracketSlice: ["income in the bracket", A_YEAR, "the part of taxable income between the bracket's bounds"],
  bracketTax: ["tax of the bracket", A_YEAR, "rate of the bracket x income in the bracket"],
  federalTaxWith: ["federal tax with what is forgiven", A_YEAR, "sum of the tax of the brackets"],
  federalTaxWithout: ["federal tax without it", A_YEAR, "sum of the tax of the brackets"],
  federalTax: [
    "federal tax on what is forgiven",
    DOLLARS,
    "federal tax with what is forgiven - federal tax without it"
  ],
  stateTaxWith: ["state tax with what is forgiven", A_YEAR, "by the state's table"],
  stateTaxWithout: ["state tax without it", A_YEAR, "by the state's table"],
  stateTax: [
    "state tax on what is forgiven",
    DOLLARS,
    "state tax with what is forgiven - state tax without it, at least 0; 0 in a state that does not tax it"
  ]
} as const satisfies Wording
