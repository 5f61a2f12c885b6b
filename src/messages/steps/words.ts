/**
 * Explained payments (POST /v1/explain): the type of a step's name, unit and formula, the units,
 * and the formats of numbers. A step is one intermediate value of a payment.
 */
import type { EnginePlan, Law, Term } from "../../engine/index.ts"

/** A formula, or a function if it contains numbers of the law or differs by plan. */
type Formula = string | ((law: Law, planType: EnginePlan) => string)
export type Words = readonly [name: string, unit: string, formula: Formula]
export type Wording = Partial<Record<Term, Words>>

export const DOLLARS = "US dollars"
export const A_MONTH = "US dollars a month"
export const A_YEAR = "US dollars a year"
export const FRACTION = "fraction"
export const PERCENT = "percent"
export const FACTOR = "factor"
export const MONTHS = "months"
export const PAYMENTS = "payments"
/** A month's number, counted like `month` of the request. */
export const MONTH = "months from the start"

const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 })

/** A number of the law, formatted for people. */
export const plainNumber = (value: number): string => NUMBER.format(value)
export const plainPercent = (fraction: number): string => `${NUMBER.format(fraction * 100)}%`

/** The formula of the level payment of an amortization. */
export const LEVEL = "balance x rate / (1 - (1 + rate)^-months), or balance / months at rate 0, with the rate a month"
