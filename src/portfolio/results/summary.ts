/**
 * The totals of a portfolio under each plan. Amounts are whole cents, so that sums do not depend on
 * the order in which parts (the results of chunks) are added.
 */
import type { PlanType } from "../../../schema/scenario.ts"

/** A number of borrowers, and the sum of their cents. */
export interface Share {
  readonly borrowers: number
  readonly cents: number
}

/** Totals of the borrowers whose last loan ends in one calendar year. */
export interface EndingYear {
  readonly borrowers: number
  readonly forgivenCents: number
  readonly taxCents: number
}

export interface PlanSummary {
  /**
   * Borrowers with figures. Of those without, `ineligible` are excluded from the plan by law;
   * `artifact` have so many months counted already that no meaningful figures are left.
   */
  readonly answered: number
  readonly ineligible: number
  readonly artifact: number
  /** Borrowers for whom this plan costs least; of equal plans, the first. */
  readonly lowest: number
  readonly firstMonthCents: number
  readonly paidCents: number
  readonly forgiven: Share
  readonly taxCents: number
  /** Borrowers who would pay less, or more, in total than under their current plan or baseline. */
  readonly cheaper: Share
  readonly dearer: Share
  /** Borrowers with figures under this plan but not under their current plan or baseline. */
  readonly notCompared: number
  /** Borrowers by first payment, in steps of PAYMENT_STEP dollars; the last is open-ended. */
  readonly payments: ReadonlyArray<number>
  readonly ending: Readonly<Record<string, EndingYear>>
  /** Number of answers affected by each rule knowingly not applied. */
  readonly omissions: Readonly<Record<string, number>>
}

/** The totals of a part or of the whole portfolio. */
export interface Summary {
  /** Nonblank input rows. In a table with a row per loan: the loans plus the rejected rows. */
  readonly rows: number
  readonly borrowers: number
  readonly loans: number
  readonly balanceCents: number
  /** Rejected lines: each is a borrower, or a row whose borrower is unknown. */
  readonly rejected: number
  /** Input rows in the rejected lines. */
  readonly rejectedRows: number
  /** Borrowers computed as sent, but with input that is probably a mistake. */
  readonly noted: {
    /** Borrowers with an interest rate that no federal student loan has. */
    readonly oddRates: number
    /** Borrowers filing jointly without a spouse's income, which counts as 0. */
    readonly spouseIncomeMissing: number
  }
  readonly plans: Readonly<Partial<Record<PlanType, PlanSummary>>>
}

export const PAYMENT_STEP = 100
export const PAYMENT_STEPS = 21

/** Adds two values of the same shape, number by number. A missing key counts as zero. */
const sum = (one: unknown, other: unknown): unknown => {
  if (one === undefined) return other
  if (other === undefined) return one
  if (typeof one === "number" && typeof other === "number") return one + other
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => sum(item, other[index]))
  const members = { ...(one as object), ...(other as object) }
  const of = (all: unknown, key: string) => (all as Readonly<Record<string, unknown>>)[key]
  return Object.fromEntries(Object.keys(members).map((key) => [key, sum(of(one, key), of(other, key))]))
}

export const EMPTY: Summary = {
  rows: 0,
  borrowers: 0,
  loans: 0,
  balanceCents: 0,
  rejected: 0,
  rejectedRows: 0,
  noted: { oddRates: 0, spouseIncomeMissing: 0 },
  plans: {}
}

export const addSummaries = (one: Summary, other: Summary): Summary => sum(one, other) as Summary
