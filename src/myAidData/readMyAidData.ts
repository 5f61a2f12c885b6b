/**
 * Reads the file that borrowers download at studentaid.gov ("Download My Aid Data", MyStudentData.txt) into the loans of
 * a request. Any bytes give a result, in time and memory that grow with their number alone. Nothing is guessed and nothing
 * is cut: what the file does not say stays out of a loan, and a warning says so. The rules are in docs/my-aid-data.md.
 */
import { KEYS } from "./keys.ts"
import { type Entry, entriesOf, firstOf, type Layout, layoutOf } from "./layout.ts"
import { type GoesIn, judge, type StaysOut } from "./loan.ts"
import { otherFileOf } from "./otherFiles.ts"
import { withoutRepeats } from "./repeats.ts"
import type { MyAidData, Refused, Warning, WarningId } from "./result.ts"
import { linesOf, MAX_BYTES, textOf } from "./text.ts"
import { wholenessWarnings } from "./totals.ts"
import { dayIn } from "./values.ts"

/** A request takes as many. */
const MAX_LOANS = 100

const refused = (id: Refused["id"], seems: Refused["seems"] = null): Refused => ({ _tag: "Refused", id, seems })

const isIn = (loan: GoesIn | StaysOut): loan is GoesIn => loan.why === undefined

const warningsOf = (layout: Layout, loans: ReadonlyArray<GoesIn | StaysOut>): ReadonlyArray<Warning> => {
  const countsPayments = loans.some((loan) => isIn(loan) && loan.members.pslfCount !== undefined)
  const ofFile: ReadonlyArray<WarningId> = [
    ...wholenessWarnings(layout),
    "no-idr-count",
    ...(countsPayments ? (["pslf-not-official"] as const) : [])
  ]
  return [
    ...ofFile.map((id) => ({ id, loan: null })),
    ...loans.flatMap(({ block, warnings }) => warnings.map((id) => ({ id, loan: block.number })))
  ]
}

const readLayout = (layout: Layout): MyAidData | Refused => {
  const loans = withoutRepeats(layout.blocks.map(judge))
  const goIn = loans.filter(isIn)
  if (goIn.length === 0) return refused("no-open-loans")
  if (goIn.length > MAX_LOANS) return refused("too-many-loans")
  return {
    _tag: "MyAidData",
    loans: goIn.map(({ block, members }) => ({ number: block.number, loan: members })),
    leftOut: loans.flatMap(({ block, why }) => (why === undefined ? [] : [{ number: block.number, why }])),
    warnings: warningsOf(layout, loans),
    asOf: dayIn(firstOf(layout.outside, KEYS.requestDate)) ?? null
  }
}

const has = (entries: ReadonlyArray<Entry>, key: Entry["key"], times = 1): boolean =>
  entries.filter((entry) => entry.key === key).length >= times

/** The same of a text, for whoever has decoded it already. */
export const readMyAidDataText = (text: string): MyAidData | Refused => {
  const lines = linesOf(text)
  if (lines === null) return refused("too-large")
  const entries = entriesOf(lines)
  const layout = layoutOf(entries)
  if (layout === undefined || !has(entries, KEYS.principal)) return refused("not-my-aid-data", otherFileOf(text))
  return has(entries, KEYS.firstName, 2) ? refused("two-borrowers") : readLayout(layout)
}

export const readMyAidData = (bytes: Uint8Array): MyAidData | Refused =>
  bytes.length > MAX_BYTES ? refused("too-large") : readMyAidDataText(textOf(bytes))
