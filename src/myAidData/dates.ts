/** The day on which a loan was made, and the period in which it was owed. */
import { disbursedOf, firstDisbursementOf, possibleDaysOf } from "./disbursed.ts"
import { KEYS } from "./keys.ts"
import { type Block, dateIn, firstOf, moneyIn } from "./layout.ts"
import { historyOf, MEANING_OF } from "./status.ts"

/** Types of loans that repaid others. */
const REPAYING = /CONSOLIDATED|REFINANCED/

/**
 * The day of the first disbursement or, for a consolidation, the loan's date. Each replaces the
 * other if missing. Undefined if neither is reliable, or if they differ and the type is unknown.
 */
export const madeOnOf = (block: Block, loanType: string | undefined): string | undefined => {
  const date = dateIn(firstOf(block.entries, KEYS.date))
  if (date !== undefined && REPAYING.test(loanType ?? "")) return date
  const disbursed = firstDisbursementOf(block)
  const day = disbursed === null ? date : disbursed
  return loanType === undefined && date !== undefined && day !== date ? undefined : day
}

/**
 * The first of the possible days of a loan, if all are since `start`, because the law then treats
 * them alike. Undefined if one may be earlier.
 */
export const madeSince = (start: string, block: Block, loanType: string | undefined): string | undefined => {
  const date = dateIn(firstOf(block.entries, KEYS.date))
  const listed = possibleDaysOf(block, date)
  const days = loanType === undefined && date !== undefined ? listed?.concat(date) : listed
  const [first] = days?.toSorted() ?? []
  return first !== undefined && first >= start ? first : undefined
}

/** Later than every date. */
export const STILL = "9999-12-31"

/** A debt that is, or may be, under the Direct or FFEL program. */
export interface Debt {
  readonly from: string | undefined
  /** The last day; `STILL` for an open loan. Undefined if the file does not show it. */
  readonly until: string | undefined
  /** Whether a consolidation paid it, so that the debt continues in that consolidation. */
  readonly isConsolidated: boolean
  /** Whether it repaid other loans. */
  readonly isConsolidation: boolean
  /** Whether the program is known. */
  readonly isKnown: boolean
}

const CONSOLIDATED_CODES: ReadonlyArray<string> = ["PC", "PN", "DN", "RF"]
/** Statuses of a loan that moved to another holder, where the debt continues. */
const MOVED_CODES: ReadonlyArray<string> = ["DR", "AE", "RH"]

/** The status that closed a loan: its oldest closed status since it was last open. */
const closingOf = ({ entries }: Block) => {
  const history = historyOf(entries)
  if (history.some(({ date }) => date === undefined)) return undefined
  const newestFirst = [...history].sort((a, b) => (a.date! < b.date! ? 1 : -1))
  const opened = newestFirst.findIndex(({ code }) => (MEANING_OF.get(code)?.closed ?? null) === null)
  return (opened === -1 ? newestFirst : newestFirst.slice(0, opened)).at(-1)
}

const isOwed = (text: string | undefined): boolean => (moneyIn(text) ?? 0) > 0

const neverDisbursed = (block: Block): boolean =>
  moneyIn(firstOf(block.entries, KEYS.disbursedAmount)) === 0 && disbursedOf(block) === 0

/** The debt of a loan; undefined for another program, or if nothing was ever disbursed. */
export const debtOf = (block: Block, loanType: string | undefined, isOpen: boolean): Debt | undefined => {
  const { entries } = block
  const isKnown = loanType !== undefined
  if (isKnown && !/^(?:DIRECT|FFEL) |FISL/.test(loanType)) return undefined
  const debt = { from: madeOnOf(block, loanType), isConsolidation: REPAYING.test(loanType ?? ""), isKnown }
  if (isOpen) return { ...debt, until: STILL, isConsolidated: false }
  if (neverDisbursed(block)) return undefined
  const closing = closingOf(block)
  const isDoubtful = isOwed(firstOf(entries, KEYS.principal)) || isOwed(firstOf(entries, KEYS.interest))
  const isMoved = closing !== undefined && MOVED_CODES.includes(closing.code)
  return {
    ...debt,
    until: isDoubtful || isMoved ? undefined : closing?.date,
    isConsolidated: closing !== undefined && CONSOLIDATED_CODES.includes(closing.code)
  }
}
