/**
 * The check of a table's columns, with a suggestion for each unknown column and a line for each
 * missing column.
 */
import { Result } from "effect"
import { PROPERTY_NAMES } from "../../../schema/otherNames.ts"
import { meantAmong } from "../../request/advice.ts"
import { readStrictly } from "../../request/decode.ts"
import { BORROWER_COLUMNS, Borrower, LIST_MEMBERS, LOAN_COLUMNS, type OwnList, PAUSE_COLUMNS } from "./borrower.ts"
import { problem } from "./problem.ts"

export const ID = "borrowerId"

/** The column with a list of loans, in tables in which a row is a whole borrower. */
export const LOANS = "loans"

export type ListColumn = typeof LOANS | OwnList

/** The columns that are lists of structs in parquet, and lists of objects in JSON. */
export const LISTS: ReadonlyArray<ListColumn> = [LOANS, ...(Object.keys(LIST_MEMBERS) as ReadonlyArray<OwnList>)]

/** The columns that a table may have in one layout: a row per loan, or a row per borrower. */
export interface Layout {
  readonly columns: ReadonlyArray<string>
  /** The required columns, each with the schema's message for its absence. */
  readonly required: ReadonlyMap<string, string>
  /** Prefix of the column names in messages. */
  readonly within: string
}

const MISSING = Object.entries(
  Result.getOrThrow(Result.flip(readStrictly(Borrower)(Object.fromEntries(LISTS.map((list) => [list, [{}]])))))
)

/** The required fields of an object: of the borrower, or of the first object of a list. */
const requiredOf = (list?: ListColumn): ReadonlyMap<string, string> => {
  const prefix = list === undefined ? "" : `${list}[0].`
  return new Map(
    MISSING.flatMap(([path, [message = ""]]) => {
      const name = path.slice(prefix.length)
      return path.startsWith(prefix) && !name.includes(".") ? [[name, message] as const] : []
    })
  )
}

const OF_BORROWER = requiredOf()
const OF_LOAN = requiredOf(LOANS)

export const FLAT: Layout = {
  columns: [...BORROWER_COLUMNS, ...LOAN_COLUMNS, ...Object.values(PAUSE_COLUMNS)],
  required: new Map([...OF_BORROWER, ...OF_LOAN]),
  within: ""
}
export const NESTED: Layout = { columns: [...BORROWER_COLUMNS, LOANS], required: OF_BORROWER, within: "" }

/** The members of a list. */
export const membersOf = (list: ListColumn): Layout => ({
  columns: list === LOANS ? LOAN_COLUMNS : LIST_MEMBERS[list],
  required: requiredOf(list),
  within: `${list}.`
})

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

const suggestionsFor = (columns: Layout["columns"], name: string) => meantAmong(columns, COLUMN_NAMES)(name)

const NO_NAME =
  'has no name, as an index that pandas writes: add --ignore "", or write the table with to_csv(index=False).'

const unknown = ({ columns, within }: Layout, name: string, position: number): string => {
  if (name === "") return `Column ${position} ${NO_NAME}`
  const meant = suggestionsFor(columns, name)
  const advice =
    meant.length === 0 ? "remove it, or name it in --ignore" : `name it ${meant.join(" or ")}, or --ignore it`
  return `Column ${within}${name} is not known: ${advice}.`
}

const NO_NAMES = `has none of the columns of borrowers and loans, such as ${ID}. The first line of CSV names them.`

/**
 * @param names the columns of `file`, in their order
 * @param carried the columns that are carried to the results, whether they are a borrower's or not
 * @throws PortfolioProblem with a line for each column that is unknown, repeated or missing
 */
export const checkColumns = (
  file: string,
  layout: Layout,
  names: ReadonlyArray<string>,
  ignored: ReadonlyArray<string>,
  carried: ReadonlyArray<string> = []
): void => {
  const { columns, required, within } = layout
  // Without any known name the line may be a borrower's data, which must not appear on a screen.
  if (names.every((name) => !columns.includes(name) && suggestionsFor(columns, name).length === 0))
    throw problem(`${file}: ${NO_NAMES}`)
  const isKnown = (name: string) => [columns, ignored, carried].some((known) => known.includes(name))
  const unknownNames = names.flatMap((name, index) => (isKnown(name) ? [] : [unknown(layout, name, index + 1)]))
  const repeatedNames = names.filter(
    (name, index) => names.indexOf(name) !== index && [columns, carried].some((read) => read.includes(name))
  )
  const isRead = (name: string) => names.includes(name) && !ignored.includes(name)
  const missing = [...required].filter(([name]) => !isRead(name))
  const lines = [
    ...unknownNames,
    ...[...new Set(repeatedNames)].map((name) => `Column ${within}${name} occurs more than once: remove the others.`),
    ...missing.map(([name, message]) => `Column ${within}${name} ${message}.`)
  ]
  if (lines.length > 0) throw problem(`${file}: its columns do not match those of borrowers and loans.`, ...lines)
}
