/** The explanation of a month's payment under an income-driven plan, or under its successors. */
import { idrAnnualRecalculation } from "../../../ledger/rules/household.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { traceSpending } from "../answer/spending.ts"
import type { IncomeDrivenGroup } from "../groups.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { loansOf, runMonth } from "../schedule/month.ts"
import type { PaidGroup, Question } from "./part.ts"

/** Pays the month's payment of loans that share one payment by income. */
export const payIncomeDriven = ({ month, run }: Question, group: IncomeDrivenGroup): PaidGroup => {
  const { household, workspace } = run
  // Without terms no loan was due so far, and nothing is paid.
  const { book, open, plan: own, terms } = group
  const { tally } = workspace
  const householdSteps: Array<Step> = []
  const steps: Array<Step> = []
  const trace = traceInto(steps)
  const waivers: Array<Step> = []
  household.enter(Math.floor(month / MONTHS_PER_YEAR))
  household.trace(traceInto(householdSteps))
  trace("income", household.income, idrAnnualRecalculation)
  // Needed for the trace only, because `repay` below computes the same payment again.
  terms?.payment(trace)
  const paid = runMonth({
    book,
    month,
    tally,
    forgiving: group.forgiving,
    run: () => {
      terms!.turn(book, month)
      terms!.repay({ book, open, household, tally, from: month, until: month + 1, trace: traceInto(waivers) })
    },
    received: (all, loan) => terms!.received(all, loan)
  })
  const part: PaidGroup["part"] = (isForgiven) => {
    const loans = loansOf(paid, isForgiven)
    const common = { group: group.group, planType: own.planType, loans }
    if (loans.length === 0) return { ...common, payment: 0, steps: [] }
    const spentBy = terms!.spentBy(book.size)
    const paidBy = group.group === "successor" ? [...spentBy.paid, idrSunsetDefault] : spentBy.paid
    const payment = paid.all.paid
    const forgiven = { book, month, forgiving: group.forgiving, plan: own }
    traceSpending(run.law, trace, loans, payment, { ...spentBy, paid: paidBy, term: "payment", waivers, forgiven })
    return { ...common, payment, steps: [...householdSteps, ...group.steps!, ...steps] }
  }
  return { group, paid, part }
}
