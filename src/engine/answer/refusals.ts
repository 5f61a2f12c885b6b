/**
 * The reasons for which the engine gives no figures: the law keeps the plan from a loan, or the answer would be an
 * artifact of the prior-month count. It cannot fail otherwise. Facts only: they are worded for each kind of caller in
 * src/wording.
 */
import { extendedPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Loan, LoanType } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { LoanFamily } from "../law/loan-types.ts"
import type { EnginePlan, Plan } from "../plans/plan.ts"
import type { Book } from "../schedule/book.ts"
import { type Holdings, isClosedByAnother, owedInProgram } from "../schedule/holdings.ts"

/** What stands between one loan and an answer. */
export type Obstacle =
  /** The plan cannot take the loan; `byOneMonth` when one counted month would open it. */
  | {
      readonly _tag: "Closed"
      readonly loanType: LoanType
      readonly family: LoanFamily
      readonly byOneMonth: boolean
    }
  /** The program of the loan (Direct or FFEL) owes no more than an amount in dollars. */
  | { readonly _tag: "BalanceTooSmall"; readonly loanType: LoanType; readonly over: number; readonly owed: number }
  /** Another loan, or this one, shows that the borrower is not new. */
  | {
      readonly _tag: "NotNewBorrower"
      readonly loanType: LoanType
      /** The loan that shows it. */
      readonly closer: { readonly position: number; readonly loanType: LoanType }
    }
  /** A fixed plan has no payment left, or one. */
  | {
      readonly _tag: "TermSpent"
      readonly paymentsLeft: number
      readonly priorIdrMonths: number
      readonly pslfCount: number
    }
  /** The months that count are all there. */
  | { readonly _tag: "TimeServed"; readonly counted: number; readonly needed: number }
  /** The public-service payments are all there. */
  | { readonly _tag: "ServiceDone"; readonly counted: number; readonly needed: number }

export interface RefusedLoan {
  /** Position of the loan in the request. */
  readonly position: number
  readonly obstacle: Obstacle
}

export interface Refusal {
  readonly _tag: "Refusal"
  readonly kind: "artifact" | "ineligible"
  readonly planType: EnginePlan
  /** The loans concerned. */
  readonly loans: ReadonlyArray<RefusedLoan>
}

const refusal = (kind: Refusal["kind"], { planType }: Plan, loans: ReadonlyArray<RefusedLoan>): Refusal | undefined =>
  loans.length === 0 ? undefined : { _tag: "Refusal", kind, planType, loans }

/** What keeps a plan from a loan that does not fit it. */
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
  if (eligibility !== "closed" && isClosedByAnother(traits, held)) {
    const closer = { position: held.closer, loanType: loans[held.closer]!.loanType }
    return { _tag: "NotNewBorrower", loanType, closer }
  }
  if (eligibility === "above-balance") {
    const over = law.read(extendedPlanTerms).balanceOver
    return { _tag: "BalanceTooSmall", loanType, over, owed: owedInProgram(traits, held) }
  }
  return { _tag: "Closed", loanType, family: traits.family, byOneMonth: eligibility === "after-counted-month" }
}

/** No loan with a balance can be repaid under the plan. */
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
 * Fixed plans: nothing left to pay, or the whole balance in one payment.
 * @rule standard-plan-terms, extended-plan-terms, graduated-plan-terms, tiered-standard-plan-terms
 */
export const fixedArtifact = (plan: Plan, book: Book): Refusal | undefined => {
  const found: Array<RefusedLoan> = []
  for (let slot = 0; slot < book.size; slot++) {
    const paymentsLeft = book.monthsLeft[slot]!
    if (paymentsLeft > 1) continue
    const counts = { priorIdrMonths: book.priorIdrMonths[slot]!, pslfCount: book.pslfCount[slot]! }
    found.push({ position: book.position[slot]!, obstacle: { _tag: "TermSpent", paymentsLeft, ...counts } })
  }
  return refusal("artifact", plan, found)
}

/**
 * Income-driven plans: forgiveness before any payment, by time or by public service.
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
