/** The plan that a synthetic borrower is on, among those that the loans can have, and the months that count under it. */
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

/** Whose loans are Direct and not a parent's, and so may follow income. */
const mayFollowIncome = ({ isFfel, kind }: SampledBook): boolean => !isFfel && kind !== "parent"
const MAY_FOLLOW_INCOME =
  (1 - ffelShare.value) * (1 - sum(classShares.map((share, debtClass) => share * kindsByDebt.value.parent[debtClass]!)))

/** Chances that make the published shares of all borrowers. */
const FOLLOWS_INCOME = INCOME_DRIVEN_SHARE / MAY_FOLLOW_INCOME
const IS_EXTENDED = EXTENDED / ALL / shareOver(extendedOver.value) / (1 - INCOME_DRIVEN_SHARE)

/** Of the two plans of income-based repayment, borrowers before July 2014 have the older one. @law 20 U.S.C. 1098e(e) */
const FIRST_OF_NEW_BORROWERS = 2014

const CENTS = 100

const planOf = (book: SampledBook, random: Random): PlanType => {
  if (mayFollowIncome(book) && random.chance(FOLLOWS_INCOME)) {
    const plan = INCOME_DRIVEN.draw(random)
    return plan === "INCOME BASED" && book.firstYear < FIRST_OF_NEW_BORROWERS ? "INCOME BASED (OLD)" : plan
  }
  const isExtended = book.debt.cents > extendedOver.value * CENTS && random.chance(IS_EXTENDED)
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
  const { incomeDriven, mostPslf, others } = countedMonths.value
  const most = Object.hasOwn(BY_INCOME, currentPlan) || currentPlan === "INCOME BASED (OLD)" ? incomeDriven : others
  const since = (sampledIn.value - book.firstYear) * MONTHS_PER_YEAR
  const idrMonthsInRepayment = random.whole(0, Math.min(most, since))
  const served = random.whole(0, Math.min(mostPslf, idrMonthsInRepayment))
  return { currentPlan, idrMonthsInRepayment, pslfCount: worksTowardsPslf && !book.isFfel ? served : 0 }
}
