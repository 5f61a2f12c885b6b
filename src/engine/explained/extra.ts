/** The explanation of a month's extra payment. */
import { extraPaymentOrder, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { sumOf, traceForgiven } from "../answer/spending.ts"
import { isIncomeDriven } from "../groups.ts"
import { type Step, traceInto } from "../law/trace.ts"
import type { ExtraKind, LoanRef, Taken } from "../schedule/extra.ts"
import { forgivenAs } from "../schedule/forgiveness.ts"
import { type LoanMonth, leftOf } from "../schedule/month.ts"
import type { PaidGroup, PaymentPart, Question } from "./part.ts"

/** A payment in dollars, what each loan took of it, and the balances before it. */
interface Paid {
  readonly group: ExtraKind
  readonly amount: number
  readonly taken: Array<Taken>
  readonly before: (loan: LoanRef) => { readonly principal: number; readonly interest: number }
}

const isSame = (one: LoanRef) => (other: LoanRef) => one.book === other.book && one.slot === other.slot

/** The parts of a month with what is paid after the payments due and before forgiveness. */
export const partsWithExtra = (question: Question, groups: ReadonlyArray<PaidGroup>): ReadonlyArray<PaymentPart> => {
  const { month, repayment, run } = question
  const books = repayment.groups.map(({ book }) => book)
  const paid: Array<Paid> = []
  const scheduled = groups.reduce((sum, { paid: { all } }) => sum + all.paid, 0)
  repayment.payExtra(month, scheduled, (group, amount) => {
    const kept = books.map(({ interest, principal }) => ({ interest: interest.slice(), principal: principal.slice() }))
    const before = ({ book, slot }: LoanRef) => {
      const { interest, principal } = kept[books.indexOf(book)]!
      return { interest: interest[slot]!, principal: principal[slot]! }
    }
    const taken: Array<Taken> = []
    paid.push({ group, amount, taken, before })
    return taken
  })
  const isLater = (loan: LoanRef, index: number) => paid.slice(index).some(({ taken }) => taken.some(isSame(loan)))
  const due = groups.map(({ group: { book }, part }) => part((slot) => !isLater({ book, slot }, 0)))
  const ofGroup = (loan: LoanRef) => repayment.groups.find(({ book }) => book === loan.book)!
  const extra = paid.map(({ amount, before, group, taken }, index): PaymentPart => {
    const loans = taken.map((one): LoanMonth => {
      const { interest, principal } = before(one)
      const toUnpaidInterest = Math.min(one.taken, interest)
      const toPrincipal = one.taken - toUnpaidInterest
      const left = { principalLeft: principal - toPrincipal, interestLeft: interest - toUnpaidInterest }
      const isDue = one.slot < one.book.size && !isLater(one, index + 1)
      return {
        loan: one.book.position[one.slot]!,
        principal,
        unpaidInterest: interest,
        owed: principal + interest,
        payment: one.taken,
        interestAccrued: 0,
        toInterest: 0,
        toUnpaidInterest,
        toPrincipal,
        interestWaived: 0,
        interestAdded: 0,
        principalMatched: 0,
        ...leftOf(left, isDue ? forgivenAs(one.book, one.slot, ofGroup(one).forgiving) : undefined)
      }
    })
    const steps: Array<Step> = []
    const trace = traceInto(steps)
    const payment = sumOf(loans, "payment")
    if (loans.length > 0) {
      const owed = books.reduce((sum, book) => {
        const slots = Array.from({ length: group === "extra" ? book.size : book.held }, (_, slot) => slot)
        return (
          sum + slots.reduce((all, slot) => all + before({ book, slot }).principal + before({ book, slot }).interest, 0)
        )
      }, 0)
      trace(group === "extra" ? "extraSent" : "lumpSent", amount, extraPaymentOrder)
      trace("owedAfterPayments", owed, paymentApplicationOrder)
      trace("extraPayment", payment, extraPaymentOrder)
      const ending = repayment.groups
        .filter(({ book }) => taken.some((one) => one.book === book))
        .map((one) => ({
          book: one.book,
          month,
          forgiving: one.forgiving,
          plan: isIncomeDriven(one) ? one.plan : null
        }))
      traceForgiven(run.law, trace, loans, ending)
    }
    return { group, planType: repayment.plan.planType, payment, steps, loans }
  })
  return [...due, ...extra]
}
