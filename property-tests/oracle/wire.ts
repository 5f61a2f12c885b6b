/**
 * The JSON form of requests, and the oracle's own decoder: defaults, canonical spelling and exact
 * numbers. It expects valid requests.
 */
import { type Start as CalendarMonth, readMonth } from "./calendar.ts"
import { type Decimal, fromNumber, ZERO } from "./decimal.ts"
import type { FilingStatus } from "./law.ts"
import { isLoanType, type LoanType, type PlanType, planTypes } from "./matrix.ts"
import { HALF_CENT } from "./thresholds.ts"

export interface WireLoan {
  readonly loanType: string
  readonly principalBalance: number
  readonly interestBalance?: number
  readonly interestRate: number
  readonly disbursedAmount?: number
  readonly idrMonthsInRepayment?: number
  readonly pslfCount?: number
  readonly madeOn?: string | null
}

/** From the first month of year `fromYear`, what is sent here replaces what was in force. */
export interface WireChange {
  readonly fromYear: number
  readonly adjustedGrossIncome?: number | null
  readonly spouseAdjustedGrossIncome?: number | null
  readonly spouseFederalLoanBalance?: number | null
  readonly filingStatus?: string | null
  readonly dependents?: number | null
  readonly workingTowardsPslf?: boolean | null
  readonly familySize?: number | null
  readonly extraMonthlyPayment?: number | null
  readonly monthlyBudget?: number | null
}

/** Months as `YYYY-MM`. Without `from` the pause runs already; without `loans` it is of all. */
export interface WirePause {
  readonly kind: string
  readonly from?: string | null
  readonly until: string
  readonly loans?: ReadonlyArray<number> | null
}

export interface WireLumpSum {
  readonly on: string
  readonly amount: number
}

/** From month `from` (`YYYY-MM`) on, the plan is `planType`. */
export interface WirePlanChange {
  readonly from: string
  readonly planType: string
}

export interface WireScenario {
  readonly planType: string
  readonly adjustedGrossIncome: number
  readonly spouseAdjustedGrossIncome?: number | null
  readonly spouseFederalLoanBalance?: number | null
  readonly filingStatus: string
  readonly dependents: number
  readonly state: string
  readonly workingTowardsPslf: boolean
  readonly annualIncomeGrowth?: number
  readonly label?: string | null
  readonly firstBorrowedOn?: string | null
  readonly annualPriceGrowth?: number | null
  readonly changes?: ReadonlyArray<WireChange> | null
  readonly extraMonthlyPayment?: number | null
  readonly familySize?: number | null
  readonly pauses?: ReadonlyArray<WirePause> | null
  readonly monthlyBudget?: number | null
  readonly lumpSums?: ReadonlyArray<WireLumpSum> | null
  readonly planChanges?: ReadonlyArray<WirePlanChange> | null
  readonly discountRate?: number | null
}

export interface WireProjection {
  readonly scenario: WireScenario
  readonly loans: ReadonlyArray<WireLoan>
  readonly includeYearly?: boolean
}

export interface WireArm {
  readonly scenario: WireScenario
  readonly loans: ReadonlyArray<WireLoan>
}

export interface WireComparison {
  readonly arms: ReadonlyArray<WireArm>
  readonly includeYearly?: boolean
}

export interface WireEligibility {
  readonly loans: ReadonlyArray<WireLoan>
  readonly firstBorrowedOn?: string | null
}

export interface WireCalculation {
  readonly balance: number
  readonly ratePct: number
  readonly borrowerAgi: number
  readonly filingStatus?: string | null
  readonly spouseAgi?: number | null
  readonly spouseFederalLoanBalance?: number | null
  readonly dependents?: number
  readonly loanType?: string | null
  readonly state?: string | null
  readonly pursuingPslf?: boolean
  readonly pslfCreditedMonths?: number
  readonly priorIdrMonths?: number
  readonly incomeGrowthPct?: number
  readonly borrowedOnOrAfterJul12026?: boolean | null
  readonly firstBorrowedOn?: string | null
  readonly familySize?: number | null
}

/** A calendar day as `YYYY-MM-DD`, so that days compare as texts do. */
export type Day = string

/** A loan as sent. `index` is its position in the request. */
export interface Loan {
  readonly index: number
  readonly type: LoanType
  readonly principal: Decimal
  readonly interest: Decimal
  readonly rate: Decimal
  readonly disbursed: Decimal
  readonly idrMonths: number
  readonly pslfCount: number
  /** The day of its first disbursement, or on which a consolidation was made. */
  readonly madeOn: Day | null
}

/** What may change from one year to another. Incomes are those of the year. */
export interface Situation {
  readonly status: FilingStatus
  readonly income: Decimal
  readonly spouseIncome: Decimal
  readonly spouseLoans: Decimal
  readonly dependents: number
  readonly towardsPslf: boolean
  /** Takes the place of the family size by return and dependents. */
  readonly familySize: number | null
  readonly extraPayment: Decimal
  readonly budget: Decimal
}

export type PauseKind = "InSchool" | "Deferment" | "Forbearance"

/** A pause as sent. */
export interface Pause {
  readonly kind: PauseKind
  readonly from: CalendarMonth | null
  /** The first month that is due again. */
  readonly until: CalendarMonth
  /** Positions in the request, or null for all. */
  readonly loans: ReadonlyArray<number> | null
}

export interface LumpSum {
  readonly on: CalendarMonth
  readonly amount: Decimal
}

/** A change of plan as sent. */
export interface PlanChange {
  readonly from: CalendarMonth
  readonly plan: PlanType
}

/** What is sent for projection year `year`, counted from 0. Null means that it goes on. */
export type Change = { readonly [Member in keyof Situation]: Situation[Member] | null } & { readonly year: number }

/** The borrower as sent. years.ts has what is in force in a year. */
export interface Borrower {
  readonly firstYear: Situation
  readonly changes: ReadonlyArray<Change>
  /** Null only in the keyless calculator. */
  readonly state: string | null
  readonly incomeGrowth: Decimal
  readonly priceGrowth: Decimal
  readonly pauses: ReadonlyArray<Pause>
  readonly lumpSums: ReadonlyArray<LumpSum>
  readonly planChanges: ReadonlyArray<PlanChange>
  readonly discountRate: Decimal | null
  readonly firstBorrowedOn: Day | null
}

const canonical = (text: string): string => text.trim().toUpperCase()

const statuses: Readonly<Record<string, FilingStatus>> = {
  SINGLE: "Single",
  MARRIEDFILINGJOINTLY: "MarriedFilingJointly",
  MFJ: "MarriedFilingJointly",
  MARRIEDFILINGSEPARATELY: "MarriedFilingSeparately",
  MFS: "MarriedFilingSeparately",
  HEADOFHOUSEHOLD: "HeadOfHousehold",
  HOH: "HeadOfHousehold"
}

export function readFilingStatus(text: string): FilingStatus {
  const status = statuses[canonical(text)]
  if (status === undefined) throw new Error(`not a filing status: ${text}`)
  return status
}

export function readLoanType(text: string): LoanType {
  const type = canonical(text)
  if (!isLoanType(type)) throw new Error(`not a loan type: ${text}`)
  return type
}

export function readPlanType(text: string): PlanType {
  const plan = planTypes.find((type) => type === canonical(text))
  if (plan === undefined) throw new Error(`not a plan type: ${text}`)
  return plan
}

export const readLoans = (loans: ReadonlyArray<WireLoan>): ReadonlyArray<Loan> =>
  loans.map((loan, index) => ({
    index,
    type: readLoanType(loan.loanType),
    principal: fromNumber(loan.principalBalance),
    interest: fromNumber(loan.interestBalance ?? 0),
    rate: fromNumber(loan.interestRate),
    disbursed: fromNumber(loan.disbursedAmount ?? 0),
    idrMonths: loan.idrMonthsInRepayment ?? 0,
    pslfCount: loan.pslfCount ?? 0,
    madeOn: loan.madeOn ?? null
  }))

const present = <A, B>(value: A | null | undefined, read: (value: A) => B): B | null =>
  value === null || value === undefined ? null : read(value)

const readOptional = (value: number | null | undefined): Decimal => present(value, fromNumber) ?? ZERO

/** An amount below half a cent is 0. */
function readAmount(value: number): Decimal {
  const amount = fromNumber(value)
  return amount < HALF_CENT ? ZERO : amount
}

const pauseKinds: ReadonlyArray<PauseKind> = ["InSchool", "Deferment", "Forbearance"]

function readPauseKind(text: string): PauseKind {
  const kind = pauseKinds.find((each) => canonical(each) === canonical(text))
  if (kind === undefined) throw new Error(`not a kind of pause: ${text}`)
  return kind
}

const readPause = ({ from, kind, loans, until }: WirePause): Pause => ({
  kind: readPauseKind(kind),
  from: present(from, readMonth),
  until: readMonth(until),
  loans: loans ?? null
})

const readChange = (change: WireChange): Change => ({
  year: change.fromYear - 1,
  status: present(change.filingStatus, readFilingStatus),
  income: present(change.adjustedGrossIncome, fromNumber),
  spouseIncome: present(change.spouseAdjustedGrossIncome, fromNumber),
  spouseLoans: present(change.spouseFederalLoanBalance, fromNumber),
  dependents: change.dependents ?? null,
  towardsPslf: change.workingTowardsPslf ?? null,
  familySize: change.familySize ?? null,
  extraPayment: present(change.extraMonthlyPayment, readAmount),
  budget: present(change.monthlyBudget, readAmount)
})

export const readBorrower = (scenario: WireScenario): Borrower => ({
  firstYear: {
    status: readFilingStatus(scenario.filingStatus),
    income: fromNumber(scenario.adjustedGrossIncome),
    spouseIncome: readOptional(scenario.spouseAdjustedGrossIncome),
    spouseLoans: readOptional(scenario.spouseFederalLoanBalance),
    dependents: scenario.dependents,
    towardsPslf: scenario.workingTowardsPslf,
    familySize: scenario.familySize ?? null,
    extraPayment: present(scenario.extraMonthlyPayment, readAmount) ?? ZERO,
    budget: present(scenario.monthlyBudget, readAmount) ?? ZERO
  },
  changes: (scenario.changes ?? []).map(readChange),
  state: canonical(scenario.state),
  incomeGrowth: readOptional(scenario.annualIncomeGrowth),
  priceGrowth: readOptional(scenario.annualPriceGrowth),
  pauses: (scenario.pauses ?? []).map(readPause),
  lumpSums: (scenario.lumpSums ?? []).map(({ amount, on }) => ({ on: readMonth(on), amount: fromNumber(amount) })),
  planChanges: (scenario.planChanges ?? []).map(({ from, planType }) => ({
    from: readMonth(from),
    plan: readPlanType(planType)
  })),
  discountRate: present(scenario.discountRate, fromNumber),
  firstBorrowedOn: scenario.firstBorrowedOn ?? null
})
