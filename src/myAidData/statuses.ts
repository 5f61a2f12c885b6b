/**
 * Whether a loan is still to be repaid, by the two letters of its status. A code that is not in the table says nothing:
 * the balance decides.
 */
import { KEYS } from "./keys.ts"
import type { Block, Entry } from "./layout.ts"
import { firstOf } from "./layout.ts"
import type { LeftOutReason, LoanWarningId } from "./result.ts"
import { dateIn } from "./values.ts"

type ClosedReason = Extract<LeftOutReason, "paid" | "consolidated" | "cancelled">

interface Class {
  readonly closed: ClosedReason | null
  readonly warnings: ReadonlyArray<LoanWarningId>
}

const open = (...warnings: ReadonlyArray<LoanWarningId>): Class => ({ closed: null, warnings })
const closed = (reason: ClosedReason): Class => ({ closed: reason, warnings: [] })

/** Codes with one meaning, and the meaning. */
const CLASSES: ReadonlyArray<readonly [codes: string, Class]> = [
  // In repayment, forbearance, deferred, originated, in school, grace, military grace, post-deferment grace.
  ["RP FB DA IA ID IG IM IP", open()],
  // Unresolved, in litigation, collection ended, six payments made, six payments and then missed.
  ["DF DU DL DT DX XD DZ", open("in-default")],
  // Active chapter 13 after a default, another active case after one.
  ["BK DB DO", open("in-bankruptcy")],
  // Abandoned, uninsured, fraud.
  ["AL UA UB UC UD UI FR FX", open("check-status")],
  ["PF DP PM PX CP", closed("paid")],
  // By a consolidation, refinanced, rolled up, transferred.
  ["PC PN DN RF DR AE RH", closed("consolidated")],
  // Cancelled; bankruptcy; closed school; false certification; death; disability; veteran; child's death; compromise; write-off.
  ["CA BC DK OD CS FC DE DD DI DS PD VA PZ DC DW", closed("cancelled")]
]

const CLASS_OF: ReadonlyMap<string, Class> = new Map(
  CLASSES.flatMap(([codes, meaning]) => codes.split(" ").map((code) => [code, meaning] as const))
)

interface Dated {
  readonly code: string
  readonly date: string | undefined
}

/** The history: each code with the date that follows it before the next code. */
const historyOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Dated> => {
  const history: Array<{ code: string | undefined; date: string | undefined }> = []
  for (const { key, value } of entries) {
    const last = history.at(-1)
    if (key === KEYS.status) history.push({ code: value?.toUpperCase(), date: undefined })
    else if (key === KEYS.statusDate && last !== undefined) last.date ??= dateIn(value)
  }
  return history.flatMap(({ code, date }) => (code === undefined ? [] : [{ code, date }]))
}

/** The first listed on a tie. */
const newestOf = (history: ReadonlyArray<Dated>): Dated | undefined =>
  history.reduce<Dated | undefined>(
    (newest, each) => (newest === undefined || (each.date ?? "") > (newest.date ?? "") ? each : newest),
    undefined
  )

/** What the current status says, else the newest of the history. */
export const statusOf = ({ entries }: Block): Class => {
  const current = firstOf(entries, KEYS.currentStatus)?.toUpperCase()
  const newest = newestOf(historyOf(entries))
  const known = CLASS_OF.get(current ?? newest?.code ?? "") ?? open("unknown-status")
  const disagrees = current !== undefined && newest?.date !== undefined && newest.code !== current
  return disagrees ? { ...known, warnings: [...known.warnings, "status-disagrees"] } : known
}
