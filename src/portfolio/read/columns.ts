/** Whether the columns of a table are those of borrowers and loans: if not, which are meant, and which are missing. */
import { Result } from "effect"
import { PROPERTY_NAMES } from "../../../schema/otherNames.ts"
import { meantAmong } from "../../request/advice.ts"
import { readStrictly } from "../../request/decode.ts"
import { BORROWER_COLUMNS, Borrower, LOAN_COLUMNS } from "./borrower.ts"
import { problem } from "./problem.ts"

export const ID = "borrowerId"

/** The column that holds the loans of a borrower where a row is a borrower. */
export const LOANS = "loans"

/** The columns that a table may have: a row for each loan, or one for each borrower with a list of loans. */
export interface Layout {
  readonly columns: ReadonlyArray<string>
  /** What precedes their names when they are told. */
  readonly within: string
}

export const FLAT: Layout = { columns: [...BORROWER_COLUMNS, ...LOAN_COLUMNS], within: "" }
export const NESTED: Layout = { columns: [...BORROWER_COLUMNS, LOANS], within: "" }
export const LOANS_OF_NESTED: Layout = { columns: LOAN_COLUMNS, within: `${LOANS}.` }

/** Columns as others name them, and what each stands for. */
const COLUMN_NAMES = {
  ...PROPERTY_NAMES,
  ID: ["borrowerId"],
  BORROWER: ["borrowerId"],
  ACCOUNT: ["borrowerId"],
  PLAN: ["currentPlan"],
  PLANTYPE: ["currentPlan"],
  REPAYMENTPLAN: ["currentPlan"]
}

const IN_LOAN = /^loans\[0\]\./

/** What is said of a borrower that has nothing, by column: those that a table must have. */
export const REQUIRED: ReadonlyMap<string, string> = new Map(
  Object.entries(Result.getOrThrow(Result.flip(readStrictly(Borrower)({ [LOANS]: [{}] })))).map(
    ([path, [told = ""]]) => [path.replace(IN_LOAN, ""), told]
  )
)

const meantBy = (columns: Layout["columns"], name: string) => meantAmong(columns, COLUMN_NAMES)(name)

const unknown = ({ columns, within }: Layout, name: string, position: number): string => {
  if (name === "") return `Column ${position} has no name.`
  const meant = meantBy(columns, name)
  const advice =
    meant.length === 0 ? "remove it, or name it in --ignore" : `name it ${meant.join(" or ")}, or --ignore it`
  return `Column ${within}${name} is not known: ${advice}.`
}

const NO_NAMES = `has none of the columns of borrowers and loans, such as ${ID}. The first line of CSV names them.`

/**
 * @param names the columns of `file`, in their order
 * @throws PortfolioProblem with a line for each column that is unknown, there twice or missing
 */
export const checkColumns = (
  file: string,
  layout: Layout,
  names: ReadonlyArray<string>,
  ignored: ReadonlyArray<string>
): void => {
  const { columns, within } = layout
  // What is no line of names may be a borrower's, which nobody needs to read on a screen.
  if (names.every((name) => !columns.includes(name) && meantBy(columns, name).length === 0))
    throw problem(`${file}: ${NO_NAMES}`)
  const isKnown = (name: string) => columns.includes(name) || ignored.includes(name)
  const wrong = names.flatMap((name, index) => (isKnown(name) ? [] : [unknown(layout, name, index + 1)]))
  const twice = names.filter((name, index) => names.indexOf(name) !== index && columns.includes(name))
  const isRead = (name: string) => names.includes(name) && !ignored.includes(name)
  const missing = [...REQUIRED].filter(([name]) => columns.includes(name) && !isRead(name))
  const lines = [
    ...wrong,
    ...[...new Set(twice)].map((name) => `Column ${within}${name} is there more than once.`),
    ...missing.map(([name, told]) => `Column ${within}${name} ${told}.`)
  ]
  if (lines.length > 0) throw problem(`${file}: its columns are not those of borrowers and loans.`, ...lines)
}
