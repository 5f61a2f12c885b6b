/**
 * Books in which the other loans decide: consolidation loans with other loans up to their amount, 30,000 in one program,
 * and borrowers who are not new. Totals lie on the edges of the law or a cent beside them.
 */
import fc from "fast-check"
import { isConsolidation, type LoanType, loanTypes, programOf } from "../oracle/matrix.ts"
import type { WireLoan } from "../oracle/wire.ts"
import { around } from "./amounts.ts"
import { cutInParts, type LoanWithoutPrincipal, loanTerms, type RequestOptions } from "./books.ts"

type Book = ReadonlyArray<WireLoan>

const program = fc.constantFrom("DIRECT", "FFEL")

const typesWhere = (holds: (type: LoanType) => boolean): fc.Arbitrary<LoanType> =>
  fc.constantFrom(...loanTypes.filter(holds))

/** What a loan is besides its type and balances. Often nothing counted, so that few answers are refused. */
const termsOf = (options: RequestOptions): fc.Arbitrary<LoanWithoutPrincipal> =>
  fc
    .tuple(loanTerms(options), fc.boolean())
    .map(([{ interestBalance: _, idrMonthsInRepayment, pslfCount, ...terms }, isCounted]) =>
      isCounted ? { ...terms, idrMonthsInRepayment: idrMonthsInRepayment ?? 0, pslfCount: pslfCount ?? 0 } : terms
    )

/** Loans of some types that owe a total together; a loan in two parts owes the second as unpaid interest. */
const loansOwing = (
  options: RequestOptions,
  types: fc.Arbitrary<LoanType>,
  most: number
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
        maxLength: most
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

/** Consolidated and other amounts whose base lies on an edge of the terms: the others count in part, just all, or all. */
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

/** Consolidation loans of one program beside loans of any other kind, those of the other program among them. */
const consolidationBook = (options: RequestOptions, most: number): fc.Arbitrary<Book> =>
  program.chain((name) => {
    const isOwn = (type: LoanType) => isConsolidation(type) && programOf(type) === name
    const consolidations = loansOwing(options, typesWhere(isOwn), Math.min(2, most))
    const others = loansOwing(
      options,
      typesWhere((type) => !isOwn(type)),
      most
    )
    return fc
      .tuple(consolidations, others, consolidationAmounts)
      .map(([consolidated, other, [amount, otherAmount]]) => [...consolidated(amount), ...other(otherAmount)])
  })

/** Loans of one program that owe about 30,000 together, beside others that must not count. */
const thirtyThousandBook = (options: RequestOptions, most: number): fc.Arbitrary<Book> =>
  program.chain((name) => {
    const own = loansOwing(
      options,
      typesWhere((type) => programOf(type) === name),
      most
    )
    const others = loansOwing(
      options,
      typesWhere((type) => programOf(type) !== name),
      most
    )
    const dust = fc.constantFrom(0, 0.004, 0.005, 10_000, 29_999.99, 30_000, 30_000.01)
    return fc
      .tuple(own, around(fc.constant(30_000)), fc.option(others), dust)
      .map(([loans, total, beside, more]) => [...loans(total), ...(beside?.(more) ?? [])])
  })

/** A loan under half a cent of the program that owes just not over 30,000. */
const dustBeside30000 = (options: RequestOptions): fc.Arbitrary<Book> =>
  fc
    .tuple(program, termsOf(options), fc.constantFrom(29_999.996, 29_999.997, 30_000))
    .map(([name, terms, principalBalance]) => {
      const loanType = `${name} STAFFORD UNSUBSIDIZED`
      return [
        { ...terms, loanType, principalBalance },
        { ...terms, loanType, principalBalance: 0.004 }
      ]
    })

/** Direct student loans beside one loan that may show that the borrower is not new, with next to nothing or more owed. */
const borrowerBook = (options: RequestOptions, most: number): fc.Arbitrary<Book> => {
  const isOlder = (type: LoanType) => programOf(type) === "FFEL" || type === "FEDERALLY INSURED (FISL)"
  const direct = loansOwing(
    options,
    typesWhere((type) => programOf(type) === "DIRECT"),
    Math.max(1, most - 1)
  )
  const older = fc.tuple(typesWhere(isOlder), termsOf(options), fc.constantFrom(0, 0.004, 0.005, 0.01, 5_000, 31_000))
  return fc
    .tuple(direct, around(fc.constantFrom(10_000, 30_000, 60_000)), older)
    .map(([loans, total, [loanType, terms, principalBalance]]) => [
      ...loans(total),
      { ...terms, loanType, principalBalance }
    ])
}

/** Books of at most six loans that aim at what one loan's program and company change. */
export function booksByProgram(options: RequestOptions, most: number): fc.Arbitrary<Book> {
  const each = Math.max(1, Math.min(3, most - 1))
  return fc.oneof(
    { weight: 4, arbitrary: consolidationBook(options, each) },
    { weight: 4, arbitrary: thirtyThousandBook(options, each) },
    { weight: 1, arbitrary: dustBeside30000(options) },
    { weight: 3, arbitrary: borrowerBook(options, each) }
  )
}
