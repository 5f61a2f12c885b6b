/**
 * Generators of changes of plan. They are drawn next to a request and then fitted to it: months
 * increase, and most plans may follow the one before. Many months are those that matter: the first
 * two, a year's first, July 2028, that of forgiveness or of a term's end, one in a pause, one that
 * has passed, and one after the end. Some requests are aimed at a threshold of a change.
 */
import fc from "fast-check"
import { hasBalance } from "../oracle/book.ts"
import { indexOfMonth, monthsFrom, monthText, readMonth } from "../oracle/calendar.ts"
import { datesOf } from "../oracle/dates.ts"
import { takenBy } from "../oracle/fitting.ts"
import { CONTINGENT_PLANS_ENDED } from "../oracle/law.ts"
import { type PlanType, planTypes } from "../oracle/matrix.ts"
import type { Start } from "../oracle/oracle.ts"
import {
  readLoans,
  readPlanType,
  type WireArm,
  type WireComparison,
  type WireLoan,
  type WirePlanChange,
  type WireProjection,
  type WireScenario
} from "../oracle/wire.ts"
import { cents, respelled } from "./amounts.ts"
import { LAST_MONTH, type Moment, moment, monthOf } from "./lives.ts"

const MOST_PLAN_CHANGES = 5

/** A month, a moment of the request, or so many months after a pause begins or ends. */
type When = { readonly month: number } | Moment | { readonly pause: "from" | "until"; readonly later: number }

const when: fc.Arbitrary<When> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 2, 12, 18, 24, 36).map((month) => ({ month })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 180 }).map((month) => ({ month })) },
  { weight: 1, arbitrary: fc.constantFrom(-400, -1, 0).map((month) => ({ month })) },
  { weight: 1, arbitrary: fc.constantFrom(359, 360, 599, LAST_MONTH).map((month) => ({ month })) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: -1, max: 1 }).map((later): Moment => ({ of: "July 2028", whole: 120, later }))
  },
  { weight: 3, arbitrary: moment },
  {
    weight: 2,
    arbitrary: fc.record({
      pause: fc.constantFrom("from" as const, "until" as const),
      later: fc.integer({ min: -1, max: 1 })
    })
  }
)

function monthOfChange(at: When, { loans, scenario }: WireArm, start: Start): number {
  if ("month" in at) return at.month
  if (!("pause" in at)) return Math.min(LAST_MONTH, monthOf(at, loans, start))
  const pause = scenario.pauses?.[0]
  const text = at.pause === "from" ? pause?.from : pause?.until
  const month = (typeof text === "string" ? monthsFrom(start, readMonth(text)) : 1) + at.later
  return Math.max(month, monthsFrom(start, readMonth("1958-09")))
}

/** A plan by its name, or a choice among those that may follow. */
type NextPlan = string | { readonly choice: number }

const nextPlan: fc.Arbitrary<NextPlan> = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 839 }).map((choice) => ({ choice })) },
  { weight: 1, arbitrary: respelled(fc.constantFrom(...planTypes)) }
)

const isElectable = (plan: PlanType): boolean => plan !== "REVISED PAY AS YOU EARN" && plan !== "SAVE"

const isEnding = (plan: PlanType): boolean => plan === "PAY AS YOU EARN" || plan === "INCOME CONTINGENT"

/** Whether the plan takes some loan at the start. */
function takesSome(plan: PlanType, { loans, scenario }: WireArm): boolean {
  const request = readLoans(loans).filter(hasBalance)
  return takenBy(plan, request, datesOf(scenario.firstBorrowedOn ?? null, request), []).length > 0
}

/** The plans that may follow one at a month, if the loans still owe what they owe at the start. */
function followers(before: PlanType, month: number, arm: WireArm, start: Start): ReadonlyArray<PlanType> {
  const end = indexOfMonth(CONTINGENT_PLANS_ENDED, start)
  const leavesIncomeBased = month > 0 && (before === "INCOME BASED" || before === "INCOME BASED (OLD)")
  return planTypes
    .filter((plan) => plan !== before && isElectable(plan) && !(isEnding(plan) && month >= end))
    .filter((plan) => !leavesIncomeBased || plan === "STANDARD" || plan === "REPAYMENT ASSISTANCE")
    .filter((plan) => takesSome(plan, arm))
}

function planOf(next: NextPlan, before: PlanType, month: number, arm: WireArm, start: Start): string {
  if (typeof next === "string") return next
  const open = followers(before, month, arm, start)
  return open[next.choice % open.length] ?? "STANDARD"
}

interface DrawnChange {
  readonly at: When
  readonly next: NextPlan
}

const drawnChange: fc.Arbitrary<DrawnChange> = fc.record({ at: when, next: nextPlan })

const drawnChanges: fc.Arbitrary<ReadonlyArray<DrawnChange> | null> = fc.oneof(
  { weight: 12, arbitrary: fc.array(drawnChange, { minLength: 1, maxLength: 2 }) },
  { weight: 6, arbitrary: fc.array(drawnChange, { minLength: 3, maxLength: MOST_PLAN_CHANGES, size: "max" }) },
  { weight: 1, arbitrary: fc.constantFrom(null, []) }
)

/** Changes in strictly increasing months. Of several in one month the first is kept. */
function fittedPlanChanges(
  drawn: ReadonlyArray<DrawnChange>,
  arm: WireArm,
  start: Start
): ReadonlyArray<WirePlanChange> {
  const byMonth = new Map<number, NextPlan>()
  for (const { at, next } of drawn) {
    const month = monthOfChange(at, arm, start)
    if (!byMonth.has(month)) byMonth.set(month, next)
  }
  let before = readPlanType(arm.scenario.planType)
  return [...byMonth]
    .toSorted(([a], [b]) => a - b)
    .map(([month, next]) => {
      const planType = planOf(next, before, month, arm, start)
      before = readPlanType(planType)
      return { from: monthText(start, month), planType }
    })
}

const changedScenario = (arm: WireArm, drawn: ReadonlyArray<DrawnChange> | null, start: Start): WireScenario => ({
  ...arm.scenario,
  planChanges: drawn === null ? null : fittedPlanChanges(drawn, arm, start)
})

/** The requests with changes of plan. */
export const changedProjections = (
  requests: fc.Arbitrary<WireProjection>,
  start: Start
): fc.Arbitrary<WireProjection> =>
  fc
    .tuple(requests, drawnChanges)
    .map(([request, drawn]) => ({ ...request, scenario: changedScenario(request, drawn, start) }))

/** The comparisons with changes of its own for each arm. */
export const changedComparisons = (
  requests: fc.Arbitrary<WireComparison>,
  start: Start
): fc.Arbitrary<WireComparison> =>
  fc.tuple(requests, fc.array(drawnChanges, { minLength: 1, maxLength: 10 })).map(([request, all]) => ({
    ...request,
    arms: request.arms.map((arm, i) => ({ ...arm, scenario: changedScenario(arm, all[i % all.length]!, start) }))
  }))

const plainBorrower = {
  adjustedGrossIncome: 0,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

const changing = (
  start: Start,
  scenario: Partial<WireScenario> & Pick<WireScenario, "planType">,
  loans: ReadonlyArray<WireLoan>,
  ...changes: ReadonlyArray<readonly [number, PlanType]>
): WireProjection => ({
  scenario: {
    ...plainBorrower,
    ...scenario,
    planChanges: changes.map(([month, planType]) => ({ from: monthText(start, month), planType }))
  },
  loans
})

const STAFFORD = "DIRECT STAFFORD UNSUBSIDIZED"

/** An exact amount, or one off it by what a test to a millionth of a dollar tells apart or not. */
const offset = fc.constantFrom(0, 0, 0.00003, 0.00005, 0.0001, -0.0001, 0.01, -0.01, 1)

/**
 * Balances near 30,000 at a change to EXTENDED: level payments lower one without interest, and
 * unpaid interest raises another.
 */
const atThirtyThousand = (start: Start): fc.Arbitrary<WireProjection> =>
  fc.tuple(fc.constantFrom(1, 12, 24, 40, 60), offset, fc.boolean()).map(([month, off, falls]) => {
    const interestRate = falls ? 0 : 0.06
    const principal = falls ? 30_000 / (1 - month / 120) : 30_000 / (1 + month * 0.005)
    const loan = { loanType: STAFFORD, principalBalance: Number((principal + off).toFixed(6)), interestRate }
    return changing(start, { planType: falls ? "STANDARD" : "SAVE" }, [loan], [month, "EXTENDED"])
  })

/**
 * Payments of REPAYMENT ASSISTANCE near the ten-year amount, without dependents or with some, of a
 * loan without interest, and a change to a plan that counts such months. Later income is 0.
 */
const atTenYearAmount = (start: Start): fc.Arbitrary<WireProjection> =>
  fc
    .record({
      tens: fc.integer({ min: 2, max: 10 }),
      dependents: fc.constantFrom(0, 0, 1, 2),
      off: offset,
      years: fc.integer({ min: 1, max: 3 }),
      planType: fc.constantFrom<PlanType>("INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN", "STANDARD"),
      counted: fc.constantFrom(0, 0, 60, 214)
    })
    .map(({ counted, dependents, off, planType, tens, years }) => {
      // tens - 1 percent of tens * 10,000 a year
      const payment = Math.max(10, (tens * 100 * (tens - 1)) / 12 - 50 * dependents)
      const scenario = {
        planType: "REPAYMENT ASSISTANCE",
        adjustedGrossIncome: tens * 10_000,
        dependents,
        changes: [{ fromYear: years + 1, adjustedGrossIncome: 0 }]
      }
      const loan = {
        loanType: STAFFORD,
        principalBalance: Number((payment * 120 + off).toFixed(6)),
        interestRate: 0,
        idrMonthsInRepayment: counted
      }
      return changing(start, scenario, [loan], [years * 12, planType])
    })

/** Consolidations of PLUS loans that need a due month under an income-driven plan for the change. */
const withOneCountedMonth = (start: Start): fc.Arbitrary<WireProjection> =>
  fc
    .record({
      first: fc.constantFrom<PlanType>("INCOME CONTINGENT", "INCOME CONTINGENT", "STANDARD", "GRADUATED"),
      month: fc.integer({ min: 1, max: 4 }),
      pausedUntil: fc.integer({ min: 0, max: 4 }),
      next: fc.constantFrom<PlanType>("INCOME BASED", "INCOME BASED (OLD)"),
      principalBalance: cents(60_000),
      others: fc.constantFrom([], [STAFFORD], ["FFEL STAFFORD SUBSIDIZED"], ["FEDERAL PERKINS"])
    })
    .map(({ first, month, others, pausedUntil, principalBalance, next }) => {
      const loans = ["DIRECT PARENT PLUS CONSOLIDATED", ...others].map((loanType) => ({
        loanType,
        principalBalance,
        interestRate: 0.065
      }))
      const pauses = pausedUntil === 0 ? [] : [{ kind: "Forbearance", until: monthText(start, pausedUntil) }]
      return changing(start, { planType: first, pauses }, loans, [month, next])
    })

/** A fixed plan near the end of a term that another plan has used up. */
const nearTheEndOfTerm = (start: Start): fc.Arbitrary<WireProjection> =>
  fc
    .record({
      counted: fc.integer({ min: 0, max: 118 }),
      left: fc.integer({ min: 0, max: 3 }),
      next: fc.constantFrom<PlanType>("STANDARD", "GRADUATED"),
      loanType: fc.constantFrom(STAFFORD, "DIRECT PLUS GRADUATE", "DIRECT CONSOLIDATED UNSUBSIDIZED")
    })
    .map(({ counted, left, loanType, next }) => {
      const loan = { loanType, principalBalance: 3_000, interestRate: 0.05, idrMonthsInRepayment: counted }
      const month = Math.max(1, 120 - counted - left)
      return changing(start, { planType: "REPAYMENT ASSISTANCE" }, [loan], [month, next])
    })

/** Requests aimed at a threshold of a change of plan. */
export const aimedChangesOfPlan = (start: Start): fc.Arbitrary<WireProjection> =>
  fc.oneof(atThirtyThousand(start), atTenYearAmount(start), withOneCountedMonth(start), nearTheEndOfTerm(start))
