/** Rows and sentences of an explanation, and amounts that still add up when rounded to cents. */
import type { Rule } from "../../../../ledger/entry.ts"
import { currentLaw, fromCents, toCents } from "../../../engine/index.ts"
import { dollars } from "../../../messages/figures.ts"
import type { Row, Said } from "./explanation.ts"

type More = Partial<Pick<Row, "formula" | "rows" | "shown">> & { readonly rules?: ReadonlyArray<Rule> }

export const row = (
  role: Row["role"],
  name: string,
  value: number | null,
  { rules = [], ...more }: More = {}
): Row => ({
  role,
  name,
  value,
  shown: value === null ? "" : dollars(value),
  ...more,
  rules: currentLaw.cite([{ rules }])[0]?.ids ?? []
})

export const isNotZero = ({ value }: Row): boolean => value !== 0

export const sentences = (...texts: ReadonlyArray<string>): ReadonlyArray<Said> => texts.map((text) => ({ text }))

export const sumOf = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** The sum of amounts in dollars, rounded to cents. */
export const toTheCent = (...amounts: ReadonlyArray<number>): number => fromCents(toCents(sumOf(amounts)))

/** Rounds amounts so that they add up to their rounded sum, by differences of rounded running totals. */
export const addingUp = (amounts: ReadonlyArray<number>): ReadonlyArray<number> => {
  let sum = 0
  let cents = 0
  return amounts.map((amount) => {
    sum += amount
    const before = cents
    cents = toCents(sum)
    return fromCents(cents - before)
  })
}
