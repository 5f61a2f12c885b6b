/** The status of a loan: meanings of its codes, and its history. */
import type { PauseKind } from "../../schema/scenario.ts"
import { KEYS } from "./keys.ts"
import { type Block, dateIn, type Entry, firstOf } from "./layout.ts"
import type { LeftOutReason, LoanWarningId } from "./result.ts"

type ClosedReason = Extract<LeftOutReason, "paid" | "consolidated" | "cancelled">

export interface StatusMeaning {
  readonly closed: ClosedReason | null
  /** The kind of the pause in which nothing is due; null if the loan is due, or the status does not tell. */
  readonly paused: PauseKind | null
  readonly warnings: ReadonlyArray<LoanWarningId>
}

const open = (...warnings: ReadonlyArray<LoanWarningId>): StatusMeaning => ({
  closed: null,
  paused: null,
  warnings
})
const paused = (kind: PauseKind): StatusMeaning => ({ closed: null, paused: kind, warnings: [] })
const closed = (reason: ClosedReason): StatusMeaning => ({ closed: reason, paused: null, warnings: [] })

/** Status codes by meaning. For a code that is not listed the balance decides. */
const STATUSES: ReadonlyArray<readonly [codes: string, StatusMeaning]> = [
  // In repayment, originated.
  ["RP IA", open()],
  // In school, grace, military grace.
  ["ID IG IM", paused("InSchool")],
  // Deferred, post-deferment grace.
  ["DA IP", paused("Deferment")],
  ["FB", paused("Forbearance")],
  // Unresolved, in litigation, collection ended, six payments made, six payments and then missed.
  ["DF DU DL DT DX XD DZ", open("in-default")],
  // Active bankruptcy case, with or without an earlier default.
  ["BK DB DO", open("in-bankruptcy")],
  // Abandoned, uninsured, fraud.
  ["AL UA UB UC UD UI FR FX", open("check-status")],
  ["PF DP PM PX CP", closed("paid")],
  // Paid by a consolidation, refinanced, rolled up, transferred.
  ["PC PN DN RF DR AE RH", closed("consolidated")],
  // Cancelled; bankruptcy; closed school; false certification; death; disability; veteran; child's
  // death; compromise; write-off.
  ["CA BC DK OD CS FC DE DD DI DS PD VA PZ DC DW", closed("cancelled")]
]

export const MEANING_OF: ReadonlyMap<string, StatusMeaning> = new Map(
  STATUSES.flatMap(([codes, meaning]) => codes.split(" ").map((code) => [code, meaning] as const))
)

export interface DatedStatus {
  readonly code: string
  readonly date: string | undefined
}

/** The status history: each code with the date between it and the next code. */
export const historyOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<DatedStatus> => {
  const history: Array<{ code: string | undefined; date: string | undefined }> = []
  for (const { key, value } of entries) {
    const last = history.at(-1)
    if (key === KEYS.status) history.push({ code: value?.toUpperCase(), date: undefined })
    else if (key === KEYS.statusDate && last !== undefined) last.date ??= dateIn(value)
  }
  return history.flatMap(({ code, date }) => (code === undefined ? [] : [{ code, date }]))
}

/** The newest status. Among equal dates, the first listed. */
const newestOf = (history: ReadonlyArray<DatedStatus>): DatedStatus | undefined =>
  history.reduce<DatedStatus | undefined>(
    (newest, each) => (newest === undefined || (each.date ?? "") > (newest.date ?? "") ? each : newest),
    undefined
  )

/** The meaning of the current status, or without one of the newest in the history. */
export const statusOf = ({ entries }: Block): StatusMeaning => {
  const current = firstOf(entries, KEYS.currentStatus)?.toUpperCase()
  const newest = newestOf(historyOf(entries))
  const known = MEANING_OF.get(current ?? newest?.code ?? "") ?? open("unknown-status")
  const disagrees = current !== undefined && newest?.date !== undefined && newest.code !== current
  return disagrees ? { ...known, warnings: [...known.warnings, "status-disagrees"] } : known
}
