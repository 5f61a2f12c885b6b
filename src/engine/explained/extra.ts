/** The explanation of a month's extra payment. */
import { extraPaymentOrder, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { sumOf, traceForgiven } from "../answer/spending.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { type OpenLoan, payExtra } from "../schedule/extra.ts"
import { forgivenAs, type LoanMonth, leftOf } from "../schedule/month.ts"
import type { PaidGroup, PaymentPart, Question } from "./part.ts"

/** Adds a month's extra payment, which comes after the payments due and before forgiveness. */
export const partsWithExtra = (question: Question, groups: ReadonlyArray<PaidGroup>): ReadonlyArray<PaymentPart> => {
  const { month, run } = question
  const { extraMonthlyPayment } = run.scenario
  const amount = extraMonthlyPayment ?? 0
  if (amount === 0) return groups.map(({ part }) => part(() => true))
  const books = groups.map(({ group }) => group.book)
  const dues = new Map(books.map((book) => [book, book.forgivenAt.slice()]))
  const owed = groups.reduce(
    (sum, { paid }) => sum + paid.moves.reduce((all, one) => all + one.principalLeft + one.interestLeft, 0),
    0
  )
  const taken = payExtra(books, amount, month, run.workspace.tally)
  const isTaken = ({ book, slot }: OpenLoan) => taken.some((one) => one.book === book && one.slot === slot)
  const parts = groups.map(({ group: { book }, part }) => part((slot) => !isTaken({ book, slot })))
  const loans = taken.map(({ book, slot, taken: payment }): LoanMonth => {
    const { interestLeft, principalLeft } = groups.find(({ group }) => group.book === book)!.paid.moves[slot]!
    const toUnpaidInterest = Math.min(payment, interestLeft)
    const toPrincipal = payment - toUnpaidInterest
    const left = { principalLeft: principalLeft - toPrincipal, interestLeft: interestLeft - toUnpaidInterest }
    const due = { ...book, forgivenAt: dues.get(book)! } as typeof book
    return {
      loan: book.position[slot]!,
      principal: principalLeft,
      unpaidInterest: interestLeft,
      owed: principalLeft + interestLeft,
      payment,
      interestAccrued: 0,
      toInterest: 0,
      toUnpaidInterest,
      toPrincipal,
      interestWaived: 0,
      interestAdded: 0,
      principalMatched: 0,
      ...leftOf(left, forgivenAs(due, slot, month))
    }
  })
  const steps: Array<Step> = []
  const trace = traceInto(steps)
  const payment = sumOf(loans, "payment")
  if (loans.length > 0) {
    trace("extraSent", amount, extraPaymentOrder)
    trace("owedAfterPayments", owed, paymentApplicationOrder)
    trace("extraPayment", payment, extraPaymentOrder)
    const ending = groups.filter(({ group: { book } }) => taken.some((one) => one.book === book))
    traceForgiven(
      trace,
      loans,
      ending.flatMap(({ group }) => group.steps!.ends)
    )
  }
  return [...parts, { group: "extra", planType: run.plan.planType, payment, steps, loans }]
}
