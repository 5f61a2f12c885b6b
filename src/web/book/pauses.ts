/** The pauses of a book: of all loans, or of those that differ from the others. */
import type { Loan } from "../../../schema/loan.ts"
import type { Pause } from "../../../schema/scenario.ts"
import { currentLaw, endOf, indexOfMonth, isEmpty, type Plan, type StartMonth } from "../../engine/index.ts"
import { monthAfter } from "../../messages/figures.ts"
import { type HouseholdDraft, isMonth, type LoanDraft, loanFieldName } from "./draft.ts"

type Kind = Pause["kind"]

/** A pause that runs, with the field of its last month. */
interface TypedPause {
  readonly field: string
  readonly kind: Kind
  /** The first month that is due again, as YYYY-MM. */
  readonly until: string
  /** Positions in the request; null for all. */
  readonly loans: ReadonlyArray<number> | null
}

const KINDS: Readonly<Record<string, Kind>> = { school: "InSchool", Deferment: "Deferment", Forbearance: "Forbearance" }

/** Null if the loan is paid now, or no month is chosen. */
const pauseOf = (kind: Kind | undefined, until: string, field: string): TypedPause | null =>
  kind === undefined || !isMonth(until) ? null : { field, kind, until: monthAfter(`${until}-01`, 1), loans: null }

/** @param loans those that were typed, with their index in the draft */
export const pausesTyped = (
  { pause, pays, until }: HouseholdDraft,
  loans: ReadonlyArray<{ readonly item: LoanDraft; readonly index: number }>
): ReadonlyArray<TypedPause> => {
  const kind = pays === "paused" ? (KINDS[pause] ?? "Forbearance") : KINDS[pays]
  const ofAll = pauseOf(kind, until, "until")
  const each = loans.map(({ index, item }) =>
    item.pays === "" ? ofAll : pauseOf(KINDS[item.pays], item.until, loanFieldName(index, "until"))
  )
  if (each.every((one) => one === ofAll)) return ofAll === null ? [] : [ofAll]
  const alike = Map.groupBy(each.keys(), (position) => `${each[position]?.kind} ${each[position]?.until}`)
  return [...alike.values()].flatMap((positions) => {
    const [first] = positions.map((position) => each[position])
    return first ? [{ ...first, loans: positions }] : []
  })
}

interface Book {
  readonly household: { readonly pauses: ReadonlyArray<Pause> | null }
  readonly loans: ReadonlyArray<Loan>
}

/** The index of the first month in which each loan is due; undefined for a loan without debt. */
export const dueFrom = ({ household, loans }: Book, start: StartMonth): ReadonlyArray<number | undefined> =>
  loans.map((loan, position) => {
    if (isEmpty(loan)) return undefined
    const own = (household.pauses ?? []).filter((pause) => pause.loans === null || pause.loans.includes(position))
    return Math.max(0, ...own.map(({ until }) => indexOfMonth(start, until)))
  })

const owed = (due: ReadonlyArray<number | undefined>) => due.filter((month) => month !== undefined)

/** The months before the first one in which a loan is due. */
export const pausedOf = (book: Book, start: StartMonth): number => Math.min(...owed(dueFrom(book, start)))

/** Whether the plan ends before the first payment. @rule idr-sunset-default */
export const endsFirst = (plan: Plan, book: Book, start: StartMonth): boolean =>
  pausedOf(book, start) >= endOf(currentLaw, plan, start)

/** Whether some loans are due later than others. */
export const resumes = (book: Book, start: StartMonth): boolean => new Set(owed(dueFrom(book, start))).size > 1
