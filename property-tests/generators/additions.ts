/**
 * Generators of what a request may add: dates, price growth, changes by year and extra payments.
 * They are drawn next to a request and then fitted to it, so that it stays valid and a
 * counterexample shrinks as usual.
 */
import fc from "fast-check"
import type { Start } from "../oracle/oracle.ts"
import type {
  WireArm,
  WireCalculation,
  WireComparison,
  WireEligibility,
  WireLoan,
  WireProjection,
  WireScenario
} from "../oracle/wire.ts"
import { cents } from "./amounts.ts"
import { fittedChanges, type Plot, plots, servicePlots } from "./changes.ts"
import {
  anyDay,
  type Dating,
  datedBook,
  datings,
  type FirstDay,
  firstDays,
  fittedFirstDay,
  newDatings
} from "./days.ts"

const MAX_EXTRA = 1_000_000

export const priceGrowth: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, null) },
  { weight: 4, arbitrary: fc.constantFrom(0.025, 0.025, 0.1) },
  { weight: 1, arbitrary: fc.constantFrom(1e-9, 1e-6, 0.001) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000 }).map((tenThousandths) => tenThousandths / 10_000) }
)

/** An amount, or what the book owes at the start and a few cents. */
type Extra = number | null | { readonly overOwed: number }

const extraPayment: fc.Arbitrary<Extra> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, null) },
  { weight: 2, arbitrary: fc.constantFrom(0.01, 0.01, MAX_EXTRA) },
  { weight: 3, arbitrary: fc.constantFrom(10, 25, 50, 100, 500) },
  { weight: 4, arbitrary: cents(500) },
  { weight: 2, arbitrary: cents(20_000) },
  { weight: 1, arbitrary: fc.constantFrom(-100, -0.01, 0, 0.01, 1_000).map((overOwed) => ({ overOwed })) }
)

function fittedExtra(extra: Extra, loans: ReadonlyArray<WireLoan>): number | null {
  if (extra === null || typeof extra === "number") return extra
  const owed = loans.reduce((sum, loan) => sum + loan.principalBalance + (loan.interestBalance ?? 0), 0)
  return Math.min(MAX_EXTRA, Math.max(0, Number((owed + extra.overOwed).toFixed(2))))
}

/** What is added to a scenario, before it is fitted to its book. */
interface Added {
  readonly first?: FirstDay
  readonly annualPriceGrowth?: number | null
  readonly extra?: Extra
  readonly plot?: Plot | null | "an empty list"
}

const anyAdded = (start: Start): fc.Arbitrary<Added> =>
  fc.record(
    {
      first: firstDays(start),
      annualPriceGrowth: priceGrowth,
      extra: extraPayment,
      plot: fc.oneof(
        { weight: 8, arbitrary: plots },
        { weight: 1, arbitrary: fc.constantFrom(null, "an empty list" as const) }
      )
    },
    { requiredKeys: [] }
  )

function fittedPlot(plot: NonNullable<Added["plot"]>, loans: ReadonlyArray<WireLoan>, start: Start) {
  return plot === "an empty list" ? [] : fittedChanges(plot, loans, start)
}

/** @param loans the book with its dates */
const withAdded = (
  scenario: WireScenario,
  { annualPriceGrowth, extra, first, plot }: Added,
  loans: ReadonlyArray<WireLoan>,
  start: Start
): WireScenario => ({
  ...scenario,
  ...(first === undefined ? {} : { firstBorrowedOn: fittedFirstDay(first, loans) }),
  ...(annualPriceGrowth === undefined ? {} : { annualPriceGrowth }),
  ...(extra === undefined ? {} : { extraMonthlyPayment: fittedExtra(extra, loans) }),
  ...(plot === undefined ? {} : { changes: plot === null ? null : fittedPlot(plot, loans, start) })
})

const projectionWith = (request: WireProjection, dating: Dating, added: Added, start: Start): WireProjection => {
  const loans = datedBook(request.loans, dating)
  return { ...request, scenario: withAdded(request.scenario, added, loans, start), loans }
}

const withoutFirst = ({ first: _, ...others }: Added): Added => others

/** The requests with any additions. */
export const addedToProjections = (requests: fc.Arbitrary<WireProjection>, start: Start) =>
  fc
    .tuple(requests, datings(start), anyAdded(start))
    .map(([request, dating, added]) => projectionWith(request, dating, added, start))

/** The requests with new loans, or with a borrower who is new. */
export const newLoansIn = (requests: fc.Arbitrary<WireProjection>, start: Start): fc.Arbitrary<WireProjection> => {
  const newBorrower = fc.constantFrom<FirstDay>("2026-06-30", "2026-07-01")
  const dates = fc.oneof(
    fc.record({ dating: newDatings(start), first: fc.constant(undefined) }),
    fc.record({ dating: fc.constant([undefined]), first: newBorrower })
  )
  return fc
    .tuple(requests, dates, anyAdded(start))
    .map(([request, { dating, first }, added]) =>
      projectionWith(request, dating, first === undefined ? added : { ...added, first }, start)
    )
}

/** The requests without dates of loans, and with a first borrowing near July 1, 2014. */
export const firstBorrowedAround2014 = (requests: fc.Arbitrary<WireProjection>, start: Start) =>
  fc
    .tuple(requests, fc.constantFrom<FirstDay>("2014-06-30", "2014-07-01", "2014-07-01", "2019-09-01"), anyAdded(start))
    .map(([request, first, added]) => projectionWith(request, [undefined], { ...added, first }, start))

/** The requests with a count near that of PSLF, and public service that ends or begins. */
export const servicesIn = (requests: fc.Arbitrary<WireProjection>, start: Start): fc.Arbitrary<WireProjection> =>
  fc
    .tuple(requests, fc.constantFrom(96, 107, 108, 109, 119, 120, 120), servicePlots, anyAdded(start), fc.boolean())
    .map(([request, pslfCount, plot, added, serves]) => {
      const workingTowardsPslf = serves && pslfCount < 120
      const loans = request.loans.map((loan) => ({ ...loan, pslfCount }))
      const scenario = { ...request.scenario, workingTowardsPslf }
      return projectionWith({ ...request, scenario, loans }, [undefined], { ...withoutFirst(added), plot }, start)
    })

/**
 * The comparisons with any additions: one book keeps one dating, and each arm has its own rest. Two
 * of three have no dates, because a date that closes one arm's plan refuses the comparison.
 */
export const addedToComparisons = (requests: fc.Arbitrary<WireComparison>, start: Start) => {
  const anyArms = fc.array(anyAdded(start), { minLength: 1, maxLength: 10 })
  const parts = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(
        requests,
        fc.constant([undefined]),
        anyArms.map((all) => all.map(withoutFirst))
      )
    },
    { weight: 1, arbitrary: fc.tuple(requests, datings(start), anyArms) }
  )
  return parts.map(([request, dating, added]): WireComparison => {
    const armWith = ({ loans, scenario }: WireArm, i: number): WireArm => {
      const dated = datedBook(loans, dating)
      return { scenario: withAdded(scenario, added[i % added.length]!, dated, start), loans: dated }
    }
    return { ...request, arms: request.arms.map(armWith) }
  })
}

export const addedToEligibility = (requests: fc.Arbitrary<WireEligibility>, start: Start) =>
  fc
    .tuple(requests, datings(start), fc.option(firstDays(start), { nil: undefined, freq: 1 }))
    .map(([request, dating, first]): WireEligibility => {
      const loans = datedBook(request.loans, dating)
      return first === undefined
        ? { ...request, loans }
        : { ...request, loans, firstBorrowedOn: fittedFirstDay(first, loans) }
    })

/** The calculator's only addition. A new borrower cannot have a loan that is not new. */
export const addedToCalculations = (requests: fc.Arbitrary<WireCalculation>, start: Start) =>
  fc
    .tuple(requests, fc.oneof({ weight: 6, arbitrary: anyDay(start) }, { weight: 1, arbitrary: fc.constant(null) }))
    .map(([request, firstBorrowedOn]): WireCalculation => {
      const isNewBorrower = firstBorrowedOn !== null && firstBorrowedOn >= "2026-07-01"
      return isNewBorrower && request.borrowedOnOrAfterJul12026 === false
        ? { ...request, borrowedOnOrAfterJul12026: null, firstBorrowedOn }
        : { ...request, firstBorrowedOn }
    })
