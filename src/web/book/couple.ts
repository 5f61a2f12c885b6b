/** Two borrowers of one household: the book of each, and the returns of both. */
import {
  type CoupleReturn,
  coupleOf,
  currentLaw,
  type EnginePlan,
  fromCents,
  type NoReturn,
  type Projection,
  type StartMonth,
  splitsIncome,
  toCents
} from "../../engine/index.ts"
import { linesOf } from "./answer.ts"
import { loansFor, workspace } from "./asking.ts"
import { type Draft, isEmptyChange, OF_SPOUSE } from "./draft.ts"
import type { Line } from "./line.ts"
import { named } from "./path.ts"
import { type ReadBook, type Reading, readDraft } from "./reading.ts"
import { draftFor, isCouple, isOfSpouse, type Whose } from "./spouse.ts"
import { isSure } from "./sure.ts"

type OfBoth<T> = Readonly<Record<Whose, T>>

/** How the couple files: jointly, or separately with own incomes or with half of both. */
export type Way = "joint" | "own" | "half"

/** One of the two on a return. */
export interface OnReturn {
  readonly planType: EnginePlan
  readonly figures: Projection
  /** Paid plus tax, in dollars. */
  readonly cost: number
}

/** A return of the couple, in US dollars. */
export interface ReturnRow {
  readonly way: Way
  /** Each one's plan that costs least; or who can choose none that ends. */
  readonly plans: OfBoth<OnReturn> | { readonly without: Whose }
  /** The income of each on this return. */
  readonly incomes: OfBoth<number>
  /** Of both, in the first month of each. */
  readonly payments: number
  /** More federal income tax than on a joint return, to the end of the repayment. */
  readonly incomeTax: number
  /** Paid by both, with the tax on what is forgiven and the income tax. */
  readonly cost: number
  /** The month in which both are done. */
  readonly endsOn: string
}

export interface CoupleShown {
  /** The return that costs least comes first; one without an answer comes last. */
  readonly rows: readonly [ReturnRow, ...Array<ReturnRow>]
  /** Whether the state's law splits income on separate returns. */
  readonly splits: boolean
  /** Whether one of them does not pay yet. */
  readonly isLater: boolean
  /** Whether later changes were typed, which the couple's figures leave out. */
  readonly hasChanges: boolean
}

/** Who claims the dependents on separate returns. */
const claimsOf = ({ household }: Draft): Whose => (household.claims === "" ? "own" : "spouse")

/** What differs on a separate return: one claims the dependents, and each may carry half of both incomes. */
const separately = (book: ReadBook, claims: boolean, isHalf: boolean): ReadBook => {
  const { adjustedGrossIncome, spouseAdjustedGrossIncome } = book.household
  const half = { adjustedGrossIncome: (adjustedGrossIncome + (spouseAdjustedGrossIncome ?? 0)) / 2 }
  const isSplit = isHalf && splitsIncome(currentLaw, book.household.state!)
  return { ...book, separately: { ...(claims ? {} : { dependents: 0 }), ...(isSplit ? half : {}) } }
}

/** The book of one of the two. The names of a spouse's fields have their prefix. */
export const readFor = (draft: Draft, whose: Whose, start: StartMonth): Reading => {
  const reading = readDraft(draftFor(draft, whose), start)
  const nameOf = (field: string) => (whose === "spouse" ? OF_SPOUSE + field : field)
  const isOwn = (field: string) => (whose === "own" ? !isCouple(draft) || field !== "spouseLoans" : isOfSpouse(field))
  switch (reading._tag) {
    case "Missing":
      return { _tag: "Missing", fields: reading.fields.filter(isOwn).map(nameOf) }
    case "Wrong": {
      const ofOwn = reading.problems.filter(({ field }) => isOwn(field))
      // The other's loans together may be beyond the bounds of a request, which no field of theirs says.
      const problems = ofOwn.length > 0 ? ofOwn : reading.problems
      return { _tag: "Wrong", problems: problems.map((one) => ({ ...one, field: nameOf(one.field) })) }
    }
    case "Book": {
      const { book } = reading
      const open = book.open.map((one) => ({ ...one, field: nameOf(one.field) }))
      return isCouple(draft)
        ? {
            _tag: "Book",
            book: separately({ ...book, open }, whose === claimsOf(draft), draft.household.split !== "own")
          }
        : reading
    }
    default:
      return reading
  }
}

const filingOf = (isJoint: boolean) => (isJoint ? "MarriedFilingJointly" : "MarriedFilingSeparately")

interface Books {
  readonly books: OfBoth<ReadBook>
  readonly lines: OfBoth<ReadonlyArray<Line>>
}

/** The lines of one of the two on a return that are surely open, or else all of them. */
const candidates = (lines: ReadonlyArray<Line>, isJoint: boolean): ReadonlyArray<Line> => {
  const ofReturn = lines.filter(({ filing, isByIncome }) => !isByIncome || filing === filingOf(isJoint))
  const sure = ofReturn.filter(isSure)
  return sure.length > 0 ? sure : ofReturn
}

interface OfWay extends Books {
  /** Who claims the dependents, and is the first of the request. */
  readonly first: Whose
}

const rowOf = (found: CoupleReturn | NoReturn, way: Way, { books, first }: OfWay): ReturnRow => {
  const isJoint = way === "joint"
  const incomeOf = ({ household, separately }: ReadBook) =>
    (isJoint ? undefined : separately?.adjustedGrossIncome) ?? household.adjustedGrossIncome
  const incomes = { own: incomeOf(books.own), spouse: incomeOf(books.spouse) }
  if (found._tag === "NoReturn") {
    const without = (found.spouse === "first") === (first === "own") ? "own" : "spouse"
    return { way, incomes, plans: { without }, payments: 0, incomeTax: 0, cost: 0, endsOn: "" }
  }
  const planOf = (whose: Whose): OnReturn => {
    const { cost, plan, projection } = (whose === first ? found.first : found.second)!
    return { planType: named(plan.planType, books[whose]), figures: projection, cost }
  }
  const plans = { own: planOf("own"), spouse: planOf("spouse") }
  const figures = [plans.own.figures, plans.spouse.figures]
  return {
    way,
    incomes,
    plans,
    payments: fromCents(figures.reduce((sum, { firstMonthPayment }) => sum + toCents(firstMonthPayment), 0)),
    incomeTax: found.incomeTax,
    cost: found.cost,
    endsOn: figures
      .map(({ payoffOrForgivenessDate }) => payoffOrForgivenessDate!)
      .toSorted()
      .at(-1)!
  }
}

/** Both returns, the separate ones with own incomes or halved ones. */
const rowsOf = (of: OfWay, isHalf: boolean, start: StartMonth): ReadonlyArray<ReturnRow> => {
  const { books, first, lines } = of
  const second = first === "own" ? "spouse" : "own"
  const { annualIncomeGrowth, annualPriceGrowth, dependents, state } = books.own.household
  const spouseOf = ({ household, loans }: ReadBook) => {
    const { adjustedGrossIncome, firstBorrowedOn, pauses, workingTowardsPslf } = household
    return { adjustedGrossIncome, firstBorrowedOn, pauses, workingTowardsPslf, loans }
  }
  const request = {
    ...{ annualIncomeGrowth, annualPriceGrowth, dependents, state: state!, discountRate: null, splitIncome: isHalf },
    ...{ first: spouseOf(books[first]), second: spouseOf(books[second]) }
  }
  const couple = coupleOf(currentLaw, request, start, workspace, (name, isJoint, { planType }) => {
    const whose = name === "first" ? first : second
    const isOpen = candidates(lines[whose], isJoint).some((line) => line.planType === named(planType, books[whose]))
    return isOpen ? loansFor(planType, books[whose]) : undefined
  })
  return [rowOf(couple!.joint, "joint", of), rowOf(couple!.separate, isHalf ? "half" : "own", of)]
}

/** @param ofChoice both books as the reader chose them, with their lines */
export const coupleShown = (draft: Draft, ofChoice: Books, start: StartMonth): CoupleShown => {
  const { changes, household } = draft
  const first = claimsOf(draft)
  const splits = splitsIncome(currentLaw, household.state)
  const isHalf = splits && household.split !== "own"
  const rows = [...rowsOf({ ...ofChoice, first }, isHalf, start)]
  if (splits && household.split === "") {
    const ofOwn = (whose: Whose) => separately(ofChoice.books[whose], whose === first, false)
    const books = { own: ofOwn("own"), spouse: ofOwn("spouse") }
    const lines = { own: linesOf(books.own, start).lines, spouse: linesOf(books.spouse, start).lines }
    rows.push(...rowsOf({ books, lines, first }, false, start).slice(1))
  }
  const order = ({ cost, plans }: ReturnRow) => ("without" in plans ? Number.POSITIVE_INFINITY : cost)
  rows.sort((one, other) => (order(one) === order(other) ? 0 : order(one) - order(other)))
  return {
    rows: rows as [ReturnRow, ...Array<ReturnRow>],
    splits,
    isLater: [ofChoice.books.own, ofChoice.books.spouse].some(({ household }) => (household.pauses ?? []).length > 0),
    hasChanges: changes.some((change) => !isEmptyChange(change))
  }
}
