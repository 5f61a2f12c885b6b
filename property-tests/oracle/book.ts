/**
 * The totals of a book (all loans of a request), and the terms of the fixed plans. A loan below
 * half a cent is empty: it counts only in year 0 and in the average rate. A parameter `request`
 * never has empty loans.
 */
import { type Decimal, decimal, distance, larger, mul, ONE, smaller, ZERO } from "./decimal.ts"
import {
  consolidationTerms,
  EXTENDED_MONTHS,
  plusConsolidationTerms,
  TEN_YEARS,
  type Tier,
  tieredStandardTerms
} from "./law.ts"
import {
  GRADUATE_TYPE,
  isConsolidation,
  isDirect,
  PLUS_CONSOLIDATION,
  type PlanType,
  type Program,
  programOf
} from "./matrix.ts"
import { type Edges, HALF_CENT, isBelow } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** The ten plan types of the API, and the plan that only the keyless calculator offers. */
export type Plan = PlanType | "TIERED STANDARD"

export type FixedPlan = "STANDARD" | "TIERED STANDARD" | "EXTENDED" | "GRADUATED"

export type IncomeDrivenPlan = Exclude<PlanType, FixedPlan>

export const isFixed = (plan: Plan): plan is FixedPlan =>
  plan === "STANDARD" || plan === "TIERED STANDARD" || plan === "EXTENDED" || plan === "GRADUATED"

export const balanceOf = (loan: Loan): Decimal => loan.principal + loan.interest

export const totalOf = (amounts: ReadonlyArray<Decimal>): Decimal => amounts.reduce((sum, amount) => sum + amount, ZERO)

export const totalBalance = (loans: ReadonlyArray<Loan>): Decimal => totalOf(loans.map(balanceOf))

export const totalPrincipal = (loans: ReadonlyArray<Loan>): Decimal => totalOf(loans.map((loan) => loan.principal))

export const hasBalance = (loan: Loan): boolean => balanceOf(loan) >= HALF_CENT

const MIN_CLOSING_REACH = decimal("0.0000001")
const CLOSING_REACH_PART = decimal("0.000000000001")

/**
 * The error of the engine's doubles near half a cent: 1e-7 dollars, or 1e-12 of the balance if
 * more.
 */
const closingReach = (loan: Loan): Decimal => larger(MIN_CLOSING_REACH, mul(balanceOf(loan), CLOSING_REACH_PART))

export function noteClosing(loan: Loan, balance: Decimal, edges: Edges): void {
  if (distance(balance, HALF_CENT) < closingReach(loan)) edges.push("closing at half a cent")
}

/**
 * The loans that are not empty. The engine can misjudge half a cent only if it adds two amounts.
 */
export function withoutEmpty(sent: ReadonlyArray<Loan>, edges: Edges): ReadonlyArray<Loan> {
  for (const loan of sent) if (loan.principal > ZERO && loan.interest > ZERO) noteClosing(loan, balanceOf(loan), edges)
  return sent.filter(hasBalance)
}

/** Original amount: the disbursed amount, or the principal if that was not sent. */
const originalOf = (loan: Loan): Decimal => (loan.disbursed === ZERO ? loan.principal : loan.disbursed)

export const totalOriginal = (loans: ReadonlyArray<Loan>): Decimal => totalOf(loans.map(originalOf))

export const graduateOriginal = (loans: ReadonlyArray<Loan>): Decimal =>
  totalOriginal(loans.filter((loan) => loan.type === GRADUATE_TYPE))

export const hasGraduateLoan = (loans: ReadonlyArray<Loan>): boolean =>
  loans.some((loan) => loan.type === GRADUATE_TYPE)

/**
 * The months of the first tier with a bound over the total. A total on a bound takes the next tier.
 */
function tierMonths(tiers: ReadonlyArray<Tier>, total: Decimal, edges: Edges): number {
  for (const { below, months } of tiers) {
    if (below === null || isBelow(total, below, `term of a total of ${below / ONE}`, edges)) return months
  }
  throw new Error("the last tier has no upper end")
}

/**
 * 20 U.S.C. 1078-3(c)(2)(A)-(B), 1087e(a)(1): the amount that decides the term of a program's
 * consolidation loans. It is their balance, plus the balance of all other loans up to the same
 * amount.
 */
function consolidationBase(program: Program | null, request: ReadonlyArray<Loan>): Decimal {
  const consolidated = request.filter((loan) => isConsolidation(loan.type) && programOf(loan.type) === program)
  const others = request.filter((loan) => !consolidated.includes(loan))
  const amount = totalBalance(consolidated)
  return amount + smaller(totalBalance(others), amount)
}

const directLoans = (request: ReadonlyArray<Loan>): ReadonlyArray<Loan> => request.filter(({ type }) => isDirect(type))

/**
 * A DIRECT PLUS CONSOLIDATED keeps the terms from before July 2006: ten years on STANDARD, and
 * terms by the balance of all Direct loans on EXTENDED and GRADUATED.
 */
const plusConsolidationTerm = (plan: FixedPlan, request: ReadonlyArray<Loan>, edges: Edges): number =>
  plan === "STANDARD" ? TEN_YEARS : tierMonths(plusConsolidationTerms, totalBalance(directLoans(request)), edges)

/** 34 CFR 685.208: the term of a loan in months. Some depend on all balances of the request. */
export function termOf(plan: FixedPlan, loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): number {
  if (plan === "TIERED STANDARD") return tierMonths(tieredStandardTerms, totalPrincipal(directLoans(request)), edges)
  if (loan.type === PLUS_CONSOLIDATION) return plusConsolidationTerm(plan, request, edges)
  if (plan === "EXTENDED") return EXTENDED_MONTHS
  if (!isConsolidation(loan.type)) return TEN_YEARS
  return tierMonths(consolidationTerms, consolidationBase(programOf(loan.type), request), edges)
}

/**
 * The months of a fixed term that are already used up. Payments of ten-year STANDARD on a Direct
 * loan count for PSLF too, so the larger count applies. PSLF counts no other loans (20 U.S.C.
 * 1087e(m)(3)(A)). The term of Tiered Standard begins with that plan (1087e(d)(7)(A)(i)), so no
 * earlier month counts.
 */
export function monthsSpent(plan: FixedPlan, loan: Loan, term: number): number {
  if (plan === "TIERED STANDARD") return 0
  if (plan === "STANDARD" && term === TEN_YEARS && isDirect(loan.type)) return Math.max(loan.idrMonths, loan.pslfCount)
  return loan.idrMonths
}
