/**
 * The two reasons for which the engine gives no figures: no loan of the book fits the plan, or the answer would be an
 * artifact of the prior-month count. The engine cannot fail otherwise.
 */
import type { Loan } from "../../schema/loan.ts"
import type { Book } from "./book.ts"
import type { EnginePlan } from "./household.ts"
import type { Law } from "./law.ts"
import { standardPrior, standardTerm, tieredTerm } from "./plans/standard.ts"

export interface Refusal {
  readonly _tag: "Refusal"
  readonly kind: "artifact" | "ineligible"
  readonly planType: EnginePlan
  /** One sentence for each loan concerned. */
  readonly messages: ReadonlyArray<string>
  /** Positions of those loans in the request. */
  readonly positions: ReadonlyArray<number>
}

const refusal = (
  kind: Refusal["kind"],
  planType: EnginePlan,
  found: ReadonlyArray<readonly [position: number, message: string]>
): Refusal | undefined =>
  found.length === 0
    ? undefined
    : {
        _tag: "Refusal",
        kind,
        planType,
        positions: found.map(([position]) => position),
        messages: found.map(([, message]) => message)
      }

/** No loan with a balance can be repaid under the plan. */
export const ineligible = (
  law: Law,
  planType: EnginePlan,
  loans: ReadonlyArray<Loan>,
  beside: Book
): Refusal | undefined =>
  refusal(
    "ineligible",
    planType,
    Array.from(beside.position.subarray(0, beside.size), (position) => {
      const { loanType } = loans[position]!
      const { family } = law.traitsOf[loanType]
      return [position, `${planType} cannot take loans[${position}] (${loanType}): ${law.families[family].rule}`]
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
  const found: Array<[number, string]> = []
  for (let slot = 0; slot < book.size; slot++) {
    const left = fixedMonthsLeft(law, planType, book, slot, totalDebt)
    if (left > 1) continue
    const position = book.position[slot]!
    const counts = `idrMonthsInRepayment ${book.priorIdrMonths[slot]}, pslfCount ${book.pslfCount[slot]}`
    const outcome = left < 1 ? "nothing left to pay" : "the whole balance in one payment"
    found.push([position, `${planType} with the prior months of loans[${position}] (${counts}) leaves ${outcome}`])
  }
  return refusal("artifact", planType, found)
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
  const found: Array<[number, string]> = []
  for (let slot = 0; slot < book.size; slot++) {
    const position = book.position[slot]!
    if (book.priorIdrMonths[slot]! >= forgivenessMonths) {
      const months = `idrMonthsInRepayment ${book.priorIdrMonths[slot]} of ${forgivenessMonths}`
      found.push([position, `${planType} would forgive loans[${position}] before any payment (${months})`])
    } else if (workingTowardsPslf && book.traits[slot]!.direct && book.pslfCount[slot]! >= law.pslfPayments) {
      const payments = `pslfCount ${book.pslfCount[slot]} of ${law.pslfPayments} with workingTowardsPslf`
      found.push([position, `${planType} would forgive loans[${position}] before any payment (${payments})`])
    }
  }
  return refusal("artifact", planType, found)
}
