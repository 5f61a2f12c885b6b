/**
 * What an answer says of its request beside the figures: a loan that the plan cannot take, a spouse's income that was not
 * sent, an interest rate that no federal student loan has, and which arm costs least where its label does not say it.
 * Nothing is refused and no figure is changed by it.
 */
import type { KeylessLoanRequest } from "../../schema/calculator.ts"
import type { ComparisonArm } from "../../schema/comparison.ts"
import type { Loan } from "../../schema/loan.ts"
import type { EngineProvenance, ProjectionResult } from "../../schema/projection.ts"
import type { Scenario } from "../../schema/scenario.ts"
import { type Comparison, lowestOf } from "../engine/comparison.ts"
import { isJoint } from "../engine/law/household.ts"
import { standard } from "../engine/plans/standard.ts"
import type { Projection } from "../engine/projection.ts"
import { wholeDollars } from "./figures.ts"
import { isElectable } from "./plans.ts"

const PERCENT = 100
/** Rates from this one on are more likely a percentage of less than one than a fraction. */
const HIGH_RATE = 0.25
/** Rates below this one are more likely a percentage that was made a fraction twice. */
const LOW_RATE = 0.001
/** In a book of a hundred wrong rates the first ones say it. */
const MOST_NOTES = 10
/** Of a hundred loans beside the plan the first ones are named. */
const MOST_NAMED = 3
const DIGITS = 12

type Notes = ReadonlyArray<string>

const plain = (value: number): number => Number(value.toPrecision(DIGITS))

/** The fraction that was probably meant: a hundredth of a high rate, a hundred times a low one. */
const meantBy = (rate: number): number => (rate >= HIGH_RATE ? rate / PERCENT : rate * PERCENT)

/** Whether no federal student loan has such a rate. */
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

const bounded = (notes: Notes): Notes => {
  const unsaid = notes.length - MOST_NOTES
  return unsaid <= 0 ? notes : [...notes.slice(0, MOST_NOTES), `${unsaid} more interest rates are as unusual`]
}

/** What is to be said of the interest rates of a book; mostly nothing. */
export const rateNotes = (loans: ReadonlyArray<Loan>): Notes => bounded(oddRates(loans, "loans"))

/** The same of all arms of a comparison. */
export const armNotes = (arms: ReadonlyArray<{ readonly loans: ReadonlyArray<Loan> }>): Notes =>
  bounded(arms.flatMap(({ loans }, arm) => oddRates(loans, `arms[${arm}].loans`)))

/** The loans that the plan cannot take, and what of the first payment is theirs. */
const outsideNotes = (projection: Projection, loans: ReadonlyArray<Loan>, path: string): Notes => {
  const { outside, planType, year1MonthlyPayment } = projection
  if (outside === undefined) return []
  const named = outside.loans.slice(0, MOST_NAMED).map((index) => `${path}[${index}] (${loans[index]!.loanType})`)
  const unnamed = outside.loans.length - named.length
  const all = [...named, ...(unnamed === 0 ? [] : [`${unnamed} more`])].join(", ")
  const share = `${wholeDollars(outside.year1MonthlyPayment)} of the first ${wholeDollars(year1MonthlyPayment)}`
  return [`${all} cannot be repaid under ${planType}: repaid beside it under ${standard.planType}, ${share}`]
}

/** Whether a spouse's income was not sent and counts as 0. */
export const lacksSpouseIncome = ({
  filingStatus,
  spouseAdjustedGrossIncome
}: Pick<Scenario, "filingStatus" | "spouseAdjustedGrossIncome">): boolean =>
  isJoint(filingStatus) && spouseAdjustedGrossIncome === null

const spouseNotes = (lacks: boolean, path: string): Notes =>
  lacks ? [`${path} was not sent and counts as 0; send the spouse's annual income, or 0 if there is none`] : []

/** What is to be said of a request, whatever its figures. */
export const requestNotes = ({ loans, scenario }: ComparisonArm): Notes => [
  ...spouseNotes(lacksSpouseIncome(scenario), "scenario.spouseAdjustedGrossIncome"),
  ...rateNotes(loans)
]

/** What is to be said of a projection. */
export const projectionNotes = (projection: Projection, request: ComparisonArm): Notes => [
  ...outsideNotes(projection, request.loans, "loans"),
  ...requestNotes(request)
]

/** One note for all arms: they are mostly the same household. */
const spousesOf = (arms: ReadonlyArray<ComparisonArm>): Notes => {
  const lacking = arms.flatMap(({ scenario }, arm) => (lacksSpouseIncome(scenario) ? [arm] : []))
  return spouseNotes(lacking.length > 0, `arms[${lacking.join(", ")}].scenario.spouseAdjustedGrossIncome`)
}

type Figures = Omit<ProjectionResult, "provenance">

/** A comparison, whole or in brief, or not sent yet. */
interface Compared {
  readonly lowestCostLabel: string | null
  readonly projections: ReadonlyArray<Pick<Figures, "label" | "planType" | "totalOutOfPocket" | "forgivenessTaxesOwed">>
}

/**
 * Which arm costs least, where `lowestCostLabel` does not say it because other arms alone have labels, or another has the
 * same; and which one of those that can be elected, where that one cannot. Whoever labels no arm asks for no label.
 */
const lowestNotes = ({ lowestCostLabel, projections }: Compared): Notes => {
  const isNamed = ({ label }: Compared["projections"][number]) => label === lowestCostLabel
  const lowest = lowestOf(projections, isNamed)
  const named = (index: number): string => `arms[${index}] (${projections[index]!.planType})`
  const alike = projections.filter(isNamed).length
  const isPlain = alike === (lowestCostLabel === null ? projections.length : 1)
  const told = isPlain ? [] : [`the lowest total with tax is that of ${named(lowest)}`]
  if (isElectable(projections[lowest]!)) return told
  const open = lowestOf(projections, isElectable)
  const instead = open === -1 ? "nor any of the others" : `the lowest of those that can be elected is ${named(open)}`
  return [...told, `nobody can elect ${projections[lowest]!.planType} any more, ${instead}`]
}

/** The notes of a comparison for whoever says in other words which arm costs least. */
export const notesButLowest = (answer: Compared & { readonly provenance: Pick<EngineProvenance, "notes"> }): Notes => {
  const said = lowestNotes(answer)
  return (answer.provenance.notes ?? []).filter((note) => !said.includes(note))
}

/** What is to be said of a comparison, each by its arm. */
export const comparisonNotes = (comparison: Comparison, arms: ReadonlyArray<ComparisonArm>): Notes => [
  ...lowestNotes(comparison),
  ...comparison.projections.flatMap((projection, arm) =>
    outsideNotes(projection, arms[arm]!.loans, `arms[${arm}].loans`)
  ),
  ...spousesOf(arms),
  ...armNotes(arms)
]

/** The same of the keyless calculator, which takes percents: a fraction was sent, or more than any federal loan bears. */
export const percentNotes = ({ ratePct }: Pick<KeylessLoanRequest, "ratePct">): Notes => {
  if (!isOddRate(ratePct / PERCENT)) return []
  const read = `ratePct ${plain(ratePct)} was read as ${plain(ratePct)}% a year`
  if (ratePct >= HIGH_RATE * PERCENT) return [`${read}, which is more than any federal student loan bears.`]
  const meant = plain(ratePct * PERCENT)
  return [`${read}; send ${meant} for ${meant}%.`]
}

/** What is to be said of a calculation, in sentences. */
export const calculatorNotes = (request: KeylessLoanRequest): Notes => {
  const lacks = request.filingStatus !== null && isJoint(request.filingStatus) && request.spouseAgi === null
  return [...spouseNotes(lacks, "spouseAgi").map((note) => `${note}.`), ...percentNotes(request)]
}
