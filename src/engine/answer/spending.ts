/** The trace of how a month's payment is spent: sums over the loans, with the rules behind each. */
import type { Rule } from "../../../ledger/entry.ts"
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Step, Term, Trace } from "../law/trace.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import type { LoanMonth } from "../schedule/month.ts"

interface Spent extends SpentBy {
  /** One payment for all loans, or one per loan. */
  readonly term: "payment" | "loanPayments"
  /** Traced steps of the interest waiver, loan by loan. */
  readonly waivers: ReadonlyArray<Step>
  /** Traced steps that set the month of forgiveness. */
  readonly ends: ReadonlyArray<Step>
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

/** Traces time-based forgiveness and PSLF, after the steps that set their months. */
export const traceForgiven = (trace: Trace, loans: ReadonlyArray<LoanMonth>, ends: ReadonlyArray<Step>): void => {
  const forgiven = loans.filter((loan) => loan.forgiven > 0)
  if (forgiven.length === 0) return
  copySteps(trace, ends, forgiven)
  const timeBased = forgiven.filter(({ forgivenessType }) => forgivenessType === "TimeBased")
  const pslf = forgiven.filter(({ forgivenessType }) => forgivenessType === "Pslf")
  const terms = ends.filter(({ term }) => term === "forgivenessMonths").flatMap(({ rules }) => rules)
  if (timeBased.length > 0) trace("forgivenTimeBased", sumOf(timeBased, "forgiven"), ...terms, idrForgivenessCount)
  if (pslf.length > 0) trace("forgivenPslf", sumOf(pslf, "forgiven"), pslfTerms)
}

/** Traces the effect of the month, in sums over the loans. */
export const traceSpending = (trace: Trace, loans: ReadonlyArray<LoanMonth>, payment: number, spent: Spent): void => {
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
  traceForgiven(trace, loans, spent.ends)
}
