/** Whether a plan is open to the borrower, as far as the page can tell. */
import type { LineNote, Standing } from "./standing.ts"

const DEPENDENT: ReadonlyArray<LineNote> = ["recentLoan", "ifSince2014", "ifBefore2014", "ifSince2007", "ifSince1998"]

type Noted = Pick<Standing, "hasHardship" | "notes">

/** The condition of a plan that depends on unknown dates. */
export const conditionOf = ({ notes }: Pick<Standing, "notes">): LineNote | undefined =>
  notes.find((note) => DEPENDENT.includes(note))

/** Whether the plan is open with the first payment that its figures show. */
export const isOpenByPayment = ({ hasHardship, notes }: Noted): boolean => hasHardship || !notes.includes("hardship")

/** Whether the plan is open, as far as the page can tell. */
export const isSure = (line: Noted): boolean =>
  conditionOf(line) === undefined &&
  isOpenByPayment(line) &&
  !line.notes.includes("endsFirst") &&
  !line.notes.includes("fromIncomeBased")
