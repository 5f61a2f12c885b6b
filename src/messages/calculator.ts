/**
 * The sentences of the keyless calculator: the reason for each excluded plan, and the assumptions
 * behind the figures. They name the fields of the calculator's request. The engine decides which
 * plans are excluded.
 */
import { federalStandardDeduction } from "../../ledger/rules/federal-tax.ts"
import { directPlusConsolidationTerms } from "../../ledger/rules/fixed-plans.ts"
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { icrIncomePercentageFactors } from "../../ledger/rules/income-contingent-factors.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import { povertyGuideline } from "../../ledger/rules/poverty-guideline.ts"
import { rapLoanExclusions } from "../../ledger/rules/repayment-assistance.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { CalculatorPlan, LoanCalcExcludedPlan, LoanCalcResult } from "../../schema/calculator.ts"
import type { LoanType } from "../../schema/loan.ts"
import {
  CALCULATOR_PLANS,
  type Calculation,
  type DateObstacle,
  type EnginePlan,
  type ExcludedPlan,
  type Exclusion,
  type Law
} from "../engine/index.ts"
import { longDate } from "./figures.ts"
import { dischargeOf, dollars, paymentLeft } from "./refusals.ts"

/**
 * The day before which all DIRECT PLUS CONSOLIDATED loans were made.
 * @rule direct-plus-consolidation-terms
 */
const madeBefore = (law: Law): string => longDate(law.read(directPlusConsolidationTerms).madeBefore)

/** The loan type, with a reason if its name does not explain it. */
const typeReason = (law: Law, loanType: LoanType): string =>
  law.traitsOf[loanType].directPlusConsolidation
    ? `${loanType} exists only in consolidations made before ${law.derived(madeBefore)}, which may elect only the fixed plans of that time.`
    : `The loan type ${loanType} cannot elect it.`

/** @law 20 U.S.C. 1098e(a)(2)(B)   @rule plan-eligibility-matrix, rap-loan-exclusions */
const windowReason = (law: Law): string => {
  const [from, to] = law.read(rapLoanExclusions).carveOutWindow.map(longDate)
  return `It is open to this loan only if the loan was being repaid under an income-driven plan (ICR) between ${from} and ${to}; priorIdrMonths was 0, which shows no such month.`
}

/** @rule save-vacatur */
const judgedOn = (law: Law): string => longDate(law.read(saveVacatur).vacatedOn)

/** @rule new-loan-plans-2026-07 */
const newLoansFrom = (law: Law): string => longDate(law.read(newLoanPlans202607).loansMadeFrom)

/** The reason why the day of the first debt closes a plan. @rule new-borrower-tests */
const ofFirstBorrowed = (reason: DateObstacle): string => {
  switch (reason._tag) {
    case "OwedBefore":
      return `It is for new borrowers of ${longDate(reason.day)}; firstBorrowedOn was before.`
    case "OwedSince":
      return `It is for borrowers who owed a loan before ${longDate(reason.day)}; firstBorrowedOn was not before.`
    default:
      throw new RangeError(`${reason._tag} needs the date of a loan, which the calculator is not sent`)
  }
}

const sentenceOf = (law: Law, planType: EnginePlan, exclusion: Exclusion): string => {
  switch (exclusion._tag) {
    case "Vacated":
      return `Since the final judgment of ${law.derived(judgedOn)}, nobody can elect it.`
    case "ClosedToNewLoans":
      return `It is closed to loans made on or after ${law.derived(newLoansFrom)}; ${exclusion.isSent ? "borrowedOnOrAfterJul12026 was true" : "firstBorrowedOn was not before"}.`
    case "OnlyNewLoans":
      return `It is open only to loans made on or after ${law.derived(newLoansFrom)}; send borrowedOnOrAfterJul12026 true for one.`
    case "NeverNew":
      return planType === "TIERED STANDARD"
        ? `It is open only to loans made on or after ${law.derived(newLoansFrom)}, and ${exclusion.loanType} exists only in consolidations made before ${law.derived(madeBefore)}.`
        : `The flag borrowedOnOrAfterJul12026 was true, and ${exclusion.loanType} exists only in consolidations made before ${law.derived(madeBefore)}; send direct_consolidation_with_plus for a newer one.`
    case "BalanceTooSmall":
      return `It needs a balance over ${dollars(exclusion.over)} dollars.`
    case "ByDate":
      return ofFirstBorrowed(exclusion.reason)
    case "NotNewBorrower":
      return `The loan type ${exclusion.loanType} shows that the borrower is not new, and it is for new borrowers.`
    case "Closed":
      return exclusion.byOneMonth ? windowReason(law) : typeReason(law, exclusion.loanType)
    case "TermSpent": {
      const counts = `priorIdrMonths was ${exclusion.priorIdrMonths}, pslfCreditedMonths ${exclusion.pslfCount}`
      return `With the months already counted, it leaves ${paymentLeft(exclusion.paymentsLeft)}; ${counts}.`
    }
    case "TimeServed":
      return `It would forgive the loan before any payment, with priorIdrMonths ${exclusion.counted} of ${exclusion.needed}; ${dischargeOf(law, planType, exclusion)}.`
    case "ServiceDone":
      return `It would forgive the loan before any payment, with pslfCreditedMonths ${exclusion.counted} of ${exclusion.needed} and pursuingPslf true; ${dischargeOf(law, planType, exclusion)}.`
  }
}

/** The plan type of a plan of the calculator. */
const planTypeOf = (plan: CalculatorPlan): EnginePlan =>
  CALCULATOR_PLANS.find(({ calculator }) => calculator.id === plan)!.planType

const worded = (law: Law, { exclusions, label, plan }: ExcludedPlan): LoanCalcExcludedPlan => ({
  plan,
  label,
  reason: exclusions.map((exclusion) => sentenceOf(law, planTypeOf(plan), exclusion)).join(" ")
})

/** The assumptions of every answer. @param isDated whether firstBorrowedOn was sent */
export const calculatorAssumptions = (law: Law, isDated: boolean): ReadonlyArray<string> => [
  "The borrower has one loan without unpaid interest, and makes every payment on time.",
  "The first payment is made in the month after the computation.",
  `The loan is assumed to be made before ${law.derived(newLoansFrom)} unless borrowedOnOrAfterJul12026 is true${isDated ? " or firstBorrowedOn is on or after that day" : ""}. Only Direct loans use this.`,
  isDated
    ? "The new-borrower dates of Income-Based (2014) and Pay As You Earn are read from firstBorrowedOn, unless the loan type shows an earlier debt. The other dates, of a loan received since October 2011 and of Extended, are assumed to be met unless the loan type shows otherwise."
    : "The new-borrower dates of Income-Based (2014), Pay As You Earn and Extended are assumed to be met unless the loan type shows otherwise.",
  `Pay As You Earn and Income-Contingent end on ${longDate(law.read(idrSunsetDefault).endsOn)}. The loan then moves to Repayment Assistance or, if that plan cannot take it, to Income-Based (${isDated ? "for new borrowers of 2014 if firstBorrowedOn shows one, otherwise for earlier borrowers" : "earlier borrowers"}), unless the borrower chooses another plan, such as Income-Based.`,
  `The poverty guideline of ${law.read(povertyGuideline).year}, the Income-Contingent factors from ${longDate(law.read(icrIncomePercentageFactors).from)} and the tax tables of ${law.read(federalStandardDeduction).taxYear} are used for the whole projection.`,
  "Months already counted shorten the term of every fixed plan but Tiered Standard.",
  "Family size is the borrower, the spouse on a joint return, and the dependents.",
  "Interest is simple, accrues monthly and never capitalizes.",
  "The federal auto-pay interest reduction is not applied.",
  "Tax on forgiven debt is the federal tax and, if state is sent, the tax of AR, IN, MS, NC or WI.",
  "Most other states also tax forgiven debt; their tax is not included."
]

/**
 * The answer of the calculator, without `computedBy` and its assumptions.
 * @param asOf date of the computation, YYYY-MM-DD
 */
export const calculatorAnswer = (
  law: Law,
  calculation: Calculation,
  asOf: string
): Omit<LoanCalcResult, "computedBy" | "assumptions"> => ({
  asOf,
  lowestMonthlyPlan: calculation.lowestMonthlyPlan,
  lowestLifetimeCostPlan: calculation.lowestLifetimeCostPlan,
  plans: calculation.plans,
  excludedPlans: calculation.excludedPlans.map((excluded) => worded(law, excluded))
})
