/** How the payment of a month is spent, told in sums over its loans, with the rules behind each. */
import type { Rule } from "../../../ledger/entry.ts"
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Step, Term, Trace } from "../law/trace.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import type { LoanMonth } from "../schedule/month.ts"

/** Who tells how the payment of a group was spent. */
interface Spent extends SpentBy {
  /** Loans that share a payment, or loans that each have their own. */
  readonly term: "payment" | "loanPayments"
  /** What was told of each loan's uncovered interest, and of when it is forgiven. */
  readonly waivers: ReadonlyArray<Step>
  readonly ends: ReadonlyArray<Step>
}

type Amount = Exclude<keyof LoanMonth, "loan" | "forgivenessType">

export const sumOf = (loans: ReadonlyArray<LoanMonth>, amount: Amount): number =>
  loans.reduce((sum, loan) => sum + loan[amount], 0)

/** Tells steps again, those of other loans left out. */
const retell = (trace: Trace, steps: ReadonlyArray<Step>, loans: ReadonlyArray<LoanMonth>): void => {
  const named = new Set(loans.map(({ loan }) => loan))
  for (const { loan, rules, term, value } of steps) {
    if (loan === null) trace(term, value, ...rules)
    else if (named.has(loan)) trace.of(loan)(term, value, ...rules)
  }
}

/** What is forgiven by time and for public service, each after when and why. */
const noteForgiven = (trace: Trace, loans: ReadonlyArray<LoanMonth>, ends: ReadonlyArray<Step>): void => {
  const forgiven = loans.filter((loan) => loan.forgiven > 0)
  if (forgiven.length === 0) return
  retell(trace, ends, forgiven)
  const timeBased = forgiven.filter(({ forgivenessType }) => forgivenessType === "TimeBased")
  const pslf = forgiven.filter(({ forgivenessType }) => forgivenessType === "Pslf")
  const terms = ends.filter(({ term }) => term === "forgivenessMonths").flatMap(({ rules }) => rules)
  if (timeBased.length > 0) trace("forgivenTimeBased", sumOf(timeBased, "forgiven"), ...terms, idrForgivenessCount)
  if (pslf.length > 0) trace("forgivenPslf", sumOf(pslf, "forgiven"), pslfTerms)
}

/** What the month did, in sums over the loans. */
export const noteSpending = (trace: Trace, loans: ReadonlyArray<LoanMonth>, payment: number, spent: Spent): void => {
  const tell = (term: Amount & Term, ...rules: ReadonlyArray<Rule>) => {
    const sum = sumOf(loans, term)
    if (sum > 0) trace(term, sum, ...rules)
  }
  trace("interestAccrued", sumOf(loans, "interestAccrued"), interestAccrual)
  trace("owed", sumOf(loans, "owed"), interestAccrual)
  trace(spent.term, payment, ...spent.paid)
  tell("toInterest", ...spent.applied)
  tell("toUnpaidInterest", ...spent.applied)
  tell("toPrincipal", ...spent.applied)
  const uncovered = loans.filter(({ interestAdded, interestWaived }) => interestAdded + interestWaived > 0)
  retell(trace, spent.waivers, uncovered)
  if (spent.waived !== null) tell("interestWaived", spent.waived)
  tell("interestAdded", interestAccrual)
  if (spent.matched !== undefined) tell("principalMatched", spent.matched)
  noteForgiven(trace, loans, spent.ends)
}
