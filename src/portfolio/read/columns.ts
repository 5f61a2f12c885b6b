/**
 * The check of a table's columns, with a suggestion for each unknown one and a line for each
 * missing one.
 */
import { Result } from "effect"
import { PROPERTY_NAMES } from "../../../schema/otherNames.ts"
import { meantAmong } from "../../request/advice.ts"
import { readStrictly } from "../../request/decode.ts"
import { BORROWER_COLUMNS, Borrower, LOAN_COLUMNS } from "./borrower.ts"
import { problem } from "./problem.ts"

export const ID = "borrowerId"

/** The column with a list of loans, in tables in which a row is a whole borrower. */
export const LOANS = "loans"

/** The columns that a table may have in one layout: a row per loan, or a row per borrower. */
export interface Layout {
  readonly columns: ReadonlyArray<string>
  /** Prefix of the column names in messages. */
  readonly within: string
}

export const FLAT: Layout = { columns: [...BORROWER_COLUMNS, ...LOAN_COLUMNS], within: "" }
export const NESTED: Layout = { columns: [...BORROWER_COLUMNS, LOANS], within: "" }
export const LOANS_OF_NESTED: Layout = { columns: LOAN_COLUMNS, within: `${LOANS}.` }

/** Common other names of columns, and the column that each means. */
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

/** The required columns, each with the schema's message for its absence. */
export const REQUIRED: ReadonlyMap<string, string> = new Map(
  Object.entries(Result.getOrThrow(Result.flip(readStrictly(Borrower)({ [LOANS]: [{}] })))).map(
    ([path, [message = ""]]) => [path.replace(IN_LOAN, ""), message]
  )
)

const suggestionsFor = (columns: Layout["columns"], name: string) => meantAmong(columns, COLUMN_NAMES)(name)

const unknown = ({ columns, within }: Layout, name: string, position: number): string => {
  if (name === "") return `Column ${position} has no name.`
  const meant = suggestionsFor(columns, name)
  const advice =
    meant.length === 0 ? "remove it, or name it in --ignore" : `name it ${meant.join(" or ")}, or --ignore it`
  return `Column ${within}${name} is not known: ${advice}.`
}

const NO_NAMES = `has none of the columns of borrowers and loans, such as ${ID}. The first line of CSV names them.`

/**
 * @param names the columns of `file`, in their order
 * @throws PortfolioProblem with a line for each column that is unknown, repeated or missing
 */
export const checkColumns = (
  file: string,
  layout: Layout,
  names: ReadonlyArray<string>,
  ignored: ReadonlyArray<string>
): void => {
  const { columns, within } = layout
  // Without any known name the line may be a borrower's data, which must not appear on a screen.
  if (names.every((name) => !columns.includes(name) && suggestionsFor(columns, name).length === 0))
    throw problem(`${file}: ${NO_NAMES}`)
  const isKnown = (name: string) => columns.includes(name) || ignored.includes(name)
  const unknownNames = names.flatMap((name, index) => (isKnown(name) ? [] : [unknown(layout, name, index + 1)]))
  const repeatedNames = names.filter((name, index) => names.indexOf(name) !== index && columns.includes(name))
  const isRead = (name: string) => names.includes(name) && !ignored.includes(name)
  const missing = [...REQUIRED].filter(([name]) => columns.includes(name) && !isRead(name))
  const lines = [
    ...unknownNames,
    ...[...new Set(repeatedNames)].map((name) => `Column ${within}${name} is there more than once.`),
    ...missing.map(([name, message]) => `Column ${within}${name} ${message}.`)
  ]
  if (lines.length > 0) throw problem(`${file}: its columns are not those of borrowers and loans.`, ...lines)
}
