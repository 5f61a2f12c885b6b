/**
 * Generators of books (all loans of one borrower) in which other loans decide a loan's terms or
 * plans. Totals are near the thresholds of the law (edges):
 * - consolidation loans, next to other loans that count up to the consolidated amount
 * - $30,000 in one program (Direct or FFEL), the limit of EXTENDED
 * - Direct loans with a consolidation made before July 2006
 * - FFEL loans that reduce the payment
 * - borrowers who are not new
 */
import fc from "fast-check"
import {
  cellOf,
  discontinuedTypes,
  ffelStudentTypes,
  isConsolidation,
  isDirect,
  type LoanType,
  loanTypes,
  PLUS_CONSOLIDATION,
  type PlanType,
  programOf
} from "../oracle/matrix.ts"
import type { WireLoan, WireProjection } from "../oracle/wire.ts"
import { around, bookTotal, cents } from "./amounts.ts"
import { cutInParts, type LoanWithoutPrincipal, loanTerms, type RequestOptions } from "./books.ts"
import { scenarios } from "./scenarios.ts"

type Book = ReadonlyArray<WireLoan>

const program = fc.constantFrom("DIRECT", "FFEL")

const typesWhere = (holds: (type: LoanType) => boolean): fc.Arbitrary<LoanType> =>
  fc.constantFrom(...loanTypes.filter(holds))

const plusConsolidation = fc.constant(PLUS_CONSOLIDATION)

const discontinued = typesWhere((type) => discontinuedTypes.has(type))

/** The rate and counts of a loan. Counts are often 0, so that few answers are refused. */
const termsOf = (options: RequestOptions): fc.Arbitrary<LoanWithoutPrincipal> =>
  fc
    .tuple(loanTerms(options), fc.boolean())
    .map(([{ interestBalance: _, idrMonthsInRepayment, pslfCount, ...terms }, isCounted]) =>
      isCounted ? { ...terms, idrMonthsInRepayment: idrMonthsInRepayment ?? 0, pslfCount: pslfCount ?? 0 } : terms
    )

/** Loans of some types with a given total; some of them owe an eighth as unpaid interest. */
const loansOwing = (
  options: RequestOptions,
  types: fc.Arbitrary<LoanType>,
  maximum: number
): fc.Arbitrary<(total: number) => Book> =>
  fc
    .array(
      fc.record({
        type: types,
        terms: termsOf(options),
        weight: fc.integer({ min: 1, max: 9 }),
        hasInterest: fc.boolean()
      }),
      {
        minLength: 1,
        maxLength: maximum
      }
    )
    .map((parts) => (total) => {
      const amounts = cutInParts(
        total,
        parts.map(({ weight }) => weight)
      )
      return parts.map(({ hasInterest, terms, type }, i) => {
        const [principalBalance = 0, interestBalance = 0] = hasInterest
          ? cutInParts(amounts[i]!, [7, 1])
          : [amounts[i]!]
        return { ...terms, loanType: type, principalBalance, interestBalance }
      })
    })

const toMillionth = (amount: number): number => Math.max(0, Number(amount.toFixed(6)))

const offset = fc.constantFrom(0, 0, -0.01, 0.01, -0.000001, 0.000001)

/**
 * The amount of the consolidations and that of the other loans. The other loans count up to the
 * amount of the consolidations, and the sum is near an edge.
 */
const consolidationAmounts: fc.Arbitrary<readonly [number, number]> = fc
  .record({
    edge: fc.constantFrom(7_500, 10_000, 20_000, 40_000, 60_000),
    offset,
    tenths: fc.integer({ min: 5, max: 10 }),
    shape: fc.constantFrom("others count in part", "others count just all", "all count")
  })
  .map(({ edge, offset, shape, tenths }) => {
    if (shape === "others count in part") return [toMillionth(edge / 2 + offset), (edge * tenths) / 5] as const
    if (shape === "others count just all") return [edge / 2, toMillionth(edge / 2 + offset)] as const
    return [(edge * tenths) / 10, toMillionth(edge - (edge * tenths) / 10 + offset)] as const
  })

/**
 * Consolidation loans of one program, with loans of any other kind or program. DIRECT PLUS
 * CONSOLIDATED is not one of the consolidations but one of the other loans.
 */
const consolidationBook = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> =>
  program.chain((name) => {
    const isOwn = (type: LoanType) => isConsolidation(type) && programOf(type) === name
    const consolidations = loansOwing(options, typesWhere(isOwn), Math.min(2, maximum))
    const otherType = fc.oneof(
      { weight: 3, arbitrary: typesWhere((type) => !isOwn(type)) },
      { weight: 1, arbitrary: plusConsolidation }
    )
    const others = loansOwing(options, otherType, maximum)
    return fc
      .tuple(consolidations, others, consolidationAmounts)
      .map(([consolidated, other, [amount, otherAmount]]) => [...consolidated(amount), ...other(otherAmount)])
  })

/**
 * Loans of one program with a total near $30,000, and others that must not count. A loan of a
 * discontinued type makes the FFEL loans ineligible for EXTENDED, even with a tiny balance.
 */
const thirtyThousandBook = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> =>
  program.chain((name) => {
    const own = loansOwing(
      options,
      typesWhere((type) => programOf(type) === name && !discontinuedTypes.has(type)),
      maximum
    )
    const otherType = fc.oneof(
      { weight: 3, arbitrary: typesWhere((type) => programOf(type) !== name) },
      { weight: 2, arbitrary: discontinued }
    )
    const others = loansOwing(options, otherType, maximum)
    const dust = fc.constantFrom(0, 0.004, 0.005, 10_000, 29_999.99, 30_000, 30_000.01)
    return fc
      .tuple(own, around(fc.constant(30_000)), fc.option(others), dust)
      .map(([loans, total, otherLoans, more]) => [...loans(total), ...(otherLoans?.(more) ?? [])])
  })

/** Two loans of one program: one of at most $30,000, and one of less than half a cent. */
const dustNextTo30000 = (options: RequestOptions): fc.Arbitrary<Book> =>
  fc
    .tuple(program, termsOf(options), fc.constantFrom(29_999.996, 29_999.997, 30_000))
    .map(([name, terms, principalBalance]) => {
      const loanType = `${name} STAFFORD UNSUBSIDIZED`
      return [
        { ...terms, loanType, principalBalance },
        { ...terms, loanType, principalBalance: 0.004 }
      ]
    })

/** Direct loans and one older loan of any balance, which may prove that the borrower is not new. */
const borrowerBook = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> => {
  const isOlder = (type: LoanType) =>
    programOf(type) === "FFEL" || type === "FEDERALLY INSURED (FISL)" || type === PLUS_CONSOLIDATION
  const direct = loansOwing(
    options,
    typesWhere((type) => isDirect(type) && !isOlder(type)),
    Math.max(1, maximum - 1)
  )
  const older = fc.tuple(typesWhere(isOlder), termsOf(options), fc.constantFrom(0, 0.004, 0.005, 0.01, 5_000, 31_000))
  return fc
    .tuple(direct, around(fc.constantFrom(10_000, 30_000, 60_000)), older)
    .map(([loans, total, [loanType, terms, principalBalance]]) => [
      ...loans(total),
      { ...terms, loanType, principalBalance }
    ])
}

/**
 * A DIRECT PLUS CONSOLIDATED, alone or with other Direct loans, with a total near an edge of its
 * terms or any other, and sometimes with a loan that must not count.
 */
const plusConsolidationBook = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> => {
  const otherType = fc.oneof(
    { weight: 2, arbitrary: typesWhere((type) => isDirect(type) && type !== PLUS_CONSOLIDATION) },
    { weight: 1, arbitrary: typesWhere((type) => isDirect(type) && isConsolidation(type)) }
  )
  const uncounted = loansOwing(
    options,
    typesWhere((type) => !isDirect(type)),
    1
  )
  return fc
    .record({
      own: loansOwing(options, plusConsolidation, Math.max(1, maximum - 1)),
      others: fc.option(loansOwing(options, otherType, maximum), { freq: 3 }),
      uncounted: maximum > 1 ? fc.option(uncounted, { freq: 1 }) : fc.constant(null),
      total: fc.oneof(around(fc.constantFrom(10_000, 20_000, 30_000, 40_000, 60_000)), bookTotal),
      tenths: fc.integer({ min: 1, max: 9 })
    })
    .map(({ others, own, tenths, total, uncounted: more }) => {
      const amount = others === null ? total : toMillionth((total * tenths) / 10)
      return [...own(amount), ...(others?.(toMillionth(total - amount)) ?? []), ...(more?.(20_000) ?? [])]
    })
}

/**
 * Direct student loans with FFEL loans. A student's FFEL loans reduce the payment in proportion to
 * principal; a parent's do not. With equal amounts, the Direct part is exactly a half.
 */
const ffelPartBook = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> => {
  const direct = loansOwing(
    options,
    typesWhere((type) => cellOf(type, "PAY AS YOU EARN") === "Y"),
    Math.max(1, maximum - 1)
  )
  const isStudent = (type: LoanType) => ffelStudentTypes.has(type) && !discontinuedTypes.has(type)
  const isParents = (type: LoanType) => programOf(type) === "FFEL" && !ffelStudentTypes.has(type)
  const otherType = fc.oneof(
    { weight: 5, arbitrary: typesWhere(isStudent) },
    { weight: 2, arbitrary: typesWhere(isParents) },
    { weight: 1, arbitrary: discontinued }
  )
  const otherAmount = fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: cents(100_000) },
    { weight: 1, arbitrary: fc.constantFrom(0, 0.004, 0.005, 0.01) }
  )
  return fc
    .tuple(direct, loansOwing(options, otherType, maximum), cents(100_000), otherAmount)
    .map(([own, others, amount, other]) => [...own(amount), ...others(other ?? amount)])
}

interface Kind {
  readonly weight: number
  /** The plans for which such a book matters most. */
  readonly plans: ReadonlyArray<PlanType>
  readonly books: fc.Arbitrary<Book>
}

/** Kinds of books of at most six loans. */
function kindsOf(options: RequestOptions, maximum: number): ReadonlyArray<Kind> {
  const each = Math.max(1, Math.min(3, maximum - 1))
  return [
    { weight: 4, plans: ["STANDARD", "GRADUATED"], books: consolidationBook(options, each) },
    { weight: 4, plans: ["EXTENDED"], books: thirtyThousandBook(options, each) },
    { weight: 1, plans: ["EXTENDED"], books: dustNextTo30000(options) },
    { weight: 3, plans: ["INCOME BASED", "PAY AS YOU EARN"], books: borrowerBook(options, each) },
    {
      weight: 5,
      plans: ["STANDARD", "EXTENDED", "GRADUATED", "GRADUATED"],
      books: plusConsolidationBook(options, each)
    },
    {
      weight: 4,
      plans: ["PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE"],
      books: ffelPartBook(options, each)
    }
  ]
}

/** Books of all these kinds. */
export const booksByProgram = (options: RequestOptions, maximum: number): fc.Arbitrary<Book> =>
  fc.oneof(...kindsOf(options, maximum).map(({ books, weight }) => ({ weight, arbitrary: books })))

/** Projections of these books, each under a plan for which it matters most. */
export const projectionsByProgram = (options: RequestOptions, maximum: number): fc.Arbitrary<WireProjection> =>
  fc.oneof(
    ...kindsOf(options, maximum).map(({ books, plans, weight }) => ({
      weight,
      arbitrary: fc.record({ scenario: scenarios({ ...options, plans }), loans: books, includeYearly: fc.boolean() })
    }))
  )
