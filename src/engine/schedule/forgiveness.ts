/**
 * Time-based forgiveness and PSLF: the month in which each loan is forgiven, and the forgiveness
 * itself.
 */
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, closeLoan, NEVER } from "./book.ts"
import type { Tally } from "./tally.ts"

/**
 * Sets the month of forgiveness of each loan: after its own last counted payment. With PSLF, a
 * Direct loan is forgiven after the 120th qualifying payment instead, if that is not later.
 * @law 34 CFR 685.209(k); 685.219(e)(1)   @rule pslf-terms, idr-forgiveness-count, loan-programs
 */
export const setForgivenessMonths = (
  law: Law,
  book: Book,
  planMonths: number,
  workingTowardsPslf: boolean,
  trace?: Trace
): void => {
  for (let j = 0; j < book.size; j++) {
    const loanTrace = trace?.of(book.position[j]!)
    const timeBased = planMonths - book.priorIdrMonths[j]! - 1
    loanTrace?.("countedMonths", book.priorIdrMonths[j]!, idrForgivenessCount)
    loanTrace?.("forgivenessMonth", timeBased + 1, idrForgivenessCount)
    const pslf = workingTowardsPslf ? pslfMonth(law, book, j, loanTrace) : NEVER
    book.forgivenAt[j] = Math.min(timeBased, pslf)
    book.forgivenAsPslf[j] = pslf <= timeBased ? 1 : 0
  }
}

/**
 * Month at the end of which PSLF forgives a loan, or `NEVER`. A loan outside the plan may already
 * have all its payments; it is forgiven at the end of the first month.
 */
export const pslfMonth = (law: Law, book: Book, slot: number, loanTrace?: Trace): number => {
  if (!book.traits[slot]!.direct) return NEVER
  const { payments } = law.read(pslfTerms)
  const counted = book.pslfCount[slot]!
  const month = Math.max(0, payments - counted - 1)
  loanTrace?.("servicePayments", payments, pslfTerms)
  loanTrace?.("countedPayments", counted, pslfTerms)
  loanTrace?.("serviceMonth", month + 1, pslfTerms, pslfQualifyingPlans)
  return month
}

/** The next month with a forgiveness, or `NEVER`. */
export const nextForgiveness = (book: Book): number => {
  let next = NEVER
  for (let j = 0; j < book.size; j++) if (book.forgivenAt[j]! < next) next = book.forgivenAt[j]!
  return next
}

/** Forgives the loans whose month this is. Returns the number of loans still open. */
export const forgiveDue = (book: Book, month: number, open: number, tally: Tally): number => {
  let left = open
  for (let j = 0; j < book.size; j++) {
    if (book.forgivenAt[j] !== month) continue
    tally.forgive(month, book.principal[j]! + book.interest[j]!, book.forgivenAsPslf[j] === 1)
    tally.endedIn(month)
    closeLoan(book, j)
    left--
  }
  return left
}
