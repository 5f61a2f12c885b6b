/** The explanation of a month's payment under an income-driven plan, or under its successors. */
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { traceSpending } from "../answer/spending.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { endOf, moveToSuccessors } from "../plans/ending.ts"
import type { EnginePlan, IncomeDrivenPlan } from "../plans/plan.ts"
import type { Book } from "../schedule/book.ts"
import { type IncomeDrivenTerms, incomeOfYear } from "../schedule/income-driven.ts"
import { runMonth } from "../schedule/month.ts"
import type { PaymentPart, Question } from "./part.ts"

/** Loans that are repaid under these terms from month `from` on. */
interface IncomeDrivenGroup {
  readonly group: PaymentPart["group"]
  readonly planType: EnginePlan
  readonly book: Book
  readonly terms: IncomeDrivenTerms
  readonly from: number
  /** Steps that set the terms. */
  readonly termSteps: ReadonlyArray<Step>
  /** Steps that set the month of forgiveness. */
  readonly ends: ReadonlyArray<Step>
}

const incomeDrivenPart = ({ month, run, termSteps }: Question, of: IncomeDrivenGroup): PaymentPart => {
  const { household, workspace } = run
  const { tally } = workspace
  const { book, ends, group, planType, terms } = of
  const steps: Array<Step> = []
  const trace = traceInto(steps)
  const waivers: Array<Step> = []
  const months = { book, household, tally }
  terms.repay({ ...months, from: of.from, until: month })
  // Only for the trace: `repay` below computes the same payment again.
  terms.payment(incomeOfYear(household, month, trace), trace)
  const { loans, paid } = runMonth({
    book,
    month,
    tally,
    run: () => terms.repay({ ...months, from: month, until: month + 1, trace: traceInto(waivers) }),
    received: (all, loan) => terms.received(all, loan)
  })
  if (loans.length === 0) return { group, planType, payment: 0, steps: [], loans }
  const spentBy = terms.spentBy(book.size)
  const paidBy = group === "successor" ? [...spentBy.paid, idrSunsetDefault] : spentBy.paid
  traceSpending(trace, loans, paid, { ...spentBy, paid: paidBy, term: "payment", waivers, ends })
  return { group, planType, payment: paid, steps: [...termSteps, ...of.termSteps, ...steps], loans }
}

/**
 * Explains the loans that an income-driven plan takes. Once the plan has ended, they are under its
 * successors.
 */
export const incomeDrivenParts = (question: Question, plan: IncomeDrivenPlan): ReadonlyArray<PaymentPart> => {
  const { ends, month, run } = question
  const { household, law, scenario, start, workspace } = run
  const { books, tally } = workspace
  const end = endOf(law, plan, start)
  const termSteps: Array<Step> = []
  const terms = plan.begin({ law, household, book: books.inPlan }, traceInto(termSteps))
  if (month < end) {
    const { planType } = plan
    return [
      incomeDrivenPart(question, { group: "plan", planType, book: books.inPlan, terms, from: 0, termSteps, ends })
    ]
  }
  terms.repay({ book: books.inPlan, household, tally, from: 0, until: end })
  const parts: Array<PaymentPart> = []
  const successorTermSteps: Array<Step> = []
  const successorEnds: Array<Step> = []
  const passage = { law, plan, books, household, workingTowardsPslf: scenario.workingTowardsPslf }
  moveToSuccessors(
    { ...passage, trace: traceInto(successorTermSteps), ends: traceInto(successorEnds) },
    (succession) => {
      const { planType } = succession.successor
      const group = { group: "successor", planType, book: books.passed, terms: succession.terms, from: end } as const
      parts.push(
        incomeDrivenPart(question, { ...group, termSteps: successorTermSteps.splice(0), ends: successorEnds.splice(0) })
      )
    }
  )
  return parts
}
