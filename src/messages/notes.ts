/**
 * The notes of an answer, which change no figure and refuse nothing:
 * - loans that the plan cannot take
 * - a spouse's income that was not sent
 * - an interest rate outside the federal range
 * - the cheapest arm of a comparison (a scenario with its loans), if labels do not identify it or
 *   its plan can't be elected
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
/** Rates of at least this are more likely a percentage than a fraction: 0.5 means 0.5%. */
const HIGH_RATE = 0.25
/** Positive rates below this are more likely a percentage divided by 100 twice: 0.000654. */
const LOW_RATE = 0.001
/** Maximum number of notes about rates. */
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

const bounded = (notes: Notes): Notes => {
  const rest = notes.length - MAX_NOTES
  return rest <= 0 ? notes : [...notes.slice(0, MAX_NOTES), `${rest} more interest rates are as unusual`]
}

/** Notes about the interest rates of a request's loans; usually none. */
export const rateNotes = (loans: ReadonlyArray<Loan>): Notes => bounded(oddRates(loans, "loans"))

/** Notes about the interest rates of all arms of a comparison. */
export const armNotes = (arms: ReadonlyArray<{ readonly loans: ReadonlyArray<Loan> }>): Notes =>
  bounded(arms.flatMap(({ loans }, arm) => oddRates(loans, `arms[${arm}].loans`)))

/** Notes about the loans that the plan cannot take, and their part of the first payment. */
const outsideNotes = (projection: Projection, loans: ReadonlyArray<Loan>, path: string): Notes => {
  const { outside, planType, year1MonthlyPayment } = projection
  if (outside === undefined) return []
  const named = outside.loans.slice(0, MAX_NAMED).map((index) => `${path}[${index}] (${loans[index]!.loanType})`)
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

/** Notes about a request, independent of its figures. */
export const requestNotes = ({ loans, scenario }: ComparisonArm): Notes => [
  ...spouseNotes(lacksSpouseIncome(scenario), "scenario.spouseAdjustedGrossIncome"),
  ...rateNotes(loans)
]

/** Notes about a projection and its request. */
export const projectionNotes = (projection: Projection, request: ComparisonArm): Notes => [
  ...outsideNotes(projection, request.loans, "loans"),
  ...requestNotes(request)
]

/** One note for all arms, because they are usually the same household. */
const spousesOf = (arms: ReadonlyArray<ComparisonArm>): Notes => {
  const lacking = arms.flatMap(({ scenario }, arm) => (lacksSpouseIncome(scenario) ? [arm] : []))
  return spouseNotes(lacking.length > 0, `arms[${lacking.join(", ")}].scenario.spouseAdjustedGrossIncome`)
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
  const instead = open === -1 ? "nor any of the others" : `the lowest of those that can be elected is ${named(open)}`
  return [...ambiguity, `nobody can elect ${projections[lowest]!.planType} any more, ${instead}`]
}

/** The notes of a comparison, for callers that report the cheapest arm in their own words. */
export const notesButLowest = (answer: Compared & { readonly provenance: Pick<EngineProvenance, "notes"> }): Notes => {
  const excluded = lowestNotes(answer)
  return (answer.provenance.notes ?? []).filter((note) => !excluded.includes(note))
}

/** Notes about a comparison and its arms. */
export const comparisonNotes = (comparison: Comparison, arms: ReadonlyArray<ComparisonArm>): Notes => [
  ...lowestNotes(comparison),
  ...comparison.projections.flatMap((projection, arm) =>
    outsideNotes(projection, arms[arm]!.loans, `arms[${arm}].loans`)
  ),
  ...spousesOf(arms),
  ...armNotes(arms)
]

/** Notes about the keyless calculator's rate, if it is probably a fraction or too high. */
export const percentNotes = ({ ratePct }: Pick<KeylessLoanRequest, "ratePct">): Notes => {
  if (!isOddRate(ratePct / PERCENT)) return []
  const read = `ratePct ${plain(ratePct)} was read as ${plain(ratePct)}% a year`
  if (ratePct >= HIGH_RATE * PERCENT) return [`${read}, which is more than any federal student loan bears.`]
  const meant = plain(ratePct * PERCENT)
  return [`${read}; send ${meant} for ${meant}%.`]
}

/** Notes of the keyless calculator, as sentences. */
export const calculatorNotes = (request: KeylessLoanRequest): Notes => {
  const lacks = request.filingStatus !== null && isJoint(request.filingStatus) && request.spouseAgi === null
  return [...spouseNotes(lacks, "spouseAgi").map((note) => `${note}.`), ...percentNotes(request)]
}
