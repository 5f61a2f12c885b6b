/**
 * The reader of the file that borrowers download at studentaid.gov ("Download My Aid Data",
 * MyStudentData.txt). It returns the loans of a request, or a refusal. The rules are in
 * docs/my-aid-data.md.
 *
 * Any bytes give a result, in time and memory that depend on their number alone. Nothing is
 * guessed: a member that the file does not have stays out of the loan, with a warning.
 */
import { type Debt, debtOf, STILL } from "./dates.ts"
import { disbursedOf } from "./disbursed.ts"
import { firstBorrowedOf } from "./firstBorrowed.ts"
import { KEYS } from "./keys.ts"
import {
  type Block,
  dayIn,
  type Entry,
  entriesOf,
  firstOf,
  type Layout,
  layoutOf,
  linesOf,
  MAX_BYTES,
  moneyIn,
  otherFileOf,
  textOf
} from "./layout.ts"
import { type Balances, balancesOf, type ExcludedLoan, type IncludedLoan, judge } from "./loan.ts"
import { typePart, typeTextsOf } from "./loanTypes.ts"
import { pausesOf } from "./pauses.ts"
import type { FileWarningId, MyAidData, Refused, Warning, WarningId } from "./result.ts"

/** Different loans may share an id, so duplicates are equal in all of these. Ids are not kept. */
const identityOf = (block: Block, loanType: string | undefined): string => {
  const { code, description } = typeTextsOf(block)
  const { interest, principal } = balancesOf(block)
  const type = loanType ?? description ?? code
  return JSON.stringify([type, firstOf(block.entries, KEYS.date), disbursedOf(block), principal, interest])
}

/** Excludes each loan that repeats an earlier included loan. Keeps the order. */
const withoutDuplicates = (
  loans: ReadonlyArray<IncludedLoan | ExcludedLoan>
): ReadonlyArray<IncludedLoan | ExcludedLoan> => {
  const seen = new Map<string, Set<string>>()
  return loans.map((loan) => {
    if (loan.why !== undefined) return loan
    const id = firstOf(loan.block.entries, KEYS.awardId)?.toUpperCase()
    if (id === undefined) return loan
    const identity = identityOf(loan.block, loan.members.loanType)
    const identities = seen.get(id)
    if (identities === undefined) {
      seen.set(id, new Set([identity]))
      return loan
    }
    if (identities.has(identity)) return { block: loan.block, why: "duplicate", warnings: ["duplicate-loan"] }
    identities.add(identity)
    return { ...loan, warnings: ["same-award-id", ...loan.warnings] }
  })
}

const CENTS = 100

/** Whether the total and the sum are more than a cent apart. */
const differ = (total: number, amounts: ReadonlyArray<number>): boolean => {
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  return Math.abs(Math.round(sum * CENTS) - Math.round(total * CENTS)) > 1
}

type KnownBalances = { readonly [Member in keyof Balances]: number }

const areKnown = (balances: Balances): balances is KnownBalances =>
  balances.principal !== undefined && balances.interest !== undefined

/** Checks the file's totals against all loans, open or closed. Unreadable amounts pass. */
const totalsDiffer = ({ blocks, outside }: Layout): boolean => {
  const principal = moneyIn(firstOf(outside, KEYS.totalPrincipal))
  const interest = moneyIn(firstOf(outside, KEYS.totalInterest))
  const balances = blocks.map(balancesOf)
  if (principal === undefined || interest === undefined || !balances.every(areKnown)) return false
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

/** Whether a line that opens a loan is missing: a balance is outside every loan, or one has two. */
const balancesAreMisplaced = ({ blocks, outside }: Layout): boolean =>
  outside.some(isBalance) || blocks.some(({ entries }) => entries.filter(isBalance).length > 1)

/** Warnings about an incomplete file: wrong totals, or not one balance per loan. */
const completenessWarnings = (layout: Layout): ReadonlyArray<FileWarningId> => [
  ...(totalsDiffer(layout) ? (["total-mismatch"] as const) : []),
  ...(balancesAreMisplaced(layout) ? (["balance-count-mismatch"] as const) : [])
]

/** The most loans that a request accepts. */
const MAX_LOANS = 100

const refused = (id: Refused["id"], seems: Refused["seems"] = null): Refused => ({ _tag: "Refused", id, seems })

const isIn = (loan: IncludedLoan | ExcludedLoan): loan is IncludedLoan => loan.why === undefined

/** Also null if the file is incomplete, because a loan may be missing. */
const firstBorrowedOn = (layout: Layout, debts: ReadonlyArray<Debt>): string | null =>
  completenessWarnings(layout).length > 0 ? null : firstBorrowedOf(debts)

const warningsOf = (
  layout: Layout,
  loans: ReadonlyArray<IncludedLoan | ExcludedLoan>,
  lacksFirstDay: boolean
): ReadonlyArray<Warning> => {
  const countsPayments = loans.some((loan) => isIn(loan) && loan.members.pslfCount !== undefined)
  const ofFile: ReadonlyArray<WarningId> = [
    ...completenessWarnings(layout),
    "no-idr-count",
    ...(countsPayments ? (["pslf-not-official"] as const) : []),
    ...(lacksFirstDay ? (["no-first-borrowed"] as const) : [])
  ]
  return [
    ...ofFile.map((id) => ({ id, loan: null })),
    ...loans.flatMap(({ block, warnings }) => warnings.map((id) => ({ id, loan: block.number })))
  ]
}

const readLayout = (layout: Layout): MyAidData | Refused => {
  const loans = withoutDuplicates(layout.blocks.map(judge))
  const goIn = loans.filter(isIn)
  if (goIn.length === 0) return refused("no-open-loans")
  if (goIn.length > MAX_LOANS) return refused("too-many-loans")
  const debts = loans
    .filter(({ why }) => why !== "duplicate")
    .flatMap((loan) => debtOf(loan.block, typePart(loan.block).members.loanType, isIn(loan)) ?? [])
  const first = firstBorrowedOn(layout, debts)
  const asOf = dayIn(firstOf(layout.outside, KEYS.requestDate)) ?? null
  return {
    _tag: "MyAidData",
    loans: goIn.map(({ block, members }) => ({ number: block.number, loan: members })),
    leftOut: loans.flatMap(({ block, why }) => (why === undefined ? [] : [{ number: block.number, why }])),
    pauses: pausesOf(
      goIn.map(({ block }) => block),
      asOf
    ),
    firstBorrowedOn: first,
    warnings: warningsOf(layout, loans, first === null && debts.some(({ until }) => until === STILL)),
    asOf
  }
}

const has = (entries: ReadonlyArray<Entry>, key: Entry["key"], times = 1): boolean =>
  entries.filter((entry) => entry.key === key).length >= times

/** Reads a file that is already decoded. */
export const readMyAidDataText = (text: string): MyAidData | Refused => {
  const lines = linesOf(text)
  if (lines === null) return refused("too-large")
  const entries = entriesOf(lines)
  const layout = layoutOf(entries)
  if (layout === undefined || !has(entries, KEYS.principal)) return refused("not-my-aid-data", otherFileOf(text))
  return has(entries, KEYS.firstName, 2) ? refused("two-borrowers") : readLayout(layout)
}

export const readMyAidData = (bytes: Uint8Array): MyAidData | Refused =>
  bytes.length > MAX_BYTES ? refused("too-large") : readMyAidDataText(textOf(bytes))
