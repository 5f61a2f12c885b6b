/**
 * Generators of valid requests in JSON form, often near the thresholds of the law (edges). They
 * only combine fast-check's own arbitraries, so a counterexample shrinks as usual.
 */
import fc from "fast-check"
import type { Start } from "../oracle/calendar.ts"
import { loanTypes as allLoanTypes, type PlanType, planTypes } from "../oracle/matrix.ts"
import type {
  WireArm,
  WireCalculation,
  WireComparison,
  WireEligibility,
  WireLoan,
  WireProjection
} from "../oracle/wire.ts"
import {
  addedToCalculations,
  addedToComparisons,
  addedToEligibility,
  addedToProjections,
  firstBorrowedAround2014,
  newLoansIn,
  servicesIn
} from "./additions.ts"
import { anyBalance, atMost, cents, rate, respelled } from "./amounts.ts"
import { books, idrMonths, pslfCount, type RequestOptions } from "./books.ts"
import { idrMonthsEndingNear, pslfCountEndingNear, requestsAcrossJuly2028 } from "./july-2028.ts"
import { bentCalculations, bentComparisons, bentProjections } from "./lives.ts"
import { aimedChangesOfPlan, changedComparisons, changedProjections } from "./plan-changes.ts"
import { booksByProgram, projectionsByProgram } from "./programs.ts"
import { dependents, filingStatus, growth, incomes, scenarios, spouseIncome, spouseLoans, state } from "./scenarios.ts"
import { COMMON_START } from "./starts.ts"

export { books, type RequestOptions } from "./books.ts"
export { scenarios } from "./scenarios.ts"
export { started } from "./starts.ts"

/**
 * Two equal loans without interest, one forgiven by PSLF and one by time, so that both amounts tie.
 */
const twins: fc.Arbitrary<WireProjection> = fc.tuple(cents(50_000), idrMonths).map(([principalBalance, months]) => ({
  scenario: {
    planType: "INCOME BASED (OLD)",
    adjustedGrossIncome: 0,
    filingStatus: "Single",
    dependents: 0,
    state: "AR",
    workingTowardsPslf: true
  },
  loans: ["DIRECT STAFFORD UNSUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED"].map((type) => ({
    loanType: type,
    principalBalance,
    interestRate: 0,
    idrMonthsInRepayment: type.startsWith("FFEL") ? months : 0
  }))
}))

/**
 * An income just below the row of the Arkansas table at which the tax falls, and a small forgiven
 * balance that may cross it.
 */
const arkansasFall: fc.Arbitrary<WireProjection> = fc
  .tuple(fc.integer({ min: 0, max: 100 }), cents(80), fc.constantFrom("Single", "MFJ"))
  .map(([below, principalBalance, status]) => ({
    scenario: {
      planType: "INCOME BASED",
      adjustedGrossIncome: 94_701 + (status === "MFJ" ? 4_940 : 2_470) - below,
      filingStatus: status,
      dependents: 30,
      state: "AR",
      workingTowardsPslf: false
    },
    loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance, interestRate: 0 }]
  }))

const maxLoans = (options: RequestOptions): number => options.maxLoans ?? 10

/** Whether the options allow the books of programs.ts, in which loans affect each other. */
const allowsAimedBooks = (options: RequestOptions): boolean =>
  options.loanTypes === undefined && options.highestBalance === undefined && maxLoans(options) >= 2

/** Random books, and some of programs.ts: random loans rarely affect each other. */
function anyBook(options: RequestOptions): fc.Arbitrary<ReadonlyArray<WireLoan>> {
  const byChance = books(options)
  if (!allowsAimedBooks(options)) return byChance
  const aimed = booksByProgram(options, maxLoans(options))
  return fc.oneof({ weight: 4, arbitrary: byChance }, { weight: 1, arbitrary: aimed })
}

const anyProjection = (options: RequestOptions): fc.Arbitrary<WireProjection> =>
  fc.record(
    { scenario: scenarios(options), loans: anyBook(options), includeYearly: fc.boolean() },
    { requiredKeys: ["scenario", "loans"] }
  )

const startOf = (options: RequestOptions) => options.start ?? COMMON_START

function plainProjections(options: RequestOptions): fc.Arbitrary<WireProjection> {
  const any = anyProjection(options)
  if (options.plans !== undefined || options.loanTypes !== undefined) return any
  const aimed = allowsAimedBooks(options) ? projectionsByProgram(options, maxLoans(options)) : any
  return fc.oneof(
    { weight: 60, arbitrary: any },
    { weight: 20, arbitrary: requestsAcrossJuly2028(options, startOf(options)) },
    { weight: 20, arbitrary: aimed },
    { weight: 1, arbitrary: twins },
    { weight: 1, arbitrary: arkansasFall }
  )
}

/** Plans that new loans leave open to Direct loans or to FFEL loans. */
const plansWithNewLoans: ReadonlyArray<PlanType> = [
  "STANDARD",
  "REPAYMENT ASSISTANCE",
  "STANDARD",
  "REPAYMENT ASSISTANCE",
  "EXTENDED",
  "GRADUATED",
  "INCOME BASED (OLD)"
]

/** Projections with additions. Some are aimed, if the options name no plans or loan types. */
function projectionsWithAdditions(options: RequestOptions): fc.Arbitrary<WireProjection> {
  const start = startOf(options)
  const any = addedToProjections(plainProjections(options), start)
  if (options.plans !== undefined || options.loanTypes !== undefined) return any
  return fc.oneof(
    { weight: 12, arbitrary: any },
    { weight: 4, arbitrary: newLoansIn(anyProjection({ ...options, plans: plansWithNewLoans }), start) },
    { weight: 2, arbitrary: firstBorrowedAround2014(requestsAcrossJuly2028(options, start), start) },
    { weight: 2, arbitrary: servicesIn(anyProjection(options), start) }
  )
}

/** Names and options of requests with ever more of the optional fields. */
export const BY_FIELDS = [
  ["", {}],
  [", with dates, price growth, changes and extra payments", { additions: true }],
  [", with these and pauses, family sizes, budgets and lump sums", { additions: true, lives: true }],
  [", with all these and changes of plan", { additions: true, lives: true, changesOfPlan: true }]
] as const

/**
 * Projection requests. If the options name no plans or loan types, some requests cross July 2028,
 * and some combine a plan with the books that matter for it. A few have one of two rare shapes.
 */
export const projectionRequests = (options: RequestOptions = {}): fc.Arbitrary<WireProjection> => {
  const requests = options.additions === true ? projectionsWithAdditions(options) : plainProjections(options)
  const bent = options.lives === true ? bentProjections(requests, startOf(options)) : requests
  return options.changesOfPlan === true ? projectionsWithChangesOfPlan(bent, options) : bent
}

/** Some are aimed, if the options name no plans or loan types. */
function projectionsWithChangesOfPlan(
  requests: fc.Arbitrary<WireProjection>,
  options: RequestOptions
): fc.Arbitrary<WireProjection> {
  const any = changedProjections(requests, startOf(options))
  if (options.plans !== undefined || options.loanTypes !== undefined) return any
  return fc.oneof({ weight: 8, arbitrary: any }, { weight: 2, arbitrary: aimedChangesOfPlan(startOf(options)) })
}

/**
 * The scenarios of a comparison (arms). They share one book, as in most requests, or have one each.
 */
const arms = (options: RequestOptions): fc.Arbitrary<ReadonlyArray<WireArm>> => {
  const own = fc.record({ scenario: scenarios(options), loans: anyBook(options) })
  const shared = fc
    .tuple(anyBook(options), fc.array(scenarios(options), { minLength: 2, maxLength: 10 }))
    .map(([book, all]) => all.map((scenario) => ({ scenario, loans: book })))
  return fc.oneof(
    { weight: 3, arbitrary: shared },
    { weight: 1, arbitrary: fc.array(own, { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: own.chain((arm) => fc.constant([arm, arm])) }
  )
}

export function comparisonRequests(options: RequestOptions = {}): fc.Arbitrary<WireComparison> {
  const plain = fc.record({ arms: arms(options), includeYearly: fc.boolean() }, { requiredKeys: ["arms"] })
  const requests = options.additions === true ? addedToComparisons(plain, startOf(options)) : plain
  const bent = options.lives === true ? bentComparisons(requests, startOf(options)) : requests
  return options.changesOfPlan === true ? changedComparisons(bent, startOf(options)) : bent
}

export function eligibilityRequests(options: RequestOptions = {}): fc.Arbitrary<WireEligibility> {
  const plain = fc.record({ loans: anyBook(options) })
  return options.additions === true ? addedToEligibility(plain, startOf(options)) : plain
}

const shortLoanType = fc.constantFrom(
  "direct_subsidized",
  "direct_unsubsidized",
  "grad_plus_legacy",
  "parent_plus",
  "direct_consolidation",
  "direct_consolidation_with_plus"
)

/** Types with unusual plans or terms. */
const unusualLoanType = fc.constantFrom("DIRECT PLUS CONSOLIDATED", "DIRECT PARENT PLUS CONSOLIDATED")

const calculatorLoanType = respelled(
  fc.oneof(
    { weight: 4, arbitrary: shortLoanType },
    { weight: 4, arbitrary: fc.constantFrom(...allLoanTypes) },
    { weight: 1, arbitrary: unusualLoanType }
  )
)

const percentOf = (fraction: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fraction.map((value) => Number((value * 100).toFixed(7)))

const mostly = <A>(value: fc.Arbitrary<A>, other: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: other })

const orNull = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: value })

export function calculationRequests(options: RequestOptions = {}): fc.Arbitrary<WireCalculation> {
  const start = startOf(options)
  const members = {
    balance: atMost(anyBalance, options.highestBalance),
    // Between 0 and 1 percent, none is accepted.
    ratePct: percentOf(rate(options.highestRate ?? 1)).map((value) => (value > 0 && value < 1 ? value + 1 : value)),
    borrowerAgi: incomes,
    filingStatus: orNull(filingStatus),
    spouseAgi: spouseIncome,
    spouseFederalLoanBalance: spouseLoans,
    dependents,
    loanType: orNull(calculatorLoanType),
    state: orNull(state),
    pursuingPslf: fc.boolean(),
    pslfCreditedMonths: mostly(pslfCount, pslfCountEndingNear(start)),
    priorIdrMonths: mostly(idrMonths, idrMonthsEndingNear(start)),
    incomeGrowthPct: percentOf(growth),
    borrowedOnOrAfterJul12026: fc.constantFrom(null, false, false, true)
  }
  const any = fc.record(members, { requiredKeys: ["balance", "ratePct", "borrowerAgi"] })
  /** A loan of any family made on or after July 1, 2026, with months already counted. */
  const late = fc.record(
    { ...members, loanType: calculatorLoanType, borrowedOnOrAfterJul12026: fc.constant(true) },
    { requiredKeys: ["balance", "ratePct", "borrowerAgi", "loanType", "priorIdrMonths", "borrowedOnOrAfterJul12026"] }
  )
  const plain = fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: late })
  const requests = options.additions === true ? addedToCalculations(plain, start) : plain
  return options.lives === true ? bentCalculations(requests) : requests
}

/** A question for the best path: a projection's request, and the plan that every path begins with, or null. */
export interface AskedPaths {
  readonly request: WireProjection
  readonly currentPlan: string | null
}

export const pathsRequests = (start: Start): fc.Arbitrary<AskedPaths> =>
  fc.record({
    request: projectionRequests({ maxLoans: 4, start, additions: true, lives: true }),
    currentPlan: fc.option(fc.constantFrom(...planTypes))
  })
