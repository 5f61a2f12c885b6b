/**
 * The sentences for requests that the engine refuses, one per loan concerned. They name the fields
 * of a projection request; calculator.ts has those of the keyless calculator.
 */
import { newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import {
  type ChangeReason,
  type DateObstacle,
  type EnginePlan,
  fromCents,
  type Law,
  type Obstacle,
  type Refusal,
  type RefusedLoan,
  ruleOfFamily,
  standard,
  toCents
} from "../engine/index.ts"
import { planPath } from "../request/fieldPath.ts"
import { contradictionMessages } from "./contradictions.ts"
import { longDate } from "./figures.ts"
import { type Naming, OF_THE_API } from "./naming.ts"

const AMOUNT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })

/** For example "30,000", with cents if there are any. */
export const dollars = (amount: number): string => AMOUNT.format(fromCents(toCents(amount)))

type ForgivenessDue = Extract<Obstacle, { readonly counted: number }>

/**
 * The next step of a borrower with forgiveness due. A vacated plan discharges nothing, whatever the
 * count. For other plans, the plan under which the counted months were paid matters.
 * @law 20 U.S.C. 1087e(q)(1)(E)-(F), (m)(1)(B), 1098e(b)(7)(B)
 * @rule save-vacatur, idr-forgiveness-count, pslf-terms
 */
export const dischargeOf = (law: Law, planType: EnginePlan, { _tag }: ForgivenessDue): string => {
  if (_tag === "ServiceDone")
    return "if the count is right, ask the servicer for the public service discharge; the employer must certify the service"
  const { notElectable, vacatedOn } = law.read(saveVacatur)
  if ((notElectable as ReadonlyArray<string>).includes(planType))
    return `${planType} cannot be elected since ${longDate(vacatedOn)}, and it discharges nothing`
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
  readonly newFrom?: string
  readonly everyLoanFrom?: string
  readonly closes: string
}

/** The new-borrower test of a plan. @rule new-borrower-tests */
const newBorrowers = (law: Law, planType: string): string => {
  const tests: Readonly<Record<string, NewBorrowerTest>> = law.read(newBorrowerTests)
  const { closes = "", everyLoanFrom, newFrom = everyLoanFrom } = tests[planType] ?? {}
  if (newFrom === undefined) throw new RangeError(`${planType} asks for no new borrower`)
  const program = closes === "all" ? "" : `for ${closes.toUpperCase()} loans `
  return `${program}it is for new borrowers of ${longDate(newFrom)}`
}

/** The plans that are open to a borrower with a new loan. @rule new-loan-plans-2026-07 */
const newLoans = (
  { by, from, isParents }: Extract<DateObstacle, { readonly _tag: "NewLoans" }>,
  { loan, plan, sendPlan }: Naming
): string => {
  const since = longDate(from)
  const why =
    by === null
      ? `You first borrowed on or after ${since}.`
      : `You have a loan made on or after ${since} (${loan(by)}).`
  const tiered = `Tiered Standard (${sendPlan([standard.planType])})`
  return isParents
    ? `${why} Your Parent PLUS loans, and consolidations that repaid one, can now be repaid only under ${tiered}.`
    : `${why} All your Direct loans can now be repaid only under ${plan("REPAYMENT ASSISTANCE")} or ${tiered}.`
}

/** The reason why dates, other than a new loan, close a plan to a loan. @rule new-borrower-tests */
const byDate = (reason: Exclude<DateObstacle, { readonly _tag: "NewLoans" }>, { loan, sendPlan }: Naming): string => {
  const day = longDate(reason.day)
  switch (reason._tag) {
    case "OwedBefore": {
      const shown = reason.by === null ? "you first borrowed before" : `${loan(reason.by)} is older`
      return `it is for new borrowers of ${day}, and ${shown}`
    }
    case "OwedSince":
      return `it is for borrowers who owed a loan before ${day}, and you first borrowed since: ${sendPlan([reason.instead])}`
    case "NoLoanSince":
      return `it needs a Direct loan, other than a Parent PLUS loan, made on or after ${day}, and all of yours are older`
    case "LoanBefore":
      return `it is for borrowers without a ${reason.program} loan made before ${day}`
  }
}

const messageOf = (law: Law, planType: EnginePlan, { obstacle, position }: RefusedLoan, naming: Naming): string => {
  const loan = naming.loan(position)
  switch (obstacle._tag) {
    case "Closed": {
      const which = obstacle.byOneMonth ? `${obstacle.loanType}, idrMonthsInRepayment 0` : obstacle.loanType
      return `${planType} cannot take ${loan} (${which}): ${ruleOfFamily(law, obstacle.family)}`
    }
    case "BalanceTooSmall":
      return `${planType} cannot take ${loan} (${obstacle.loanType}): it needs more than ${dollars(obstacle.over)} dollars owed in the loan's program, and only ${dollars(obstacle.owed)} dollars are owed`
    case "NotNewBorrower": {
      const { loanType, position: shown } = obstacle.closer
      return `${planType} cannot take ${loan} (${obstacle.loanType}): ${newBorrowers(law, planType)}, and ${naming.loan(shown)} (${loanType}) is older`
    }
    case "ByDate": {
      const { loanType, reason } = obstacle
      return reason._tag === "NewLoans"
        ? newLoans(reason, naming)
        : `${planType} cannot take ${loan} (${loanType}): ${byDate(reason, naming)}`
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

/** The reason why a borrower cannot change to a plan. @law 20 U.S.C. 1098e(b)(8) */
const changeMessage = (planType: EnginePlan, reason: ChangeReason): string => {
  switch (reason._tag) {
    case "NotElectable":
      return `${planType} can no longer be elected`
    case "HasEnded":
      return `${planType} has ended by then: the last month that it can begin is June 2028`
    case "InForce":
      return `the loans are under ${planType} already`
    case "FromIncomeBased":
      return `${reason.from} can be left for STANDARD or REPAYMENT ASSISTANCE alone. The law's way to another plan is one month under STANDARD, or a reduced forbearance payment: send a change to STANDARD and, a month later, the change to ${planType}`
  }
}

/** The plans to send instead. */
const advice = (instead: ReadonlyArray<string>, { sendPlan }: Naming): ReadonlyArray<string> =>
  instead.length === 0 ? [] : [`${sendPlan(instead)}, which all of these loans can elect`]

/**
 * One sentence per loan, in request order; loans with the same sentence share it. Then the plans
 * that they can elect. Each contradiction has a field and a message.
 */
export const refusalMessages = (
  law: Law,
  { contradictions, loans, planType, reason }: Refusal,
  instead: ReadonlyArray<string>,
  naming: Naming = OF_THE_API
): ReadonlyArray<string> => [
  ...(reason === undefined ? [] : [changeMessage(planType, reason)]),
  ...contradictionMessages(contradictions, [], naming).map(([field, message]) => `${field} ${message}`),
  ...new Set(loans.map((loan) => messageOf(law, planType, loan, naming))),
  ...advice(instead, naming)
]

/** A refused plan: its arm in a comparison or null, and its field if that is not in a scenario. */
interface Refused {
  readonly arm: number | null
  readonly refusal: Refusal
  readonly instead: ReadonlyArray<string>
  readonly field?: string
}

/** The same messages, each with the path of its field. */
export const refusalErrors = (
  law: Law,
  { arm, field, instead, refusal }: Refused,
  naming: Naming = OF_THE_API
): ReadonlyArray<readonly [field: string, message: string]> =>
  refusal.kind === "contradiction"
    ? contradictionMessages(refusal.contradictions, arm === null ? [] : ["arms", arm], naming)
    : refusalMessages(law, refusal, instead, naming).map((message) => [field ?? planPath(arm, refusal.change), message])
