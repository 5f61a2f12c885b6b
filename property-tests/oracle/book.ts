/**
 * The loans of a request as a plan sees them: which are empty, which the plan takes, original amounts, and the term
 * of a fixed plan. A loan sent with less than half a cent is left out of every rule; only year 0 and the average rate
 * show it. Nothing here moves money.
 */
import { type Decimal, ONE, ZERO } from "./decimal.ts"
import { consolidationTerms, EXTENDED_MONTHS, TEN_YEARS, type Tier, tieredStandardTerms } from "./law.ts"
import { cellOf, GRADUATE_TYPE, isConsolidation, type PlanType } from "./matrix.ts"
import { type Edges, HALF_CENT, isBelow } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** The ten plans of the keyed routes and the one that only the keyless calculator offers. */
export type Plan = PlanType | "TIERED STANDARD"

export type FixedPlan = "STANDARD" | "TIERED STANDARD" | "EXTENDED" | "GRADUATED"

export type IncomeDrivenPlan = Exclude<PlanType, FixedPlan>

export const isFixed = (plan: Plan): plan is FixedPlan =>
  plan === "STANDARD" || plan === "TIERED STANDARD" || plan === "EXTENDED" || plan === "GRADUATED"

export const balanceOf = (loan: Loan): Decimal => loan.principal + loan.interest

export const totalOf = (amounts: ReadonlyArray<Decimal>): Decimal => amounts.reduce((sum, amount) => sum + amount, ZERO)

export const totalBalance = (loans: ReadonlyArray<Loan>): Decimal => totalOf(loans.map(balanceOf))

export const hasBalance = (loan: Loan): boolean => balanceOf(loan) >= HALF_CENT

/** Original amount: what was disbursed, or the principal where that was not sent. */
const originalOf = (loan: Loan): Decimal => (loan.disbursed === ZERO ? loan.principal : loan.disbursed)

export const totalOriginal = (loans: ReadonlyArray<Loan>): Decimal => totalOf(loans.map(originalOf))

export const graduateOriginal = (loans: ReadonlyArray<Loan>): Decimal =>
  totalOriginal(loans.filter((loan) => loan.type === GRADUATE_TYPE))

export const hasGraduateLoan = (loans: ReadonlyArray<Loan>): boolean =>
  loans.some((loan) => loan.type === GRADUATE_TYPE)

/**
 * Whether a projection puts a loan under a plan. The two closed plans take what PAY AS YOU EARN takes; EXTENDED is not
 * tested for 30,000; a consolidation that repaid a PLUS loan needs a counted income-driven month where the table says.
 */
export function takes(plan: Plan, loan: Loan): boolean {
  if (plan === "TIERED STANDARD") return true
  const column = plan === "REVISED PAY AS YOU EARN" || plan === "SAVE" ? "PAY AS YOU EARN" : plan
  const cell = cellOf(loan.type, column)
  return cell === "Y" || cell === "Y30" || (cell === "C1" && loan.idrMonths >= 1)
}

/** Rows read "total below X: months". A total exactly on a boundary takes the next row. */
function tierMonths(tiers: ReadonlyArray<Tier>, total: Decimal, edges: Edges): number {
  for (const { below, months } of tiers) {
    if (below === null || isBelow(total, below, `term of a total of ${below / ONE}`, edges)) return months
  }
  throw new Error("the last tier has no upper end")
}

/** 34 CFR 685.208: months of a fixed plan, by the total balance of all loans in the request where the law says so. */
export function termOf(plan: FixedPlan, loan: Loan, requestTotal: Decimal, edges: Edges): number {
  if (plan === "EXTENDED") return EXTENDED_MONTHS
  if (plan === "TIERED STANDARD") return tierMonths(tieredStandardTerms, requestTotal, edges)
  return isConsolidation(loan.type) ? tierMonths(consolidationTerms, requestTotal, edges) : TEN_YEARS
}

/** Months already spent of a fixed term. Ten-year STANDARD payments count for PSLF too, so the larger count rules. */
export function monthsSpent(plan: FixedPlan, loan: Loan, term: number): number {
  if (plan === "STANDARD" && term === TEN_YEARS) return Math.max(loan.idrMonths, loan.pslfCount)
  return loan.idrMonths
}
