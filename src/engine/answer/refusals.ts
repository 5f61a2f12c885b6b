/**
 * The two reasons for which the engine gives no figures: no loan of the book fits the plan, or the answer would be an
 * artifact of the prior-month count. The engine cannot fail otherwise. The messages here are worded in the fields of a
 * projection request; the keyless calculator words its own from the same facts.
 */
import type { Loan, LoanType } from "../../../schema/loan.ts"
import type { EnginePlan } from "../law/household.ts"
import type { Law, LoanTraits } from "../law/law.ts"
import { standardPrior, standardTerm, tieredTerm } from "../plans/standard.ts"
import type { Book } from "../schedule/book.ts"

/** What stands between one loan and an answer. */
export type Obstacle =
  /** The plan cannot take the loan; `byOneMonth` when one counted month would open it. */
  | {
      readonly _tag: "Closed"
      readonly loanType: LoanType
      readonly family: LoanTraits["family"]
      readonly byOneMonth: boolean
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
  readonly loans: ReadonlyArray<RefusedLoan>
  /** One sentence for each loan concerned. */
  readonly messages: ReadonlyArray<string>
  /** Positions of those loans in the request. */
  readonly positions: ReadonlyArray<number>
}

/** What a borrower does whose forgiveness is due. */
export const ASK_FOR_DISCHARGE = "if the count is right, ask the servicer for the discharge"

const messageOf = (law: Law, planType: EnginePlan, { obstacle, position }: RefusedLoan): string => {
  const loan = `loans[${position}]`
  switch (obstacle._tag) {
    case "Closed": {
      const which = obstacle.byOneMonth ? `${obstacle.loanType}, idrMonthsInRepayment 0` : obstacle.loanType
      return `${planType} cannot take ${loan} (${which}): ${law.families[obstacle.family].rule}`
    }
    case "TermSpent": {
      const counts = `idrMonthsInRepayment ${obstacle.priorIdrMonths}, pslfCount ${obstacle.pslfCount}`
      const outcome = obstacle.paymentsLeft < 1 ? "nothing to pay" : "the whole balance in one payment"
      return `${planType} with the prior months of ${loan} (${counts}) leaves ${outcome}`
    }
    case "TimeServed":
    case "ServiceDone": {
      const reached = `${obstacle.counted} of ${obstacle.needed}`
      const count =
        obstacle._tag === "TimeServed"
          ? `idrMonthsInRepayment ${reached}`
          : `pslfCount ${reached} with workingTowardsPslf`
      return `${planType} would forgive ${loan} before any payment (${count}); ${ASK_FOR_DISCHARGE}`
    }
  }
}

const refusal = (
  law: Law,
  kind: Refusal["kind"],
  planType: EnginePlan,
  loans: ReadonlyArray<RefusedLoan>
): Refusal | undefined =>
  loans.length === 0
    ? undefined
    : {
        _tag: "Refusal",
        kind,
        planType,
        loans,
        positions: loans.map(({ position }) => position),
        messages: loans.map((loan) => messageOf(law, planType, loan))
      }

/** No loan with a balance can be repaid under the plan. */
export const ineligible = (
  law: Law,
  planType: EnginePlan,
  loans: ReadonlyArray<Loan>,
  beside: Book
): Refusal | undefined =>
  refusal(
    law,
    "ineligible",
    planType,
    Array.from(beside.position.subarray(0, beside.size), (position) => {
      const { loanType } = loans[position]!
      const { codes, family } = law.traitsOf[loanType]
      return { position, obstacle: { _tag: "Closed", loanType, family, byOneMonth: codes[planType] === "C1" } }
    })
  )

/** Payments that a fixed plan has left for a loan. */
export const fixedMonthsLeft = (
  law: Law,
  planType: EnginePlan,
  book: Book,
  slot: number,
  totalDebt: number
): number => {
  if (planType === "EXTENDED") return law.extendedMonths - book.priorIdrMonths[slot]!
  if (planType === "TIERED STANDARD") return tieredTerm(law, totalDebt) - book.priorIdrMonths[slot]!
  const term = standardTerm(law, book.traits[slot]!, totalDebt)
  return term - (planType === "STANDARD" ? standardPrior(law, book, slot, term) : book.priorIdrMonths[slot]!)
}

/**
 * Fixed plans: nothing left to pay, or the whole balance in one payment.
 * @rule standard-plan-terms, extended-plan-terms, graduated-plan-terms, tiered-standard-plan-terms
 */
export const fixedArtifact = (law: Law, planType: EnginePlan, book: Book, totalDebt: number): Refusal | undefined => {
  const found: Array<RefusedLoan> = []
  for (let slot = 0; slot < book.size; slot++) {
    const paymentsLeft = fixedMonthsLeft(law, planType, book, slot, totalDebt)
    if (paymentsLeft > 1) continue
    const counts = { priorIdrMonths: book.priorIdrMonths[slot]!, pslfCount: book.pslfCount[slot]! }
    found.push({ position: book.position[slot]!, obstacle: { _tag: "TermSpent", paymentsLeft, ...counts } })
  }
  return refusal(law, "artifact", planType, found)
}

/**
 * Income-driven plans: forgiveness before any payment, by time or by public service.
 * @rule pslf-terms and the plan's own terms
 */
export const forgivenessArtifact = (
  law: Law,
  planType: EnginePlan,
  book: Book,
  forgivenessMonths: number,
  workingTowardsPslf: boolean
): Refusal | undefined => {
  const found: Array<RefusedLoan> = []
  for (let slot = 0; slot < book.size; slot++) {
    const position = book.position[slot]!
    const months = book.priorIdrMonths[slot]!
    const payments = book.pslfCount[slot]!
    if (months >= forgivenessMonths) {
      found.push({ position, obstacle: { _tag: "TimeServed", counted: months, needed: forgivenessMonths } })
    } else if (workingTowardsPslf && book.traits[slot]!.direct && payments >= law.pslfPayments) {
      found.push({ position, obstacle: { _tag: "ServiceDone", counted: payments, needed: law.pslfPayments } })
    }
  }
  return refusal(law, "artifact", planType, found)
}
