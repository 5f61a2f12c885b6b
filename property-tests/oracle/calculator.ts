/**
 * The oracle's version of the calculator that needs no API key: one loan under every plan open to
 * it, and why each other plan is not. The loan has no unpaid interest, and percents become
 * fractions.
 */
import { hasBalance, type Plan } from "./book.ts"
import type { Start } from "./calendar.ts"
import { borrowedFrom, type Dates, datesOf } from "./dates.ts"
import { type Decimal, decimal, div, fromNumber, ZERO } from "./decimal.ts"
import { isClosedByDate, isOverExtendedLimit, takes } from "./fitting.ts"
import { newBorrowerFrom } from "./law.ts"
import { cellOf, isDirect, isLoanType, type LoanType, PLUS_CONSOLIDATION } from "./matrix.ts"
import { exactOf, forgivenessTypeOf, type OracleExact, type OracleForgivenessType, taxCents } from "./projection.ts"
import { repay } from "./repayment.ts"
import { toCents } from "./rounding.ts"
import type { Edges } from "./thresholds.ts"
import { type Borrower, type Loan, readFilingStatus, readLoanType, type WireCalculation } from "./wire.ts"

/** Plan ids in the order of the answer. */
const plansById = [
  ["standard", "STANDARD"],
  ["tiered_standard", "TIERED STANDARD"],
  ["extended", "EXTENDED"],
  ["graduated", "GRADUATED"],
  ["ibr_2014", "INCOME BASED"],
  ["ibr", "INCOME BASED (OLD)"],
  ["paye", "PAY AS YOU EARN"],
  ["icr", "INCOME CONTINGENT"],
  ["repaye", "REVISED PAY AS YOU EARN"],
  ["save", "SAVE"],
  ["rap", "REPAYMENT ASSISTANCE"]
] as const satisfies ReadonlyArray<readonly [string, Plan]>

export type OraclePlanId = (typeof plansById)[number][0]

export type OracleExclusionKind = "closed" | "loan type" | "loan date" | "balance" | "artifact"

export interface OracleCalculatedPlan {
  readonly plan: OraclePlanId
  readonly monthlyPayment: bigint
  readonly totalPaid: bigint
  readonly forgivenBalance: bigint
  readonly taxOnForgiveness: bigint
  readonly lifetimeCost: bigint
  readonly monthsToPayoff: number | null
  readonly forgivenessAtMonth: number | null
  readonly forgivenessType: OracleForgivenessType
  readonly exact: OracleExact
}

export interface OracleCalculation {
  readonly lowestMonthlyPlan: OraclePlanId | null
  readonly lowestLifetimeCostPlan: OraclePlanId | null
  readonly plans: ReadonlyArray<OracleCalculatedPlan>
  readonly excludedPlans: ReadonlyArray<{ readonly plan: OraclePlanId; readonly kind: OracleExclusionKind }>
  readonly edges: Edges
}

const HUNDRED = decimal("100")

const shortNames: Readonly<Record<string, LoanType>> = {
  direct_subsidized: "DIRECT STAFFORD SUBSIDIZED",
  direct_unsubsidized: "DIRECT STAFFORD UNSUBSIDIZED",
  grad_plus_legacy: "DIRECT PLUS GRADUATE",
  parent_plus: "DIRECT PLUS PARENT",
  direct_consolidation: "DIRECT CONSOLIDATED UNSUBSIDIZED",
  direct_consolidation_with_plus: "DIRECT PARENT PLUS CONSOLIDATED"
}

function calculatorLoanType(text: string | null | undefined): LoanType {
  const name = (text ?? "direct_unsubsidized").trim()
  return isLoanType(name.toUpperCase()) ? readLoanType(name) : readShortName(name)
}

function readShortName(name: string): LoanType {
  const type = shortNames[name.toLowerCase()]
  if (type === undefined) throw new Error(`not a loan type of the calculator: ${name}`)
  return type
}

const percent = (value: number): Decimal => div(fromNumber(value), HUNDRED)

const readLoan = (request: WireCalculation): Loan => ({
  index: 0,
  type: calculatorLoanType(request.loanType),
  principal: fromNumber(request.balance),
  interest: ZERO,
  rate: percent(request.ratePct),
  disbursed: ZERO,
  idrMonths: request.priorIdrMonths ?? 0,
  pslfCount: request.pslfCreditedMonths ?? 0,
  madeOn: null
})

const readCalculatorBorrower = (request: WireCalculation): Borrower => ({
  firstYear: {
    status: readFilingStatus(request.filingStatus ?? "Single"),
    income: fromNumber(request.borrowerAgi),
    spouseIncome: fromNumber(request.spouseAgi ?? 0),
    spouseLoans: fromNumber(request.spouseFederalLoanBalance ?? 0),
    dependents: request.dependents ?? 0,
    towardsPslf: request.pursuingPslf ?? false,
    familySize: request.familySize ?? null,
    extraPayment: ZERO,
    budget: ZERO
  },
  changes: [],
  state: request.state?.trim().toUpperCase() ?? null,
  incomeGrowth: percent(request.incomeGrowthPct ?? 0),
  priceGrowth: ZERO,
  pauses: [],
  lumpSums: [],
  planChanges: [],
  discountRate: null,
  firstBorrowedOn: request.firstBorrowedOn ?? null
})

/**
 * Whether the plan needs a balance over $30,000. If the loan has less, the reason is the balance,
 * not the type.
 */
const needsBalance = (plan: Plan, loan: Loan): boolean =>
  plan !== "TIERED STANDARD" && cellOf(loan.type, plan) === "Y30"

const typeFits = (plan: Plan, loan: Loan): boolean =>
  needsBalance(plan, loan) || takes(plan, loan, [loan], datesOf(null, []), [])

/** The loan is new if the request says so, or by F if the request does not say. */
const isNewLoan = (request: WireCalculation, dates: Dates): boolean =>
  request.borrowedOnOrAfterJul12026 ?? borrowedFrom(newBorrowerFrom.newLoans, dates)

/**
 * Whether the dates of loan and borrower fit the plan. A Direct loan made on or after July 1, 2026
 * has REPAYMENT ASSISTANCE and Tiered Standard; an older one has all plans except Tiered Standard.
 * A DIRECT PLUS CONSOLIDATED cannot be new, so with that date it has no plan. Loans of other
 * programs are always old and keep their plans.
 */
function dateFits(plan: Plan, loan: Loan, isNew: boolean, dates: Dates): boolean {
  if (plan === "TIERED STANDARD") return !isDirect(loan.type) || (isNew && loan.type !== PLUS_CONSOLIDATION)
  if (isDirect(loan.type) && isNew) return plan === "REPAYMENT ASSISTANCE"
  return !isClosedByDate(plan, loan, dates)
}

/** The first reason why a plan is not open: closed by a court, loan type, loan date, balance. */
function closedBecause(plan: Plan, loan: Loan, isNew: boolean, dates: Dates, edges: Edges): OracleExclusionKind | null {
  if (plan === "REVISED PAY AS YOU EARN" || plan === "SAVE") return "closed"
  if (!typeFits(plan, loan)) return "loan type"
  if (!dateFits(plan, loan, isNew, dates)) return "loan date"
  return needsBalance(plan, loan) && !isOverExtendedLimit(loan, [loan], edges) ? "balance" : null
}

function calculatePlan(id: OraclePlanId, plan: Plan, borrower: Borrower, loan: Loan, start: Start, edges: Edges) {
  const repayment = repay(plan, borrower, [loan], start, edges)
  if ("kind" in repayment) return null
  const exact = exactOf(borrower, [loan], repayment.months, edges)
  const forgivenessType = forgivenessTypeOf(exact.pslf, exact.timeBased)
  const last = Math.max(0, repayment.months.length - 1)
  const totalPaid = toCents(exact.totalOutOfPocket)
  const tax = taxCents(exact.taxes)
  return {
    plan: id,
    monthlyPayment: toCents(exact.firstPayment),
    totalPaid,
    forgivenBalance: toCents(exact.amountForgiven),
    taxOnForgiveness: tax,
    lifetimeCost: totalPaid + tax,
    monthsToPayoff: forgivenessType === "None" ? last : null,
    forgivenessAtMonth: forgivenessType === "None" ? null : last,
    forgivenessType,
    exact
  }
}

/** The plan with the lowest amount: the first on a tie, null if no plan is open. */
function lowest(
  plans: ReadonlyArray<OracleCalculatedPlan>,
  amount: (plan: OracleCalculatedPlan) => bigint
): OraclePlanId | null {
  let best: OracleCalculatedPlan | null = null
  for (const plan of plans) {
    if (best === null || amount(plan) < amount(best)) best = plan
  }
  return best?.plan ?? null
}

/** One loan under every plan open to it. `start` is the calendar month of month 0. */
export function oracleCalculate(request: WireCalculation, start: Start): OracleCalculation {
  const loan = readLoan(request)
  const borrower = readCalculatorBorrower(request)
  const dates = datesOf(borrower.firstBorrowedOn, [loan].filter(hasBalance))
  const isNew = isNewLoan(request, dates)
  const edges: Edges = []
  const plans: Array<OracleCalculatedPlan> = []
  const excludedPlans: Array<OracleCalculation["excludedPlans"][number]> = []
  for (const [id, plan] of plansById) {
    const kind = closedBecause(plan, loan, isNew, dates, edges)
    const calculated = kind === null ? calculatePlan(id, plan, borrower, loan, start, edges) : null
    if (calculated === null) excludedPlans.push({ plan: id, kind: kind ?? "artifact" })
    else plans.push(calculated)
  }
  return {
    lowestMonthlyPlan: lowest(plans, (plan) => plan.monthlyPayment),
    lowestLifetimeCostPlan: lowest(plans, (plan) => plan.lifetimeCost),
    plans,
    excludedPlans,
    edges
  }
}
