/** The reader of one loan: whether it goes into the request, its members, and its warnings. */
import { KEYS } from "./keys.ts"
import { allOf, type Block, countIn, dateIn, type Entry, firstOf, fractionIn, moneyIn } from "./layout.ts"
import { typePart } from "./loanTypes.ts"
import type { LeftOutReason, LoanMembers, LoanWarningId, Part } from "./result.ts"

type ClosedReason = Extract<LeftOutReason, "paid" | "consolidated" | "cancelled">

interface StatusMeaning {
  readonly closed: ClosedReason | null
  readonly warnings: ReadonlyArray<LoanWarningId>
}

const open = (...warnings: ReadonlyArray<LoanWarningId>): StatusMeaning => ({ closed: null, warnings })
const closed = (reason: ClosedReason): StatusMeaning => ({ closed: reason, warnings: [] })

/** Status codes by meaning. For a code that is not listed the balance decides. */
const STATUSES: ReadonlyArray<readonly [codes: string, StatusMeaning]> = [
  // In repayment, forbearance, deferred, originated, in school, grace, military grace,
  // post-deferment grace.
  ["RP FB DA IA ID IG IM IP", open()],
  // Unresolved, in litigation, collection ended, six payments made, six payments and then missed.
  ["DF DU DL DT DX XD DZ", open("in-default")],
  // Active bankruptcy case, with or without an earlier default.
  ["BK DB DO", open("in-bankruptcy")],
  // Abandoned, uninsured, fraud.
  ["AL UA UB UC UD UI FR FX", open("check-status")],
  ["PF DP PM PX CP", closed("paid")],
  // Paid by a consolidation, refinanced, rolled up, transferred.
  ["PC PN DN RF DR AE RH", closed("consolidated")],
  // Cancelled; bankruptcy; closed school; false certification; death; disability; veteran; child's
  // death; compromise; write-off.
  ["CA BC DK OD CS FC DE DD DI DS PD VA PZ DC DW", closed("cancelled")]
]

const MEANING_OF: ReadonlyMap<string, StatusMeaning> = new Map(
  STATUSES.flatMap(([codes, meaning]) => codes.split(" ").map((code) => [code, meaning] as const))
)

interface DatedStatus {
  readonly code: string
  readonly date: string | undefined
}

/** The status history: each code with the date between it and the next code. */
const historyOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<DatedStatus> => {
  const history: Array<{ code: string | undefined; date: string | undefined }> = []
  for (const { key, value } of entries) {
    const last = history.at(-1)
    if (key === KEYS.status) history.push({ code: value?.toUpperCase(), date: undefined })
    else if (key === KEYS.statusDate && last !== undefined) last.date ??= dateIn(value)
  }
  return history.flatMap(({ code, date }) => (code === undefined ? [] : [{ code, date }]))
}

/** The newest status; of equal dates, the first listed. */
const newestOf = (history: ReadonlyArray<DatedStatus>): DatedStatus | undefined =>
  history.reduce<DatedStatus | undefined>(
    (newest, each) => (newest === undefined || (each.date ?? "") > (newest.date ?? "") ? each : newest),
    undefined
  )

/** The meaning of the current status, or without one of the newest in the history. */
const statusOf = ({ entries }: Block): StatusMeaning => {
  const current = firstOf(entries, KEYS.currentStatus)?.toUpperCase()
  const newest = newestOf(historyOf(entries))
  const known = MEANING_OF.get(current ?? newest?.code ?? "") ?? open("unknown-status")
  const disagrees = current !== undefined && newest?.date !== undefined && newest.code !== current
  return disagrees ? { ...known, warnings: [...known.warnings, "status-disagrees"] } : known
}

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

const CENTS = 100

/** The sum in whole cents, without the error of binary fractions. */
const inCents = (amounts: ReadonlyArray<number>): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount * CENTS, 0)) / CENTS

/** Undefined unless every part can be read: a partial sum would be wrong. */
const sumOf = (texts: ReadonlyArray<string | undefined>): number | undefined => {
  const amounts = texts.flatMap((text) => moneyIn(text) ?? [])
  if (amounts.length < texts.length) return undefined
  return moneyIn(String(inCents(amounts)))
}

export const disbursedOf = ({ entries }: Block): number | undefined =>
  moneyIn(firstOf(entries, KEYS.disbursedAmount)) || sumOf(allOf(entries, KEYS.disbursementAmount))

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
  const read = RATE_SOURCES.map(([key, warnings]) => ({ rate: fractionIn(firstOf(entries, key)), warnings }))
  const found = read.find(({ rate }) => rate !== undefined && rate > 0)
  if (found?.rate !== undefined) return { members: { interestRate: found.rate }, warnings: found.warnings }
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

/**
 * Loans made since this day have other plans, and a request cannot say that a loan is one of them.
 */
const NEW_LOANS_FROM = "2026-07-01"

const newLoanPart = ({ entries }: Block): Part => {
  const disbursed = allOf(entries, KEYS.disbursementDate).flatMap((text) => dateIn(text) ?? [])
  const earliest = disbursed.sort()[0] ?? dateIn(firstOf(entries, KEYS.date))
  return {
    members: {},
    warnings: earliest !== undefined && earliest >= NEW_LOANS_FROM ? ["made-after-june-2026"] : []
  }
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
  const parts = [
    typePart(block),
    balancePart(balances),
    ratePart(block),
    disbursedPart(block),
    pslfPart(block),
    newLoanPart(block)
  ]
  return {
    block,
    members: Object.assign({}, ...parts.map(({ members }) => members)),
    warnings: [...status.warnings, ...parts.flatMap(({ warnings }) => warnings)]
  }
}
