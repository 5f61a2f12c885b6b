/**
 * What a portfolio adds up to under each plan. Amounts are whole cents, so that parts add up to the same whatever their
 * order. Knows nothing of how it is shown.
 */
import type { PlanType } from "../../../schema/scenario.ts"

/** How many borrowers, and how much money of them, in cents. */
export interface Share {
  readonly borrowers: number
  readonly cents: number
}

/** What ends in one calendar year: the year in which the last loan of a borrower ends. */
export interface EndingYear {
  readonly borrowers: number
  readonly forgivenCents: number
  readonly taxCents: number
}

export interface PlanSummary {
  /** Borrowers with figures, and those for whom the law or their counted months leave none. */
  readonly answered: number
  readonly ineligible: number
  readonly artifact: number
  /** Borrowers for whom no other plan of the run costs less; the first of equals. */
  readonly lowest: number
  readonly firstMonthCents: number
  readonly paidCents: number
  readonly forgiven: Share
  readonly taxCents: number
  /** Against the plan that the borrower has now, else the baseline of the run: who would pay less in all, who more. */
  readonly cheaper: Share
  readonly dearer: Share
  /** With figures under this plan, and none under that one: compared with nothing. */
  readonly notCompared: number
  /** Borrowers by first payment, in steps of PAYMENT_STEP dollars; the last is open. */
  readonly payments: ReadonlyArray<number>
  readonly ending: Readonly<Record<string, EndingYear>>
  /** Rules knowingly not applied: how many answers each bears on. */
  readonly omissions: Readonly<Record<string, number>>
}

/** Of a part of a portfolio, or of all of it. */
export interface Summary {
  /** Rows of the input that hold anything: of a table with a row for each loan, as many as loans and rejected rows. */
  readonly rows: number
  readonly borrowers: number
  readonly loans: number
  readonly balanceCents: number
  /** Lines of what was not computed: each is a borrower, or a row of which it cannot be told whose it is. */
  readonly rejected: number
  /** Rows of the input that these are. */
  readonly rejectedRows: number
  /** Borrowers who were computed as they were sent, of whom something was likely meant otherwise. */
  readonly noted: {
    /** With an interest rate that no federal student loan has. */
    readonly oddRates: number
    /** Filing jointly without a spouse's income, which counts as 0. */
    readonly spouseIncomeMissing: number
  }
  readonly plans: Readonly<Partial<Record<PlanType, PlanSummary>>>
}

export const PAYMENT_STEP = 100
export const PAYMENT_STEPS = 21

/** Both added up, number by number: the two have the same shape, and a key that one of them lacks counts as nothing. */
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
