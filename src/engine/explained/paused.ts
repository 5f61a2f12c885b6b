/** The explanation of a month of paused loans: interest alone. */
import { interestAccrual, pauseInterest } from "../../../ledger/rules/interest.ts"
import type { Group } from "../groups.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { inRequest, type LoanMonth } from "../schedule/month.ts"
import { interestIn, rest, restIn } from "../schedule/pauses.ts"
import type { PaymentPart, Question } from "./part.ts"

const monthOf = ({ month, run }: Question, { book }: Group, slot: number): LoanMonth => {
  const [principal, unpaidInterest] = [book.principal[slot]!, book.interest[slot]!]
  const interestAccrued = interestIn(book, run.rests, slot, month)
  return {
    loan: book.position[slot]!,
    principal,
    unpaidInterest,
    owed: principal + unpaidInterest + interestAccrued,
    payment: 0,
    interestAccrued,
    toInterest: 0,
    toUnpaidInterest: 0,
    toPrincipal: 0,
    interestWaived: 0,
    interestAdded: interestAccrued,
    principalMatched: 0,
    forgiven: 0,
    forgivenessType: "None",
    principalLeft: principal,
    interestLeft: unpaidInterest + interestAccrued
  }
}

/** Runs the month of the paused loans, before what is paid beyond the payments due. */
export const pausedParts = (question: Question): ReadonlyArray<PaymentPart> => {
  const { month, repayment, run } = question
  return repayment.groups.flatMap((group) => {
    const { book, plan } = group
    const slots = Array.from({ length: book.held - book.size }, (_, index) => book.size + index)
    const paused = slots.filter((slot) => book.isOpen[slot] === 1)
    if (paused.length === 0) return []
    const steps: Array<Step> = []
    const trace = traceInto(steps)
    for (const slot of paused) {
      const position = book.position[slot]!
      trace.of(position)("dueAgain", restIn(run.rests, position, month)!.until + 1, pauseInterest)
    }
    const loans = paused.map((slot) => monthOf(question, group, slot)).sort(inRequest)
    rest(book, run.rests, month, month + 1, run.workspace.tally)
    trace(
      "interestAccrued",
      loans.reduce((sum, loan) => sum + loan.interestAccrued, 0),
      interestAccrual,
      pauseInterest
    )
    return [{ group: "paused", planType: plan.planType, payment: 0, steps, loans }]
  })
}
