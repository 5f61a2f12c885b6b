/** Unpaid interest of a whole book, split over its loans. */
import { fromCents } from "../../engine/index.ts"
import { isEmptyLoan, type LoanDraft } from "./draft.ts"
import { numberOf } from "./numbers.ts"

/**
 * The loans with their parts by what is owed on each; equal ones if nothing is typed. The parts add
 * up to the cent.
 */
export const withInterest = (loans: ReadonlyArray<LoanDraft>, cents: number): ReadonlyArray<LoanDraft> => {
  const sizes = loans.map((loan) => (isEmptyLoan(loan) ? 0 : (numberOf(loan.balance, false) ?? 0)))
  const isOwed = sizes.some((size) => size > 0)
  const weights = isOwed ? sizes : loans.map((loan) => (isEmptyLoan(loan) ? 0 : 1))
  let left = cents
  let weight = weights.reduce((sum, one) => sum + one, 0)
  return loans.map((loan, index) => {
    if (weights[index] === 0) return isEmptyLoan(loan) ? loan : { ...loan, interest: "" }
    const part = Math.round((left * weights[index]!) / weight)
    left -= part
    weight -= weights[index]!
    return { ...loan, interest: part === 0 ? "" : String(fromCents(part)) }
  })
}
