/**
 * The circumstances of an answer. They decide the rules that it cites and the omissions (rules
 * knowingly not applied) that bear on it. The "book" is all loans of the request, and "own loans"
 * are those repaid under the plan. A set is a bit mask, because every projection creates one.
 */
const CIRCUMSTANCES = [
  /** Taxable forgiveness is part of the answer. */
  "taxed",
  /** PSLF forgives a balance. */
  "pslfForgiven",
  /** A loan is still open when its plan ends, and moves to a successor. */
  "passedOver",
  /** Such a loan moves to the first successor plan. */
  "passedToFirst",
  /** Such a loan moves to the second successor plan. */
  "passedToSecond",
  /** The borrower works toward PSLF, and payments on a Direct loan are assumed never to count. */
  "pslfUncounted",
  /** The borrower works toward PSLF, and it can forgive a loan of the book. */
  "pslfReaches",
  /** The book has a loan with a balance. */
  "loans",
  /** One payment is split over several own loans. */
  "severalLoans",
  /** Some loans are repaid outside the plan. */
  "loansOutsidePlan",
  /** An older loan shows that the borrower is not new, which closes the plan to some loans. */
  "closedByOlderLoan",
  /** A Parent PLUS loan, or a consolidation of one, is repaid outside the plan. */
  "parentPlusOutsidePlan",
  /** The borrower has dependents. */
  "dependents",
  /** Income grows. */
  "growth",
  /** A joint return, and the spouse has federal loans, which prorate the payment of all income-driven plans but ICR. */
  "prorated",
  /** Months already count toward income-driven forgiveness of an own loan. */
  "priorMonths",
  /** Months already counted shorten the fixed term of an own loan. */
  "shortened",
  /** An own loan with a term shortened in this way is a consolidation. */
  "shortenedConsolidation",
  /** A loan of the book has unpaid interest at the start. */
  "unpaidInterest",
  /** A student's FFEL loan, not a parent's, is repaid outside the plan. */
  "ffelOutsidePlan",
  /** A Perkins loan is in the book. */
  "perkins",
  /** A subsidized loan is among the own loans. */
  "subsidizedLoan",
  /** A consolidation loan is among the own loans. */
  "consolidation",
  /** The term of a consolidation loan of the book comes from the consolidation table. */
  "consolidationTable",
  /** An own loan is a consolidation whose type names no PLUS loan. */
  "unnamedConsolidation",
  /** An FFEL consolidation loan is among the own loans. */
  "ffelConsolidation",
  /** A DIRECT PLUS CONSOLIDATED loan is in the book. */
  "directPlusConsolidation",
  /** The plan is open to an own loan only because of a counted month. */
  "windowOpened",
  /** An own loan may have paid for graduate study, which its type does not show. */
  "mayBeGraduate"
] as const

export type Circumstance = (typeof CIRCUMSTANCES)[number]

/** A set of circumstances, as a bit mask. */
export type Circumstances = number

/** JavaScript's bitwise operators use 32 bits with a sign; a further circumstance would be lost. */
const MAX_CIRCUMSTANCES = 31
if (CIRCUMSTANCES.length > MAX_CIRCUMSTANCES) throw new RangeError("too many circumstances for the bits of a number")

/** By name, the set that contains only this circumstance. */
export const only = Object.fromEntries(CIRCUMSTANCES.map((name, index) => [name, 1 << index])) as Readonly<
  Record<Circumstance, Circumstances>
>

/** The set of the given circumstances. */
export const allOf = (names: ReadonlyArray<Circumstance>): Circumstances =>
  names.reduce((set, name) => set | only[name], 0)

/** The set of the circumstances that are true. */
export const theseOf = (holding: Readonly<Partial<Record<Circumstance, boolean>>>): Circumstances =>
  allOf(CIRCUMSTANCES.filter((name) => holding[name] === true))

/**
 * What a request adds beyond loans, household and plan, as far as rules and omissions depend on it. A second mask,
 * because the first has no bits left.
 */
const ADDITIONS = [
  /** A date of the request or of a loan was sent. */
  "dated",
  /** It is known since when the borrower owes, and when every Direct and FFEL loan was made. */
  "datesKnown",
  /** It is known whether the borrower has a Direct loan made on or after July 1, 2026. */
  "newnessKnown",
  /** The borrower has such a loan, which leaves all Direct loans only the plans of new loans. */
  "newLoans",
  /** Dates show a new borrower of July 1, 2014. */
  "newSince2014",
  /** A loan of the book is repaid on Tiered Standard. */
  "tiered",
  /** Prices grow. */
  "pricesGrow",
  /** The household or the public service changes in a later year. */
  "changes",
  /** More is paid than is due: each month, up to a budget, or once. */
  "extra",
  /** A loan is paused in a month of the projection. */
  "pauses",
  /** A family size is in force in every year with a separate return. */
  "separateFamily",
  /** The plan changes. */
  "planChanges",
  /** A plan is left whose months do not all count toward the next one here, and may in law. */
  "mayCount"
] as const

export type Addition = (typeof ADDITIONS)[number]

/** A set of additions, as a bit mask; 0 for a request without any. */
export type Additions = number

/** By name, the set that contains only this addition. */
export const added = Object.fromEntries(ADDITIONS.map((name, index) => [name, 1 << index])) as Readonly<
  Record<Addition, Additions>
>

/** The set of the given additions. */
export const allAdded = (names: ReadonlyArray<Addition>): Additions => names.reduce((set, name) => set | added[name], 0)

/** Whether a set contains all of another. */
export const holdsAll = (set: Circumstances, wanted: Circumstances): boolean => (set & wanted) === wanted
