/**
 * Generators of the changes of a household by year: marriage and divorce, public service that ends
 * and begins, and any other. Many begin in a year that matters: the second, the one that holds July
 * 2028, or one near forgiveness. The years are fitted to the request.
 */
import fc from "fast-check"
import { indexOfMonth } from "../oracle/calendar.ts"
import { CONTINGENT_PLANS_ENDED } from "../oracle/law.ts"
import type { Start } from "../oracle/oracle.ts"
import type { WireChange, WireLoan } from "../oracle/wire.ts"
import { cents } from "./amounts.ts"
import { dependents, filingStatus, incomes, spouseLoans } from "./scenarios.ts"

const FIRST_YEAR = 2
const LAST_YEAR = 50
export const MOST_CHANGES = 20

/** A year, or the one that holds the end of so many counted months, or July 2028. */
type When =
  | { readonly year: number }
  | { readonly countedMonths: number; readonly later: number }
  | { readonly july2028: number }

const when: fc.Arbitrary<When> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ year: FIRST_YEAR }) },
  { weight: 4, arbitrary: fc.integer({ min: FIRST_YEAR, max: 30 }).map((year) => ({ year })) },
  { weight: 1, arbitrary: fc.integer({ min: 31, max: LAST_YEAR }).map((year) => ({ year })) },
  { weight: 2, arbitrary: fc.integer({ min: -1, max: 1 }).map((july2028) => ({ july2028 })) },
  {
    weight: 3,
    arbitrary: fc.record({
      countedMonths: fc.constantFrom(120, 240, 300, 360),
      later: fc.integer({ min: -1, max: 1 })
    })
  }
)

const yearOf = (month: number): number => Math.floor(month / 12) + 1

function fittedYear(at: When, [loan]: ReadonlyArray<WireLoan>, start: Start): number {
  if ("year" in at) return at.year
  if ("july2028" in at) return yearOf(indexOfMonth(CONTINGENT_PLANS_ENDED, start)) + at.july2028
  const counted = (at.countedMonths === 120 ? loan?.pslfCount : loan?.idrMonthsInRepayment) ?? 0
  return yearOf(at.countedMonths - counted - 1) + at.later
}

/** What a change sends, without its year. */
type Members = Omit<WireChange, "fromYear">

const wedding: fc.Arbitrary<Members> = fc.record(
  {
    filingStatus: fc.constantFrom("MFJ", "MarriedFilingJointly"),
    spouseAdjustedGrossIncome: incomes,
    spouseFederalLoanBalance: spouseLoans
  },
  { requiredKeys: ["filingStatus"] }
)

const divorce: fc.Arbitrary<Members> = fc.record({
  filingStatus: fc.constantFrom("Single", "HeadOfHousehold", "MFS")
})

const service = (workingTowardsPslf: boolean): Members => ({ workingTowardsPslf })

const orNull = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(value, { freq: 4 })

/** Any members, at least one of which is not null. */
const anyMembers: fc.Arbitrary<Members> = fc
  .tuple(
    fc.record(
      {
        adjustedGrossIncome: orNull(fc.oneof(incomes, fc.constant(0))),
        spouseAdjustedGrossIncome: orNull(incomes),
        spouseFederalLoanBalance: orNull(fc.oneof(cents(150_000), fc.constant(0))),
        filingStatus: orNull(filingStatus),
        dependents: orNull(dependents),
        workingTowardsPslf: orNull(fc.boolean())
      },
      { requiredKeys: [] }
    ),
    dependents
  )
  .map(([members, otherwise]) =>
    Object.values(members).every((value) => value === null) ? { ...members, dependents: otherwise } : members
  )

/** Changes before they are fitted to a request. */
export interface Plot {
  readonly when: ReadonlyArray<When>
  /** In the order of years; repeated if there are more years. */
  readonly members: ReadonlyArray<Members>
}

export const whenAtMost = (maxLength: number) => fc.array(when, { minLength: 1, maxLength, size: "max" })

/** Public service that ends and begins again, or begins and ends again. */
export const servicePlots: fc.Arbitrary<Plot> = fc.record({
  when: whenAtMost(3),
  members: fc.boolean().map((on) => [service(on), service(!on)])
})

/** Any changes, of which some are a marriage and its end, or public service. */
export const plots: fc.Arbitrary<Plot> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ when: whenAtMost(3), members: fc.tuple(wedding, divorce) }) },
  { weight: 2, arbitrary: servicePlots },
  {
    weight: 5,
    arbitrary: fc.record({ when: whenAtMost(4), members: fc.array(anyMembers, { minLength: 1, maxLength: 4 }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      when: fc.array(when, { minLength: MOST_CHANGES, maxLength: 2 * MOST_CHANGES, size: "max" }),
      members: fc.array(anyMembers, { minLength: 3, maxLength: 5 })
    })
  }
)

/** At most twenty changes in strictly increasing years of the allowed range. */
export function fittedChanges(plot: Plot, loans: ReadonlyArray<WireLoan>, start: Start): ReadonlyArray<WireChange> {
  const years = plot.when.map((at) => Math.min(LAST_YEAR, Math.max(FIRST_YEAR, fittedYear(at, loans, start))))
  const increasing = [...new Set(years)].toSorted((a, b) => a - b).slice(0, MOST_CHANGES)
  return increasing.map((fromYear, i) => ({ fromYear, ...plot.members[i % plot.members.length] }))
}
