/** The reader of one loan: whether it goes into the request, its members, and its warnings. */
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import { currentLaw } from "../engine/index.ts"
import { madeOnOf, madeSince } from "./dates.ts"
import { disbursedOf } from "./disbursed.ts"
import { KEYS } from "./keys.ts"
import { type Block, countIn, firstOf, moneyIn, rateIn } from "./layout.ts"
import { typePart } from "./loanTypes.ts"
import type { LeftOutReason, LoanMembers, LoanWarningId, Part } from "./result.ts"
import { statusOf } from "./status.ts"

/** Balances as the file has them; undefined if missing or unreadable. */
export interface Balances {
  readonly principal: number | undefined
  readonly interest: number | undefined
}

export const balancesOf = ({ entries }: Block): Balances => ({
  principal: moneyIn(firstOf(entries, KEYS.principal)),
  interest: moneyIn(firstOf(entries, KEYS.interest))
})

const notNegative = (amount: number | undefined): number | undefined => amount && Math.max(0, amount)

/** A negative balance is owed to the borrower, so it counts as 0. */
const owedOf = ({ interest, principal }: Balances): Balances => ({
  principal: notNegative(principal),
  interest: notNegative(interest)
})

const isNegative = ({ interest, principal }: Balances): boolean => (principal ?? 0) < 0 || (interest ?? 0) < 0

/** Whether nothing is owed. An unreadable principal may be a debt. */
const isNothingOwed = ({ interest, principal }: Balances): boolean => principal === 0 && (interest ?? 0) === 0

const balancePart = (balances: Balances): Part => {
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

const disbursedPart = (block: Block): Part => {
  const disbursed = disbursedOf(block)
  return { members: disbursed !== undefined && disbursed > 0 ? { disbursedAmount: disbursed } : {}, warnings: [] }
}

/**
 * The first rate above zero counts. The actual rate is last, because it may be reduced temporarily.
 */
const RATE_SOURCES: ReadonlyArray<
  readonly [key: typeof KEYS.rate | typeof KEYS.statutoryRate | typeof KEYS.actualRate, ReadonlyArray<LoanWarningId>]
> = [
  [KEYS.rate, []],
  [KEYS.statutoryRate, ["rate-from-statutory"]],
  [KEYS.actualRate, ["rate-from-actual"]]
]

const VARIABLE: ReadonlyArray<string> = ["V", "VARIABLE"]

const isVariable = ({ entries }: Block): boolean =>
  [KEYS.rateTypeCode, KEYS.rateTypeDescription, KEYS.rateType].some((key) =>
    VARIABLE.includes(firstOf(entries, key)?.toUpperCase() ?? "")
  )

const readRate = ({ entries }: Block): Part => {
  const read = RATE_SOURCES.map(([key, warnings]) => ({ ...rateIn(firstOf(entries, key)), warnings }))
  const found = read.find(({ rate }) => rate !== undefined && rate > 0)
  if (found?.rate !== undefined) {
    const warnings: ReadonlyArray<LoanWarningId> = found.isFraction ? ["rate-from-fraction"] : []
    return { members: { interestRate: found.rate }, warnings: [...found.warnings, ...warnings] }
  }
  return read.some(({ rate }) => rate === 0)
    ? { members: { interestRate: 0 }, warnings: ["zero-rate"] }
    : { members: {}, warnings: ["no-interest-rate"] }
}

const ratePart = (block: Block): Part => {
  const { members, warnings } = readRate(block)
  return { members, warnings: isVariable(block) ? [...warnings, "variable-rate"] : warnings }
}

/** The largest `pslfCount` that a request accepts. */
const MAX_PSLF_COUNT = 120

const pslfPart = ({ entries }: Block): Part => {
  const text = firstOf(entries, KEYS.pslfMonths)
  if (text === undefined) return { members: {}, warnings: [] }
  const count = countIn(text)
  if (count === undefined) return { members: {}, warnings: ["pslf-unreadable"] }
  if (count > MAX_PSLF_COUNT) return { members: { pslfCount: MAX_PSLF_COUNT }, warnings: ["pslf-capped"] }
  return { members: count === 0 ? {} : { pslfCount: count }, warnings: [] }
}

const datePart = (block: Block, loanType: string | undefined): Part => {
  const exact = madeOnOf(block, loanType)
  const madeOn = exact ?? madeSince(currentLaw.read(newLoanPlans202607).loansMadeFrom, block, loanType)
  if (madeOn === undefined) return { members: {}, warnings: ["no-date"] }
  return { members: { madeOn }, warnings: exact === undefined ? ["date-not-exact"] : [] }
}

interface Judged {
  readonly block: Block
  readonly warnings: ReadonlyArray<LoanWarningId>
}

export interface IncludedLoan extends Judged {
  readonly members: LoanMembers
  readonly why?: never
}

export interface ExcludedLoan extends Judged {
  readonly why: LeftOutReason
}

export const judge = (block: Block): IncludedLoan | ExcludedLoan => {
  const status = statusOf(block)
  const balances = balancesOf(block)
  const { interest = 0, principal = 0 } = balances
  if (status.closed !== null)
    return { block, why: status.closed, warnings: principal > 0 || interest > 0 ? ["closed-with-balance"] : [] }
  if (isNothingOwed(owedOf(balances))) {
    const negative: ReadonlyArray<LoanWarningId> = isNegative(balances) ? ["negative-balance"] : []
    return { block, why: "zero-balance", warnings: [...negative, "zero-balance"] }
  }
  const type = typePart(block)
  const parts = [
    type,
    balancePart(balances),
    ratePart(block),
    disbursedPart(block),
    pslfPart(block),
    datePart(block, type.members.loanType)
  ]
  return {
    block,
    members: Object.assign({}, ...parts.map(({ members }) => members)),
    warnings: [...status.warnings, ...parts.flatMap(({ warnings }) => warnings)]
  }
}
