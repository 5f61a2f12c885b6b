/**
 * What holds of an answer: the omissions that bear on it and the rules that it cites hang on this. The plan's own loans
 * are those repaid under it. A set of circumstances is one number, a bit for each, because every projection makes one.
 */
const CIRCUMSTANCES = [
  /** Forgiveness that is taxed was priced. */
  "taxed",
  /** Something is forgiven for public service. */
  "pslfForgiven",
  /** A loan is still open when its plan ends, and passes to a successor: to any, to the first, to the second. */
  "passedOver",
  "passedToFirst",
  "passedToSecond",
  /** A Direct loan of a public servant is repaid in payments that are taken as never counting. */
  "pslfUncounted",
  /** The borrower works toward public-service forgiveness, and it can reach a loan of the book. */
  "pslfReaches",
  /** The book has a loan with a balance. */
  "loans",
  /** One payment is split over several own loans. */
  "severalLoans",
  /** Some loans are repaid outside the plan. */
  "loansOutsidePlan",
  /** An older loan closes the plan to some of the loans. */
  "closedByOlderLoan",
  /** A Parent PLUS loan, or a consolidation of one, is repaid outside the plan. */
  "parentPlusOutsidePlan",
  /** The borrower has dependents. */
  "dependents",
  /** Income grows. */
  "growth",
  /** The payment is shared with a spouse who has federal loans. */
  "prorated",
  /** Months already count toward income-driven forgiveness of an own loan. */
  "priorMonths",
  /** Months already counted shorten the fixed term of an own loan. */
  "shortened",
  /** Among these loans is a consolidation. */
  "shortenedConsolidation",
  /** A loan of the book is sent with unpaid interest. */
  "unpaidInterest",
  /** A student's FFEL loan, not a parent's, is repaid outside the plan. */
  "ffelOutsidePlan",
  /** A Perkins loan is in the book. */
  "perkins",
  /** A subsidized loan is among the own loans. */
  "subsidizedLoan",
  /** A consolidation loan is among the own loans. */
  "consolidation",
  /** A consolidation loan of the book has a term by the consolidation table. */
  "consolidationTable",
  /** A consolidation loan whose type names no PLUS loan is among the own loans. */
  "unnamedConsolidation",
  /** An FFEL consolidation loan is among the own loans. */
  "ffelConsolidation",
  /** A DIRECT PLUS CONSOLIDATED is in the book. */
  "directPlusConsolidation",
  /** The plan is open to an own loan only by a counted month. */
  "windowOpened",
  /** An own loan may have paid for graduate study without saying so. */
  "mayBeGraduate"
] as const

export type Circumstance = (typeof CIRCUMSTANCES)[number]

/** A set of circumstances. */
export type Circumstances = number

/** The bits of a number on which JavaScript counts; one more circumstance than these would be lost. */
const MOST_CIRCUMSTANCES = 31
if (CIRCUMSTANCES.length > MOST_CIRCUMSTANCES) throw new RangeError("too many circumstances for the bits of a number")

/** The set that holds one circumstance. */
export const only = Object.fromEntries(CIRCUMSTANCES.map((name, index) => [name, 1 << index])) as Readonly<
  Record<Circumstance, Circumstances>
>

/** The set that holds all of the given ones. */
export const allOf = (names: ReadonlyArray<Circumstance>): Circumstances =>
  names.reduce((set, name) => set | only[name], 0)

/** The set of those that hold. */
export const theseOf = (holding: Readonly<Partial<Record<Circumstance, boolean>>>): Circumstances =>
  allOf(CIRCUMSTANCES.filter((name) => holding[name] === true))

/** Whether a set holds all of another. */
export const holdsAll = (set: Circumstances, wanted: Circumstances): boolean => (set & wanted) === wanted
