/**
 * The JSON form of requests, and the oracle's own decoder: defaults, canonical spelling and exact
 * numbers. It expects valid requests.
 */
import { type Decimal, fromNumber, ZERO } from "./decimal.ts"
import type { FilingStatus } from "./law.ts"
import { isLoanType, type LoanType, type PlanType, planTypes } from "./matrix.ts"

export interface WireLoan {
  readonly loanType: string
  readonly principalBalance: number
  readonly interestBalance?: number
  readonly interestRate: number
  readonly disbursedAmount?: number
  readonly idrMonthsInRepayment?: number
  readonly pslfCount?: number
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
}

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
}

/** The borrower, with first-year income. `state` is null only in the keyless calculator. */
export interface Household {
  readonly status: FilingStatus
  readonly income: Decimal
  readonly spouseIncome: Decimal
  readonly spouseLoans: Decimal
  readonly dependents: number
  readonly state: string | null
  readonly growth: Decimal
  readonly towardsPslf: boolean
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
    pslfCount: loan.pslfCount ?? 0
  }))

const readOptional = (value: number | null | undefined): Decimal =>
  value === null || value === undefined ? ZERO : fromNumber(value)

export const readHousehold = (scenario: WireScenario): Household => ({
  status: readFilingStatus(scenario.filingStatus),
  income: fromNumber(scenario.adjustedGrossIncome),
  spouseIncome: readOptional(scenario.spouseAdjustedGrossIncome),
  spouseLoans: readOptional(scenario.spouseFederalLoanBalance),
  dependents: scenario.dependents,
  state: canonical(scenario.state),
  growth: fromNumber(scenario.annualIncomeGrowth ?? 0),
  towardsPslf: scenario.workingTowardsPslf
})
