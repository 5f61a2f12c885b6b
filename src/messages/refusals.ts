/**
 * The sentences for requests that the engine refuses, one per loan concerned. They name the fields
 * of a projection request; calculator.ts has those of the keyless calculator.
 */
import { newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { Obstacle, Refusal, RefusedLoan } from "../engine/answer/refusals.ts"
import type { Law } from "../engine/law/law.ts"
import { ruleOfFamily } from "../engine/law/loan-types.ts"
import type { EnginePlan } from "../engine/plans/plan.ts"
import { fromCents, toCents } from "../engine/schedule/rounding.ts"
import { longDate } from "./figures.ts"

const AMOUNT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })

/** For example "30,000", with cents if there are any. */
export const dollars = (amount: number): string => AMOUNT.format(fromCents(toCents(amount)))

type ForgivenessDue = Extract<Obstacle, { readonly counted: number }>

/**
 * The next step of a borrower with forgiveness due. A vacated plan discharges nothing, whatever the
 * count. For the others it matters under which plan the counted months were paid.
 * @law 20 U.S.C. 1087e(q)(1)(E)-(F), (m)(1)(B), 1098e(b)(7)(B)
 * @rule save-vacatur, idr-forgiveness-count, pslf-terms
 */
export const dischargeOf = (law: Law, planType: EnginePlan, { _tag }: ForgivenessDue): string => {
  if (_tag === "ServiceDone")
    return "if the count is right, ask the servicer for the discharge for public service, which the employer has to certify"
  const { notElectable, vacatedOn } = law.read(saveVacatur)
  if ((notElectable as ReadonlyArray<string>).includes(planType))
    return `nobody can elect ${planType} since ${longDate(vacatedOn)}, and it discharges nothing`
  const counted =
    planType === "REPAYMENT ASSISTANCE"
      ? "and its last payment was made under REPAYMENT ASSISTANCE"
      : "without months of REPAYMENT ASSISTANCE whose payment was below the ten-year Standard amount"
  return `if the count is right ${counted}, ask the servicer for the discharge`
}

/** The payment of a fixed plan with one payment left or none. */
export const paymentLeft = (paymentsLeft: number): string =>
  paymentsLeft < 1 ? "nothing to pay" : "the whole balance in one payment"

const countOf = (obstacle: ForgivenessDue): string => {
  const reached = `${obstacle.counted} of ${obstacle.needed}`
  return obstacle._tag === "TimeServed"
    ? `idrMonthsInRepayment ${reached}`
    : `pslfCount ${reached} with workingTowardsPslf`
}

interface NewBorrowerTest {
  readonly newFrom: string
  readonly closes: string
}

/** The new-borrower test of a plan. @rule new-borrower-tests */
const newBorrowers = (law: Law, planType: string): string => {
  const tests: Readonly<Record<string, NewBorrowerTest>> = law.read(newBorrowerTests)
  const test = tests[planType]
  if (test === undefined) throw new RangeError(`${planType} asks for no new borrower`)
  const program = test.closes === "all" ? "" : `for ${test.closes.toUpperCase()} loans `
  return `${program}it is for new borrowers of ${longDate(test.newFrom)}`
}

const messageOf = (law: Law, planType: EnginePlan, { obstacle, position }: RefusedLoan): string => {
  const loan = `loans[${position}]`
  switch (obstacle._tag) {
    case "Closed": {
      const which = obstacle.byOneMonth ? `${obstacle.loanType}, idrMonthsInRepayment 0` : obstacle.loanType
      return `${planType} cannot take ${loan} (${which}): ${ruleOfFamily(law, obstacle.family)}`
    }
    case "BalanceTooSmall":
      return `${planType} cannot take ${loan} (${obstacle.loanType}): it needs more than ${dollars(obstacle.over)} dollars owed in the loan's program, where ${dollars(obstacle.owed)} dollars are owed`
    case "NotNewBorrower": {
      const { loanType, position: shown } = obstacle.closer
      return `${planType} cannot take ${loan} (${obstacle.loanType}): ${newBorrowers(law, planType)}, and loans[${shown}] (${loanType}) is older`
    }
    case "TermSpent": {
      const counts = `idrMonthsInRepayment ${obstacle.priorIdrMonths}, pslfCount ${obstacle.pslfCount}`
      return `${planType} with the prior months of ${loan} (${counts}) leaves ${paymentLeft(obstacle.paymentsLeft)}`
    }
    case "TimeServed":
    case "ServiceDone":
      return `${planType} would forgive ${loan} before any payment (${countOf(obstacle)}); ${dischargeOf(law, planType, obstacle)}`
  }
}

/** The plans to send instead. */
const advice = (instead: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (instead.length === 0) return []
  return [`send ${instead.length === 1 ? "" : "one of "}${instead.join("; ")}, which all of these loans can elect`]
}

/** One sentence per loan concerned, in request order, and the plans that they can elect. */
export const refusalMessages = (
  law: Law,
  { loans, planType }: Refusal,
  instead: ReadonlyArray<string>
): ReadonlyArray<string> => [...loans.map((loan) => messageOf(law, planType, loan)), ...advice(instead)]
