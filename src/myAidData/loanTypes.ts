/**
 * The type of a loan, by its description or else by its code. If neither is known the type stays
 * undefined, because it decides which plans are open.
 *
 * Three keys may say that a consolidation repaid a parent PLUS loan, which closes most plans. If
 * none does, the type is kept with a warning. Dates are not used as evidence.
 */
import type { LoanType } from "../../schema/loan.ts"
import { KEYS, type Key } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { LoanWarningId, Part } from "./result.ts"

/** The codes of every type. */
const CODES: Readonly<Record<LoanType, string>> = {
  "DIRECT CONSOLIDATED SUBSIDIZED": "D6",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)": "D9",
  "DIRECT CONSOLIDATED UNSUBSIDIZED": "D5",
  "DIRECT PARENT PLUS": "",
  "DIRECT PARENT PLUS CONSOLIDATED": "",
  "DIRECT PLUS CONSOLIDATED": "D7",
  "DIRECT PLUS GRADUATE": "D3",
  "DIRECT PLUS PARENT": "D4",
  "DIRECT STAFFORD SUBSIDIZED": "D1",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)": "D0",
  "DIRECT STAFFORD UNSUBSIDIZED": "D2",
  "DIRECT UNSUBSIDIZED (TEACH)": "D8",
  "FEDERAL PERKINS": "PU",
  "FEDERALLY INSURED (FISL)": "FI F1",
  "FFEL CONSOLIDATED": "CL",
  "FFEL PARENT PLUS": "",
  "FFEL PARENT PLUS CONSOLIDATED": "",
  "FFEL PLUS GRADUATE": "GB",
  "FFEL PLUS PARENT": "PL",
  "FFEL REFINANCED": "RF",
  "FFEL STAFFORD NON-SUBSIDIZED": "SN",
  "FFEL STAFFORD SUBSIDIZED": "SF",
  "FFEL STAFFORD UNSUBSIDIZED": "SU",
  "FFEL SUPPLEMENTAL LOAN (SLS)": "SL",
  "HEALTH PROFESSIONS STUDENT LOAN (HPSL)": "",
  "INCOME CONTINGENT (ICL)": "IC",
  "NATIONAL DEFENSE LOAN (PERKINS)": "DU",
  "NATIONAL DIRECT STUDENT LOAN (PERKINS)": "NU",
  "PERKINS EXPANDED LENDING": "EU"
}

const TYPES = Object.keys(CODES) as ReadonlyArray<LoanType>

const BY_CODE: ReadonlyMap<string, LoanType> = new Map(
  TYPES.flatMap((type) => CODES[type].split(" ").map((code) => [code, type] as const)).filter(([code]) => code !== "")
)

const BY_DESCRIPTION: ReadonlyMap<string, LoanType> = new Map([
  ...TYPES.map((type) => [type, type] as const),
  ["FEDERAL INSURED (FISL)", "FEDERALLY INSURED (FISL)"] as const
])

/** The chosen spelling of each type that has two. */
const oneSpelling = (type: LoanType): string => type.replace("PARENT PLUS", "PLUS PARENT")

interface TypeRead {
  readonly loanType: LoanType | undefined
  readonly warnings: ReadonlyArray<LoanWarningId>
}

/** The code and the description of the type as the file has them, in upper case. */
export const typeTextsOf = ({ entries }: Block) => ({
  code: firstOf(entries, KEYS.typeCode)?.toUpperCase(),
  description: (firstOf(entries, KEYS.typeDescription) ?? firstOf(entries, KEYS.type))?.toUpperCase()
})

const typeOf = (block: Block): TypeRead => {
  const { code, description } = typeTextsOf(block)
  const described = BY_DESCRIPTION.get(description ?? "")
  const coded = BY_CODE.get(code ?? "")
  if (described === undefined)
    return { loanType: coded, warnings: [coded === undefined ? "unknown-loan-type" : "type-from-code"] }
  const disagrees = coded !== undefined && oneSpelling(coded) !== oneSpelling(described)
  return { loanType: described, warnings: disagrees ? ["type-disagrees"] : [] }
}

/**
 * Types of consolidation that do not show whether a parent PLUS loan was repaid, with the type that
 * applies if one was.
 */
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

/** Undefined if the value is neither yes nor no. */
const answerOf = ({ entries }: Block, key: Key): boolean | undefined => {
  const text = firstOf(entries, key)?.toUpperCase() ?? ""
  return Object.hasOwn(ANSWERS, text) ? ANSWERS[text] : undefined
}

const withParentPlus = (block: Block, read: TypeRead): TypeRead => {
  const parentType = read.loanType && IF_PARENT_PLUS[read.loanType]
  if (parentType === undefined) return read
  const repaidParentPlus = answerOf(block, KEYS.parentPlus)
  const firstLevel = answerOf(block, KEYS.parentPlusFirstLevel)
  const repaidAnyParentPlus = answerOf(block, KEYS.anyParentPlus)
  const typeRead = (loanType: LoanType | undefined, ...warnings: ReadonlyArray<LoanWarningId>): TypeRead => ({
    loanType,
    warnings: [...read.warnings, ...warnings]
  })
  if (repaidParentPlus || firstLevel || repaidAnyParentPlus) {
    const isSecondLevel = firstLevel === false
    return typeRead(
      parentType,
      "parent-plus-consolidation",
      ...(isSecondLevel ? (["parent-plus-second-level"] as const) : [])
    )
  }
  return repaidParentPlus === false || repaidAnyParentPlus === false
    ? read
    : typeRead(read.loanType, "parent-plus-unknown")
}

export const typePart = (block: Block): Part => {
  const { loanType, warnings } = withParentPlus(block, typeOf(block))
  const joint: ReadonlyArray<LoanWarningId> = answerOf(block, KEYS.joint) ? ["joint-consolidation"] : []
  return { members: loanType === undefined ? {} : { loanType }, warnings: [...warnings, ...joint] }
}
