/** What is owed, and what was paid out once. */
import { KEYS } from "./keys.ts"
import { allOf, type Block, firstOf } from "./layout.ts"
import type { LoanWarningId, Part } from "./result.ts"
import { moneyIn } from "./values.ts"

/** As the file has them; undefined where it has none that can be read. */
export interface Balances {
  readonly principal: number | undefined
  readonly interest: number | undefined
}

export const balancesOf = ({ entries }: Block): Balances => ({
  principal: moneyIn(firstOf(entries, KEYS.principal)),
  interest: moneyIn(firstOf(entries, KEYS.interest))
})

const notNegative = (amount: number | undefined): number | undefined => amount && Math.max(0, amount)

/** A negative balance is owed to the borrower, so that nothing is left to repay. */
export const owedOf = ({ interest, principal }: Balances): Balances => ({
  principal: notNegative(principal),
  interest: notNegative(interest)
})

export const isNegative = ({ interest, principal }: Balances): boolean => (principal ?? 0) < 0 || (interest ?? 0) < 0

/** A principal that cannot be read may be one. */
export const isNothing = ({ interest, principal }: Balances): boolean => principal === 0 && (interest ?? 0) === 0

export const balancePart = (balances: Balances): Part => {
  const { interest, principal } = owedOf(balances)
  const warnings: Array<LoanWarningId> = []
  if (principal === undefined) warnings.push("no-principal")
  if (isNegative(balances)) warnings.push("negative-balance")
  if (interest === undefined) warnings.push("no-interest-balance")
  return {
    members: {
      ...(principal === undefined ? {} : { principalBalance: principal }),
      ...(interest === undefined || interest === 0 ? {} : { interestBalance: interest })
    },
    warnings
  }
}

const CENTS = 100

/** Of amounts in whole cents the sum is one too, whatever binary fractions make of it. */
const inCents = (amounts: ReadonlyArray<number>): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount * CENTS, 0)) / CENTS

/** Undefined unless every part can be read: a part of a sum is no sum. */
const sumOf = (texts: ReadonlyArray<string | undefined>): number | undefined => {
  const amounts = texts.flatMap((text) => moneyIn(text) ?? [])
  if (amounts.length < texts.length) return undefined
  return moneyIn(String(inCents(amounts)))
}

export const disbursedOf = ({ entries }: Block): number | undefined =>
  moneyIn(firstOf(entries, KEYS.disbursedAmount)) || sumOf(allOf(entries, KEYS.disbursementAmount))

export const disbursedPart = (block: Block): Part => {
  const disbursed = disbursedOf(block)
  return { members: disbursed !== undefined && disbursed > 0 ? { disbursedAmount: disbursed } : {}, warnings: [] }
}
