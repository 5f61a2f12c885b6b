/**
 * The household of a scenario in a year of the projection: income base, family size, poverty
 * guideline, spouse's debt. A run has one, which it moves from year to year.
 */
import { ffelDirectPart, idrFamilySize, idrIncomeBase } from "../../../ledger/rules/household.ts"
import { povertyGuideline, povertyGuidelineRegionRule } from "../../../ledger/rules/poverty-guideline.ts"
import type { Change, FilingStatus, Scenario } from "../../../schema/scenario.ts"
import type { Law } from "./law.ts"
import type { Trace } from "./trace.ts"

/**
 * A scenario whose state may be unknown. Without a state, the poverty guideline of the contiguous
 * states applies, and no state tax.
 */
export type HouseholdScenario = Omit<Scenario, "state" | "planType"> & {
  readonly state: string | null
}

/** The members of a scenario that adds nothing to household and plan. */
export const NO_ADDITIONS = {
  firstBorrowedOn: null,
  annualPriceGrowth: 0,
  changes: [],
  extraMonthlyPayment: 0,
  familySize: null,
  pauses: [],
  planChanges: [],
  monthlyBudget: 0,
  lumpSums: [],
  discountRate: null
} as const satisfies Partial<HouseholdScenario>

/**
 * The debts at the start by which the payment of a group of loans is divided with a spouse or with
 * FFEL loans, in dollars.
 */
export interface SharedDebt {
  /** Principal plus unpaid interest of the loans in the borrower's share. */
  readonly own: number
  /** Principal of the plan's own loans at the start; 0 if no FFEL loans reduce the payment. */
  readonly directPrincipal: number
  /** Principal at the start of the FFEL loans that reduce the payment. */
  readonly ffelPrincipal: number
}

export const isJoint = (status: FilingStatus): boolean => status === "MarriedFilingJointly"

/**
 * Family size: the borrower, the spouse on a joint return, and the dependents.
 * @law 34 CFR 685.209(b)(9)   @rule idr-family-size
 */
export const familySizeOf = (law: Law, status: FilingStatus, dependents: number): number => {
  const { borrower, eachDependent, spouseOnJointReturn } = law.read(idrFamilySize)
  return borrower + (isJoint(status) ? spouseOnJointReturn : 0) + eachDependent * dependents
}

/**
 * Poverty guideline of a family by place of residence, in dollars a year.
 * @law 42 U.S.C. 9902(2); 34 CFR 685.209(b)(14)
 * @rule poverty-guideline-*, poverty-guideline-region-rule
 */
const guidelineOf = (law: Law, state: string | null, persons: number): number => {
  const { AK, HI, other } = law.read(povertyGuidelineRegionRule)
  const region = state === "AK" ? AK : state === "HI" ? HI : other
  const { eachAdditional, firstPerson } = law.read(povertyGuideline)[region]
  return firstPerson + (persons - 1) * eachAdditional
}

/** The part of a scenario that a change may replace. */
type Changing = Pick<HouseholdScenario, Exclude<keyof Change, "fromYear">>

/** Whether a joint payment is prorated with a spouse's federal loans. */
export const isProrated = ({ filingStatus, spouseFederalLoanBalance }: Changing): boolean =>
  isJoint(filingStatus) && (spouseFederalLoanBalance ?? 0) > 0

const NO_CHANGES: ReadonlyArray<Change> = []
/** No projection year. */
const NEVER_CHANGES = -1
const NOT_ENTERED = -1

const changesOf = ({ changes }: Pick<HouseholdScenario, "changes">): ReadonlyArray<Change> => changes ?? NO_CHANGES

export const hasChanges = ({ changes }: HouseholdScenario): boolean => changes !== null && changes.length > 0

/** The household's facts from a change on; `from` counts years from 0. Incomes are as sent, not grown. */
export interface Era extends Changing {
  readonly from: number
}

/** Applies a change: the facts that it sends replace the earlier ones. */
const changed = (before: Changing, change: Change): Era => ({
  from: change.fromYear - 1,
  adjustedGrossIncome: change.adjustedGrossIncome ?? before.adjustedGrossIncome,
  spouseAdjustedGrossIncome: change.spouseAdjustedGrossIncome ?? before.spouseAdjustedGrossIncome,
  spouseFederalLoanBalance: change.spouseFederalLoanBalance ?? before.spouseFederalLoanBalance,
  filingStatus: change.filingStatus ?? before.filingStatus,
  dependents: change.dependents ?? before.dependents,
  workingTowardsPslf: change.workingTowardsPslf ?? before.workingTowardsPslf,
  familySize: change.familySize ?? before.familySize,
  extraMonthlyPayment: change.extraMonthlyPayment ?? before.extraMonthlyPayment,
  monthlyBudget: change.monthlyBudget ?? before.monthlyBudget
})

const NO_ERAS: ReadonlyArray<Era> = []

/** The eras of a household, one for each change; empty if nothing changes. */
export const erasOf = (scenario: Omit<HouseholdScenario, "label">): ReadonlyArray<Era> => {
  const changes = changesOf(scenario)
  if (changes.length === 0) return NO_ERAS
  const eras: Array<Era> = []
  let before: Changing = scenario
  for (const change of changes) {
    const era = changed(before, change)
    eras.push(era)
    before = era
  }
  return eras
}

/** The facts in force in a projection year, counted from 0: those of the scenario, or of its last change. */
export const factsIn = (scenario: Changing, eras: ReadonlyArray<Era>, year: number): Changing =>
  eras.length === 0 ? scenario : (eras.findLast(({ from }) => from <= year) ?? scenario)

/**
 * The household in force. `enter` moves it to a year; until its first call no field of a year is set.
 * Every field that is not readonly has the value of that year.
 */
export class Household {
  readonly scenario: HouseholdScenario
  /** Income base, in dollars a year. */
  income = 0
  /** As sent, or as the return has it. */
  familySize = 0
  /** Poverty guideline of the family, in dollars a year. */
  guideline = 0
  /** Prices, divided by those of the first year. */
  prices = 1
  dependents = 0
  filingStatus: FilingStatus = "Single"
  /** The spouse's federal loans by which a joint payment is shared, in dollars; 0 on other returns. */
  spouseDebt = 0
  private year = NOT_ENTERED
  /** Income of the borrower and the spouse in the first year, or in the year of the last change. */
  private own = 0
  private spouse = 0
  /** The spouse's federal loans as sent, whatever the return. */
  private spouseBalance = 0
  /** The family as sent; null if the return decides. */
  private familySent: number | null = null
  /** The guideline at the prices of the first year. */
  private guidelineNow = 0
  /** The index of the next change, and its projection year. */
  private next = 0
  private changesIn = NEVER_CHANGES
  private readonly law: Law
  private readonly isConstant: boolean

  constructor(law: Law, scenario: HouseholdScenario) {
    this.law = law
    this.scenario = scenario
    this.isConstant =
      scenario.annualIncomeGrowth === 0 && (scenario.annualPriceGrowth ?? 0) === 0 && !hasChanges(scenario)
  }

  /**
   * Moves the household to a projection year, counted from 0. Returns whether anything differs from
   * year to year, so that a payment has to be set again.
   * @law 34 CFR 685.209(l)   @rule idr-annual-recalculation
   */
  enter(year: number): boolean {
    if (year < this.year || this.year === NOT_ENTERED) this.restart()
    if (this.isConstant) return false
    while (this.year < year) this.advance()
    return true
  }

  /**
   * The borrower's share of a joint payment, 0 to 1.
   * @param own what the loans of the payment owed at the start, in dollars
   * @law 34 CFR 685.209(e)(2), (g)(1)(i), (g)(3)(i)   @rule rap-joint-proration, idr-joint-proration
   */
  shareOf(own: number): number {
    return this.spouseDebt === 0 ? 1 : own / (own + this.spouseDebt)
  }

  /** Traces the income base as sent. */
  trace(trace: Trace): void {
    trace("incomeBase", this.incomeBase(), idrIncomeBase)
  }

  /** The income base of the first year, or of the year of the last change. */
  private incomeBase(): number {
    return this.own + (isJoint(this.filingStatus) ? this.spouse : 0)
  }

  private restart(): void {
    const { scenario } = this
    this.year = 0
    this.next = 0
    this.prices = 1
    this.own = scenario.adjustedGrossIncome
    this.spouse = scenario.spouseAdjustedGrossIncome ?? 0
    this.spouseBalance = scenario.spouseFederalLoanBalance ?? 0
    this.filingStatus = scenario.filingStatus
    this.dependents = scenario.dependents
    this.familySent = scenario.familySize
    this.settle()
  }

  private advance(): void {
    const { annualIncomeGrowth, annualPriceGrowth } = this.scenario
    this.year++
    if (annualPriceGrowth !== null && annualPriceGrowth !== 0) {
      this.prices *= 1 + annualPriceGrowth
      this.guideline = this.guidelineNow * this.prices
    }
    if (this.year === this.changesIn) this.change(changesOf(this.scenario)[this.next]!)
    else this.income *= 1 + annualIncomeGrowth
  }

  private change(change: Change): void {
    const since = this.next === 0 ? 0 : changesOf(this.scenario)[this.next - 1]!.fromYear - 1
    for (let year = since; year < this.year; year++) {
      this.own *= 1 + this.scenario.annualIncomeGrowth
      this.spouse *= 1 + this.scenario.annualIncomeGrowth
    }
    this.own = change.adjustedGrossIncome ?? this.own
    this.spouse = change.spouseAdjustedGrossIncome ?? this.spouse
    this.spouseBalance = change.spouseFederalLoanBalance ?? this.spouseBalance
    this.filingStatus = change.filingStatus ?? this.filingStatus
    this.dependents = change.dependents ?? this.dependents
    this.familySent = change.familySize ?? this.familySent
    this.next++
    this.settle()
  }

  /**
   * Sets what follows from the members of the household.
   * @law 34 CFR 685.209(e)(1); 20 U.S.C. 1098e(a)(3)   @rule idr-income-base
   */
  private settle(): void {
    const next = changesOf(this.scenario)[this.next]
    this.changesIn = next === undefined ? NEVER_CHANGES : next.fromYear - 1
    this.income = this.incomeBase()
    this.familySize = this.familySent ?? familySizeOf(this.law, this.filingStatus, this.dependents)
    this.guidelineNow = guidelineOf(this.law, this.scenario.state, this.familySize)
    this.guideline = this.guidelineNow * this.prices
    this.spouseDebt = isJoint(this.filingStatus) ? this.spouseBalance : 0
  }
}

/** Whether students' FFEL loans outside the plan reduce its payment. @rule ffel-direct-part */
export const isWithFfel = (law: Law, planType: string): boolean => {
  const plans: ReadonlyArray<string> = law.read(ffelDirectPart).plans
  return plans.includes(planType)
}

/**
 * The Direct part of a payment: Direct principal / (Direct + FFEL principal), at the start.
 * @law 34 CFR 685.209(a)(2)(ii)(A), (c)(2)(ii)(A) of early 2023   @rule ffel-direct-part
 */
export const directPartOf = ({ directPrincipal, ffelPrincipal }: SharedDebt): number =>
  ffelPrincipal === 0 ? 1 : directPrincipal / (directPrincipal + ffelPrincipal)
