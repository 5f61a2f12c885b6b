/**
 * How the payment of one month comes about: every intermediate, told by the functions that compute it for a projection as
 * they compute it, and what the month did to each loan. The months before it are run as a projection runs them. Words, units
 * and formulas are not found here.
 */
import type { Rule } from "../../ledger/entry.ts"
import { idrForgivenessCount, idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { paymentApplicationOrder } from "../../ledger/rules/interest.ts"
import { loansOutsideThePlan } from "../../ledger/rules/plan-eligibility.ts"
import { pslfTerms } from "../../ledger/rules/public-service-forgiveness.ts"
import type { Refusal } from "./answer/refusals.ts"
import { noteSpending, sumOf } from "./answer/spending.ts"
import type { Law } from "./law/law.ts"
import { noteInto, type Step } from "./note.ts"
import { endOf, passOver } from "./plans/ending.ts"
import type { EnginePlan, IncomeDrivenPlan } from "./plans/plan.ts"
import { scheduleOutsidePlan, standard } from "./plans/standard.ts"
import { type EngineRequest, outsidePlanOf, prepare, type Run } from "./run.ts"
import { type Book, someLoan } from "./schedule/book.ts"
import { dateOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { repayFixed, repayLoan } from "./schedule/fixed.ts"
import { type IncomeDrivenTerms, incomeOfYear } from "./schedule/income-driven.ts"
import { type LoanMonth, runMonth } from "./schedule/month.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/** Loans that share a payment: those of the plan, those that have passed to a successor, those repaid beside the plan. */
export interface PaymentPart {
  readonly group: "plan" | "successor" | "beside"
  readonly planType: EnginePlan
  /** Dollars, not rounded. */
  readonly payment: number
  readonly steps: ReadonlyArray<Step>
  /** Those that were open when the month began. */
  readonly loans: ReadonlyArray<LoanMonth>
}

export interface Explanation {
  readonly _tag: "Explanation"
  readonly label: string | null
  readonly planType: EnginePlan
  /** Index of the month, from 0. */
  readonly month: number
  readonly date: string
  /** Dollars, not rounded, and with whole cents. */
  readonly payment: number
  readonly paymentInCents: number
  readonly parts: ReadonlyArray<PaymentPart>
}

/** A month to explain: a run whose books stand as the request has them, and what was told while they were filled. */
interface Question {
  readonly run: Run
  readonly month: number
  readonly told: ReadonlyArray<Step>
}

/** Loans of an income-driven plan whose months from `from` on are under these terms. */
interface IncomeDrivenGroup {
  readonly group: PaymentPart["group"]
  readonly planType: EnginePlan
  readonly book: Book
  readonly terms: IncomeDrivenTerms
  readonly from: number
  /** What was told when the terms were set. */
  readonly told: ReadonlyArray<Step>
}

const incomeDrivenPart = ({ month, run, told }: Question, of: IncomeDrivenGroup): PaymentPart => {
  const { household, workspace } = run
  const { tally } = workspace
  const { book, terms } = of
  const steps: Array<Step> = []
  const note = noteInto(steps)
  const months = { book, household, tally }
  terms.repay({ ...months, from: of.from, until: month })
  // As the loop below sets it for the year of the month, but told.
  terms.payment(incomeOfYear(household, month, note), note)
  const isService = someLoan(book, (slot) => book.forgivenAt[slot] === month && book.forgivenAsPslf[slot] === 1)
  const { loans, paid } = runMonth({
    book,
    month,
    tally,
    run: () => terms.repay({ ...months, from: month, until: month + 1 }),
    received: (all, loan) => terms.received(all, loan)
  })
  const { group, planType } = of
  if (loans.length === 0) return { group, planType, payment: 0, steps: [], loans }
  const forgiven = isService ? pslfTerms : idrForgivenessCount
  const spentBy = terms.spentBy(book.size)
  const paidBy = group === "successor" ? [...spentBy.paid, idrSunsetDefault] : spentBy.paid
  noteSpending(note, loans, paid, { ...spentBy, paid: paidBy, term: "payment", forgiven })
  return { group, planType, payment: paid, steps: [...told, ...of.told, ...steps], loans }
}

/** The own loans of an income-driven plan, or of its successors once it has ended. */
const incomeDrivenParts = (question: Question, plan: IncomeDrivenPlan): ReadonlyArray<PaymentPart> => {
  const { month, run } = question
  const { household, law, scenario, start, workspace } = run
  const { books, tally } = workspace
  const end = endOf(law, plan, start)
  const told: Array<Step> = []
  const terms = plan.begin({ law, household, book: books.inPlan }, noteInto(told))
  if (month < end) {
    const { planType } = plan
    return [incomeDrivenPart(question, { group: "plan", planType, book: books.inPlan, terms, from: 0, told })]
  }
  terms.repay({ book: books.inPlan, household, tally, from: 0, until: end })
  const parts: Array<PaymentPart> = []
  const toldThen: Array<Step> = []
  const passage = { law, plan, books, household, workingTowardsPslf: scenario.workingTowardsPslf }
  passOver({ ...passage, note: noteInto(toldThen) }, (succession) => {
    const { planType } = succession.successor
    const group = { group: "successor", planType, book: books.passed, terms: succession.terms, from: end } as const
    parts.push(incomeDrivenPart(question, { ...group, told: toldThen.splice(0) }))
  })
  return parts
}

/** Loans of a fixed plan, each on its own schedule. */
interface FixedGroup {
  readonly group: PaymentPart["group"]
  readonly planType: EnginePlan
  readonly book: Book
  /** Months after which payments rise. */
  readonly levelMonths: number
  /** What was told of their terms, and the rules by which they are repaid on them. */
  readonly told: ReadonlyArray<Step>
  readonly paidBy: ReadonlyArray<Rule>
}

const fixedPart = ({ month, run }: Question, of: FixedGroup): PaymentPart => {
  const { tally } = run.workspace
  const { book, group, paidBy, planType, levelMonths } = of
  const steps: Array<Step> = []
  const note = noteInto(steps)
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
  for (const { loan } of loans) note.of(loan)("scheduledPayment", book.payment[book.position.indexOf(loan)]!, ...paidBy)
  const payment = sumOf(loans, "payment")
  if (loans.length === 0) return { group, planType, payment, steps: [], loans }
  const rules = { paid: paidBy, applied: [paymentApplicationOrder], waived: null }
  noteSpending(note, loans, payment, { ...rules, term: "loanPayments", forgiven: pslfTerms })
  return { group, planType, payment, steps: [...of.told, ...steps], loans }
}

const ownParts = (question: Question): ReadonlyArray<PaymentPart> => {
  const { law, plan, workspace } = question.run
  const book = workspace.books.inPlan
  if (book.size === 0) return []
  if (plan.kind === "income-driven") return incomeDrivenParts(question, plan)
  const told = [...question.told]
  const levelMonths = plan.schedule(law, book, noteInto(told))
  return [fixedPart(question, { group: "plan", planType: plan.planType, book, levelMonths, told, paidBy: plan.terms })]
}

const partBeside = (question: Question): ReadonlyArray<PaymentPart> => {
  const { run } = question
  const book = run.workspace.books.outsidePlan
  if (book.size === 0) return []
  const told: Array<Step> = []
  const levelMonths = scheduleOutsidePlan(outsidePlanOf(run), noteInto(told))
  const { planType, terms } = standard
  const paidBy = [...terms, loansOutsideThePlan]
  return [fixedPart(question, { group: "beside", planType, book, levelMonths, told, paidBy })]
}

/**
 * How the payment of a month comes about, or why the plan gives no answer.
 * @param month index from 0
 */
export const explain = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  month: number,
  workspace: Workspace = makeWorkspace()
): Explanation | Refusal => {
  const told: Array<Step> = []
  const run = prepare(law, request, start, workspace, noteInto(told))
  if ("_tag" in run) return run
  const question = { run, month, told }
  const parts = [...ownParts(question), ...partBeside(question)]
  const payment = parts.reduce((sum, part) => sum + part.payment, 0)
  return {
    _tag: "Explanation",
    label: run.scenario.label,
    planType: run.plan.planType,
    month,
    date: dateOfMonth(start, month),
    payment,
    paymentInCents: fromCents(toCents(payment)),
    parts
  }
}
