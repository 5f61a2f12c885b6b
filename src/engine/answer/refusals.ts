/**
 * The refusals of the engine, its only failures. The law may close the plan to the loans. The
 * answer may be an artifact, decided by the counts of prior months alone. Or the request
 * contradicts itself or the calendar (contradictions.ts). src/messages words the refusals.
 */
import { extendedPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Loan, LoanType } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { LoanFamily } from "../law/loan-types.ts"
import type { EnginePlan, Plan } from "../plans/plan.ts"
import { type Book, NOT_SET } from "../schedule/book.ts"
import { type DateObstacle, dateObstacle } from "../schedule/history.ts"
import { type Holdings, isClosedByAnother, owedInProgram } from "../schedule/holdings.ts"
import type { Contradiction } from "./contradictions.ts"

/** The reason why one loan prevents an answer. */
export type Obstacle =
  /**
   * The plan cannot take the loan. `byOneMonth` is true if one counted income-driven month would
   * open the plan to the loan.
   */
  | {
      readonly _tag: "Closed"
      readonly loanType: LoanType
      readonly family: LoanFamily
      readonly byOneMonth: boolean
    }
  /** The balance of the loan's program (Direct or FFEL) is not over a threshold in dollars. */
  | { readonly _tag: "BalanceTooSmall"; readonly loanType: LoanType; readonly over: number; readonly owed: number }
  /** A loan of the request, maybe this one, proves that the borrower is not new. */
  | {
      readonly _tag: "NotNewBorrower"
      readonly loanType: LoanType
      /** The loan that proves it. */
      readonly closer: { readonly position: number; readonly loanType: LoanType }
    }
  /** Dates close the plan to the loan. */
  | { readonly _tag: "ByDate"; readonly loanType: LoanType; readonly reason: DateObstacle }
  /** A fixed plan has one payment left or none. */
  | {
      readonly _tag: "TermSpent"
      readonly paymentsLeft: number
      readonly priorIdrMonths: number
      readonly pslfCount: number
    }
  /** All months to forgiveness are already counted. */
  | { readonly _tag: "TimeServed"; readonly counted: number; readonly needed: number }
  /** All qualifying PSLF payments are already made. */
  | { readonly _tag: "ServiceDone"; readonly counted: number; readonly needed: number }

export interface RefusedLoan {
  /** Position of the loan in the request. */
  readonly position: number
  readonly obstacle: Obstacle
}

/** The reason why a borrower cannot change to a plan, whatever the loans. */
export type ChangeReason =
  /** Nobody can elect the plan any more. */
  | { readonly _tag: "NotElectable" }
  /** The plan has ended by then. */
  | { readonly _tag: "HasEnded" }
  /** The loans are under this plan already. */
  | { readonly _tag: "InForce" }
  /** The law leaves few plans to whoever leaves income-based repayment. */
  | { readonly _tag: "FromIncomeBased"; readonly from: EnginePlan }

export interface Refusal {
  readonly _tag: "Refusal"
  readonly kind: "artifact" | "ineligible" | "contradiction" | "change"
  readonly planType: EnginePlan
  readonly loans: ReadonlyArray<RefusedLoan>
  /** The contradictions; none for the other kinds. */
  readonly contradictions: ReadonlyArray<Contradiction>
  /** The place of the change to this plan; null if `planType` asked for it. */
  readonly change: number | null
  /** The reason of a refused change; undefined for the other kinds. */
  readonly reason: ChangeReason | undefined
}

const refusal = (kind: Refusal["kind"], { planType }: Plan, loans: ReadonlyArray<RefusedLoan>): Refusal | undefined =>
  loans.length === 0 ? undefined : { ...NO_DETAILS, kind, planType, loans }

/** The refusal of a change, by its place in the request. */
export const refusedChange = ({ planType }: Plan, reason: ChangeReason, change: number): Refusal => ({
  ...NO_DETAILS,
  kind: "change",
  planType,
  change,
  reason
})

const NO_DETAILS = { _tag: "Refusal", loans: [], contradictions: [], change: null, reason: undefined } as const

/** The refusal of a request that contradicts itself; undefined if there are no contradictions. */
export const contradictory = (
  planType: EnginePlan,
  contradictions: ReadonlyArray<Contradiction>
): Refusal | undefined =>
  contradictions.length === 0 ? undefined : { ...NO_DETAILS, kind: "contradiction", planType, contradictions }

/**
 * The reason why the plan does not take a loan. The loan must be one that does not fit the plan.
 */
export const obstacleTo = (
  law: Law,
  plan: Plan,
  loans: ReadonlyArray<Loan>,
  position: number,
  held: Holdings
): Obstacle => {
  const { loanType } = loans[position]!
  const traits = law.traitsOf[loanType]
  const eligibility = plan.openTo(traits)
  const reason = held.history === undefined ? undefined : dateObstacle(law, plan, traits, held.history)
  if (eligibility !== "closed" && reason?._tag === "NewLoans") return { _tag: "ByDate", loanType, reason }
  if (eligibility !== "closed" && isClosedByAnother(traits, held)) {
    const closer = { position: held.closer, loanType: loans[held.closer]!.loanType }
    return { _tag: "NotNewBorrower", loanType, closer }
  }
  if (eligibility !== "closed" && reason !== undefined) return { _tag: "ByDate", loanType, reason }
  if (eligibility === "above-balance") {
    const over = law.read(extendedPlanTerms).balanceOver
    return { _tag: "BalanceTooSmall", loanType, over, owed: owedInProgram(traits, held) }
  }
  return { _tag: "Closed", loanType, family: traits.family, byOneMonth: eligibility === "after-counted-month" }
}

/** The refusal of a plan that takes none of the loans; undefined if no loan has a balance. */
export const ineligible = (
  law: Law,
  plan: Plan,
  loans: ReadonlyArray<Loan>,
  outsidePlan: Book,
  held: Holdings
): Refusal | undefined =>
  refusal(
    "ineligible",
    plan,
    Array.from(outsidePlan.position.subarray(0, outsidePlan.size), (position) => ({
      position,
      obstacle: obstacleTo(law, plan, loans, position, held)
    }))
  )

/**
 * The refusal of a fixed plan that begins with a month, for loans with no payment left, or with the
 * whole balance in one payment.
 * @rule standard-plan-terms, extended-plan-terms, graduated-plan-terms, tiered-standard-plan-terms
 */
export const fixedArtifact = (plan: Plan, book: Book, month = 0): Refusal | undefined => {
  const found: Array<RefusedLoan> = []
  for (let slot = 0; slot < book.size; slot++) {
    const paymentsLeft = book.monthsLeft[slot]! - month
    if (paymentsLeft > 1 || book.setIn[slot] !== NOT_SET) continue
    const counts = { priorIdrMonths: book.priorIdrMonths[slot]!, pslfCount: book.pslfCount[slot]! }
    found.push({ position: book.position[slot]!, obstacle: { _tag: "TermSpent", paymentsLeft, ...counts } })
  }
  return refusal("artifact", plan, found)
}

/**
 * The refusal of an income-driven plan for loans that would be forgiven before any payment, by time
 * or by PSLF.
 * @rule pslf-terms and the plan's own terms
 */
export const forgivenessArtifact = (
  law: Law,
  plan: Plan,
  book: Book,
  forgivenessMonths: number,
  workingTowardsPslf: boolean
): Refusal | undefined => {
  const needed = law.read(pslfTerms).payments
  const found: Array<RefusedLoan> = []
  for (let slot = 0; slot < book.size; slot++) {
    const position = book.position[slot]!
    const months = book.priorIdrMonths[slot]!
    const payments = book.pslfCount[slot]!
    if (months >= forgivenessMonths) {
      found.push({ position, obstacle: { _tag: "TimeServed", counted: months, needed: forgivenessMonths } })
    } else if (workingTowardsPslf && book.traits[slot]!.direct && payments >= needed) {
      found.push({ position, obstacle: { _tag: "ServiceDone", counted: payments, needed } })
    }
  }
  return refusal("artifact", plan, found)
}
