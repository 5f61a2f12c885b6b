/**
 * The oracle's couple: what two borrowers of one household pay on a joint return and on separate
 * ones, each under the plan that is cheapest for that spouse. It projects every plan of each spouse
 * on both returns.
 *
 * Readings of the rules where they leave room:
 * - A spouse owes something if a loan has a balance of half a cent or more. Empty loans are left
 *   out of the balance that the other spouse's request has, as of every rule.
 * - That balance is of all the other's loans, whatever their types.
 * - Whether income may be split is asked first, even if nothing is owed.
 * - Each spouse's plan is the cheapest for that spouse alone. The income tax has no part in the
 *   choice, though a longer plan carries more years of it.
 * - The income tax runs up to the year that holds the later last month of the two plans chosen.
 * - Federal brackets and deductions rise with prices, as on forgiven balances.
 * - The tax of the joint return, and the sum of both taxes of the separate ones, are rounded to the
 *   cent. So spouses with equal incomes carry none. `incomeTaxes` has the amounts before rounding.
 * - With a discount rate, the taxes of all years are discounted, added and then rounded once. The
 *   cost of a return then adds amounts that are rounded: two present values and that of the tax.
 */
import { totalBalance, withoutEmpty } from "./book.ts"
import type { Start } from "./calendar.ts"
import { type Decimal, div, fromNumber, ONE, power, toNumber, ZERO } from "./decimal.ts"
import { incomeBase } from "./household.ts"
import { communityPropertyStates } from "./law.ts"
import type { PlanType } from "./matrix.ts"
import { electableFrom } from "./paths.ts"
import { type OracleProjection, oracleProject } from "./projection.ts"
import type { OracleRefusal } from "./refusal.ts"
import { CENT, toCents } from "./rounding.ts"
import { federalTaxOn } from "./tax.ts"
import type { Edges } from "./thresholds.ts"
import { type Loan, readBorrower, readLoans, type WireLoan, type WireScenario } from "./wire.ts"
import { householdIn } from "./years.ts"

/** What both spouses share. The first spouse's income is `adjustedGrossIncome`. */
export type WireHousehold = Pick<
  WireScenario,
  | "adjustedGrossIncome"
  | "spouseAdjustedGrossIncome"
  | "state"
  | "dependents"
  | "annualIncomeGrowth"
  | "annualPriceGrowth"
  | "discountRate"
>

/** A spouse as a borrower. Positions in `pauses` are those of the own loans. */
export interface WireSpouse extends Pick<WireScenario, "workingTowardsPslf" | "firstBorrowedOn" | "pauses"> {
  /** Empty if the spouse has none. */
  readonly loans: ReadonlyArray<WireLoan>
}

export interface WireCouple {
  readonly household: WireHousehold
  readonly first: WireSpouse
  readonly second: WireSpouse
  /** Whether separate returns carry half of both incomes each. */
  readonly splitIncome?: boolean | null
}

export type Position = "first" | "second"

export type Filing = "joint" | "separate"

/** Why a plan is not open: refused as for a request, or not closed within 600 months. */
export type PlanObstacle = OracleRefusal | "still open"

/** A spouse's figures on a return. */
export interface OracleSpouse {
  /** Payments and tax on forgiveness in cents, or the present value if a discount rate is sent. */
  readonly cost: bigint
  /** Of the cheapest plan. Null if the spouse owes nothing. */
  readonly projection: OracleProjection | null
  /** Of all plans that are open, in the order of /v1/plan-types. */
  readonly candidates: ReadonlyArray<OracleProjection>
}

/** Federal taxes of a projection year, counted from 0. They are not rounded. */
export interface YearIncomeTax {
  readonly year: number
  readonly joint: Decimal
  /** The two separate returns. */
  readonly first: Decimal
  readonly second: Decimal
}

export interface OracleReturn {
  readonly kind: "return"
  readonly first: OracleSpouse
  readonly second: OracleSpouse
  /** Sums of both spouses. */
  readonly totalOutOfPocket: bigint
  readonly forgivenessTaxesOwed: bigint
  /** What separate returns add to the income tax, not discounted. 0 of a joint return. */
  readonly incomeTax: bigint
  /** Null unless a discount rate is sent. */
  readonly incomeTaxPresentValue: bigint | null
  /** Years in which the return carries income tax: none of a joint return. */
  readonly incomeTaxes: ReadonlyArray<YearIncomeTax>
  /** Both spouses' costs and the income tax, discounted if a rate is sent. */
  readonly cost: bigint
}

/** A return without an answer: a spouse owes something and no plan is open. */
export interface OracleNoPlan {
  readonly kind: "no plan"
  readonly spouses: ReadonlyArray<{
    readonly spouse: Position
    /** All plans that can be elected, with why each is not open. */
    readonly plans: ReadonlyArray<{ readonly planType: PlanType; readonly obstacle: PlanObstacle }>
  }>
}

export interface OracleCouple {
  readonly kind: "couple"
  readonly joint: OracleReturn | OracleNoPlan
  readonly separate: OracleReturn | OracleNoPlan
  /** Of all projections. */
  readonly edges: Edges
}

/** The state has no community property, so income cannot be split. */
export interface OracleCoupleRefusal {
  readonly kind: "refused"
  readonly field: "splitIncome"
}

export interface OracleNothingOwed {
  readonly kind: "nothing owed"
}

const otherOf = (position: Position): Position => (position === "first" ? "second" : "first")

const owedBy = ({ loans }: WireSpouse, edges: Edges): ReadonlyArray<Loan> => withoutEmpty(readLoans(loans), edges)

const splitsIncome = ({ splitIncome }: WireCouple): boolean => splitIncome === true

/** 26 CFR 1.66-1 */
const hasCommunityProperty = ({ state }: WireHousehold): boolean =>
  communityPropertyStates.includes(state.trim().toUpperCase())

function incomeOf({ household }: WireCouple, position: Position): number {
  return position === "first" ? household.adjustedGrossIncome : (household.spouseAdjustedGrossIncome ?? 0)
}

const halfOfIncomes = (couple: WireCouple): number =>
  toNumber((fromNumber(incomeOf(couple, "first")) + fromNumber(incomeOf(couple, "second"))) / 2n)

/** Both incomes, and what the spouse owes. */
const jointly = (couple: WireCouple, position: Position) => ({
  filingStatus: "MarriedFilingJointly",
  adjustedGrossIncome: incomeOf(couple, position),
  spouseAdjustedGrossIncome: incomeOf(couple, otherOf(position)),
  spouseFederalLoanBalance: toNumber(totalBalance(owedBy(couple[otherOf(position)], []))),
  dependents: couple.household.dependents
})

/** The own income. The first spouse claims the dependents. */
const separately = (couple: WireCouple, position: Position) => ({
  filingStatus: "MarriedFilingSeparately",
  adjustedGrossIncome: splitsIncome(couple) ? halfOfIncomes(couple) : incomeOf(couple, position),
  dependents: position === "first" ? couple.household.dependents : 0
})

/** A spouse on a return, as the scenario of one borrower. */
function scenarioOf(couple: WireCouple, filing: Filing, position: Position, planType: PlanType): WireScenario {
  const { annualIncomeGrowth, annualPriceGrowth, discountRate, state } = couple.household
  const { firstBorrowedOn, pauses, workingTowardsPslf } = couple[position]
  return {
    planType,
    ...(filing === "joint" ? jointly(couple, position) : separately(couple, position)),
    state,
    annualIncomeGrowth: annualIncomeGrowth ?? 0,
    annualPriceGrowth: annualPriceGrowth ?? null,
    discountRate: discountRate ?? null,
    workingTowardsPslf,
    firstBorrowedOn: firstBorrowedOn ?? null,
    pauses: pauses ?? null
  }
}

/** As the best path has it: paths.ts. */
const costOf = ({ forgivenessTaxesOwed, presentValue, totalOutOfPocket }: OracleProjection): bigint =>
  presentValue ?? totalOutOfPocket + forgivenessTaxesOwed

/** The first of those with the lowest cost. Null of an empty list. */
const cheapestOf = (candidates: ReadonlyArray<OracleProjection>): OracleProjection | null =>
  candidates.reduce<OracleProjection | null>(
    (best, one) => (best === null || costOf(one) < costOf(best) ? one : best),
    null
  )

interface Tried {
  readonly spouse: Position
  readonly owes: boolean
  readonly candidates: ReadonlyArray<OracleProjection>
  readonly plans: OracleNoPlan["spouses"][number]["plans"]
}

/** Projects each plan that a spouse can elect. Nothing is tried where nothing is owed. */
function tried(couple: WireCouple, filing: Filing, spouse: Position, start: Start, edges: Edges): Tried {
  const { loans } = couple[spouse]
  const candidates: Array<OracleProjection> = []
  const plans: Array<Tried["plans"][number]> = []
  if (owedBy(couple[spouse], edges).length === 0) return { spouse, owes: false, candidates, plans }
  for (const planType of electableFrom(start)) {
    const answer = oracleProject({ scenario: scenarioOf(couple, filing, spouse, planType), loans }, start)
    if (answer.kind === "projection") edges.push(...answer.edges)
    if (answer.kind !== "projection") plans.push({ planType, obstacle: answer })
    else if (answer.monthsToFinish === null) plans.push({ planType, obstacle: "still open" })
    else candidates.push(answer)
  }
  return { spouse, owes: true, candidates, plans }
}

function spouseOf({ candidates }: Tried): OracleSpouse {
  const projection = cheapestOf(candidates)
  return { cost: projection === null ? 0n : costOf(projection), projection, candidates }
}

function federalTaxIn(couple: WireCouple, filing: Filing, position: Position, year: number): Decimal {
  const household = householdIn(readBorrower(scenarioOf(couple, filing, position, "STANDARD")), year)
  return federalTaxOn(household, incomeBase(household))
}

/** The federal taxes of each projection year up to the one that holds the last month. */
export const incomeTaxesUntil = (couple: WireCouple, lastMonth: number): ReadonlyArray<YearIncomeTax> =>
  Array.from({ length: Math.floor(lastMonth / 12) + 1 }, (_, year) => ({
    year,
    joint: federalTaxIn(couple, "joint", "first", year),
    first: federalTaxIn(couple, "separate", "first", year),
    second: federalTaxIn(couple, "separate", "second", year)
  }))

/**
 * What separate returns add to the tax of a year, in cents. It is never below 0, because brackets
 * and deduction of a joint return are exactly twice those of a separate one.
 */
export const addedTax = ({ first, joint, second }: YearIncomeTax): bigint => toCents(first + second) - toCents(joint)

/** What the added taxes are worth in month 0. A year's tax is due at its end. */
const worthOf = (taxes: ReadonlyArray<YearIncomeTax>, discountRate: number): bigint =>
  toCents(
    taxes.reduce(
      (sum, tax) => sum + div(addedTax(tax) * CENT, power(ONE + fromNumber(discountRate), tax.year + 1)),
      ZERO
    )
  )

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** The answer of a return, or which spouse has no plan. */
function returnOf(couple: WireCouple, filing: Filing, start: Start, edges: Edges): OracleReturn | OracleNoPlan {
  const ofFirst = tried(couple, filing, "first", start, edges)
  const ofSecond = tried(couple, filing, "second", start, edges)
  const closed = [ofFirst, ofSecond].filter(({ candidates, owes }) => owes && candidates.length === 0)
  if (closed.length > 0) return { kind: "no plan", spouses: closed.map(({ plans, spouse }) => ({ spouse, plans })) }
  const [first, second] = [spouseOf(ofFirst), spouseOf(ofSecond)]
  const projections = [first, second].flatMap(({ projection }) => projection ?? [])
  const lastMonth = Math.max(...projections.map(({ monthsToFinish }) => monthsToFinish!))
  const incomeTaxes = filing === "joint" ? [] : incomeTaxesUntil(couple, lastMonth)
  const incomeTax = sumOf(incomeTaxes.map(addedTax))
  const discountRate = couple.household.discountRate ?? null
  const incomeTaxPresentValue = discountRate === null ? null : worthOf(incomeTaxes, discountRate)
  return {
    kind: "return",
    first,
    second,
    totalOutOfPocket: sumOf(projections.map(({ totalOutOfPocket }) => totalOutOfPocket)),
    forgivenessTaxesOwed: sumOf(projections.map(({ forgivenessTaxesOwed }) => forgivenessTaxesOwed)),
    incomeTax,
    incomeTaxPresentValue,
    incomeTaxes,
    cost: first.cost + second.cost + (incomeTaxPresentValue ?? incomeTax)
  }
}

/**
 * Both returns of a couple, in JSON form; `start` is the calendar month of month 0. The request is
 * expected to be valid but for `splitIncome`.
 */
export function oracleCouple(couple: WireCouple, start: Start): OracleCouple | OracleCoupleRefusal | OracleNothingOwed {
  if (splitsIncome(couple) && !hasCommunityProperty(couple.household)) return { kind: "refused", field: "splitIncome" }
  const edges: Edges = []
  const owed = [...owedBy(couple.first, edges), ...owedBy(couple.second, edges)]
  if (owed.length === 0) return { kind: "nothing owed" }
  return {
    kind: "couple",
    joint: returnOf(couple, "joint", start, edges),
    separate: returnOf(couple, "separate", start, edges),
    edges
  }
}
