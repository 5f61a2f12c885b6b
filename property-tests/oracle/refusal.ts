/**
 * The refusals of the oracle. Either the plan takes no loan (`ineligible`), or the counted months
 * alone leave nothing to project (`artifact`), or a change of plan is refused (`change`, see
 * plan-changes.ts). A refusal has a kind and the positions of its loans, and of a change which one.
 */
import { type FixedPlan, isFixed, monthsSpent, type Plan, termOf } from "./book.ts"
import { type Dates, repaidOn } from "./dates.ts"
import { monthsToForgiveness } from "./income-driven.ts"
import { PSLF_PAYMENTS, TEN_YEARS } from "./law.ts"
import { isDirect, type PlanType } from "./matrix.ts"
import type { Edges } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** Why a change of plan is refused. The last two name loans. */
export type ChangeReason =
  | "not electable"
  | "ended"
  | "in force"
  | "leaves INCOME BASED"
  | "takes no loan"
  | "a month left at most"

export interface OracleRefusal {
  readonly kind: "artifact" | "ineligible" | "change"
  /** The plan refused. */
  readonly planType: PlanType
  /** Positions of the loans concerned, ascending. */
  readonly loans: ReadonlyArray<number>
  /**
   * Position in `planChanges` of the change refused, or of the past one that is the plan of month
   * 0. Absent if `planType` itself is refused.
   */
  readonly change?: number
  /** Of kind `change`. */
  readonly reason?: ChangeReason
}

export type PlanRefusal = Omit<OracleRefusal, "planType">

const positionsOf = (loans: ReadonlyArray<Loan>): ReadonlyArray<number> =>
  loans.map((loan) => loan.index).sort((a, b) => a - b)

const refusal = (kind: "artifact" | "ineligible", loans: ReadonlyArray<Loan>): PlanRefusal => ({
  kind,
  loans: positionsOf(loans)
})

export const changeRefusal = (change: number, reason: ChangeReason, loans: ReadonlyArray<Loan>): PlanRefusal => ({
  kind: "change",
  loans: positionsOf(loans),
  change,
  reason
})

/** 34 CFR 685.219: every income-driven plan qualifies, and STANDARD with a ten-year term. */
export const qualifiesForPslf = (plan: Plan, loan: Loan, term: number | null): boolean =>
  isDirect(loan.type) && (!isFixed(plan) || (plan === "STANDARD" && term === TEN_YEARS))

/** Whether at most one payment of the term is left. */
function termIsSpent(plan: FixedPlan, loan: Loan, term: number): boolean {
  return term - monthsSpent(plan, loan, term) <= 1
}

/**
 * The loans in the plan that are artifacts. A fixed term may depend on the whole `request`. Public
 * service is that of the first year. Tiered Standard has no artifacts, because no earlier month
 * counts and it does not qualify for PSLF.
 */
export function artifactsAmong(
  plan: Plan,
  own: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  dates: Dates,
  towardsPslf: boolean,
  edges: Edges
): ReadonlyArray<Loan> {
  const forgivenAfter = isFixed(plan) ? null : monthsToForgiveness(plan, own, edges)
  return own.filter((loan) => {
    const repaid = repaidOn(plan, loan, dates)
    const term = isFixed(repaid) ? termOf(repaid, loan, request, edges) : null
    if (isFixed(repaid) && term !== null && termIsSpent(repaid, loan, term)) return true
    if (forgivenAfter !== null && forgivenAfter - loan.idrMonths <= 0) return true
    return towardsPslf && loan.pslfCount === PSLF_PAYMENTS && qualifiesForPslf(repaid, loan, term)
  })
}

/**
 * Why a plan cannot be projected for the loans with a balance, or null. `own` are those that the
 * plan takes; a loan outside the plan is never the reason.
 */
export function refusalOf(
  plan: Plan,
  own: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  dates: Dates,
  towardsPslf: boolean,
  edges: Edges
): PlanRefusal | null {
  if (own.length === 0) return request.length === 0 ? null : refusal("ineligible", request)
  const artifacts = artifactsAmong(plan, own, request, dates, towardsPslf, edges)
  return artifacts.length === 0 ? null : refusal("artifact", artifacts)
}
