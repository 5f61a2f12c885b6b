/**
 * The repayment of a prepared run. It has the groups of loans that are repaid together, the move to
 * a plan's successors, and the extra payments over all groups. The months are added to the tally of
 * the workspace, from which projections, explanations and monthly payments read.
 */
import type { Circumstances } from "../../ledger/circumstances.ts"
import { type Step, traceInto } from "./law/trace.ts"
import { endOf, moveToSuccessors, PASSED_TO } from "./plans/ending.ts"
import type { FixedPlan, IncomeDrivenPlan } from "./plans/plan.ts"
import { scheduleOutsidePlan, standard } from "./plans/standard.ts"
import { outsidePlanOf, type Run } from "./run.ts"
import { type Book, closeLoan, NEVER, recordUnfinished } from "./schedule/book.ts"
import { Extra, firstForExtra, lower, payExtra } from "./schedule/extra.ts"
import { repayFixed } from "./schedule/fixed.ts"
import type { IncomeDrivenTerms } from "./schedule/income-driven.ts"
import { CLOSED_BELOW } from "./schedule/rounding.ts"

/** A month beyond every projection. It postpones forgiveness until the extra payments are made. */
const LATER = NEVER - 1

/** The steps that set the terms of a group, and its months of forgiveness. */
interface GroupSteps {
  readonly terms: Array<Step>
  readonly ends: Array<Step>
}

/** Loans that are repaid together: in the plan, under a successor, or outside ("beside"). */
interface CommonGroup {
  readonly group: "plan" | "successor" | "beside"
  readonly book: Book
  /** The first month in which the group repays these loans. */
  readonly from: number
  /** Defined only for an explanation. */
  readonly steps: GroupSteps | undefined
  /** The number of loans that may be open. */
  open: number
}

export interface FixedGroup extends CommonGroup {
  readonly plan: FixedPlan
  /** Months between raises, or `NEVER`. */
  readonly levelMonths: number
}

export interface IncomeDrivenGroup extends CommonGroup {
  readonly plan: IncomeDrivenPlan
  readonly terms: IncomeDrivenTerms
}

export type Group = FixedGroup | IncomeDrivenGroup

export const isIncomeDriven = (group: Group): group is IncomeDrivenGroup => group.plan.kind === "income-driven"

const openLoansOf = ({ interest, principal, size }: Book): number => {
  let open = 0
  for (let slot = 0; slot < size; slot++) if (principal[slot]! + interest[slot]! >= CLOSED_BELOW) open++
  return open
}

export class Repayment {
  /** The groups in force, in the order in which they are counted. */
  groups: ReadonlyArray<Group>
  /** Circumstances of loans that outlived a plan. */
  passed: Circumstances = 0
  private month = 0
  /** The first month under the successors, until the loans have moved to them. */
  private end: number
  private readonly extra: number
  private readonly run: Run
  private readonly isTraced: boolean

  /** @param steps for an explanation: collects the steps that set the terms, after those of `prepare` */
  constructor(run: Run, steps?: GroupSteps) {
    const { law, plan, scenario, start, workspace } = run
    this.run = run
    this.isTraced = steps !== undefined
    this.extra = scenario.extraMonthlyPayment ?? 0
    this.end = plan.kind === "income-driven" ? endOf(law, plan, start) : NEVER
    workspace.tally.reset()
    const groups: Array<Group> = []
    if (workspace.books.inPlan.size > 0) groups.push(this.ownGroup(steps))
    if (workspace.books.outsidePlan.size > 0) groups.push(this.groupOutside())
    this.groups = groups
  }

  /** Runs the months before `until`. */
  advance(until: number): void {
    if (this.extra === 0) this.advanceApart(until)
    else this.advanceTogether(until)
  }

  /** Runs the months before `month`, so that the groups are those in force in `month`. */
  reach(month: number): void {
    this.advance(month)
    if (month >= this.end) this.passOn()
    for (const { book } of this.groups) {
      for (let slot = 0; slot < book.size; slot++)
        if (book.forgivenAt[slot] === LATER) book.forgivenAt[slot] = book.dueAt[slot]!
    }
  }

  /** Records the balances that are still open. */
  finish(): void {
    for (const { book, open } of this.groups) if (open > 0) recordUnfinished(book, this.run.workspace.tally)
  }

  /** Advances each group by itself. */
  private advanceApart(until: number): void {
    const { end, month } = this
    if (until > end) {
      for (const group of this.groups) if (group.group === "plan") this.repay(group, month, end)
      this.passOn()
    }
    for (const group of this.groups) this.repay(group, Math.max(month, group.from), until)
    this.month = until
  }

  /**
   * Advances all groups in step, because an extra payment goes to the first of all open loans. A
   * round ends when that loan closes, a loan is forgiven, or the plan ends.
   * @law 34 CFR 685.211(a)(1)   @rule extra-payment-order
   */
  private advanceTogether(until: number): void {
    const { tally } = this.run.workspace
    while (this.month < until) {
      const { month } = this
      if (month >= this.end) this.passOn()
      const books = this.groups.map(({ book }) => book)
      const first = firstForExtra(books)
      if (first === undefined) break
      const stop = Math.min(until, this.end, this.nextForgiveness() + 1)
      const extra = new Extra(this.extra, first.slot)
      this.repay(this.groups.find(({ book }) => book === first.book)!, month, stop, extra)
      const reached = Math.min(stop, extra.stoppedAt)
      for (const group of this.groups) if (group.book !== first.book) this.repay(group, month, reached)
      payExtra(books, extra.spill, reached - 1, tally)
      this.forgive(reached - 1)
      this.month = reached
    }
    this.month = Math.max(this.month, until)
  }

  private repay(group: Group, from: number, until: number, extra?: Extra): void {
    if (group.open === 0 || from >= until) return
    const { household, workspace } = this.run
    const { tally } = workspace
    const { book } = group
    const before = tally.firstPayment
    group.open = isIncomeDriven(group)
      ? group.terms.repay({ book, household, from, until, tally, extra })
      : repayFixed({ book, from, until, tally }, group.levelMonths, extra)
    if (from === 0 && group.group === "beside") tally.firstPaymentOutside = tally.firstPayment - before
  }

  private ownGroup(steps: GroupSteps | undefined): Group {
    const { held, household, law, plan, workspace } = this.run
    const book = workspace.books.inPlan
    const trace = steps === undefined ? undefined : traceInto(steps.terms)
    const open = book.size
    this.putOff(book)
    return plan.kind === "income-driven"
      ? { group: "plan", plan, book, from: 0, steps, open, terms: plan.begin({ law, household, book, held }, trace) }
      : { group: "plan", plan, book, from: 0, steps, open, levelMonths: plan.schedule(law, book, held, trace) }
  }

  private groupOutside(): FixedGroup {
    const book = this.run.workspace.books.outsidePlan
    const steps = this.newSteps()
    const outside = outsidePlanOf(this.run)
    const levelMonths = steps
      ? scheduleOutsidePlan(outside, traceInto(steps.terms), traceInto(steps.ends))
      : scheduleOutsidePlan(outside)
    this.putOff(book)
    return { group: "beside", plan: standard, book, from: 0, steps, open: book.size, levelMonths }
  }

  /** Moves the open loans of a plan that ends to its successors. */
  private passOn(): void {
    const { end: from, groups, run } = this
    this.end = NEVER
    const own = groups[0]
    if (own === undefined || !isIncomeDriven(own) || own.group !== "plan") return
    const { held, household, law, service, workspace } = run
    const passage = { law, plan: own.plan, books: workspace.books, household, held, service, from }
    const traced: Array<GroupSteps> = []
    const successions = moveToSuccessors(
      passage,
      this.isTraced
        ? () => {
            const steps = { terms: [], ends: [] }
            traced.push(steps)
            return { terms: traceInto(steps.terms), ends: traceInto(steps.ends) }
          }
        : undefined
    )
    const successors = successions.map(({ book, rank, successor, terms }, index): Group => {
      this.passed |= PASSED_TO[rank]!
      this.putOff(book)
      return { group: "successor", plan: successor, book, from, steps: traced[index], open: book.size, terms }
    })
    this.groups = [...successors, ...groups.slice(1)]
  }

  private newSteps(): GroupSteps | undefined {
    return this.isTraced ? { terms: [], ends: [] } : undefined
  }

  /** Postpones forgiveness beyond the month loops, because extra payments come first. */
  private putOff(book: Book): void {
    if (this.extra === 0) return
    for (let slot = 0; slot < book.size; slot++) {
      book.dueAt[slot] = book.forgivenAt[slot]!
      if (book.dueAt[slot] !== NEVER) book.forgivenAt[slot] = LATER
    }
  }

  private nextForgiveness(): number {
    let next = NEVER - 1
    for (const { book } of this.groups) {
      for (let slot = 0; slot < book.size; slot++)
        if (book.forgivenAt[slot] === LATER && book.dueAt[slot]! < next) next = book.dueAt[slot]!
    }
    return next
  }

  /** Forgives the loans whose month this is, after the extra payment. */
  private forgive(month: number): void {
    const { tally } = this.run.workspace
    for (const group of this.groups) {
      const { book } = group
      for (let slot = 0; slot < book.size; slot++) {
        if (book.forgivenAt[slot] !== LATER || book.dueAt[slot] !== month) continue
        const balance = book.principal[slot]! + book.interest[slot]!
        tally.forgive(month, balance, book.forgivenAsPslf[slot] === 1)
        tally.endedIn(month)
        lower({ book, slot }, month, balance, tally)
        closeLoan(book, slot)
      }
      group.open = openLoansOf(book)
    }
  }
}
