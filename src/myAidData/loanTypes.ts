/**
 * The type of a loan: by its description in words, else by its code. What neither tells stays open, for a type decides
 * which plans there are. Three keys may tell that a consolidation repaid a PLUS loan of a parent, which closes most plans;
 * where none does, the type stays and a warning says that it is not known. Dates are no evidence here.
 */
import type { LoanType } from "../../schema/loan.ts"
import { KEYS, type Key } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { LoanWarningId, Part } from "./result.ts"

/** Every type, and the codes that stand for it. */
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

/** Two spellings of one type do not disagree. */
const sameAs = (type: LoanType): string => type.replace("PARENT PLUS", "PLUS PARENT")

interface TypeRead {
  readonly loanType: LoanType | undefined
  readonly warnings: ReadonlyArray<LoanWarningId>
}

/** What the file says of the type, as it stands there. */
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
  const disagrees = coded !== undefined && sameAs(coded) !== sameAs(described)
  return { loanType: described, warnings: disagrees ? ["type-disagrees"] : [] }
}

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
