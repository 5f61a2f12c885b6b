/** What is said of the values of a table, which are cells: what is said of JSON does not help there. */
import { Predicate } from "effect"
import type { FieldErrors } from "../../request/validation.ts"

const OF_JSON = /: send a JSON \w+$/

const OF_NUMBERS = /^must be a (whole )?number\b/

const AS_NUMBER = "write it like 1250.5 or 0.06, without comma, space, currency or percent sign"

/** @param path such as loans[0].interestRate */
const valueAt = (borrower: unknown, path: string): unknown =>
  path
    .split(/[[\].]+/)
    .reduce<unknown>((within, name) => (Predicate.hasProperty(within, name) ? within[name] : undefined), borrower)

/** A cell that was not read as a number is still text. */
const holdsDigits = (value: unknown): boolean => typeof value === "string" && /\d/.test(value)

/** The problems of a borrower that was put together from cells. */
export const problemsOfCells = (problems: FieldErrors, borrower: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(problems).map(([path, told]) => {
      const isNumber = holdsDigits(valueAt(borrower, path))
      const worded = (one: string) => (isNumber && OF_NUMBERS.test(one) ? `${one}; ${AS_NUMBER}` : one)
      return [path, told.map((one) => worded(one.replace(OF_JSON, "")))]
    })
  )
