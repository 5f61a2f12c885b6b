/**
 * A change of plan: which changes a request makes, which are refused, and how the open loans are
 * sorted anew when one begins.
 * @law 20 U.S.C. 1098e(b)(3)(B), (b)(8), 1087e(q)(1)(F); 34 CFR 685.210(b)
 */
import { idrSubsidizedInterestMonths, leavingIncomeBased } from "../../ledger/rules/interest.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { Loan } from "../../schema/loan.ts"
import { type ChangeReason, fixedArtifact, ineligible, type Refusal, refusedChange } from "./answer/refusals.ts"
import type { Group } from "./groups.ts"
import type { HouseholdScenario } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { endOf } from "./plans/ending.ts"
import type { EnginePlan, FixedPlan, Plan } from "./plans/plan.ts"
import { planOf } from "./plans/registry.ts"
import { freshTerm, planForLoan, standard } from "./plans/standard.ts"
import { type Book, NOT_SET } from "./schedule/book.ts"
import { indexOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { fits, type Holdings, holdingsOf } from "./schedule/holdings.ts"

/** A change in a month of the projection. */
export interface PlanChange {
  /** Its place in the request. */
  readonly index: number
  readonly month: number
  readonly plan: Plan
}

/** The plans of a scenario: that of month 0, and those that are chosen later. */
export interface PlannedPlans {
  readonly first: Plan
  /** The place of the change that made it the plan of month 0; null if `planType` did. */
  readonly firstChange: number | null
  readonly later: ReadonlyArray<PlanChange>
}

type Planned = HouseholdScenario & { readonly planType: EnginePlan }

const NO_CHANGES: ReadonlyArray<PlanChange> = []

/** The plans that a scenario asks for. */
export const plansOf = ({ planChanges, planType }: Planned, start: StartMonth): PlannedPlans => {
  if (planChanges === null || planChanges.length === 0)
    return { first: planOf(planType), firstChange: null, later: NO_CHANGES }
  const changes = planChanges.map(({ from, planType: changed }, index) => ({
    index,
    month: indexOfMonth(start, from),
    plan: planOf(changed)
  }))
  const begun = changes.findLast(({ month }) => month <= 0)
  return {
    first: begun?.plan ?? planOf(planType),
    firstChange: begun?.index ?? null,
    later: changes.filter(({ month }) => month > 0)
  }
}

const isAmong = (plans: ReadonlyArray<string>, { planType }: Plan): boolean => plans.includes(planType)

/** Whether a borrower may leave a plan for few plans alone. @rule leaving-income-based */
const isIncomeBased = (law: Law, plan: Plan): boolean => isAmong(law.read(leavingIncomeBased).plans, plan)

/** Whether it may be left for this plan. */
const isAfterIncomeBased = (law: Law, plan: Plan): boolean => isAmong(law.read(leavingIncomeBased).mayBeLeftFor, plan)

/** The first change that is refused whatever the months bring. */
export const refusedAtOnce = (law: Law, { first, later }: PlannedPlans, start: StartMonth): Refusal | undefined => {
  if (later.length === 0) return undefined
  const vacated: ReadonlyArray<string> = law.read(saveVacatur).notElectable
  let before = first
  for (const { index, month, plan } of later) {
    const refuse = (reason: ChangeReason) => refusedChange(plan, reason, index)
    if (vacated.includes(plan.planType)) return refuse({ _tag: "NotElectable" })
    if (month >= endOf(law, plan, start)) return refuse({ _tag: "HasEnded" })
    if (plan === before && month <= endOf(law, before, start)) return refuse({ _tag: "InForce" })
    if (isIncomeBased(law, before) && !isAfterIncomeBased(law, plan))
      return refuse({ _tag: "FromIncomeBased", from: before.planType })
    before = plan
  }
  return undefined
}

/** The loans of a run as a change finds them. */
interface Before {
  readonly law: Law
  readonly loans: ReadonlyArray<Loan>
  readonly held: Holdings
  readonly groups: ReadonlyArray<Group>
}

/** The books after a change; empty ones where no loan is. */
export interface Sorted {
  readonly own: Book
  readonly beside: Book
  readonly held: Holdings
  /** The loans that were moved to STANDARD because the plan cannot take them, by position. */
  readonly movedOut: ReadonlyArray<number>
}

const forEachOpen = (groups: ReadonlyArray<Group>, visit: (group: Group, slot: number) => void): void => {
  for (const group of groups)
    for (let slot = 0; slot < group.book.held; slot++) if (group.book.isOpen[slot] === 1) visit(group, slot)
}

/**
 * The holdings that a plan begins with: balances of the start for the terms of consolidations, and
 * those of the open loans for the rest.
 */
const holdingsNow = ({ groups, held, law, loans }: Before, plan: Plan): Holdings => {
  const now = { directOwed: 0, ffelOwed: 0, directPrincipal: 0, ffelStudent: 0, ffelStudentPrincipal: 0 }
  forEachOpen(groups, ({ book }, slot) => {
    const { direct, ffel, ffelStudent } = book.traits[slot]!
    const owed = book.principal[slot]! + book.interest[slot]!
    if (direct) {
      now.directOwed += owed
      now.directPrincipal += book.principal[slot]!
    }
    if (ffel) now.ffelOwed += owed
    if (ffelStudent) {
      now.ffelStudent += book.balance[slot]!
      now.ffelStudentPrincipal += book.startPrincipal[slot]!
    }
  })
  return { ...holdingsOf(law, plan, loans, held.history), ...now }
}

/** A refusal that depends on what is open, and under which plan. */
const refusedNow = ({ groups, law }: Before, { index, plan }: PlanChange): Refusal | undefined => {
  const inForce = new Set<Plan>()
  forEachOpen(groups, (group) => {
    if (group.group !== "beside") inForce.add(group.plan)
  })
  if (inForce.size === 1 && inForce.has(plan)) return refusedChange(plan, { _tag: "InForce" }, index)
  const left = [...inForce].find((one) => isIncomeBased(law, one))
  if (left === undefined || isAfterIncomeBased(law, plan) || inForce.has(plan)) return undefined
  return refusedChange(plan, { _tag: "FromIncomeBased", from: left.planType }, index)
}

/** The months that are left of a fixed plan's term for a loan. */
const termLeft = (law: Law, plan: FixedPlan, book: Book, slot: number, held: Holdings): number => {
  const traits = book.traits[slot]!
  const of = planForLoan(plan, traits, held)
  const term = of.term(law, traits, held)
  const isTiered = of !== plan
  return term - of.monthsBehind(law, book, slot, term) - (isTiered ? 0 : book.dueMonths[slot]!)
}

/** An open loan, where a change of plan finds it. */
interface OpenLoan {
  readonly group: Group
  readonly slot: number
  readonly position: number
}

/** Adds the unpaid interest of a loan to its principal, if it leaves income-based repayment. Returns what joined. */
const capitalize = (law: Law, { group, slot }: OpenLoan, next: Plan): number => {
  if (group.group === "beside" || !isIncomeBased(law, group.plan) || group.plan === next) return 0
  const joining = group.book.interest[slot]!
  group.book.principal[slot]! += joining
  group.book.interest[slot] = 0
  group.book.interestError[slot] = 0
  return joining
}

/**
 * Sorts the open loans into the books of a plan and of STANDARD beside it, or returns the refusal;
 * undefined if nothing is open.
 * @param books empty ones to fill
 * @param onJoined receives the unpaid interest that joins a loan's principal
 */
export const sortAnew = (
  before: Before,
  change: PlanChange,
  books: Pick<Sorted, "beside" | "own">,
  onJoined?: (position: number, dollars: number) => void
): Refusal | Sorted | undefined => {
  const { groups, law, loans } = before
  const { index, month, plan } = change
  const open: Array<OpenLoan> = []
  forEachOpen(groups, (group, slot) => open.push({ group, slot, position: group.book.position[slot]! }))
  if (open.length === 0) return undefined
  const refused = refusedNow(before, change)
  if (refused !== undefined) return refused
  open.sort((one, other) => one.position - other.position)
  const eligible = holdingsNow(before, plan)
  const isOwn = open.map(({ group: { book }, slot }) =>
    fits(law, plan, book.traits[slot]!, book.priorIdrMonths[slot]! + book.incomeDrivenMonths[slot]!, eligible)
  )
  open.forEach((loan, at) => {
    const joined = capitalize(law, loan, isOwn[at] ? plan : standard)
    if (joined > 0) onJoined?.(loan.position, joined)
  })
  // Anew, because the tier of Tiered Standard counts what has joined the principal.
  const held = holdingsNow(before, plan)
  const { beside, own } = books
  const movedOut: Array<number> = []
  own.clear(loans.length)
  beside.clear(loans.length)
  open.forEach(({ group, position, slot }, at) => {
    if (!isOwn[at] && group.plan !== standard) movedOut.push(position)
    const book = isOwn[at] ? own : beside
    book.copy(group.book, slot)
    const to = book.held - 1
    const next = isOwn[at] ? plan : standard
    passWaiver(law, group, next, book, to, month)
    if (next.kind === "income-driven" || (next === standard && group.plan === standard)) return
    book.setIn[to] = NOT_SET
    book.monthsLeft[to] =
      month + (isOwn[at] ? termLeft(law, next, book, to, held) : freshTerm(law, book.traits[to]!, held))
  })
  if (own.held === 0) {
    const refusal = ineligible(law, plan, loans, beside, held)
    return refusal === undefined ? undefined : { ...refusal, change: index }
  }
  const spent = plan.kind === "fixed" ? fixedArtifact(plan, own, month) : undefined
  return spent === undefined ? { own, beside, held, movedOut } : { ...spent, change: index }
}

/** Whether a plan shares the months in which subsidized interest is waived. @rule idr-subsidized-interest-months */
const sharesWaiver = (law: Law, plan: Plan): boolean => isAmong(law.read(idrSubsidizedInterestMonths).plans, plan)

/** The clock of the waiver of a loan that passes to another plan: it runs under the plans that share it. */
export const passWaiver = (law: Law, before: Group, next: Plan, book: Book, slot: number, month: number): void => {
  const until = book.fullWaiverUntil[slot]!
  if (until > 0 && before.group !== "beside" && sharesWaiver(law, before.plan))
    book.waiverLeft[slot] = Math.max(0, until - month)
  const isRunning = book.waiverLeft[slot] !== NOT_SET && sharesWaiver(law, next)
  book.fullWaiverUntil[slot] = isRunning ? month + book.waiverLeft[slot]! : NOT_SET
}
