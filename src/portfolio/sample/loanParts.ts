/** The loans of each kind of synthetic borrower: types, rates, shares and award years. */
import type { LoanType } from "../../../schema/loan.ts"
import { borrowedYearly, graduateBook, graduatesFrom, kindsByDebt, perkins, subsidizedShare } from "./assumptions.ts"
import type { Random } from "./Random.ts"

export const CENTS = 100

/** Columns of `directLoanRates`. */
const SUBSIDIZED = 0
const UNSUBSIDIZED = 1
const GRADUATE = 2
export const PLUS = 3
type RateColumn = 0 | 1 | 2 | 3

/** A template of a loan: its type in either program, its rate and its share of the debt. */
export interface Part {
  readonly direct: LoanType
  readonly ffel: LoanType
  readonly rate: RateColumn | "consolidated" | "perkins"
  readonly share: number
  /** Number of award years after the first. */
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

/** A total debt and the index of its class. */
export interface Debt {
  readonly cents: number
  readonly debtClass: number
}

export type Kind = "consolidated" | "parent" | "graduate" | "student"

export const kindOf = ({ debtClass }: Debt, random: Random): Kind => {
  const { consolidated, parent } = kindsByDebt.value
  const unit = random.unit()
  if (unit < consolidated[debtClass]!) return "consolidated"
  if (unit < consolidated[debtClass]! + parent[debtClass]!) return "parent"
  return debtClass >= graduatesFrom.value ? "graduate" : "student"
}

/** Pairs of an unsubsidized and a subsidized loan, one pair for each year. */
const pairs = (count: number, subsidy: number, rest: number): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (let year = 0; year < count; year++)
    parts.push(unsubsidized(rest / count, year), subsidized(subsidy / count, year))
  return parts
}

const studentParts = (dollars: number, random: Random): ReadonlyArray<Part> => {
  const { dollars: yearly, maxYears } = borrowedYearly.value
  const years = Math.ceil((dollars / yearly) * (0.8 + random.unit() * 0.4))
  const own = pairs(Math.min(maxYears, Math.max(1, years)), subsidizedShare.value, 1 - subsidizedShare.value)
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

/** The parts, most important first: a smaller loan count takes the first ones. */
export const partsOf = (kind: Kind, { cents }: Debt, random: Random): ReadonlyArray<Part> => {
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
