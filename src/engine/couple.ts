/**
 * A couple with loans: on a joint and on separate returns, each spouse under the plan that costs
 * least, and the income tax that separate returns add.
 */
import { omissionSeparateReturnTax } from "../../ledger/omissions/forgiveness-tax.ts"
import { omissionCommunityProperty } from "../../ledger/omissions/income-driven.ts"
import { federalStandardDeduction } from "../../ledger/rules/federal-tax.ts"
import { communityPropertyStates } from "../../ledger/rules/household.ts"
import type { CoupleRequest, Spouse } from "../../schema/couple.ts"
import type { FilingStatus } from "../../schema/scenario.ts"
import { type Contradiction, contradictionsOf } from "./answer/contradictions.ts"
import { type BookRequest, type ClosedPlan, everyPlan, type OpenPlan } from "./everyPlan.ts"
import { NO_ADDITIONS } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import type { Plan } from "./plans/plan.ts"
import { costCents, type Projection, project } from "./projection.ts"
import { isEmpty } from "./schedule/book.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"
import { FEDERAL_BRACKETS, federalTax } from "./tax/federal.ts"

const SPOUSES = ["first", "second"] as const
export type SpouseName = (typeof SPOUSES)[number]

/** A spouse under the plan that costs least on a return. */
export interface SpouseAnswer extends OpenPlan {
  /** The request with which a projection under the plan gives these figures. */
  readonly request: BookRequest
  /** What is paid and the tax on forgiveness, in dollars; with a `discountRate`, what they are worth today. */
  readonly cost: number
}

/** A couple on one kind of return. */
export interface CoupleReturn {
  readonly _tag: "CoupleReturn"
  /** Null for a spouse without loans. */
  readonly first: SpouseAnswer | null
  readonly second: SpouseAnswer | null
  /** The federal income tax that both pay more than on a joint return, to the end of the repayment; as `cost`. */
  readonly incomeTax: number
  /** Of both spouses, with `incomeTax`. */
  readonly cost: number
}

/** A return on which a spouse with loans can choose no plan that ends. */
export interface NoReturn {
  readonly _tag: "NoReturn"
  readonly spouse: SpouseName
  /** The plans that are closed to that spouse; those that are not have no end. */
  readonly closed: ReadonlyArray<ClosedPlan>
}

export interface Couple {
  readonly joint: CoupleReturn | NoReturn
  readonly separate: CoupleReturn | NoReturn
  /** Ids of the rules behind both returns, and of the omissions that bear on them. */
  readonly citations: ReadonlyArray<string>
  readonly omissions: ReadonlyArray<string>
}

/** Without loans that owe nothing. */
const loansOf = ({ loans }: Spouse) => (loans ?? []).filter((loan) => !isEmpty(loan))
const owedOf = (spouse: Spouse): number =>
  loansOf(spouse).reduce((sum, { interestBalance, principalBalance }) => sum + principalBalance + interestBalance, 0)

/** Whether separate returns split income in a state. @law 26 CFR 1.66-1(a)   @rule community-property-states */
export const splitsIncome = (law: Law, state: string): boolean => {
  const states: ReadonlyArray<string> = law.read(communityPropertyStates).states
  return states.includes(state)
}

const otherOf = (name: SpouseName): SpouseName => (name === "first" ? "second" : "first")

/** The income of a spouse on a separate return, in dollars a year. */
const ownIncome = (couple: CoupleRequest, name: SpouseName): number =>
  couple.splitIncome === true
    ? (couple.first.adjustedGrossIncome + couple.second.adjustedGrossIncome) / 2
    : couple[name].adjustedGrossIncome

/** A spouse's request of one, on a return. */
const requestOf = (couple: CoupleRequest, name: SpouseName, isJoint: boolean): BookRequest => {
  const { first: _first, second: _second, splitIncome: _split, ...household } = couple
  const { adjustedGrossIncome, loans, ...own } = couple[name]
  const other = couple[otherOf(name)]
  const scenario = isJoint
    ? {
        adjustedGrossIncome,
        spouseAdjustedGrossIncome: other.adjustedGrossIncome,
        spouseFederalLoanBalance: owedOf(other),
        filingStatus: "MarriedFilingJointly" as const,
        dependents: household.dependents
      }
    : {
        adjustedGrossIncome: ownIncome(couple, name),
        spouseAdjustedGrossIncome: null,
        spouseFederalLoanBalance: null,
        filingStatus: "MarriedFilingSeparately" as const,
        dependents: name === "first" ? household.dependents : 0
      }
  return {
    scenario: { ...NO_ADDITIONS, label: null, ...household, ...own, ...scenario },
    loans: loans ?? [],
    includeYearly: false
  }
}

/** What contradicts itself in the request of a couple. */
export const contradictionsOfCouple = (
  law: Law,
  couple: CoupleRequest,
  start: StartMonth
): ReadonlyArray<Contradiction> => [
  ...(couple.splitIncome === true && !splitsIncome(law, couple.state)
    ? [{ _tag: "NotSplit", path: ["splitIncome"], states: law.read(communityPropertyStates).states } as const]
    : []),
  ...SPOUSES.flatMap((name) =>
    contradictionsOf(law, requestOf(couple, name, true), start).map((found) => ({
      ...found,
      path: [name, ...(found.path[0] === "scenario" ? found.path.slice(1) : found.path)]
    }))
  )
]

const centsOf = (projection: Projection): number =>
  projection.presentValue === undefined ? costCents(projection) : toCents(projection.presentValue)

type Loans = BookRequest["loans"]

/**
 * A spouse's loans as a plan on a return takes them over, for who knows more of the two than the
 * request says; undefined if the plan is not open.
 */
export type LoansUnder = (name: SpouseName, isJoint: boolean, plan: Plan, loans: Loans) => Loans | undefined

/** The open plan with an end that costs least, the first of several; the closed plans if there is none. */
const cheapestOf = (
  law: Law,
  request: BookRequest,
  start: StartMonth,
  workspace: Workspace,
  loansUnder: (plan: Plan) => Loans | undefined
): SpouseAnswer | ReadonlyArray<ClosedPlan> => {
  const { closed, open } = everyPlan(law, request, start, workspace)
  const taken = open.flatMap((found) => {
    const loans = loansUnder(found.plan)
    if (loans === undefined) return []
    if (loans === request.loans) return [{ ...found, request }]
    const own = { ...request, loans }
    const scenario = { ...own.scenario, planType: found.plan.planType }
    const projection = project(law, { ...own, scenario }, start, workspace)
    return projection._tag === "Refusal" ? [] : [{ ...found, request: own, projection }]
  })
  const [cheapest] = taken
    .filter(({ projection }) => projection.monthsToFinish !== null)
    .toSorted((one, other) => centsOf(one.projection) - centsOf(other.projection))
  return cheapest === undefined ? closed : { ...cheapest, cost: fromCents(centsOf(cheapest.projection)) }
}

/**
 * The federal income tax of separate returns beyond that of a joint one, in cents, for so many
 * projection years; with a discount rate what it is worth today.
 * @law 26 U.S.C. 1, 63; 26 CFR 1.66-1(a)
 */
const incomeTaxCents = (law: Law, couple: CoupleRequest, years: number): number => {
  const { annualIncomeGrowth, annualPriceGrowth, discountRate } = couple
  let [first, second] = [ownIncome(couple, "first"), ownIncome(couple, "second")]
  let prices = 1
  let sum = 0
  for (let year = 0; year < years; year++) {
    const taxOf = (status: FilingStatus, income: number) => federalTax(law, status, income, prices)
    const separate = taxOf("MarriedFilingSeparately", first) + taxOf("MarriedFilingSeparately", second)
    const cents = toCents(separate) - toCents(taxOf("MarriedFilingJointly", first + second))
    sum += discountRate === null ? cents : cents * (1 + discountRate) ** -(year + 1)
    first *= 1 + annualIncomeGrowth
    second *= 1 + annualIncomeGrowth
    prices *= 1 + (annualPriceGrowth ?? 0)
  }
  return Math.round(sum)
}

const returnOf = (
  law: Law,
  couple: CoupleRequest,
  isJoint: boolean,
  start: StartMonth,
  workspace: Workspace,
  loansUnder: LoansUnder
): CoupleReturn | NoReturn => {
  const answers: Record<SpouseName, SpouseAnswer | null> = { first: null, second: null }
  for (const name of SPOUSES) {
    if (loansOf(couple[name]).length === 0) continue
    const request = requestOf(couple, name, isJoint)
    const found = cheapestOf(law, request, start, workspace, (plan) => loansUnder(name, isJoint, plan, request.loans))
    if (!("plan" in found)) return { _tag: "NoReturn", spouse: name, closed: found }
    answers[name] = found
  }
  const chosen = SPOUSES.flatMap((name) => answers[name] ?? [])
  const last = Math.max(...chosen.map(({ projection }) => projection.monthsToFinish!))
  const tax = isJoint ? 0 : incomeTaxCents(law, couple, Math.floor(last / MONTHS_PER_YEAR) + 1)
  const cents = chosen.reduce((sum, { cost }) => sum + toCents(cost), tax)
  return { _tag: "CoupleReturn", ...answers, incomeTax: fromCents(tax), cost: fromCents(cents) }
}

/**
 * A couple on both kinds of return; undefined if neither owes anything. The request must have no
 * contradictions.
 */
export const coupleOf = (
  law: Law,
  couple: CoupleRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace(),
  loansUnder: LoansUnder = (_name, _isJoint, _plan, loans) => loans
): Couple | undefined => {
  if (SPOUSES.every((name) => loansOf(couple[name]).length === 0)) return undefined
  const [joint, separate] = [true, false].map((isJoint) => returnOf(law, couple, isJoint, start, workspace, loansUnder))
  const projections = [joint!, separate!].flatMap((one) =>
    one._tag === "NoReturn" ? [] : SPOUSES.flatMap((name) => one[name]?.projection ?? [])
  )
  const { MarriedFilingJointly, MarriedFilingSeparately } = FEDERAL_BRACKETS
  const tables = [MarriedFilingJointly, MarriedFilingSeparately, federalStandardDeduction]
  const isSplit = couple.splitIncome === true
  const rules = isSplit ? [...tables, communityPropertyStates] : tables
  const cited = law.cite([{ rules }]).flatMap(({ ids }) => ids)
  return {
    joint: joint!,
    separate: separate!,
    citations: [...new Set([...projections.flatMap(({ citations }) => citations), ...cited])],
    omissions: [
      ...new Set(
        projections.flatMap(({ omissions }) =>
          omissions.filter((id) => !isSplit || id !== omissionCommunityProperty.id)
        )
      ),
      omissionSeparateReturnTax.id
    ]
  }
}
