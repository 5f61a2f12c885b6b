/**
 * The totals of a portfolio under each plan. Amounts are whole cents, so that sums do not depend on
 * the order in which those of chunks are added.
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
  readonly answered: number
  readonly ineligible: number
  readonly artifact: number
  readonly lowest: number
  readonly firstMonthCents: number
  readonly paidCents: number
  readonly forgiven: Share
  readonly taxCents: number
  readonly cheaper: Share
  readonly dearer: Share
  readonly notCompared: number
  readonly payments: ReadonlyArray<number>
  readonly ending: Readonly<Record<string, EndingYear>>
  readonly omissions: Readonly<Record<string, number>>
}

/** The totals of a chunk or of the whole portfolio. */
export interface Summary {
  /** Nonblank input rows. In a table with a row per loan: the loans plus the rejected rows. */
  readonly rows: number
  readonly borrowers: number
  /** Borrowers with a discountRate; missing if none has one. */
  readonly discounted?: number
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
    /** Borrowers with a remark under every plan with figures; missing if there are none. */
    readonly remarks?: number
  }
  readonly plans: Readonly<Partial<Record<PlanType, PlanSummary>>>
}

export const PAYMENT_STEP = 100
export const PAYMENT_STEPS = 21

/** The meaning of each member, for docs/generated/portfolio-columns.md. */
export const PLAN_MEMBERS: Readonly<Record<keyof PlanSummary, string>> = {
  answered: "borrowers with figures",
  ineligible: "borrowers whom the law keeps from the plan",
  artifact: "borrowers whose counted payments alone decide the result",
  lowest: "borrowers for whom no other plan that can be elected costs less; of equal plans, the first",
  firstMonthCents: "all first payments, to the cent",
  paidCents: "all payments",
  forgiven: "borrowers with anything forgiven, and how much",
  taxCents: "tax on what is forgiven",
  cheaper: "borrowers who pay less in all than under their current plan or the baseline, and how much",
  dearer: "borrowers who pay more than that, and how much",
  notCompared: "borrowers with figures here but none under their current plan or the baseline",
  payments: `borrowers by first payment, in ${PAYMENT_STEPS} steps of ${PAYMENT_STEP} dollars; the last is open`,
  ending: "borrowers, forgiveness and tax by the year in which the last loan ends",
  omissions: "rules knowingly not applied, with the number of answers that each bears on"
}

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
