/** The household of a synthetic borrower: filing status, dependents and incomes. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import { children, degreesByDebt, income, publicService, spouse } from "./assumptions.ts"
import type { Random } from "./Random.ts"
import {
  borrowersByStateAndDebt,
  earningsByDegree,
  familiesWithChildren,
  returnsByStatus,
  weeklyEarnings
} from "./statistics.ts"
import { positions, Weighted } from "./Weighted.ts"

const WEEKS_PER_YEAR = 52
const MEDIAN_EARNINGS = weeklyEarnings.value * WEEKS_PER_YEAR
const EARNINGS = Object.values(earningsByDegree.value)
const DEGREES = degreesByDebt.value.map(positions)
const STATUSES = new Weighted(Object.entries(returnsByStatus.value) as ReadonlyArray<[FilingStatus, number]>)
const CHILDREN = positions(children.value)

/** Incomes by state, relative to the average over all borrowers. */
const incomesByState = (): ReadonlyMap<string, number> => {
  let [incomes, borrowers] = [0, 0]
  const areas = Object.entries(borrowersByStateAndDebt.value)
  for (const [, [median, ...classes]] of areas) {
    const here = classes.reduce((sum, one) => sum + one, 0)
    incomes += median * here
    borrowers += here
  }
  return new Map(areas.map(([state, [median]]) => [state, median / (incomes / borrowers)]))
}
const STATES = incomesByState()

export interface SampledHousehold {
  readonly adjustedGrossIncome: number
  readonly spouseAdjustedGrossIncome: number | null
  readonly spouseFederalLoanBalance: number | null
  readonly filingStatus: FilingStatus
  readonly dependents: number
  readonly state: string
  readonly workingTowardsPslf: boolean
  readonly annualIncomeGrowth: number
}

/** Whole dollars a year, lognormal around the median of the degree in the state. */
const earned = (state: string, degree: number, random: Random): number => {
  const { maxDollars, spread } = income.value
  const median = MEDIAN_EARNINGS * EARNINGS[degree]! * STATES.get(state)!
  return Math.min(maxDollars, Math.round(median * Math.exp(spread * random.normal())))
}

const dependentsOf = (status: FilingStatus, random: Random): number => {
  if (status === "Single") return 0
  const hasChildren = status === "HeadOfHousehold" || random.chance(familiesWithChildren.value)
  return hasChildren ? 1 + CHILDREN.draw(random) : 0
}

export const householdOf = (state: string, debtClass: number, random: Random): SampledHousehold => {
  const filingStatus = STATUSES.draw(random)
  const degree = DEGREES[debtClass]!.draw(random)
  const isJoint = filingStatus === "MarriedFilingJointly"
  const { maxLoans, withIncome, withLoans } = spouse.value
  return {
    adjustedGrossIncome: random.chance(income.value.withoutAny) ? 0 : earned(state, degree, random),
    spouseAdjustedGrossIncome: isJoint ? (random.chance(withIncome) ? earned(state, degree, random) : 0) : null,
    spouseFederalLoanBalance: isJoint && random.chance(withLoans) ? random.whole(1_000, maxLoans) : null,
    filingStatus,
    dependents: dependentsOf(filingStatus, random),
    state,
    workingTowardsPslf: random.chance(publicService.value),
    annualIncomeGrowth: income.value.growth[random.whole(0, income.value.growth.length - 1)]!
  }
}
