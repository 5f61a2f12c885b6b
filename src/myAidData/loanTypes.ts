/**
 * The type of a loan: by its description in words, else by its code. What neither tells stays open, for a type decides
 * which plans there are.
 */
import type { LoanType } from "../../schema/loan.ts"
import { KEYS } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { LoanWarningId } from "./result.ts"

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

export interface TypeRead {
  readonly loanType: LoanType | undefined
  readonly warnings: ReadonlyArray<LoanWarningId>
}

/** What the file says of the type, as it stands there. */
export const typeTextsOf = ({ entries }: Block) => ({
  code: firstOf(entries, KEYS.typeCode)?.toUpperCase(),
  description: (firstOf(entries, KEYS.typeDescription) ?? firstOf(entries, KEYS.type))?.toUpperCase()
})

export const typeOf = (block: Block): TypeRead => {
  const { code, description } = typeTextsOf(block)
  const described = BY_DESCRIPTION.get(description ?? "")
  const coded = BY_CODE.get(code ?? "")
  if (described === undefined)
    return { loanType: coded, warnings: [coded === undefined ? "unknown-loan-type" : "type-from-code"] }
  const disagrees = coded !== undefined && sameAs(coded) !== sameAs(described)
  return { loanType: described, warnings: disagrees ? ["type-disagrees"] : [] }
}
