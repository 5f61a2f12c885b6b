/** The loan book of a synthetic borrower: a debt of a published class, divided into loans. */
import type { LoanType } from "../../../schema/loan.ts"
import { disbursedOverPrincipal, firstYears, perkins, unpaidInterest } from "./assumptions.ts"
import { spreadOf } from "./classes.ts"
import { CENTS, type Debt, type Kind, kindOf, type Part, PLUS, partsOf } from "./loanParts.ts"
import type { Random } from "./Random.ts"
import { debtClasses, directLoanRates, ffelPlusRate, ffelShare } from "./statistics.ts"

const RATES = directLoanRates.value

type Rates = NonNullable<ReturnType<typeof RATES.get>>

/**
 * Draws a debt within a class. The distribution is a power law with the published mean, and
 * exponential in the last class.
 */
export const debtOf = (debtClass: number, random: Random): Debt => {
  const { from, power, width } = spreadOf(debtClass)
  const unit = random.unit()
  const dollars = Number.isFinite(width)
    ? from + width * unit ** power
    : from - (debtClasses.value[debtClass]!.mean - from) * Math.log(1 - unit)
  return { debtClass, cents: Math.max(CENTS, Math.floor(dollars * CENTS)) }
}

/** Exactly `count` parts, repeated cyclically if there are too few. */
const counted = (parts: ReadonlyArray<Part>, count: number | undefined): ReadonlyArray<Part> =>
  count === undefined ? parts : Array.from({ length: count }, (_, index) => parts[index % parts.length]!)

/**
 * The rate of a consolidation, rounded up to an eighth of a percent.
 * @law 34 CFR 685.202(b)(4)
 */
const EIGHTH = 0.125
const consolidatedRate = ([, undergraduate, , plus]: Rates, random: Random): number =>
  Math.ceil((undergraduate + (plus - undergraduate) * random.unit() * random.unit()) / EIGHTH) * EIGHTH

const percentOf = ({ rate }: Part, [rates, consolidated]: readonly [Rates, number], isFfel: boolean): number => {
  if (rate === "perkins") return perkins.value.percent
  if (rate === "consolidated") return consolidated
  return rate === PLUS && isFfel ? ffelPlusRate.value : rates[rate]
}

/** The rate as a fraction, without floating-point noise. */
const fractionOf = (percent: number): number => Math.round(percent * 1e6) / 1e8

export interface SampledLoan {
  readonly loanType: LoanType
  readonly principalCents: number
  readonly interestCents: number
  readonly interestRate: number
  readonly disbursedCents: number
}

export interface SampledBook {
  readonly kind: Kind
  readonly isFfel: boolean
  readonly debt: Debt
  /** The award year of the first loan. */
  readonly firstYear: number
  readonly loans: ReadonlyArray<SampledLoan>
}

/** Splits cents roughly by the parts' shares; the first part gets the remainder. */
const cut = (cents: number, parts: ReadonlyArray<Part>, random: Random): ReadonlyArray<number> => {
  const weights = parts.map(({ share }) => share * (0.8 + random.unit() * 0.4))
  let all = 0
  for (const weight of weights) all += weight
  let remainder = cents
  const cuts = weights.map((weight) => {
    const amount = Math.floor((cents * weight) / all)
    remainder -= amount
    return amount
  })
  cuts[0]! += remainder
  return cuts
}

const unpaidOf = ({ cents }: Debt, random: Random): number => {
  const { maxShareOfDebt, share } = unpaidInterest.value
  return random.chance(share) ? Math.floor(cents * maxShareOfDebt * random.unit()) : 0
}

/** @param count number of loans; by default it depends on the kind of borrower */
export const bookOf = (debt: Debt, count: number | undefined, random: Random): SampledBook => {
  const kind = kindOf(debt, random)
  const isFfel = random.chance(ffelShare.value)
  const [earliest, latest] = isFfel ? firstYears.value.ffel : firstYears.value.direct
  const firstYear = latest - Math.floor((latest - earliest + 1) * random.unit())
  const parts = counted(partsOf(kind, debt, random), count)
  const unpaid = unpaidOf(debt, random)
  const principals = cut(debt.cents - unpaid, parts, random)
  const interests = cut(unpaid, parts, random)
  const consolidated = consolidatedRate(RATES.get(firstYear)!, random)
  const loans = parts.map((part, index): SampledLoan => {
    const rates = RATES.get(Math.min(latest, firstYear + part.after))!
    const principalCents = principals[index]!
    return {
      loanType: isFfel ? part.ffel : part.direct,
      principalCents,
      interestCents: interests[index]!,
      interestRate: fractionOf(percentOf(part, [rates, consolidated], isFfel)),
      disbursedCents: Math.round(principalCents * (1 + random.unit() * (disbursedOverPrincipal.value - 1)))
    }
  })
  return { kind, isFfel, debt, firstYear, loans }
}
