/** The parser of days. A month means its first day, unless its days differ in law. */
import { Result } from "effect"
import { directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import { loanTypesEnded, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { FIRST_DAY } from "../../../schema/primitives.ts"
import { currentLaw } from "../../engine/law/law.ts"
import type { Parser } from "./parsers.ts"

const monthOf = (day: string): string => day.slice(0, "YYYY-MM".length)
const firstOf = (month: string): string => `${month}-01`

const isLastOfMonth = (day: string): boolean => {
  const next = new Date(day)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}

const DATES_IN_LAW = JSON.stringify([
  currentLaw.read(newBorrowerTests),
  currentLaw.read(loanTypesEnded),
  currentLaw.read(newLoanPlans202607),
  currentLaw.read(directPlusConsolidationTerms)
]).matchAll(/\d{4}-\d\d-\d\d/g)

/** The days from which a date of a loan or a borrower decides otherwise than before. */
const DECIDING_DAYS: ReadonlyArray<string> = [FIRST_DAY, ...[...DATES_IN_LAW].map(([day]) => day)]

/** The deciding day of each month whose days differ: not its first day, and not an end with its last. */
const DAY_INSIDE: ReadonlyMap<string, string> = new Map(
  DECIDING_DAYS.filter((day) => day !== firstOf(monthOf(day)) && !isLastOfMonth(day)).map((day) => [monthOf(day), day])
)

const DAY_OR_MONTH = /^\d{4}-(?:0[1-9]|1[0-2])(-\d\d)?$/

export const parseDay: Parser<string> = (text) => {
  const trimmed = text.trim()
  const [, day] = DAY_OR_MONTH.exec(trimmed) ?? [undefined, null]
  if (day === null) return Result.fail("must be a day or a month: send 2026-09-04, or 2026-09 for its first day")
  if (day !== undefined) return Result.succeed(trimmed)
  const inside = DAY_INSIDE.get(trimmed)
  return inside === undefined
    ? Result.succeed(firstOf(trimmed))
    : Result.fail(`may be before or after a day that decides which plans are open: send the day, such as ${inside}`)
}
