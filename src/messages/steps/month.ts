/**
 * Explained payments (POST /v1/explain): the names, units and formulas of the steps that compute
 * one month, from interest to forgiveness.
 */
import { idrSubsidizedInterestMonths } from "../../../ledger/rules/interest.ts"
import { rapPrincipalMatch } from "../../../ledger/rules/repayment-assistance.ts"
import { repayeInterestSubsidy, repayeTerms } from "../../../ledger/rules/revised-pay-as-you-earn.ts"
import { saveEarlyForgiveness, saveTerms } from "../../../ledger/rules/save.ts"
import type { EnginePlan, Law } from "../../engine/index.ts"
import { DOLLARS, FRACTION, MONTH, MONTHS, PAYMENTS, plainNumber, type Wording } from "./words.ts"

const PAID = "by law, if the payment is made on time and in full"

const share = (law: Law, planType: EnginePlan): string => {
  if (planType === "SAVE") return "all of it"
  const inFull = (months: number) => `1 for a subsidized loan up to its month ${months}`
  if (planType !== "REVISED PAY AS YOU EARN")
    return `${inFull(law.read(idrSubsidizedInterestMonths).months)}, 0 after it; no other loan has it`
  const { otherwiseShare, subsidizedFullMonths } = law.read(repayeInterestSubsidy)
  return `${inFull(subsidizedFullMonths)}, ${otherwiseShare} after it and for other loans`
}

const longest = (undergraduate: number, graduate: number): string =>
  `${undergraduate}, or ${graduate} with a graduate loan`

const toForgiveness = (law: Law, planType: EnginePlan): string => {
  if (planType === "REVISED PAY AS YOU EARN") {
    const { forgivenessMonthsGraduate, forgivenessMonthsUndergraduate } = law.read(repayeTerms)
    return longest(forgivenessMonthsUndergraduate, forgivenessMonthsGraduate)
  }
  if (planType !== "SAVE") return "of the plan"
  const { baseBalance, baseMonths, stepBalance, stepMonths } = law.read(saveEarlyForgiveness)
  const { forgivenessMonthsGraduate, forgivenessMonthsUndergraduate } = law.read(saveTerms)
  const steps = `${stepMonths} more for each further ${plainNumber(stepBalance)} or part of it`
  return `${baseMonths} up to an original debt of ${plainNumber(baseBalance)}, ${steps}; at most ${longest(forgivenessMonthsUndergraduate, forgivenessMonthsGraduate)}`
}

const ofForgiveness = {
  originalDebt: ["original debt", DOLLARS, "sum of disbursedAmount, or of principalBalance where that is 0"],
  forgivenessMonths: ["months to forgiveness", MONTHS, toForgiveness],
  countedMonths: ["counted months", MONTHS, "idrMonthsInRepayment"],
  forgivenessMonth: ["month of forgiveness by time", MONTH, "months to forgiveness - counted months + paused months"],
  servicePayments: ["payments to forgiveness for public service", PAYMENTS, "qualifying payments that it takes"],
  countedPayments: ["counted payments", PAYMENTS, "pslfCount"],
  serviceMonth: [
    "month of forgiveness for public service",
    MONTH,
    "payments to forgiveness - counted payments, at least 1, plus the paused months and those without public service; it applies if it is not after the month of forgiveness by time"
  ],
  extraSent: [
    "extra payment asked for",
    DOLLARS,
    "extraMonthlyPayment, or what the payments of the month leave of monthlyBudget"
  ],
  lumpSent: ["lump sum", DOLLARS, "the lumpSums of the month"],
  owedAfterPayments: [
    "still owed",
    DOLLARS,
    "principal + unpaid interest after the payments of the month: of the due loans, or for a lump sum of all"
  ],
  extraPayment: [
    "extra payment",
    DOLLARS,
    "the amount sent, at most what is still owed: to the loan with the highest rate first, and there to unpaid interest, then to principal"
  ],
  forgivenTimeBased: ["forgiven by time", DOLLARS, "the balance of the loans that reach that month"],
  forgivenPslf: ["forgiven for public service", DOLLARS, "the balance of the loans that reach that month"]
} as const satisfies Wording

/** The steps that compute the effect of a month's payment on the loans. */
export const MONTH_STEPS = {
  interestAccrued: [
    "interest of the month",
    DOLLARS,
    "principal x interestRate / 12, over the loans; subsidized and Perkins loans bear none in school or deferment"
  ],
  owed: ["owed", DOLLARS, "principal + unpaid interest + interest of the month"],
  payment: ["payment", DOLLARS, "payment of the plan, or what is owed where that is less"],
  loanPayments: [
    "payment",
    DOLLARS,
    "each loan's scheduled payment, at most what it owes; the last month of a term pays all that is owed"
  ],
  toInterest: ["to the interest of the month", DOLLARS, "the payment, up to the interest of the month"],
  toUnpaidInterest: ["to unpaid interest", DOLLARS, "the rest of the payment, up to the older unpaid interest"],
  toPrincipal: ["to principal", DOLLARS, "the rest of the payment"],
  subsidizedMonth: ["month of the subsidy", MONTHS, "idrMonthsInRepayment + the month from the first due one"],
  waivedShare: ["share waived", FRACTION, share],
  interestWaived: [
    "interest waived",
    DOLLARS,
    (_law, planType) =>
      planType === "REPAYMENT ASSISTANCE"
        ? `all interest of the month that the payment does not cover; ${PAID}`
        : "for each loan, the interest of the month that the payment does not cover x share waived"
  ],
  interestAdded: [
    "interest added",
    DOLLARS,
    "uncovered interest of the month that is not waived joins the unpaid interest"
  ],
  interestJoined: [
    "interest joined to principal",
    DOLLARS,
    "what accrued in the pause that has ended, at most the unpaid interest; all of it where Income-Based Repayment is left"
  ],
  dueAgain: ["due again", MONTH, "the until of the pause"],
  principalMatched: [
    "principal matched",
    DOLLARS,
    (law) =>
      `the lesser of the payment and ${law.read(rapPrincipalMatch).cap}, less the part of the payment that goes to principal; at most the principal left; ${PAID}`
  ],
  ...ofForgiveness
} as const satisfies Wording
