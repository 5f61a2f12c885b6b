/**
 * Whether a consolidation repaid a PLUS loan of a parent, which closes most plans. Three keys may tell it; where none
 * does, the type stays and a warning says that it is not known. Dates are no evidence here.
 */
import type { LoanType } from "../../schema/loan.ts"
import { KEYS, type Key } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import { type TypeRead, typeOf } from "./loanTypes.ts"
import type { LoanWarningId, Part } from "./result.ts"

/** Consolidations whose type leaves it open, and what they are if they repaid one. */
const IF_PARENT_PLUS: Readonly<Partial<Record<LoanType, LoanType>>> = {
  "DIRECT CONSOLIDATED SUBSIDIZED": "DIRECT PARENT PLUS CONSOLIDATED",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)": "DIRECT PARENT PLUS CONSOLIDATED",
  "DIRECT CONSOLIDATED UNSUBSIDIZED": "DIRECT PARENT PLUS CONSOLIDATED",
  "DIRECT PLUS CONSOLIDATED": "DIRECT PARENT PLUS CONSOLIDATED",
  "FFEL CONSOLIDATED": "FFEL PARENT PLUS CONSOLIDATED"
}

const ANSWERS: Readonly<Record<string, boolean>> = {
  Y: true,
  YES: true,
  TRUE: true,
  "1": true,
  N: false,
  NO: false,
  FALSE: false,
  "0": false
}

/** Undefined: it says neither. */
const answerOf = ({ entries }: Block, key: Key): boolean | undefined => {
  const text = firstOf(entries, key)?.toUpperCase() ?? ""
  return Object.hasOwn(ANSWERS, text) ? ANSWERS[text] : undefined
}

const resolved = (block: Block, read: TypeRead): TypeRead => {
  const parental = read.loanType && IF_PARENT_PLUS[read.loanType]
  if (parental === undefined) return read
  const whole = answerOf(block, KEYS.parentPlus)
  const firstLevel = answerOf(block, KEYS.parentPlusFirstLevel)
  const any = answerOf(block, KEYS.anyParentPlus)
  const found = (loanType: LoanType | undefined, ...warnings: ReadonlyArray<LoanWarningId>): TypeRead => ({
    loanType,
    warnings: [...read.warnings, ...warnings]
  })
  if (whole || firstLevel || any) {
    const isSecondLevel = firstLevel === false
    return found(
      parental,
      "parent-plus-consolidation",
      ...(isSecondLevel ? (["parent-plus-second-level"] as const) : [])
    )
  }
  return whole === false || any === false ? read : found(read.loanType, "parent-plus-unknown")
}

export const typePart = (block: Block): Part => {
  const { loanType, warnings } = resolved(block, typeOf(block))
  const joint: ReadonlyArray<LoanWarningId> = answerOf(block, KEYS.joint) ? ["joint-consolidation"] : []
  return { members: loanType === undefined ? {} : { loanType }, warnings: [...warnings, ...joint] }
}
