/** How the payment of a month is spent, told in sums over its loans, with the rules behind each. */
import type { Rule } from "../../../ledger/entry.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import type { Note, Term } from "../note.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import type { LoanMonth } from "../schedule/month.ts"

/** Who tells how the payment of a group was spent. */
export interface Spent extends SpentBy {
  /** Loans that share a payment, or loans that each have their own. */
  readonly term: "payment" | "loanPayments"
  readonly forgiven: Rule
}

export const sumOf = (loans: ReadonlyArray<LoanMonth>, amount: keyof LoanMonth): number =>
  loans.reduce((sum, loan) => sum + loan[amount], 0)

/** What the month did, in sums over the loans. */
export const noteSpending = (note: Note, loans: ReadonlyArray<LoanMonth>, payment: number, spent: Spent): void => {
  const tell = (term: Exclude<keyof LoanMonth, "loan"> & Term, ...rules: ReadonlyArray<Rule>) => {
    const sum = sumOf(loans, term)
    if (sum > 0) note(term, sum, ...rules)
  }
  note("interestAccrued", sumOf(loans, "interestAccrued"), interestAccrual)
  note("owed", sumOf(loans, "owed"), interestAccrual)
  note(spent.term, payment, ...spent.paid)
  tell("toInterest", ...spent.applied)
  tell("toUnpaidInterest", ...spent.applied)
  tell("toPrincipal", ...spent.applied)
  if (spent.waived !== null) tell("interestWaived", spent.waived)
  tell("interestAdded", interestAccrual)
  if (spent.matched !== undefined) tell("principalMatched", spent.matched)
  tell("forgiven", spent.forgiven)
}
