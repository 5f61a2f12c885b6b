/**
 * SAVE: Saving on a Valuable Education, on the terms of the vacated 2023 rule. It can't be elected.
 * Payment a month: 5 to 10 percent of income above 225 percent of the poverty guideline, divided by
 * 12, without a cap. The rate is 5 percent for undergraduate and 10 percent for graduate loans,
 * weighted by original balances.
 * Formula: `weightedRate` and `begin` in this file, which call `smallRuledPayment` in
 * src/engine/plans/shared.ts.
 *
 * All uncovered interest is waived. Small original balances are forgiven earlier than the 240 or
 * 300 months: `forgivenessMonths` in this file.
 */
import { idrSmallPaymentRule } from "../../../ledger/rules/income-based.ts"
import { graduateLoanTypes } from "../../../ledger/rules/loan-types.ts"
import { saveEarlyForgiveness, saveTerms, saveVacatur } from "../../../ledger/rules/save.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import { type IncomeDrivenTerms, SplitTerms } from "../schedule/income-driven.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { type Beginning, incomeDrivenPlan } from "./plan.ts"
import {
  GRADUATE_DEBT,
  GUIDELINE,
  hasGraduateLoan,
  INCOME_AND_COUNT,
  SHARED_AND_SPLIT,
  sharedDebtOf,
  smallRuledPayment
} from "./shared.ts"

const originals = (book: Book, graduateOnly: boolean): number => {
  let sum = 0
  for (let j = 0; j < book.held; j++) if (!graduateOnly || book.traits[j]!.graduate) sum += book.original[j]!
  return sum
}

/** Rate of discretionary income, weighted by the original balances of graduate and other loans. */
const weightedRate = (law: Law, book: Book, trace?: Trace): number => {
  const all = originals(book, false)
  const graduate = all === 0 ? 0 : originals(book, true) / all
  trace?.("graduateShare", graduate, graduateLoanTypes)
  const { paymentRateGraduate, paymentRateUndergraduate } = law.read(saveTerms)
  return paymentRateUndergraduate * (1 - graduate) + paymentRateGraduate * graduate
}

/**
 * Months to forgiveness: 120 for original balances up to $12,000. Each further $1,000 or part of it
 * adds 12, up to the plan's 240 or 300.
 * @law 88 FR 43820, 34 CFR 685.209(k)(3) of that rule   @rule save-early-forgiveness, save-terms
 */
const forgivenessMonths = (law: Law, book: Book, trace?: Trace): number => {
  const { baseBalance, baseMonths, stepBalance, stepMonths } = law.read(saveEarlyForgiveness)
  const { forgivenessMonthsGraduate, forgivenessMonthsUndergraduate } = law.read(saveTerms)
  const longest = hasGraduateLoan(book) ? forgivenessMonthsGraduate : forgivenessMonthsUndergraduate
  const original = originals(book, false)
  const above = forThreshold(original) - baseBalance
  const steps = above <= 0 ? 0 : Math.ceil(forThreshold(above) / stepBalance)
  const months = Math.min(longest, baseMonths + stepMonths * steps)
  trace?.("originalDebt", original, saveEarlyForgiveness)
  trace?.("forgivenessMonths", months, saveEarlyForgiveness, saveTerms)
  return months
}

const begin = (beginning: Beginning, trace?: Trace): IncomeDrivenTerms => {
  const { book, law } = beginning
  const paymentRate = weightedRate(law, book, trace)
  const { povertyMultiple } = law.read(saveTerms)
  return new SplitTerms({
    payment: smallRuledPayment(beginning, {
      paymentRate,
      povertyMultiple,
      rule: saveTerms,
      debt: sharedDebtOf(beginning, "SAVE")
    }),
    subsidizedWaiverMonths: 0,
    waiverShare: 1,
    waivedBy: saveTerms
  })
}

/** @law 88 FR 43820, 34 CFR 685.209(f)(1), (h) of that rule   @rule save-terms */
export const save = incomeDrivenPlan({
  planType: "SAVE",
  calculator: { id: "save", label: "Saving on a Valuable Education (SAVE)" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility.SAVE,
  terms: [saveTerms, saveEarlyForgiveness, saveVacatur, idrSmallPaymentRule],
  citesForHousehold: [INCOME_AND_COUNT, GUIDELINE, ...SHARED_AND_SPLIT],
  citesForLoans: [GRADUATE_DEBT],
  forgivenessMonths,
  begin
})
