/**
 * Columns that a run carries unchanged from its input to its results, such as a branch: the check of
 * their names, and a borrower's values.
 */
import { isDeepStrictEqual } from "node:util"
import type { FieldErrors } from "../../request/fieldErrors.ts"
import { type Carried, columnsOf } from "../results/rows.ts"
import { BORROWER_COLUMNS, LOAN_COLUMNS, PAUSE_COLUMNS } from "./borrower.ts"
import { LISTS } from "./columns.ts"
import { problem } from "./problem.ts"

/** Member with the carried cells of a row that is a whole borrower. */
export const CARRIED = "\u0000carried"

const PER_LOAN: ReadonlyArray<string> = [...LOAN_COLUMNS, ...Object.values(PAUSE_COLUMNS), ...LISTS]

const objectionTo = (name: string, index: number, carry: ReadonlyArray<string>, ignore: ReadonlyArray<string>) => {
  // SQL does not distinguish case, and so neither do programs that read the results.
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase()
  if (name === "") return "is empty: name columns of the input, such as state,branch"
  if (columnsOf(true).some((column) => isSame(column.name))) return "is a column of the results already: leave it out"
  if (carry.findIndex(isSame) !== index) return "is named twice: leave one out"
  if (name === "__proto__") return "is a name that no program can carry: rename the column"
  if (ignore.includes(name)) return "is in --ignore too: leave it out there"
  return PER_LOAN.includes(name) ? "belongs to a loan or is a list: name columns with one value for a borrower" : null
}

/** @throws PortfolioProblem with a line for each name that no input can provide */
export const expectCarry = (carry: ReadonlyArray<string>, ignore: ReadonlyArray<string>): void => {
  const lines = carry.flatMap((name, index) => {
    const objection = objectionTo(name, index, carry, ignore)
    return objection === null ? [] : [`--carry ${name}: ${objection}`]
  })
  if (lines.length > 0) throw problem(...lines)
}

/**
 * @param names the columns of `file`
 * @throws PortfolioProblem with the columns that exist
 */
export const expectColumns = (file: string, carry: ReadonlyArray<string>, names: ReadonlyArray<string>): void => {
  const missing = carry.filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw problem(`--carry ${missing.join(",")}: ${file} has no such column, but ${names.join(", ")}.`)
}

const NO_CELL = /[\r\n\0]/
const BREAK = "holds a line break, which no cell may: leave it out of --carry, or send it without"
const INEXACT = "is a number that cannot be carried exactly: send it as text"

const problemOf = (value: unknown): string | undefined => {
  if (typeof value === "string" && NO_CELL.test(value)) return BREAK
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? INEXACT : undefined
}

const valuesIn = (carry: ReadonlyArray<string>, from: object): Carried =>
  carry.map((name) => [name, Object.hasOwn(from, name) ? from[name as keyof typeof from] : null])

/** A borrower's values from all of its rows, or the columns and what is wrong with them. */
export const carriedOf = (
  carry: ReadonlyArray<string>,
  [first = {}, ...others]: ReadonlyArray<object>
): { readonly carried: Carried; readonly problems: FieldErrors | undefined } => {
  const carried = valuesIn(carry, first)
  const rows = others.map((other) => valuesIn(carry, other))
  const problems = carried.flatMap(([name, value], column) => {
    const other = rows.findIndex((row) => !isDeepStrictEqual(row[column]![1], value))
    const differs = `differs between loan 1 and loan ${other + 2} of this borrower: a carried column has one value`
    const found = other === -1 ? problemOf(value) : differs
    return found === undefined ? [] : [[name, [found]] as const]
  })
  return { carried, problems: problems.length === 0 ? undefined : Object.fromEntries(problems) }
}

/** Members of a JSON line that are carried only, and no part of a borrower. */
export const onlyCarried = (carry: ReadonlyArray<string>): ReadonlyArray<string> =>
  carry.filter((name) => !BORROWER_COLUMNS.includes(name))
