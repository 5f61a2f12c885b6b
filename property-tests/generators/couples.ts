/**
 * Generators of couples: two borrowers of one household. Half live in a state with community
 * property. Many have a shape that matters: one or both owe nothing, one earns nothing, both earn
 * or owe the same, or both are in public service.
 */
import fc from "fast-check"
import { communityPropertyStates } from "../oracle/law.ts"
import type { Start, WireCouple, WireHousehold, WireLoan, WireSpouse } from "../oracle/oracle.ts"
import { priceGrowth } from "./additions.ts"
import { cents, respelled } from "./amounts.ts"
import { books, type RequestOptions } from "./books.ts"
import { type Dating, datedBook, datings, type FirstDay, firstDays, fittedFirstDay } from "./days.ts"
import { type DrawnPause, discountRate, drawnPauses, fittedPauses } from "./lives.ts"
import { booksByProgram } from "./programs.ts"
import { dependents, growth, incomes, state } from "./scenarios.ts"

const MOST_LOANS = 3

/** Balances of both spouses together stay below the bound of a spouse's balance. */
const HIGHEST_BALANCE = 10_000_000

const ANY: RequestOptions = { maxLoans: MOST_LOANS, highestRate: 0.3, highestBalance: HIGHEST_BALANCE }

const ORDINARY: RequestOptions = {
  maxLoans: MOST_LOANS,
  highestRate: 0.09,
  highestBalance: 250_000,
  loanTypes: [
    "DIRECT STAFFORD UNSUBSIDIZED",
    "DIRECT STAFFORD UNSUBSIDIZED",
    "DIRECT STAFFORD SUBSIDIZED",
    "DIRECT PLUS GRADUATE",
    "DIRECT CONSOLIDATED UNSUBSIDIZED"
  ]
}

type Book = ReadonlyArray<WireLoan>

const capped = (loans: Book): Book =>
  loans.map((loan) => ({ ...loan, principalBalance: Math.min(loan.principalBalance, HIGHEST_BALANCE) }))

const anyBook: fc.Arbitrary<Book> = fc.oneof(
  { weight: 4, arbitrary: books(ORDINARY) },
  { weight: 2, arbitrary: books(ANY) },
  { weight: 1, arbitrary: booksByProgram(ANY, MOST_LOANS).map(capped) }
)

/** A spouse before dates and pauses are fitted to the book. */
interface DrawnSpouse {
  readonly loans: Book
  readonly workingTowardsPslf: boolean
  readonly dating?: Dating
  readonly first?: FirstDay
  readonly pauses?: ReadonlyArray<DrawnPause> | null
}

const drawnSpouses = (start: Start): fc.Arbitrary<DrawnSpouse> =>
  fc.oneof(
    fc.record({ loans: anyBook, workingTowardsPslf: fc.boolean() }),
    fc.record(
      {
        loans: anyBook,
        workingTowardsPslf: fc.boolean(),
        dating: datings(start),
        first: firstDays(start),
        pauses: drawnPauses
      },
      { requiredKeys: ["loans", "workingTowardsPslf"] }
    )
  )

const fittedSpouse = ({ dating, first, loans, pauses, workingTowardsPslf }: DrawnSpouse, start: Start): WireSpouse => {
  const dated = dating === undefined ? loans : datedBook(loans, dating)
  return {
    loans: dated,
    workingTowardsPslf,
    ...(first === undefined ? {} : { firstBorrowedOn: fittedFirstDay(first, dated) }),
    ...(pauses === undefined ? {} : { pauses: pauses === null ? null : fittedPauses(pauses, dated, start) })
  }
}

const communityProperty = respelled(fc.constantFrom(...communityPropertyStates)).map((code) => code.trim())

const isCommunityProperty = (code: string): boolean => communityPropertyStates.includes(code.toUpperCase())

const anyIncome = fc.oneof({ weight: 2, arbitrary: cents(250_000) }, { weight: 3, arbitrary: incomes })

const households: fc.Arbitrary<WireHousehold> = fc.record(
  {
    adjustedGrossIncome: anyIncome,
    spouseAdjustedGrossIncome: fc.oneof(
      { weight: 9, arbitrary: anyIncome },
      { weight: 1, arbitrary: fc.constant(null) }
    ),
    state: fc.oneof(communityProperty, state),
    dependents,
    annualIncomeGrowth: growth,
    annualPriceGrowth: priceGrowth,
    discountRate
  },
  { requiredKeys: ["adjustedGrossIncome", "state", "dependents"] }
)

const withoutLoans = ({ workingTowardsPslf }: WireSpouse): WireSpouse => ({ loans: [], workingTowardsPslf })

/** Loans of less than half a cent each. */
const withDust = (spouse: WireSpouse): WireSpouse => ({
  ...spouse,
  loans: spouse.loans.map((loan) => ({ ...loan, principalBalance: 0.003, interestBalance: 0.001 }))
})

const serving = (spouse: WireSpouse): WireSpouse => ({ ...spouse, workingTowardsPslf: true })

const earning = (couple: WireCouple, first: number, second: number): WireCouple => ({
  ...couple,
  household: { ...couple.household, adjustedGrossIncome: first, spouseAdjustedGrossIncome: second }
})

const sent = (couple: WireCouple): WireCouple => couple

/** What is made of a couple. The first is what a counterexample shrinks to. */
const shapes: ReadonlyArray<(couple: WireCouple) => WireCouple> = [
  sent,
  sent,
  sent,
  sent,
  sent,
  (couple) => ({ ...couple, first: withoutLoans(couple.first) }),
  (couple) => ({ ...couple, second: withoutLoans(couple.second) }),
  (couple) => ({ ...couple, second: withDust(couple.second) }),
  (couple) => earning(couple, 0, couple.household.adjustedGrossIncome),
  (couple) => earning(couple, couple.household.adjustedGrossIncome, 0),
  (couple) => earning(couple, couple.household.adjustedGrossIncome, couple.household.adjustedGrossIncome),
  (couple) => ({
    ...earning(couple, couple.household.adjustedGrossIncome, couple.household.adjustedGrossIncome),
    second: couple.first
  }),
  (couple) => ({ ...couple, first: serving(couple.first), second: serving(couple.second) })
]

const owingNothing = (couple: WireCouple): WireCouple => ({
  ...couple,
  first: withDust(couple.first),
  second: withoutLoans(couple.second)
})

const shape = fc.oneof(
  { weight: 25, arbitrary: fc.constantFrom(...shapes) },
  { weight: 1, arbitrary: fc.constant(owingNothing) }
)

/** Valid couples, except that a few split income outside the states with community property. */
export const couples = (start: Start): fc.Arbitrary<WireCouple> =>
  fc
    .record({
      household: households,
      first: drawnSpouses(start),
      second: drawnSpouses(start),
      split: fc.constantFrom("never", "never", "where possible", "where possible", "anyway"),
      shape
    })
    .map(({ first, household, second, shape: shaped, split }) => {
      const splitIncome = split === "anyway" || (split === "where possible" && isCommunityProperty(household.state))
      return shaped({
        household,
        first: fittedSpouse(first, start),
        second: fittedSpouse(second, start),
        ...(split === "never" ? {} : { splitIncome })
      })
    })

/** A couple as its request has it. */
export const coupleRequestOf = ({ first, household, second, splitIncome }: WireCouple) => {
  const { adjustedGrossIncome, spouseAdjustedGrossIncome, ...shared } = household
  const withIncome = ({ loans, ...own }: WireCouple["first"], income: number) => ({
    ...own,
    adjustedGrossIncome: income,
    loans: loans.length === 0 ? null : loans
  })
  return {
    ...shared,
    ...(splitIncome === undefined ? {} : { splitIncome }),
    first: withIncome(first, adjustedGrossIncome),
    second: withIncome(second, spouseAdjustedGrossIncome ?? 0)
  }
}
