/** Whether the file is whole: its loans add up to its totals, and each has one balance. Totals are used for nothing else. */
import { type Balances, balancesOf } from "./balances.ts"
import { KEYS } from "./keys.ts"
import { type Entry, firstOf, type Layout } from "./layout.ts"
import type { FileWarningId } from "./result.ts"
import { moneyIn } from "./values.ts"

const CENTS = 100

/** More than a cent apart. */
const differ = (total: number, amounts: ReadonlyArray<number>): boolean => {
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  return Math.abs(Math.round(sum * CENTS) - Math.round(total * CENTS)) > 1
}

type Whole = { readonly [Member in keyof Balances]: number }

const isWhole = (balances: Balances): balances is Whole =>
  balances.principal !== undefined && balances.interest !== undefined

/** Of all loans, open or not. What cannot be read proves nothing. */
const totalsDiffer = ({ blocks, outside }: Layout): boolean => {
  const principal = moneyIn(firstOf(outside, KEYS.totalPrincipal))
  const interest = moneyIn(firstOf(outside, KEYS.totalInterest))
  const balances = blocks.map(balancesOf)
  if (principal === undefined || interest === undefined || !balances.every(isWhole)) return false
  return (
    differ(
      principal,
      balances.map((each) => each.principal)
    ) ||
    differ(
      interest,
      balances.map((each) => each.interest)
    )
  )
}

const isBalance = ({ key }: Entry): boolean => key === KEYS.principal

/** A balance outside every loan, or two in one: the line that opens a loan is gone. */
const balancesAreAstray = ({ blocks, outside }: Layout): boolean =>
  outside.some(isBalance) || blocks.some(({ entries }) => entries.filter(isBalance).length > 1)

export const wholenessWarnings = (layout: Layout): ReadonlyArray<FileWarningId> => [
  ...(totalsDiffer(layout) ? (["total-mismatch"] as const) : []),
  ...(balancesAreAstray(layout) ? (["balance-count-mismatch"] as const) : [])
]
