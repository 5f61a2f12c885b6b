/**
 * The current plan of a synthetic borrower (one that is open to its loans), and the months counted
 * toward forgiveness.
 */
import type { PlanType } from "../../../schema/scenario.ts"
import { countedMonths, extendedOver, kindsByDebt, sampledIn } from "./assumptions.ts"
import type { SampledBook } from "./book.ts"
import { classShares, shareOver } from "./classes.ts"
import type { Random } from "./Random.ts"
import { ffelShare, recipientsByPlan } from "./statistics.ts"
import { Weighted } from "./Weighted.ts"

const { EXTENDED, GRADUATED, STANDARD, ...BY_INCOME } = recipientsByPlan.value
const INCOME_DRIVEN = new Weighted(Object.entries(BY_INCOME) as ReadonlyArray<[keyof typeof BY_INCOME, number]>)
const FIXED = new Weighted<PlanType>([
  ["STANDARD", STANDARD],
  ["GRADUATED", GRADUATED]
])

const sum = (weights: ReadonlyArray<number>): number => weights.reduce((all, weight) => all + weight, 0)

const ALL = sum(Object.values(recipientsByPlan.value))
const INCOME_DRIVEN_SHARE = sum(Object.values(BY_INCOME)) / ALL

/** Direct loans other than a parent's can be on an income-driven plan. */
const canBeIncomeDriven = ({ isFfel, kind }: SampledBook): boolean => !isFfel && kind !== "parent"
const INCOME_DRIVEN_ELIGIBLE =
  (1 - ffelShare.value) * (1 - sum(classShares.map((share, debtClass) => share * kindsByDebt.value.parent[debtClass]!)))

/** Probabilities that yield the published shares among all borrowers. */
const INCOME_DRIVEN_CHANCE = INCOME_DRIVEN_SHARE / INCOME_DRIVEN_ELIGIBLE
const EXTENDED_CHANCE = EXTENDED / ALL / shareOver(extendedOver.value) / (1 - INCOME_DRIVEN_SHARE)

/**
 * Borrowers before July 2014 have the older plan of income-based repayment.
 * @law 20 U.S.C. 1098e(e)
 */
const FIRST_OF_NEW_BORROWERS = 2014

const CENTS = 100

const planOf = (book: SampledBook, random: Random): PlanType => {
  if (canBeIncomeDriven(book) && random.chance(INCOME_DRIVEN_CHANCE)) {
    const plan = INCOME_DRIVEN.draw(random)
    return plan === "INCOME BASED" && book.firstYear < FIRST_OF_NEW_BORROWERS ? "INCOME BASED (OLD)" : plan
  }
  const isExtended = book.debt.cents > extendedOver.value * CENTS && random.chance(EXTENDED_CHANCE)
  return isExtended ? "EXTENDED" : FIXED.draw(random)
}

const MONTHS_PER_YEAR = 12

export interface SampledPlan {
  readonly currentPlan: PlanType
  readonly idrMonthsInRepayment: number
  readonly pslfCount: number
}

export const onPlan = (book: SampledBook, worksTowardsPslf: boolean, random: Random): SampledPlan => {
  const currentPlan = planOf(book, random)
  const { incomeDriven, maxPslf, others } = countedMonths.value
  const maxMonths =
    Object.hasOwn(BY_INCOME, currentPlan) || currentPlan === "INCOME BASED (OLD)" ? incomeDriven : others
  const since = (sampledIn.value - book.firstYear) * MONTHS_PER_YEAR
  const idrMonthsInRepayment = random.whole(0, Math.min(maxMonths, since))
  const served = random.whole(0, Math.min(maxPslf, idrMonthsInRepayment))
  return { currentPlan, idrMonthsInRepayment, pslfCount: worksTowardsPslf && !book.isFfel ? served : 0 }
}
