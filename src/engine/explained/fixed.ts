/** The explanation of a month's payment under a fixed plan, and for loans outside the plan. */
import { paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { loansOutsideThePlan } from "../../../ledger/rules/plan-eligibility.ts"
import { sumOf, traceSpending } from "../answer/spending.ts"
import type { FixedGroup } from "../groups.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { repayLoan } from "../schedule/fixed.ts"
import { loansOf, runMonth } from "../schedule/month.ts"
import type { PaidGroup, Question } from "./part.ts"

/** The steps, without those whose value was set again after a pause. */
const inForce = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.filter(({ loan, term }, at) => at === steps.findLastIndex((one) => one.loan === loan && one.term === term))

/** Pays the month's payments of loans that are each on their own schedule. */
export const payFixed = ({ month, run }: Question, group: FixedGroup): PaidGroup => {
  const { tally } = run.workspace
  const { book, levelMonths, plan } = group
  const received = new Float64Array(book.size)
  const year = Math.floor(month / MONTHS_PER_YEAR)
  const runLoan = (slot: number) => {
    tally.reset()
    repayLoan({ book, from: month, until: month + 1, tally }, slot, levelMonths)
    received[slot] = tally.paid[year]!
  }
  const paid = runMonth({
    book,
    month,
    tally,
    forgiving: group.forgiving,
    run: () => {
      for (let slot = 0; slot < book.size; slot++) runLoan(slot)
      // Each loan began with an empty tally.
      tally.paid[year] = received.reduce((sum, one) => sum + one, 0)
    },
    received: (_all, _loan, slot) => received[slot]!
  })
  const { planType, terms } = plan
  const paidBy = group.group === "beside" ? [...terms, loansOutsideThePlan] : terms
  const part: PaidGroup["part"] = (isForgiven) => {
    const steps: Array<Step> = []
    const trace = traceInto(steps)
    const loans = loansOf(paid, isForgiven)
    for (const { loan } of loans)
      trace.of(loan)("scheduledPayment", book.payment[book.position.indexOf(loan)]!, ...paidBy)
    const payment = sumOf(loans, "payment")
    const common = { group: group.group, planType, payment, loans }
    if (loans.length === 0) return { ...common, steps: [] }
    const rules = { paid: [...paidBy, paymentApplicationOrder], applied: [paymentApplicationOrder], waived: null }
    // Only loans outside the plan are forgiven here.
    const forgiven = group.group === "beside" ? { book, month, forgiving: group.forgiving, plan: null } : null
    traceSpending(run.law, trace, loans, payment, { ...rules, term: "loanPayments", waivers: [], forgiven })
    return { ...common, steps: [...inForce(group.steps!), ...steps] }
  }
  return { group, paid, part }
}
