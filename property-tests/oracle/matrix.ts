/**
 * The table of 29 loan types by 10 plans, typed by hand from the law, and groups of loan types.
 * - Y: may elect
 * - N: may not
 * - Y30: only above $30,000 in the same program
 * - C1: only with at least one counted income-driven month
 * - "-": could elect until March 10, 2026, when the plan was closed
 *
 * fitting.ts applies the table and the effects of other loans.
 */
export const planTypes = [
  "STANDARD",
  "EXTENDED",
  "GRADUATED",
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const

export type PlanType = (typeof planTypes)[number]

type Cell = "Y" | "N" | "Y30" | "C1" | "-"

/** One cell per plan, in the order of planTypes. */
const rows = {
  "DIRECT CONSOLIDATED SUBSIDIZED": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT CONSOLIDATED UNSUBSIDIZED": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT PARENT PLUS": "Y Y30 Y N N N N N N N",
  "DIRECT PARENT PLUS CONSOLIDATED": "Y Y30 Y C1 C1 Y N N N N",
  "DIRECT PLUS CONSOLIDATED": "Y Y Y N N N N N N N",
  "DIRECT PLUS GRADUATE": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT PLUS PARENT": "Y Y30 Y N N N N N N N",
  "DIRECT STAFFORD SUBSIDIZED": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT STAFFORD UNSUBSIDIZED": "Y Y30 Y Y Y Y Y - - Y",
  "DIRECT UNSUBSIDIZED (TEACH)": "Y Y30 Y Y Y Y Y - - Y",
  "FEDERAL PERKINS": "Y N N N N N N N N N",
  "FEDERALLY INSURED (FISL)": "Y N Y N Y N N N N N",
  "FFEL CONSOLIDATED": "Y Y30 Y N Y N N N N N",
  "FFEL PARENT PLUS": "Y Y30 Y N N N N N N N",
  "FFEL PARENT PLUS CONSOLIDATED": "Y Y30 Y N N N N N N N",
  "FFEL PLUS GRADUATE": "Y Y30 Y N Y N N N N N",
  "FFEL PLUS PARENT": "Y Y30 Y N N N N N N N",
  "FFEL REFINANCED": "Y N Y N Y N N N N N",
  "FFEL STAFFORD NON-SUBSIDIZED": "Y N Y N Y N N N N N",
  "FFEL STAFFORD SUBSIDIZED": "Y Y30 Y N Y N N N N N",
  "FFEL STAFFORD UNSUBSIDIZED": "Y Y30 Y N Y N N N N N",
  "FFEL SUPPLEMENTAL LOAN (SLS)": "Y N Y N Y N N N N N",
  "HEALTH PROFESSIONS STUDENT LOAN (HPSL)": "Y N N N N N N N N N",
  "INCOME CONTINGENT (ICL)": "Y N N N N N N N N N",
  "NATIONAL DEFENSE LOAN (PERKINS)": "Y N N N N N N N N N",
  "NATIONAL DIRECT STUDENT LOAN (PERKINS)": "Y N N N N N N N N N",
  "PERKINS EXPANDED LENDING": "Y N N N N N N N N N"
}

export type LoanType = keyof typeof rows

export const loanTypes = Object.keys(rows) as ReadonlyArray<LoanType>

export const isLoanType = (text: string): text is LoanType => Object.hasOwn(rows, text)

const tableByLoanType = new Map(loanTypes.map((type) => [type, rows[type].split(" ") as ReadonlyArray<Cell>]))

/** The table's cell for one loan type and one plan. */
export function cellOf(loanType: LoanType, plan: PlanType): Cell {
  const cell = tableByLoanType.get(loanType)?.[planTypes.indexOf(plan)]
  if (cell === undefined) throw new Error(`no cell for ${loanType} under ${plan}`)
  return cell
}

/** The subsidized types: four plans waive uncovered interest of their first 36 months. */
export const subsidizedTypes: ReadonlySet<LoanType> = new Set<LoanType>([
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)",
  "DIRECT CONSOLIDATED SUBSIDIZED",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
  "FFEL STAFFORD SUBSIDIZED"
])

/** Perkins and health loans, which bear no interest in school and in deferment either. */
export const isSchoolLoan = (loanType: LoanType): boolean => /PERKINS|HPSL/.test(loanType)

export const GRADUATE_TYPE: LoanType = "DIRECT PLUS GRADUATE"

/** The programs in which the law adds up balances; Perkins, HPSL, ICL, FISL are in neither. */
export type Program = "DIRECT" | "FFEL"

/** The program is the first word of the type. */
export function programOf(loanType: LoanType): Program | null {
  const [word] = loanType.split(" ")
  return word === "DIRECT" || word === "FFEL" ? word : null
}

export const isDirect = (loanType: LoanType): boolean => programOf(loanType) === "DIRECT"

/**
 * 34 CFR 685.220(c)(3): a consolidation made before July 1, 2006, with the fixed plans of that
 * time. A later consolidation of PLUS loans is a DIRECT PARENT PLUS CONSOLIDATED.
 */
export const PLUS_CONSOLIDATION: LoanType = "DIRECT PLUS CONSOLIDATED"

/** A loan insured by the government itself, which is in neither program. */
export const FISL: LoanType = "FEDERALLY INSURED (FISL)"

export const isDirectOrFfelOrFisl = (loanType: LoanType): boolean => programOf(loanType) !== null || loanType === FISL

/**
 * Types discontinued before 1998. A borrower with one owed a federal loan on October 7, 1998 and on
 * October 1, 2007.
 */
export const discontinuedTypes: ReadonlySet<LoanType> = new Set<LoanType>([
  FISL,
  "FFEL REFINANCED",
  "FFEL STAFFORD NON-SUBSIDIZED",
  "FFEL SUPPLEMENTAL LOAN (SLS)"
])

/** The student's own FFEL loans, without those of parents and their consolidations. */
export const ffelStudentTypes: ReadonlySet<LoanType> = new Set<LoanType>([
  "FFEL CONSOLIDATED",
  "FFEL PLUS GRADUATE",
  "FFEL STAFFORD SUBSIDIZED",
  "FFEL STAFFORD UNSUBSIDIZED",
  ...discontinuedTypes
])

/** Whether the term of a loan follows the consolidation table of 34 CFR 685.208. */
export const isConsolidation = (loanType: LoanType): boolean =>
  loanType.includes("CONSOLIDATED") && loanType !== PLUS_CONSOLIDATION
