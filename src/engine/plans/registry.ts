/** The ten plans and Tiered Standard by name: how each repays a book, and when it forgives. */

import type { EnginePlan, Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import { type IncomeDrivenTerms, repayFromIncome } from "../schedule/income-driven.ts"
import type { Tally } from "../schedule/tally.ts"
import { repayGraduated } from "./graduated.ts"
import { cappedTerms } from "./income-based.ts"
import { incomeContingentTerms } from "./income-contingent.ts"
import { repayWithAssistance } from "./repayment-assistance.ts"
import { revisedPayAsYouEarnMonths, revisedPayAsYouEarnTerms } from "./revised-pay-as-you-earn.ts"
import { saveMonths, saveTerms } from "./save.ts"
import { repayOverTerm, repayStandard, tieredTerm } from "./standard.ts"

/** What a plan needs to repay a book. */
export interface Repayment {
  readonly law: Law
  readonly book: Book
  readonly household: Household
  /** Principal plus unpaid interest of every loan of the request, in dollars. */
  readonly totalDebt: number
  readonly horizonMonths: number
  readonly tally: Tally
}

export interface Plan {
  /** Payments to forgiveness, prior ones included; absent on the plans that never forgive. */
  readonly forgivenessMonths?: (law: Law, book: Book) => number
  readonly repay: (repayment: Repayment) => void
}

const splitting = (
  forgivenessMonths: (law: Law, book: Book) => number,
  termsOf: (law: Law, household: Household, book: Book) => IncomeDrivenTerms
): Plan => ({
  forgivenessMonths,
  repay: ({ book, horizonMonths, household, law, tally }) =>
    repayFromIncome(book, termsOf(law, household, book), household, horizonMonths, tally)
})

export const PLANS: Readonly<Record<EnginePlan, Plan>> = {
  STANDARD: {
    repay: ({ book, horizonMonths, law, tally, totalDebt }) => repayStandard(law, book, totalDebt, horizonMonths, tally)
  },
  "TIERED STANDARD": {
    repay: ({ book, horizonMonths, law, tally, totalDebt }) =>
      repayOverTerm(law, book, tieredTerm(law, totalDebt), horizonMonths, tally)
  },
  EXTENDED: {
    repay: ({ book, horizonMonths, law, tally }) => repayOverTerm(law, book, law.extendedMonths, horizonMonths, tally)
  },
  GRADUATED: {
    repay: ({ book, horizonMonths, law, tally, totalDebt }) =>
      repayGraduated(law, book, totalDebt, horizonMonths, tally)
  },
  "INCOME BASED": splitting(
    (law) => law.ibrNew.forgivenessMonths,
    (law, household, book) => cappedTerms(law, law.ibrNew, household, book)
  ),
  "INCOME BASED (OLD)": splitting(
    (law) => law.ibrOld.forgivenessMonths,
    (law, household, book) => cappedTerms(law, law.ibrOld, household, book)
  ),
  "INCOME CONTINGENT": splitting((law) => law.icr.forgivenessMonths, incomeContingentTerms),
  "PAY AS YOU EARN": splitting(
    (law) => law.paye.forgivenessMonths,
    (law, household, book) => cappedTerms(law, law.paye, household, book)
  ),
  "REVISED PAY AS YOU EARN": splitting(revisedPayAsYouEarnMonths, revisedPayAsYouEarnTerms),
  SAVE: splitting(saveMonths, saveTerms),
  "REPAYMENT ASSISTANCE": {
    forgivenessMonths: (law) => law.rap.forgivenessMonths,
    repay: ({ book, horizonMonths, household, law, tally }) =>
      repayWithAssistance(law, book, household, horizonMonths, tally)
  }
}
