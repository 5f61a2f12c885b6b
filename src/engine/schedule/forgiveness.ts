/**
 * Time-based forgiveness and PSLF: the month in which each loan is forgiven, and the forgiveness
 * itself.
 */
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Era, HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, closeLoan, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import type { Tally } from "./tally.ts"

/** The months of public service, as spans; `until` is exclusive. */
export type Service = ReadonlyArray<{ readonly from: number; readonly until: number }>

const NEVER_SERVING: Service = []
const ALWAYS_SERVING: Service = [{ from: 0, until: NEVER }]

/** The months in which the borrower works toward PSLF. */
export const serviceOf = ({ workingTowardsPslf }: HouseholdScenario, eras: ReadonlyArray<Era>): Service => {
  const isConstant = eras.every((era) => era.workingTowardsPslf === workingTowardsPslf)
  if (isConstant) return workingTowardsPslf ? ALWAYS_SERVING : NEVER_SERVING
  return [{ from: 0, workingTowardsPslf }, ...eras].flatMap(({ from, workingTowardsPslf: serves }, index) => {
    const until = (eras[index]?.from ?? Number.POSITIVE_INFINITY) * MONTHS_PER_YEAR
    return serves ? [{ from: from * MONTHS_PER_YEAR, until: Math.min(until, NEVER) }] : []
  })
}

/** The facts that decide when loans are forgiven: the plan's months, and public service. */
interface Forgiving {
  readonly planMonths: number
  readonly service: Service
  /** The first month under the plan. */
  readonly from: number
}

/**
 * Sets the month of forgiveness of each loan, the month of its own last counted payment. With PSLF,
 * a Direct loan is forgiven after the 120th qualifying payment instead, if that is not later.
 * @law 34 CFR 685.209(k); 685.219(e)(1)   @rule pslf-terms, idr-forgiveness-count, loan-programs
 */
export const setForgivenessMonths = (
  law: Law,
  book: Book,
  { from, planMonths, service }: Forgiving,
  trace?: Trace
): void => {
  for (let j = 0; j < book.size; j++) {
    const loanTrace = trace?.of(book.position[j]!)
    const timeBased = Math.max(from, planMonths - book.priorIdrMonths[j]! - 1)
    loanTrace?.("countedMonths", book.priorIdrMonths[j]!, idrForgivenessCount)
    loanTrace?.("forgivenessMonth", timeBased + 1, idrForgivenessCount)
    const pslf = service.length > 0 ? pslfMonth(law, book, j, service, loanTrace) : NEVER
    book.forgivenAt[j] = Math.min(timeBased, pslf)
    book.forgivenAsPslf[j] = pslf <= timeBased ? 1 : 0
  }
}

/** The month of service in which a number of further payments is reached, or `NEVER`. */
const monthOfPayment = (service: Service, further: number): number => {
  let left = further
  for (const { from, until } of service) {
    if (left <= until - from) return from + left - 1
    left -= until - from
  }
  return NEVER
}

/**
 * Month at the end of which PSLF forgives a loan, or `NEVER`. A loan that already has all its
 * payments is forgiven at the end of the first month of service.
 */
export const pslfMonth = (law: Law, book: Book, slot: number, service: Service, loanTrace?: Trace): number => {
  if (!book.traits[slot]!.direct) return NEVER
  const { payments } = law.read(pslfTerms)
  const counted = book.pslfCount[slot]!
  const month = monthOfPayment(service, Math.max(1, payments - counted))
  if (month === NEVER) return NEVER
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
