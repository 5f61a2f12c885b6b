/** The loans that a synthetic borrower owes: a debt of a published class, as consolidated, a parent's or a student's loans. */
import type { LoanType } from "../../../schema/loan.ts"
import {
  borrowedYearly,
  disbursedOverPrincipal,
  firstYears,
  graduateBook,
  graduatesFrom,
  kindsByDebt,
  perkins,
  subsidizedShare,
  unpaidInterest
} from "./assumptions.ts"
import { spreadOf } from "./classes.ts"
import type { Random } from "./Random.ts"
import { debtClasses, directLoanRates, ffelPlusRate, ffelShare } from "./statistics.ts"

const CENTS = 100
const RATES = directLoanRates.value

/** The columns of the table of rates. */
const SUBSIDIZED = 0
const UNSUBSIDIZED = 1
const GRADUATE = 2
const PLUS = 3
type RateColumn = 0 | 1 | 2 | 3
type Rates = NonNullable<ReturnType<typeof RATES.get>>

/** A loan to be: what it is called in either program, its rate, and its part of the debt. */
interface Part {
  readonly direct: LoanType
  readonly ffel: LoanType
  readonly rate: RateColumn | "consolidated" | "perkins"
  readonly share: number
  /** Award years after the first. */
  readonly after: number
}

const partOf =
  (direct: LoanType, ffel: LoanType, rate: Part["rate"]) =>
  (share: number, after: number): Part => ({
    direct,
    ffel,
    rate,
    share,
    after
  })

const subsidized = partOf("DIRECT STAFFORD SUBSIDIZED", "FFEL STAFFORD SUBSIDIZED", SUBSIDIZED)
const unsubsidized = partOf("DIRECT STAFFORD UNSUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED", UNSUBSIDIZED)
const graduate = partOf("DIRECT STAFFORD UNSUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED", GRADUATE)
const graduatePlus = partOf("DIRECT PLUS GRADUATE", "FFEL PLUS GRADUATE", PLUS)
const parentPlus = partOf("DIRECT PLUS PARENT", "FFEL PLUS PARENT", PLUS)
const consolidatedSubsidized = partOf("DIRECT CONSOLIDATED SUBSIDIZED", "FFEL CONSOLIDATED", "consolidated")
const consolidatedUnsubsidized = partOf("DIRECT CONSOLIDATED UNSUBSIDIZED", "FFEL CONSOLIDATED", "consolidated")
const perkinsLoan = partOf("FEDERAL PERKINS", "FEDERAL PERKINS", "perkins")

/** What is owed in all, and the number of its class. */
export interface Debt {
  readonly cents: number
  readonly debtClass: number
}

/** A debt of a class: densest at its lower end, so that the mean is the published one; beyond the last class exponential. */
export const debtOf = (debtClass: number, random: Random): Debt => {
  const { from, power, width } = spreadOf(debtClass)
  const unit = random.unit()
  const dollars = Number.isFinite(width)
    ? from + width * unit ** power
    : from - (debtClasses.value[debtClass]!.mean - from) * Math.log(1 - unit)
  return { debtClass, cents: Math.max(CENTS, Math.floor(dollars * CENTS)) }
}

export type Kind = "consolidated" | "parent" | "graduate" | "student"

const kindOf = ({ debtClass }: Debt, random: Random): Kind => {
  const { consolidated, parent } = kindsByDebt.value
  const unit = random.unit()
  if (unit < consolidated[debtClass]!) return "consolidated"
  if (unit < consolidated[debtClass]! + parent[debtClass]!) return "parent"
  return debtClass >= graduatesFrom.value ? "graduate" : "student"
}

/** Pairs of a subsidized loan and one that is not, a year after the other. */
const pairs = (count: number, subsidy: number, rest: number): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (let year = 0; year < count; year++)
    parts.push(unsubsidized(rest / count, year), subsidized(subsidy / count, year))
  return parts
}

const studentParts = (dollars: number, random: Random): ReadonlyArray<Part> => {
  const { dollars: yearly, mostYears } = borrowedYearly.value
  const years = Math.ceil((dollars / yearly) * (0.8 + random.unit() * 0.4))
  const own = pairs(Math.min(mostYears, Math.max(1, years)), subsidizedShare.value, 1 - subsidizedShare.value)
  if (!random.chance(perkins.value.share)) return own
  return [...own, perkinsLoan(Math.min(1, perkins.value.dollars / dollars) / 2, 0)]
}

const graduateParts = (dollars: number, random: Random): ReadonlyArray<Part> => {
  const { plusShare, undergraduateMost, undergraduateShare, withPlus } = graduateBook.value
  const before = Math.min(undergraduateShare, undergraduateMost / dollars)
  const plus = random.chance(withPlus) ? plusShare : 0
  const own = (1 - 2 * before - plus) / 2
  const graduates = [graduate(own, 4), graduate(own, 5)]
  const pluses = plus === 0 ? [] : [graduatePlus(plus / 2, 4), graduatePlus(plus / 2, 5)]
  return [...graduates, ...pluses, ...pairs(random.whole(1, 2), before, before)]
}

const partsOf = (kind: Kind, { cents }: Debt, random: Random): ReadonlyArray<Part> => {
  const dollars = cents / CENTS
  switch (kind) {
    case "consolidated": {
      const share = 0.3 + random.unit() * 0.4
      return [consolidatedUnsubsidized(share, 0), consolidatedSubsidized(1 - share, 0)]
    }
    case "parent": {
      const years = random.whole(1, 4)
      return Array.from({ length: years }, (_, year) => parentPlus(1 / years, year))
    }
    case "graduate":
      return graduateParts(dollars, random)
    case "student":
      return studentParts(dollars, random)
  }
}

/** As many parts as asked for: the first ones, and again from the first. */
const counted = (parts: ReadonlyArray<Part>, count: number | undefined): ReadonlyArray<Part> =>
  count === undefined ? parts : Array.from({ length: count }, (_, index) => parts[index % parts.length]!)

/** A consolidation's: of the rates in it, rounded up to an eighth of a per cent. @law 34 CFR 685.202(b)(4) */
const EIGHTH = 0.125
const consolidatedRate = ([, undergraduate, , plus]: Rates, random: Random): number =>
  Math.ceil((undergraduate + (plus - undergraduate) * random.unit() * random.unit()) / EIGHTH) * EIGHTH

/** What a part bears, per cent. */
const percentOf = ({ rate }: Part, [rates, consolidated]: readonly [Rates, number], isFfel: boolean): number => {
  if (rate === "perkins") return perkins.value.percent
  if (rate === "consolidated") return consolidated
  return rate === PLUS && isFfel ? ffelPlusRate.value : rates[rate]
}

/** A fraction without the tail that the division leaves. */
const fractionOf = (percent: number): number => Math.round(percent * 1e6) / 1e8

/** A loan with its money in cents. */
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

/** Cents cut into parts of about their shares; the first takes what is left over. */
const cut = (cents: number, parts: ReadonlyArray<Part>, random: Random): ReadonlyArray<number> => {
  const weights = parts.map(({ share }) => share * (0.8 + random.unit() * 0.4))
  let all = 0
  for (const weight of weights) all += weight
  let left = cents
  const cuts = weights.map((weight) => {
    const own = Math.floor((cents * weight) / all)
    left -= own
    return own
  })
  cuts[0]! += left
  return cuts
}

const unpaidOf = ({ cents }: Debt, random: Random): number => {
  const { mostOfDebt, share } = unpaidInterest.value
  return random.chance(share) ? Math.floor(cents * mostOfDebt * random.unit()) : 0
}

/** @param count how many loans, if not as many as the kind of borrower has */
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
