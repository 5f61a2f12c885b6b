/**
 * The notes of an answer, which change no figure and refuse nothing:
 * - loans that the plan cannot take
 * - a spouse's income that was not sent
 * - dates: how they were read, and loans that contradict them
 * - pauses, lump sums and families that change nothing, or are read otherwise than sent
 * - an interest rate outside the federal range
 * - the cheapest arm of a comparison (a scenario with its loans), if labels do not identify it or
 *   its plan can't be elected
 */
import { loanTypesEnded } from "../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import type { KeylessLoanRequest } from "../../schema/calculator.ts"
import type { ComparisonArm } from "../../schema/comparison.ts"
import type { Loan } from "../../schema/loan.ts"
import type { EngineProvenance, ProjectionResult } from "../../schema/projection.ts"
import type { FilingStatus } from "../../schema/scenario.ts"
import {
  type Comparison,
  erasOf,
  familySizeOf,
  type History,
  type HouseholdScenario,
  hasDates,
  historyOf,
  isJoint,
  type Law,
  lowestOf,
  type Projection,
  type Remark,
  standard
} from "../engine/index.ts"
import { dollars, longDate, longMonth, wholeDollars } from "./figures.ts"
import { isElectable } from "./plans.ts"

const PERCENT = 100
/** Rates of at least this are more likely a percentage than a fraction: 0.5 means 0.5%. */
const HIGH_RATE = 0.25
/** Positive rates below this are more likely a percentage divided by 100 twice: 0.000654. */
const LOW_RATE = 0.001
/** Maximum number of notes about rates, and also of notes about dates. */
const MAX_NOTES = 10
/** Maximum number of loans named in a note. */
const MAX_NAMED = 3
const DIGITS = 12

type Notes = ReadonlyArray<string>

const plain = (value: number): number => Number(value.toPrecision(DIGITS))

/** The fraction probably intended: a high rate / 100, a low rate x 100. */
const meantBy = (rate: number): number => (rate >= HIGH_RATE ? rate / PERCENT : rate * PERCENT)

/** Whether a rate is outside the range of federal student loans. */
export const isOddRate = (rate: number): boolean => rate >= HIGH_RATE || (rate > 0 && rate < LOW_RATE)

export const ODD_RATES = `${HIGH_RATE * PERCENT}% a year or more, or less than ${LOW_RATE * PERCENT}%`

const rateNote = (path: string, rate: number): string => {
  const meant = plain(meantBy(rate))
  const read = `${path}.interestRate ${plain(rate)} was read as ${plain(rate * PERCENT)}% a year`
  return `${read}; send ${meant} for ${plain(meant * PERCENT)}%`
}

const oddRates = (loans: ReadonlyArray<Loan>, path: string): Notes =>
  loans.flatMap(({ interestRate }, index) =>
    isOddRate(interestRate) ? [rateNote(`${path}[${index}]`, interestRate)] : []
  )

const bounded = (notes: Notes, others = "more interest rates are as unusual"): Notes => {
  const rest = notes.length - MAX_NOTES
  return rest <= 0 ? notes : [...notes.slice(0, MAX_NOTES), `${rest} ${others}`]
}

/** Notes about the interest rates of a request's loans; usually none. */
export const rateNotes = (loans: ReadonlyArray<Loan>): Notes => bounded(oddRates(loans, "loans"))

/** Notes about the interest rates of all arms of a comparison. */
export const armNotes = (arms: ReadonlyArray<{ readonly loans: ReadonlyArray<Loan> }>): Notes =>
  bounded(arms.flatMap(({ loans }, arm) => oddRates(loans, `arms[${arm}].loans`)))

/** Names the first loans, and counts the others. */
const namedLoans = (loans: ReadonlyArray<number>, nameOf: (loan: number) => string): string => {
  const unnamed = loans.length - MAX_NAMED
  return [...loans.slice(0, MAX_NAMED).map(nameOf), ...(unnamed > 0 ? [`${unnamed} more`] : [])].join(", ")
}

/** Notes about the loans that the plan cannot take, and their part of the first payment. */
const outsideNotes = (projection: Projection, loans: ReadonlyArray<Loan>, path: string): Notes => {
  const { outside, planType, year1MonthlyPayment } = projection
  if (outside === undefined) return []
  const all = namedLoans(outside.loans, (index) => `${path}[${index}] (${loans[index]!.loanType})`)
  const share = `${wholeDollars(outside.year1MonthlyPayment)} of the first payment of ${wholeDollars(year1MonthlyPayment)}`
  return [`${all} cannot be repaid under ${planType}; ${standard.planType} applies instead, ${share}`]
}

/** The path of a spouse's income that was not sent and counts as 0; undefined if there is none. */
const lackingSpouseIncome = (scenario: Omit<HouseholdScenario, "label">): string | undefined => {
  const lacking = [scenario, ...erasOf(scenario)].findIndex(
    ({ filingStatus, spouseAdjustedGrossIncome }) => isJoint(filingStatus) && spouseAdjustedGrossIncome === null
  )
  if (lacking === -1) return undefined
  return `scenario${lacking === 0 ? "" : `.changes[${lacking - 1}]`}.spouseAdjustedGrossIncome`
}

/** Whether, in some year, a spouse's income was not sent and counts as 0. */
export const lacksSpouseIncome = (scenario: Omit<HouseholdScenario, "label">): boolean =>
  lackingSpouseIncome(scenario) !== undefined

const spouseNote = (path: string): string =>
  `${path} was not sent and counts as 0; send the spouse's annual income, or 0 if there is none`

/** Loans of a borrower, and the day since which the borrower has owed, if it was sent. */
type Dated = Pick<ComparisonArm, "loans"> & { readonly firstBorrowedOn: string | null }

/** A loan that proves a debt before the day that was sent. */
const overridden = (law: Law, { firstBorrowedOn, loans }: Dated, path: string): Notes => {
  const shown = historyOf(law, firstBorrowedOn, loans)?.earliest ?? null
  if (firstBorrowedOn === null || shown === null || shown.date >= firstBorrowedOn) return []
  const loan = `${path}[${shown.position}] (${loans[shown.position]!.loanType})`
  return [
    `firstBorrowedOn ${longDate(firstBorrowedOn)} was ignored: ${loan} has a balance and was owed on ${longDate(shown.date)}`
  ]
}

/** FFEL loans that are dated after the program's end. */
const tooLate = (law: Law, { loans }: Dated, path: string): Notes => {
  const last = law.read(loanTypesEnded).programs.ffel
  return loans.flatMap(({ loanType, madeOn }, index) =>
    madeOn !== null && madeOn > last && law.traitsOf[loanType].ffel
      ? [`${path}[${index}].madeOn ${longDate(madeOn)} is after ${longDate(last)}, the last day of the FFEL program`]
      : []
  )
}

/** The effect of a new loan on the Direct loans. @rule new-loan-plans-2026-07 */
const newLoanNotes = (law: Law, { isNew, newLoan }: History, { loans }: Dated, path: string): Notes => {
  if (!isNew || !loans.some(({ loanType }) => law.traitsOf[loanType].direct)) return []
  const from = longDate(law.read(newLoanPlans202607).loansMadeFrom)
  const why =
    newLoan === null
      ? `the borrower first borrowed on or after ${from}`
      : `${path}[${newLoan.position}] was made on or after ${from}`
  return [
    `${why}: Direct loans can be repaid only under REPAYMENT ASSISTANCE or STANDARD, which is Tiered Standard for them`
  ]
}

/** Notes about the dates of a request; none if it has no dates. @rule loan-types-ended */
export const dateNotes = (law: Law, dated: Dated, path = "loans"): Notes => {
  const history = historyOf(law, dated.firstBorrowedOn, dated.loans)
  if (history === undefined) return []
  const { firstBorrowedOn, isFromLoans } = history
  const derived =
    isFromLoans && firstBorrowedOn !== null
      ? [`${longDate(firstBorrowedOn)}, the earliest madeOn of ${path}, is used as firstBorrowedOn`]
      : []
  return [
    ...derived,
    ...overridden(law, dated, path),
    ...newLoanNotes(law, history, dated, path),
    ...bounded(tooLate(law, dated, path), "more FFEL loans are as late")
  ]
}

/** The household and the loans of a request. */
type Asked = Pick<ComparisonArm, "loans"> & { readonly scenario: Omit<HouseholdScenario, "label"> }

const datesOf = ({ loans, scenario }: Asked): Dated => ({ loans, firstBorrowedOn: scenario.firstBorrowedOn })

/** Notes about a request, independent of its figures. */
export const requestNotes = (law: Law, arm: Asked): Notes => {
  const lacking = lackingSpouseIncome(arm.scenario)
  return [
    ...(lacking === undefined ? [] : [spouseNote(lacking)]),
    ...dateNotes(law, datesOf(arm)),
    ...rateNotes(arm.loans)
  ]
}

const smallFamily = (field: string, sent: number, ofReturn: number): string =>
  `${field} ${sent} is less than the ${ofReturn} people of the return; it is used as sent`

/** A remark in words. @param path that of the request, with a dot at its end, or empty */
const remarkNote = (remark: Remark, path: string): string => {
  switch (remark._tag) {
    case "BudgetTooSmall":
      return `${path}scenario.monthlyBudget is less than the first payment due, ${wholeDollars(remark.due)}: what is due is paid`
    case "PlanHasChanged": {
      const { change, from, isInForce } = remark
      const effect = isInForce ? "is the plan of the first month" : "changes nothing, because a later one has begun"
      return `${path}scenario.planChanges[${change}] ${effect}: it began in ${longMonth(from)}`
    }
    case "PauseIsOver":
      return `${path}scenario.pauses[${remark.pause}] changes nothing: it was over in ${longMonth(remark.until)}`
    case "NotInSchool": {
      const loans = namedLoans(remark.loans, (position) => `${path}loans[${position}]`)
      return `InSchool counts as a deferment for ${loans}: a loan that has entered repayment, a consolidation and a PLUS loan have no school period`
    }
    case "LumpSumUnused":
      return `${path}scenario.lumpSums[${remark.lumpSum}] changes nothing: in ${longMonth(remark.on)} nothing is repaid`
    case "InterestJoins":
      return `${path}scenario.planChanges[${remark.change}]: ${dollars(remark.dollars)} of unpaid interest joins the principal`
    case "MovedOut": {
      const loans = namedLoans(remark.loans, (position) => `${path}loans[${position}]`)
      return `${path}scenario.planChanges[${remark.change}] moves ${loans} to ${standard.planType}: its plan cannot take them`
    }
    case "SmallFamily": {
      const { change, ofReturn, sent } = remark
      return smallFamily(`${path}scenario.${change === null ? "" : `changes[${change}]: `}familySize`, sent, ofReturn)
    }
  }
}

/** The remarks on a request, or on an arm of a comparison. */
export const remarkNotes = (remarks: ReadonlyArray<Remark>, path = ""): Notes =>
  remarks.map((remark) => remarkNote(remark, path))

/** Notes about the loans under the plan of a projection. */
export const planNotes = (projection: Projection, loans: ReadonlyArray<Loan>): Notes => [
  ...outsideNotes(projection, loans, "loans"),
  ...remarkNotes(projection.remarks)
]

/** Notes about a projection and its request. */
export const projectionNotes = (law: Law, projection: Projection, request: ComparisonArm): Notes => [
  ...planNotes(projection, request.loans),
  ...requestNotes(law, request)
]

/** One note for all arms, because they are usually the same household. */
const spousesOf = (arms: ReadonlyArray<ComparisonArm>): Notes => {
  const lacking = arms.map(({ scenario }) => lackingSpouseIncome(scenario))
  const first = lacking.find((path) => path !== undefined)
  if (first === undefined) return []
  const those = lacking.flatMap((path, arm) => (path === undefined ? [] : [arm]))
  return [spouseNote(`arms[${those.join(", ")}].${first}`)]
}

/** The arms with separate returns, if another arm is joint. Such returns differ in income tax, too. */
const returnsOf = (arms: ReadonlyArray<ComparisonArm>): Notes => {
  const files = (status: FilingStatus) =>
    arms.flatMap(({ scenario }, arm) =>
      [scenario, ...erasOf(scenario)].some(({ filingStatus }) => filingStatus === status) ? [arm] : []
    )
  const apart = files("MarriedFilingSeparately")
  return apart.length === 0 || files("MarriedFilingJointly").length === 0
    ? []
    : [
        `separate returns (arms[${apart.join(", ")}]) may mean more income tax than a joint one, and change the spouse's own loan payment; no figure includes either`
      ]
}

/** The notes about dates of all arms. An arm with the dates of the first arm has no notes of its own. */
const datesOfArms = (law: Law, arms: ReadonlyArray<ComparisonArm>): Notes => {
  if (!arms.some(({ loans, scenario }) => hasDates(scenario.firstBorrowedOn, loans))) return []
  const toldOf = (arm: ComparisonArm) => JSON.stringify([arm.scenario.firstBorrowedOn, arm.loans])
  const first = toldOf(arms[0]!)
  return arms.flatMap((arm, index) =>
    index > 0 && toldOf(arm) === first ? [] : dateNotes(law, datesOf(arm), `arms[${index}].loans`)
  )
}

type Figures = Omit<ProjectionResult, "provenance">

/** A comparison: the engine's, the API's, or the brief form. */
interface Compared {
  readonly lowestCostLabel: string | null
  readonly projections: ReadonlyArray<Pick<Figures, "label" | "planType" | "totalOutOfPocket" | "forgivenessTaxesOwed">>
}

/**
 * Notes about the cheapest arm. One names it if `lowestCostLabel` does not identify it: only other
 * arms have labels, or another arm has the same. If no arm has a label, that note is not needed.
 * The other note names the cheapest electable arm, if the plan of the cheapest can't be elected.
 */
const lowestNotes = ({ lowestCostLabel, projections }: Compared): Notes => {
  const isNamed = ({ label }: Compared["projections"][number]) => label === lowestCostLabel
  const lowest = lowestOf(projections, isNamed)
  const named = (index: number): string => `arms[${index}] (${projections[index]!.planType})`
  const alike = projections.filter(isNamed).length
  const isPlain = alike === (lowestCostLabel === null ? projections.length : 1)
  const ambiguity = isPlain ? [] : [`the lowest total with tax is that of ${named(lowest)}`]
  if (isElectable(projections[lowest]!)) return ambiguity
  const open = lowestOf(projections, isElectable)
  const instead = open === -1 ? "neither can the others" : `the lowest that can be elected is ${named(open)}`
  return [...ambiguity, `${projections[lowest]!.planType} can no longer be elected; ${instead}`]
}

/** The notes of a comparison, for callers that report the cheapest arm in their own words. */
export const notesButLowest = (answer: Compared & { readonly provenance: Pick<EngineProvenance, "notes"> }): Notes => {
  const excluded = lowestNotes(answer)
  return (answer.provenance.notes ?? []).filter((note) => !excluded.includes(note))
}

/** Notes about a comparison and its arms. */
export const comparisonNotes = (law: Law, comparison: Comparison, arms: ReadonlyArray<ComparisonArm>): Notes => [
  ...lowestNotes(comparison),
  ...comparison.projections.flatMap((projection, arm) =>
    outsideNotes(projection, arms[arm]!.loans, `arms[${arm}].loans`)
  ),
  ...comparison.projections.flatMap(({ remarks }, arm) => remarkNotes(remarks, `arms[${arm}].`)),
  ...spousesOf(arms),
  ...returnsOf(arms),
  ...datesOfArms(law, arms),
  ...armNotes(arms)
]

/** A note about the keyless calculator's rate, if it is too high. */
export const percentNotes = ({ ratePct }: Pick<KeylessLoanRequest, "ratePct">): Notes =>
  ratePct < HIGH_RATE * PERCENT
    ? []
    : [
        `ratePct ${plain(ratePct)} was read as ${plain(ratePct)}% a year, which is more than any federal student loan bears.`
      ]

/** Notes of the keyless calculator, as sentences. */
export const calculatorNotes = (law: Law, request: KeylessLoanRequest): Notes => {
  const { dependents, familySize, spouseAgi } = request
  const status = request.filingStatus ?? "Single"
  const ofReturn = familySizeOf(law, status, dependents)
  return [
    ...(isJoint(status) && spouseAgi === null ? [`${spouseNote("spouseAgi")}.`] : []),
    ...(familySize !== null && familySize < ofReturn ? [`${smallFamily("familySize", familySize, ofReturn)}.`] : []),
    ...percentNotes(request)
  ]
}
