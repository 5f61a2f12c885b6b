/**
 * The repayment of a prepared run, in stretches of months in which nothing changes: the groups of
 * loans that are repaid together, pauses, the move to the successors of a plan that ends, what is paid
 * beyond the payments due, and forgiveness. The months are added to the tally of the workspace, from
 * which projections, explanations and monthly payments read.
 */
import type { Circumstances } from "../../ledger/circumstances.ts"
import { leavingIncomeBased, pauseInterest } from "../../ledger/rules/interest.ts"
import { pslfTerms } from "../../ledger/rules/public-service-forgiveness.ts"
import { circumstancesOf } from "./answer/circumstances.ts"
import type { Refusal } from "./answer/refusals.ts"
import { beginGroup, type Group, type IncomeDrivenGroup, isIncomeDriven } from "./groups.ts"
import { factsIn, type Household } from "./law/household.ts"
import { type Step, type Trace, traceInto } from "./law/trace.ts"
import { type PlanChange, passWaiver, type Sorted, sortAnew } from "./planChange.ts"
import { endOf, moveToSuccessors, PASSED_TO } from "./plans/ending.ts"
import type { Plan } from "./plans/plan.ts"
import { tenYearStandardPayment } from "./plans/shared.ts"
import { freshTerm, standard } from "./plans/standard.ts"
import type { Run } from "./run.ts"
import { type Book, NEVER, recordUnfinished } from "./schedule/book.ts"
import { MONTHS_PER_YEAR, yearAfter } from "./schedule/calendar.ts"
import { type Beyond, type ExtraKind, ExtraPayments, paysMore, type Taken } from "./schedule/extra.ts"
import { repayFixed, scheduledIn, steadyFixed } from "./schedule/fixed.ts"
import { countMonths, forgive, monthsToForgiveness } from "./schedule/forgiveness.ts"
import type { Holdings } from "./schedule/holdings.ts"
import { owedNext, recordYearEnd, steadyIncomeDriven } from "./schedule/income-driven.ts"
import { divide, edgesOf, endRests, rest } from "./schedule/pauses.ts"
import { forThreshold } from "./schedule/rounding.ts"
import type { Tally } from "./schedule/tally.ts"

const openLoansOf = ({ isOpen, size }: Book): number => {
  let open = 0
  for (let slot = 0; slot < size; slot++) open += isOpen[slot]!
  return open
}

/** A change of plan: the run under the new plan, the circumstances of its loans, and what the change did. */
export interface Changed extends Run, Pick<Sorted, "movedOut"> {
  readonly known: Circumstances
  /** Its place in the request. */
  readonly change: number
  /** Unpaid interest that joined principal, in dollars. */
  readonly joined: number
}

export class Repayment {
  /** The groups in force, in the order in which they are counted. */
  groups: ReadonlyArray<Group>
  /** Circumstances of loans that outlived a plan. */
  passed: Circumstances = 0
  /** The plan in force, before another takes the place of one that ends. */
  plan: Plan
  /** The refusal of a change of plan that the months have shown. */
  refusal: Refusal | undefined
  /** The changes of plan so far, for the basis of the answer. */
  readonly changed: Array<Changed> = []
  private month = 0
  /** The first month under the successors, until the loans have moved to them. */
  private end: number
  /** The months at whose beginning something changes, in order, and the place of the next. */
  private readonly turns: ReadonlyArray<number>
  private turn = 0
  private readonly payments: number
  /** Undefined if nothing is ever paid beyond what is due. */
  private readonly extra: ExtraPayments | undefined
  /** Whether a loan has been due. */
  private wasDue = false
  /** The place of the next change of plan. */
  private nextChange = 0
  private held: Holdings
  private readonly run: Run
  private readonly tally: Tally
  private readonly isTraced: boolean

  /** @param steps for an explanation: receives the steps that set the terms; those of `prepare` are kept */
  constructor(run: Run, steps?: Array<Step>) {
    const { eras, law, plan, scenario, start, workspace } = run
    this.run = run
    this.tally = workspace.tally
    this.isTraced = steps !== undefined
    this.plan = plan
    this.held = run.held
    this.end = endOf(law, plan, start)
    this.payments = law.read(pslfTerms).payments
    this.extra = paysMore(scenario, eras, start) ? new ExtraPayments(scenario, eras, start) : undefined
    this.turns = turnsOf(run, this.end)
    this.tally.reset()
    const groups: Array<Group> = []
    if (workspace.books.inPlan.size > 0) groups.push(this.ownGroup(steps))
    if (workspace.books.outsidePlan.size > 0) groups.push(this.groupOutside())
    this.groups = groups
  }

  /** Runs the months before `until`. */
  advance(until: number): void {
    while (this.month < until && this.refusal === undefined && this.hasOpen()) this.stretch(until)
    this.month = Math.max(this.month, until)
  }

  /** Runs the months before `month` and begins it, so that the groups are those in force in it. */
  reach(month: number): void {
    this.advance(month)
    if (this.hasOpen() && this.turns[this.turn] === month) this.begin(month)
    for (const group of this.groups) this.count(group, month)
  }

  /** Records the balances that are still open. */
  finish(): void {
    if (this.hasOpen()) for (const { book } of this.groups) recordUnfinished(book, this.tally)
  }

  /**
   * Pays what a month sends beyond what was paid as due.
   * @param onPaid receives each payment before it is made, and gives a list for what each loan takes
   */
  payExtra(month: number, scheduled: number, onPaid?: (kind: ExtraKind, dollars: number) => Array<Taken>): void {
    const { extra, tally } = this
    if (extra === undefined) return
    const monthly = extra.monthly(scheduled)
    let isClosed = monthly > 0 && extra.pay("extra", monthly, month, tally, onPaid?.("extra", monthly))
    const lump = extra.lumpIn(month)
    if (lump > 0 && extra.pay("lump", lump, month, tally, onPaid?.("lump", lump))) isClosed = true
    if (isClosed) for (const group of this.groups) group.open = openLoansOf(group.book)
  }

  private hasOpen(): boolean {
    for (const { book, open } of this.groups) {
      if (open > 0) return true
      for (let slot = book.size; slot < book.held; slot++) if (book.isOpen[slot] === 1) return true
    }
    return false
  }

  /** Runs months until something changes. */
  private stretch(until: number): void {
    const { month: from } = this
    if (this.turns[this.turn] === from) this.begin(from)
    if (this.refusal !== undefined) return
    const stop = this.stopAfter(until)
    const extra = this.extra === undefined ? NEVER : this.extra.next(from)
    if (extra !== from) this.runMonths(from, Math.min(stop, extra))
    else
      do {
        if (!this.runSteady(this.month, stop)) this.runMonths(this.month, this.month + 1, { mayChange: true })
      } while (this.month < stop && this.hasOpen())
  }

  /** Runs months that surely send the same beyond what is due, to one loan; false if there are fewer than two. */
  private runSteady(from: number, stop: number): boolean {
    const extra = this.extra!
    const first = extra.first()
    let scheduled = 0
    for (const group of this.groups) if (group.open > 0) scheduled += this.dueIn(group, from)
    const amount = extra.monthly(scheduled)
    const beyond = first === undefined || amount === 0 ? undefined : { book: first.book, slot: first.slot, amount }
    let until = Math.min(stop, extra.nextLumpIn(from))
    for (const group of this.groups) {
      if (group.open === 0) continue
      if (isIncomeDriven(group)) until = Math.min(until, yearAfter(from))
      until = Math.min(until, from + this.steadyMonths(group, from, beyond))
    }
    if (until < from + 2) return false
    this.runMonths(from, until, { beyond })
    return true
  }

  /** The months from one on in which a group surely pays the same as due, and the loan that is paid first stays open. */
  private steadyMonths(group: Group, month: number, beyond: Beyond | undefined): number {
    if (!isIncomeDriven(group)) return steadyFixed(group.book, group.levelMonths, month, beyond)
    const { matchMax, yearly } = group.terms!
    return steadyIncomeDriven(group.book, yearly.in(this.run.household, month) + matchMax, beyond)
  }

  /**
   * Runs months in which nothing changes.
   * @param more what each sends to one loan beyond what is due, or whether that may change; then they are one month
   */
  private runMonths(
    from: number,
    stop: number,
    more?: { readonly beyond?: Beyond | undefined; readonly mayChange?: boolean }
  ): void {
    const { groups, tally } = this
    const year = Math.floor(from / MONTHS_PER_YEAR)
    const before = tally.paid[year]!
    if (!this.wasDue) this.recordFirst(from)
    for (let index = 0; index < groups.length; index++) this.repay(groups[index]!, from, stop, more?.beyond)
    if (more?.mayChange) this.payExtra(from, tally.paid[year]! - before)
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!
      if (group.nextForgiveness < stop) this.forgive(group, stop - 1)
      if (stop % MONTHS_PER_YEAR === 0) recordYearEnd(group.book, stop, tally, group.book.held)
    }
    this.month = stop
  }

  /** The end of the months in which nothing changes, beside what is paid beyond what is due. */
  private stopAfter(until: number): number {
    let stop = Math.min(until, this.turns[this.turn] ?? NEVER)
    for (const { nextForgiveness, open } of this.groups) {
      if (open === 0) continue
      if (nextForgiveness < stop) stop = nextForgiveness + 1
    }
    return stop
  }

  /** Records the payments due in a month, if it is the first in which a loan is due. */
  private recordFirst(month: number): void {
    for (const group of this.groups) {
      if (group.open === 0) continue
      this.wasDue = true
      const due = this.dueIn(group, month)
      this.tally.firstPayment += due
      if (group.group === "beside") this.tally.firstPaymentOutside = due
    }
  }

  /** What a group pays as due in a month, in dollars. */
  private dueIn(group: Group, month: number): number {
    return isIncomeDriven(group)
      ? Math.min(group.terms!.yearly.in(this.run.household, month), owedNext(group.book))
      : scheduledIn(group.book, month)
  }

  private forgive(group: Group, month: number): void {
    this.countTo(group, month)
    forgive(group.book, group.forgiving, month, this.tally)
    this.count(group, month + 1)
    group.open = openLoansOf(group.book)
  }

  /** Counts the due months before one, and finds the next forgiveness. */
  private count(group: Group, month: number): void {
    this.countTo(group, month)
    const left = monthsToForgiveness(group.book, group.forgiving)
    group.nextForgiveness = left === NEVER ? NEVER : month + left - 1
  }

  private countTo(group: Group, month: number): void {
    if (month === group.countedTo) return
    const { book, countedTo, forgiving } = group
    const { household, planned } = this.run
    const atTenYears =
      forgiving.isRap && isIncomeDriven(group) && this.nextChange < planned.later.length
        ? monthsAtTenYears(group, household, countedTo, month)
        : 0
    countMonths(book, forgiving, month - countedTo, atTenYears)
    group.countedTo = month
  }

  private repay(group: Group, from: number, until: number, beyond: Beyond | undefined): void {
    const { tally } = this
    const { book, open } = group
    if (book.size < book.held) rest(book, this.run.rests, from, until, tally)
    if (open === 0) return
    group.open = isIncomeDriven(group)
      ? group.terms!.repay({ book, open, household: this.run.household, from, until, tally, beyond })
      : repayFixed({ book, from, until, tally, beyond }, group.levelMonths)
  }

  /** The beginning of a month: pauses end, a plan ends, amounts are set. */
  private begin(month: number): void {
    this.turn++
    const { rests } = this.run
    if (month > 0)
      for (const group of this.groups) {
        this.countTo(group, month)
        if (rests !== undefined) this.endRestsOf(group, month)
      }
    const change = this.run.planned.later[this.nextChange]
    if (change?.month === month) this.changePlan(change)
    if (this.refusal !== undefined) return
    if (month >= this.end) this.passOn(month)
    const payments = servesIn(this.run, month) ? this.payments : NEVER
    for (const group of this.groups) {
      const { book, forgiving } = group
      if (rests !== undefined) divide(book, rests, month)
      group.open = openLoansOf(book)
      forgiving.payments = payments
      this.count(group, month)
      if (group.open > 0) this.setAmounts(group, month)
    }
    this.extra?.turn(month, this.groups)
  }

  private changePlan(change: PlanChange): void {
    const { books, law, loans, start } = this.run
    const { index, month, plan } = change
    this.nextChange++
    const steps = this.newSteps()
    const trace = traceOf(steps)
    const before = { law, loans, held: this.run.held, groups: this.groups }
    let joined = 0
    const sorted = sortAnew(before, change, books.anew[index % 2]!, (position, dollars) => {
      joined += dollars
      trace?.of(position)("interestJoined", dollars, leavingIncomeBased)
    })
    if (sorted === undefined) return
    if ("_tag" in sorted) {
      this.refusal = sorted
      return
    }
    const { beside, held, movedOut, own } = sorted
    const left = [...(this.changed.at(-1)?.left ?? []), this.plan]
    const run = { ...this.run, plan, held, left, books: { ...books, inPlan: own, outsidePlan: beside } }
    this.changed.push({ ...run, known: circumstancesOf(run), change: index, joined, movedOut })
    this.plan = plan
    this.held = held
    this.end = endOf(law, plan, start)
    const group = beginGroup({ law, group: "plan", plan, book: own, held, steps, month })
    this.groups = beside.held === 0 ? [group] : [group, this.beginBeside(beside, this.newSteps(), month)]
  }

  private endRestsOf({ book, steps }: Group, month: number): void {
    const trace = traceOf(steps)
    endRests(book, this.run.rests, month, (position, dollars) =>
      trace?.of(position)("interestJoined", dollars, pauseInterest)
    )
  }

  private setAmounts(group: Group, month: number): void {
    const { household, law, planned } = this.run
    const { held } = this
    const { book } = group
    const trace = traceOf(group.steps)
    if (isIncomeDriven(group)) {
      group.terms ??= group.plan.begin({ law, household, book, held }, trace)
      group.terms.turn(book, month)
      if (planned.later.length > 0 && group.tenYear === 0) group.tenYear = tenYearStandardPayment(law, book)
      return
    }
    group.levelMonths = group.plan.schedule(law, book, month, held, trace)
  }

  private ownGroup(steps: Array<Step> | undefined): Group {
    const { held, law, plan, workspace } = this.run
    const book = workspace.books.inPlan
    return beginGroup({ law, group: "plan", plan, book, held, steps, month: 0 })
  }

  /**
   * Loans that the plan cannot take: a fresh STANDARD term and minimum. With PSLF, a Direct loan on
   * the ten-year term is forgiven after its 120th payment.
   * @law 34 CFR 685.210; 685.219(c)   @rule loans-outside-the-plan
   */
  private groupOutside(): Group {
    const { held, law, workspace } = this.run
    const book = workspace.books.outsidePlan
    const steps = this.newSteps()
    const trace = traceOf(steps)
    for (let slot = 0; slot < book.held; slot++)
      book.monthsLeft[slot] = freshTerm(law, book.traits[slot]!, held, trace?.of(book.position[slot]!))
    return this.beginBeside(book, steps, 0)
  }

  private beginBeside(book: Book, steps: Array<Step> | undefined, month: number): Group {
    return beginGroup({ law: this.run.law, group: "beside", plan: standard, book, held: this.held, steps, month })
  }

  /** A list for the steps that set a group's terms; undefined outside an explanation. */
  private newSteps(): Array<Step> | undefined {
    return this.isTraced ? [] : undefined
  }

  /** Moves the open loans of a plan that ends to its successors. */
  private passOn(month: number): void {
    const { groups, run } = this
    this.end = NEVER
    const own = groups[0]
    if (own === undefined || !isIncomeDriven(own) || own.group !== "plan") return
    const { held } = this
    const { books, law } = run
    const successions = moveToSuccessors({ law, plan: own.plan, own: own.book, books, held })
    const successors = successions.map(({ book, rank, successor }): Group => {
      this.passed |= PASSED_TO[rank]!
      for (let slot = 0; slot < book.held; slot++) passWaiver(law, own, successor, book, slot, month)
      return beginGroup({ law, group: "successor", plan: successor, book, held, steps: this.newSteps(), month })
    })
    this.groups = [...successors, ...groups.slice(1)]
  }
}

/** The months in which the payment, before it is limited to what is owed, reaches the ten-year amount. */
const monthsAtTenYears = (
  { tenYear, terms }: IncomeDrivenGroup,
  household: Household,
  from: number,
  until: number
): number => {
  let months = 0
  for (let month = from; terms !== undefined && month < until; ) {
    const stop = Math.min(yearAfter(month), until)
    household.enter(Math.floor(month / MONTHS_PER_YEAR))
    if (forThreshold(terms.payment() - tenYear) >= 0) months += stop - month
    month = stop
  }
  return months
}

const traceOf = (steps: Array<Step> | undefined): Trace | undefined =>
  steps === undefined ? undefined : traceInto(steps)

/** Whether the borrower works toward PSLF in a month. */
const servesIn = ({ eras, scenario }: Run, month: number): boolean =>
  factsIn(scenario, eras, Math.floor(month / MONTHS_PER_YEAR)).workingTowardsPslf

/** The months at whose beginning pauses begin or end, a plan ends or changes, or the scenario changes. */
const turnsOf = ({ eras, law, planned, rests, start }: Run, end: number): ReadonlyArray<number> => {
  if (rests === undefined && eras.length === 0 && planned.later.length === 0)
    return end === NEVER || end === 0 ? [0] : [0, end]
  const months = [
    0,
    end,
    ...planned.later.flatMap(({ month, plan }) => [month, endOf(law, plan, start)]),
    ...eras.map(({ from }) => from * MONTHS_PER_YEAR)
  ]
  return [...new Set([...months, ...edgesOf(rests)])]
    .filter((month) => month !== NEVER)
    .sort((one, other) => one - other)
}
