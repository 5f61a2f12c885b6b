/** The explanation of a month's payment under a fixed plan, and for loans outside the plan. */
import type { Rule } from "../../../ledger/entry.ts"
import { paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { loansOutsideThePlan } from "../../../ledger/rules/plan-eligibility.ts"
import { sumOf, traceSpending } from "../answer/spending.ts"
import { type Step, traceInto } from "../law/trace.ts"
import type { EnginePlan, FixedPlan } from "../plans/plan.ts"
import { scheduleOutsidePlan, standard } from "../plans/standard.ts"
import { outsidePlanOf } from "../run.ts"
import type { Book } from "../schedule/book.ts"
import { repayFixed, repayLoan } from "../schedule/fixed.ts"
import { runMonth } from "../schedule/month.ts"
import type { PaymentPart, Question } from "./part.ts"

/** Loans of a fixed plan, each on its own schedule. */
interface FixedGroup {
  readonly group: PaymentPart["group"]
  readonly planType: EnginePlan
  readonly book: Book
  /** Months between raises, or `NEVER`. */
  readonly levelMonths: number
  /** Steps that set the terms. */
  readonly termSteps: ReadonlyArray<Step>
  /** Steps that set the month of forgiveness. */
  readonly ends: ReadonlyArray<Step>
  /** The rules of the scheduled payment. */
  readonly paidBy: ReadonlyArray<Rule>
}

const fixedPart = ({ month, run }: Question, of: FixedGroup): PaymentPart => {
  const { tally } = run.workspace
  const { book, ends, group, paidBy, planType, levelMonths } = of
  const steps: Array<Step> = []
  const trace = traceInto(steps)
  repayFixed({ book, from: 0, until: month, tally }, levelMonths)
  const paid = new Float64Array(book.size)
  const runLoan = (slot: number) => {
    tally.reset()
    repayLoan({ book, from: month, until: month + 1, tally }, slot, levelMonths)
    paid[slot] = tally.sumOf(tally.paid)
  }
  const { loans } = runMonth({
    book,
    month,
    tally,
    run: () => {
      for (let slot = 0; slot < book.size; slot++) runLoan(slot)
    },
    received: (_all, _loan, slot) => paid[slot]!
  })
  for (const { loan } of loans)
    trace.of(loan)("scheduledPayment", book.payment[book.position.indexOf(loan)]!, ...paidBy)
  const payment = sumOf(loans, "payment")
  if (loans.length === 0) return { group, planType, payment, steps: [], loans }
  const rules = { paid: [...paidBy, paymentApplicationOrder], applied: [paymentApplicationOrder], waived: null }
  traceSpending(trace, loans, payment, { ...rules, term: "loanPayments", waivers: [], ends })
  return { group, planType, payment, steps: [...of.termSteps, ...steps], loans }
}

/** Explains the loans that a fixed plan takes. */
export const fixedOwnPart = (question: Question, plan: FixedPlan): PaymentPart => {
  const { law, workspace } = question.run
  const book = workspace.books.inPlan
  const termSteps = [...question.termSteps]
  const levelMonths = plan.schedule(law, book, traceInto(termSteps))
  const { planType, terms } = plan
  return fixedPart(question, { group: "plan", planType, book, levelMonths, termSteps, ends: [], paidBy: terms })
}

/** Explains the loans that the plan cannot take. Empty if there are none. */
export const partOutsidePlan = (question: Question): ReadonlyArray<PaymentPart> => {
  const { run } = question
  const book = run.workspace.books.outsidePlan
  if (book.size === 0) return []
  const termSteps: Array<Step> = []
  const ends: Array<Step> = []
  const levelMonths = scheduleOutsidePlan(outsidePlanOf(run), traceInto(termSteps), traceInto(ends))
  const { planType, terms } = standard
  const paidBy = [...terms, loansOutsideThePlan]
  return [fixedPart(question, { group: "beside", planType, book, levelMonths, termSteps, ends, paidBy })]
}
