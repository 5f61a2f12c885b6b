/**
 * Generators of lives that bend: pauses, family sizes, budgets, lump sums and a discount rate. They
 * are drawn next to a request and then fitted to it, so that it stays valid and a counterexample
 * shrinks as usual. Months are mostly those that matter: the first, July 2028, that of forgiveness,
 * the end of a term or of another pause, and the bounds.
 */
import fc from "fast-check"
import { indexOfMonth, monthsFrom, monthText, readMonth } from "../oracle/calendar.ts"
import { ONE } from "../oracle/decimal.ts"
import { CONTINGENT_PLANS_ENDED } from "../oracle/law.ts"
import { oracleProject, type Start } from "../oracle/oracle.ts"
import {
  readFilingStatus,
  type WireArm,
  type WireCalculation,
  type WireChange,
  type WireComparison,
  type WireLoan,
  type WireLumpSum,
  type WirePause,
  type WireProjection,
  type WireScenario
} from "../oracle/wire.ts"
import { cents, MAX_DOLLARS, respelled } from "./amounts.ts"
import { fittedChanges, MOST_CHANGES, type Plot, whenAtMost } from "./changes.ts"

const LAST_UNTIL = 120
export const LAST_MONTH = 600
const MOST_PAUSES = 10
const MOST_LUMP_SUMS = 20
const MAX_MONTHLY = 1_000_000

/** A month, or months after one that depends on the request. */
export interface Moment {
  readonly of: "month 0" | "July 2028" | "forgiveness" | "service" | "term" | "earliest"
  /** Months to forgiveness, or of a term. */
  readonly whole: number
  readonly later: number
}

export const moment: fc.Arbitrary<Moment> = fc.record({
  of: fc.constantFrom("month 0", "month 0", "month 0", "July 2028", "forgiveness", "service", "term", "earliest"),
  whole: fc.constantFrom(120, 240, 300, 360),
  later: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
    { weight: 3, arbitrary: fc.integer({ min: -12, max: 119 }) },
    { weight: 2, arbitrary: fc.constantFrom(12, 24, 36) }
  )
})

const LAST_MOMENT: Moment = { of: "month 0", whole: 120, later: LAST_MONTH }

/** Index of a moment. */
export function monthOf({ later, of, whole }: Moment, [loan]: ReadonlyArray<WireLoan>, start: Start): number {
  const counted = loan?.idrMonthsInRepayment ?? 0
  const earliest = monthsFrom(start, readMonth("1958-09"))
  const month = {
    "month 0": 0,
    "July 2028": indexOfMonth(CONTINGENT_PLANS_ENDED, start),
    forgiveness: whole - counted - 1,
    service: 119 - (loan?.pslfCount ?? 0),
    term: 119 - counted,
    earliest
  }[of]
  return Math.max(earliest, month + later)
}

/** A pause before it is fitted to a book. */
export interface DrawnPause {
  readonly kind: string
  readonly at: Moment
  readonly months: number
  readonly omitsFrom: boolean
  /** Bits of positions; null for all. */
  readonly loans: number | null
}

const drawnPause: fc.Arbitrary<DrawnPause> = fc.record({
  kind: respelled(fc.constantFrom("InSchool", "Deferment", "Forbearance")),
  at: moment,
  months: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 36 }) },
    { weight: 1, arbitrary: fc.constant(LAST_UNTIL) }
  ),
  omitsFrom: fc.boolean(),
  loans: fc.option(fc.integer({ min: 1, max: 1_023 }), { freq: 2, nil: null })
})

/** The positions of a pause, in falling order and at least one; all of a large book. */
function positionsOf(bits: number | null, count: number): ReadonlyArray<number> {
  const all = Array.from({ length: count }, (_, position) => count - 1 - position)
  const chosen = all.filter((position) => bits === null || position > 9 || ((bits >> position) & 1) === 1)
  return chosen.length === 0 ? [0] : chosen
}

/** Pauses in the order drawn. One that overlaps another of the same loan is moved to its end. */
export function fittedPauses(
  drawn: ReadonlyArray<DrawnPause>,
  loans: ReadonlyArray<WireLoan>,
  start: Start
): ReadonlyArray<WirePause> {
  const ends = loans.map(() => 0)
  const ordered = drawn.map((pause) => ({ ...pause, from: monthOf(pause.at, loans, start) }))
  return ordered
    .toSorted((a, b) => a.from - b.from)
    .flatMap(({ from: wanted, kind, loans: bits, months, omitsFrom }): ReadonlyArray<WirePause> => {
      const positions = positionsOf(bits, loans.length)
      const free = Math.max(...positions.map((position) => ends[position]!))
      const isOver = wanted + months <= 0
      const from = isOver || free === 0 ? wanted : Math.max(wanted, free)
      const until = Math.min(LAST_UNTIL, from + months)
      if (until <= from) return []
      if (!isOver) for (const position of positions) ends[position] = until
      return [
        {
          kind,
          until: monthText(start, until),
          ...(omitsFrom && from <= 0 ? {} : { from: monthText(start, from) }),
          ...(bits === null ? {} : { loans: positions })
        }
      ]
    })
    .slice(0, MOST_PAUSES)
}

/** An amount a month, or what is due in the first month that has something due, and a bit. */
type Monthly = number | null | { readonly overDue: number }

const monthly: fc.Arbitrary<Monthly> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, 0, null, 0.004, 0.005, MAX_MONTHLY) },
  { weight: 3, arbitrary: cents(1_500) },
  { weight: 1, arbitrary: fc.constantFrom(5, 10, 50, 100, 250) }
)

const budget: fc.Arbitrary<Monthly> = fc.oneof(
  { weight: 5, arbitrary: monthly },
  { weight: 4, arbitrary: fc.constantFrom(-100, -1, -0.01, 0, 0.01, 1, 100).map((overDue) => ({ overDue })) }
)

const familySize = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(1, 32, null) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 1).map((overTable) => ({ overTable })) }
)

type FamilySize = number | null | { readonly overTable: number }

function fittedFamily(size: FamilySize, { dependents, filingStatus }: WireScenario): number | null {
  if (size === null || typeof size === "number") return size
  const joint = readFilingStatus(filingStatus) === "MarriedFilingJointly"
  return Math.min(32, Math.max(1, 1 + dependents + (joint ? 1 : 0) + size.overTable))
}

/** An amount, or what the book owes at the start and a bit. */
type Lump = number | { readonly overOwed: number }

const lumpSum: fc.Arbitrary<{ readonly at: Moment; readonly amount: Lump }> = fc.record({
  at: fc.oneof({ weight: 5, arbitrary: moment }, { weight: 1, arbitrary: fc.constant(LAST_MOMENT) }),
  amount: fc.oneof(
    { weight: 4, arbitrary: cents(10_000).map((amount) => Math.max(0.01, amount)) },
    { weight: 1, arbitrary: fc.constantFrom(0.01, 50, 1_000, MAX_DOLLARS) },
    { weight: 1, arbitrary: fc.constantFrom(-0.01, 0, 0.01, 100).map((overOwed) => ({ overOwed })) }
  )
})

const owedBy = (loans: ReadonlyArray<WireLoan>): number =>
  loans.reduce((sum, loan) => sum + loan.principalBalance + (loan.interestBalance ?? 0), 0)

function fittedLump(amount: Lump, loans: ReadonlyArray<WireLoan>): number {
  const dollars = typeof amount === "number" ? amount : owedBy(loans) + amount.overOwed
  return Math.min(MAX_DOLLARS, Math.max(0.01, Number(dollars.toFixed(2))))
}

const fittedLumpSums = (
  drawn: ReadonlyArray<{ readonly at: Moment; readonly amount: Lump }>,
  loans: ReadonlyArray<WireLoan>,
  start: Start
): ReadonlyArray<WireLumpSum> =>
  drawn.map(({ amount, at }) => ({
    on: monthText(start, Math.min(LAST_MONTH, monthOf(at, loans, start))),
    amount: fittedLump(amount, loans)
  }))

export const discountRate = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 0.03, 0.05, 0.2, null, 1e-9) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_000 }).map((tenThousandths) => tenThousandths / 10_000) }
)

/** What a change may send besides the members of changes.ts; at least one is not null. */
const changeMembers = fc
  .record(
    {
      familySize: fc.option(fc.integer({ min: 1, max: 32 }), { freq: 4 }),
      extraMonthlyPayment: fc.option(fc.oneof(fc.constantFrom(0, 0.004, 50), cents(500)), { freq: 4 }),
      monthlyBudget: fc.option(fc.oneof(fc.constantFrom(0, 0.004, MAX_MONTHLY), cents(1_500)), { freq: 4 })
    },
    { requiredKeys: [] }
  )
  .map((members) =>
    Object.values(members).every((value) => value === null) ? { ...members, monthlyBudget: 0 } : members
  )

/** What bends a life, before it is fitted to a request. */
interface Bends {
  readonly pauses?: ReadonlyArray<DrawnPause> | null
  readonly familySize?: FamilySize
  readonly budget?: Monthly
  readonly lumpSums?: ReadonlyArray<{ readonly at: Moment; readonly amount: Lump }> | null
  readonly discountRate?: number | null
  readonly plot?: Plot
}

const listOf = <A>(each: fc.Arbitrary<A>, most: number): fc.Arbitrary<ReadonlyArray<A> | null> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.array(each, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(each, { minLength: most, maxLength: most, size: "max" }) },
    { weight: 1, arbitrary: fc.constantFrom(null, []) }
  )

export const drawnPauses = listOf(drawnPause, MOST_PAUSES)

const anyBends: fc.Arbitrary<Bends> = fc.record(
  {
    pauses: drawnPauses,
    familySize,
    budget,
    lumpSums: listOf(lumpSum, MOST_LUMP_SUMS),
    discountRate,
    plot: fc.record({ when: whenAtMost(4), members: fc.array(changeMembers, { minLength: 1, maxLength: 4 }) })
  },
  { requiredKeys: [] }
)

/** The changes of both, at most twenty. */
function mergedChanges(before: ReadonlyArray<WireChange>, added: ReadonlyArray<WireChange>): ReadonlyArray<WireChange> {
  const byYear = new Map(before.map((change) => [change.fromYear, change]))
  for (const change of added) {
    const there = byYear.get(change.fromYear)
    if (there !== undefined || byYear.size < MOST_CHANGES) byYear.set(change.fromYear, { ...there, ...change })
  }
  return [...byYear.values()].toSorted((a, b) => a.fromYear - b.fromYear)
}

const isAbove0 = (amount: number | null | undefined): boolean => (amount ?? 0) >= 0.005

/** An extra payment and a budget are never above 0 at one time: the budget ends the extra. */
function withoutContradiction(scenario: WireScenario): WireScenario {
  const meet = isAbove0(scenario.extraMonthlyPayment) && isAbove0(scenario.monthlyBudget)
  const first = meet ? { ...scenario, extraMonthlyPayment: 0 } : scenario
  let extra = first.extraMonthlyPayment
  let budgeted = first.monthlyBudget
  const changes = first.changes?.map((change): WireChange => {
    extra = change.extraMonthlyPayment ?? extra
    budgeted = change.monthlyBudget ?? budgeted
    if (!isAbove0(extra) || !isAbove0(budgeted)) return change
    if (isAbove0(change.monthlyBudget)) {
      extra = 0
      return { ...change, extraMonthlyPayment: 0 }
    }
    budgeted = 0
    return { ...change, monthlyBudget: 0 }
  })
  return changes === undefined ? first : { ...first, changes }
}

/** What is due in the first month that has something due, in cents; 100 if the plan is refused. */
function dueAtFirst(request: WireProjection, start: Start): number {
  const answer = oracleProject(request, start)
  return answer.kind === "projection" ? Number(answer.exact.firstPayment / (ONE / 100n)) / 100 : 100
}

function fittedBudget(drawn: Monthly, request: WireProjection, start: Start): number | null {
  if (drawn === null || typeof drawn === "number") return drawn
  return Math.min(MAX_MONTHLY, Math.max(0, Number((dueAtFirst(request, start) + drawn.overDue).toFixed(2))))
}

/** A scenario with what bends it. */
function bent(scenario: WireScenario, loans: ReadonlyArray<WireLoan>, bends: Bends, start: Start): WireScenario {
  const { budget: drawnBudget, discountRate: rate, familySize: family, lumpSums, pauses, plot } = bends
  const paused: WireScenario = {
    ...scenario,
    ...(pauses === undefined ? {} : { pauses: pauses === null ? null : fittedPauses(pauses, loans, start) }),
    ...(family === undefined ? {} : { familySize: fittedFamily(family, scenario) }),
    ...(lumpSums === undefined ? {} : { lumpSums: lumpSums === null ? null : fittedLumpSums(lumpSums, loans, start) }),
    ...(rate === undefined ? {} : { discountRate: rate }),
    ...(plot === undefined ? {} : { changes: mergedChanges(scenario.changes ?? [], fittedChanges(plot, loans, start)) })
  }
  const monthlyBudget =
    drawnBudget === undefined ? undefined : fittedBudget(drawnBudget, { scenario: paused, loans }, start)
  return withoutContradiction(monthlyBudget === undefined ? paused : { ...paused, monthlyBudget })
}

/** The requests with lives that bend. */
export const bentProjections = (requests: fc.Arbitrary<WireProjection>, start: Start): fc.Arbitrary<WireProjection> =>
  fc.tuple(requests, anyBends).map(([request, bends]) => ({
    ...request,
    scenario: bent(request.scenario, request.loans, bends, start)
  }))

/** The comparisons with a life of its own for each arm. */
export const bentComparisons = (requests: fc.Arbitrary<WireComparison>, start: Start): fc.Arbitrary<WireComparison> =>
  fc.tuple(requests, fc.array(anyBends, { minLength: 1, maxLength: 10 })).map(([request, all]) => ({
    ...request,
    arms: request.arms.map(
      (arm, i): WireArm => ({ ...arm, scenario: bent(arm.scenario, arm.loans, all[i % all.length]!, start) })
    )
  }))

/** The calculator has a family size alone. */
export const bentCalculations = (requests: fc.Arbitrary<WireCalculation>): fc.Arbitrary<WireCalculation> =>
  fc
    .tuple(requests, fc.option(fc.integer({ min: 1, max: 32 }), { freq: 8 }))
    .map(([request, size]) => ({ ...request, familySize: size }))
