/** The trace of how a month's payment is spent: sums over the loans, with the rules behind each. */
import type { Rule } from "../../../ledger/entry.ts"
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Law } from "../law/law.ts"
import { type Step, type Term, type Trace, traceInto } from "../law/trace.ts"
import type { IncomeDrivenPlan } from "../plans/plan.ts"
import { type Book, NEVER } from "../schedule/book.ts"
import { type Forgiving, monthsToPslf, monthsToTimeBased } from "../schedule/forgiveness.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import type { LoanMonth } from "../schedule/month.ts"

interface Spent extends SpentBy {
  /** One payment for all loans, or one per loan. */
  readonly term: "payment" | "loanPayments"
  /** Traced steps of the interest waiver, loan by loan. */
  readonly waivers: ReadonlyArray<Step>
  /** Null if nothing of these loans is forgiven. */
  readonly forgiven: Forgiven | null
}

type Amount = Exclude<keyof LoanMonth, "loan" | "forgivenessType">

export const sumOf = (loans: ReadonlyArray<LoanMonth>, amount: Amount): number =>
  loans.reduce((sum, loan) => sum + loan[amount], 0)

/** Copies to a trace the steps of these loans, and the steps of all loans together. */
const copySteps = (trace: Trace, steps: ReadonlyArray<Step>, loans: ReadonlyArray<LoanMonth>): void => {
  const named = new Set(loans.map(({ loan }) => loan))
  for (const { loan, rules, term, value } of steps) {
    if (loan === null) trace(term, value, ...rules)
    else if (named.has(loan)) trace.of(loan)(term, value, ...rules)
  }
}

/** Loans that a month may forgive: their book, and what forgives them. */
export interface Forgiven {
  readonly book: Book
  readonly month: number
  readonly forgiving: Forgiving
  /** The income-driven plan, or null for loans on their own schedule. */
  readonly plan: IncomeDrivenPlan | null
}

/** Traces when time and public service forgive a loan, in months counted from 1. */
const traceEnds = (law: Law, trace: Trace, slot: number, { book, forgiving, month, plan }: Forgiven): void => {
  const loanTrace = trace.of(book.position[slot]!)
  if (plan !== null) {
    loanTrace("countedMonths", book.priorIdrMonths[slot]!, idrForgivenessCount)
    loanTrace("forgivenessMonth", month + monthsToTimeBased(book, slot, forgiving), idrForgivenessCount)
  }
  const months = monthsToPslf(book, slot, forgiving)
  if (months === NEVER) return
  loanTrace("servicePayments", law.read(pslfTerms).payments, pslfTerms)
  loanTrace("countedPayments", book.pslfCount[slot]!, pslfTerms)
  loanTrace("serviceMonth", month + months, pslfTerms, pslfQualifyingPlans)
}

/** Traces time-based forgiveness and PSLF, after the steps that set their months. */
export const traceForgiven = (
  law: Law,
  trace: Trace,
  loans: ReadonlyArray<LoanMonth>,
  books: ReadonlyArray<Forgiven>
): void => {
  const forgiven = loans.filter((loan) => loan.forgiven > 0)
  if (forgiven.length === 0) return
  const rules: Array<Rule> = []
  for (const one of books) {
    const steps: Array<Step> = []
    one.plan?.forgivenessMonths(law, one.book, traceInto(steps))
    copySteps(trace, steps, forgiven)
    rules.push(...steps.filter(({ term }) => term === "forgivenessMonths").flatMap(({ rules }) => rules))
    for (let slot = 0; slot < one.book.held; slot++)
      if (forgiven.some(({ loan }) => loan === one.book.position[slot])) traceEnds(law, trace, slot, one)
  }
  const timeBased = forgiven.filter(({ forgivenessType }) => forgivenessType === "TimeBased")
  const pslf = forgiven.filter(({ forgivenessType }) => forgivenessType === "Pslf")
  if (timeBased.length > 0) trace("forgivenTimeBased", sumOf(timeBased, "forgiven"), ...rules, idrForgivenessCount)
  if (pslf.length > 0) trace("forgivenPslf", sumOf(pslf, "forgiven"), pslfTerms)
}

/** Traces the effect of the month, in sums over the loans. */
export const traceSpending = (
  law: Law,
  trace: Trace,
  loans: ReadonlyArray<LoanMonth>,
  payment: number,
  spent: Spent
): void => {
  const traceSum = (term: Amount & Term, ...rules: ReadonlyArray<Rule>) => {
    const sum = sumOf(loans, term)
    if (sum > 0) trace(term, sum, ...rules)
  }
  trace("interestAccrued", sumOf(loans, "interestAccrued"), interestAccrual)
  trace("owed", sumOf(loans, "owed"), interestAccrual)
  trace(spent.term, payment, ...spent.paid)
  traceSum("toInterest", ...spent.applied)
  traceSum("toUnpaidInterest", ...spent.applied)
  traceSum("toPrincipal", ...spent.applied)
  const uncovered = loans.filter(({ interestAdded, interestWaived }) => interestAdded + interestWaived > 0)
  copySteps(trace, spent.waivers, uncovered)
  if (spent.waived !== null) traceSum("interestWaived", spent.waived)
  traceSum("interestAdded", interestAccrual)
  if (spent.matched !== undefined) traceSum("principalMatched", spent.matched)
  if (spent.forgiven !== null) traceForgiven(law, trace, loans, [spent.forgiven])
}
