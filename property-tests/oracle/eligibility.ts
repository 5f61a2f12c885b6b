/**
 * The oracle's eligibility: the plans that take each loan of a request. The two closed plans are
 * left out. So is a plan that would refuse the loan alone as an artifact: its counted months leave
 * nothing to project.
 */
import { balanceOf, hasBalance, withoutEmpty } from "./book.ts"
import { type Dates, datesOf } from "./dates.ts"
import type { Decimal } from "./decimal.ts"
import { takes } from "./fitting.ts"
import { type LoanType, type PlanType, planTypes } from "./matrix.ts"
import { artifactsAmong } from "./refusal.ts"
import { toCents } from "./rounding.ts"
import type { Edges } from "./thresholds.ts"
import { type Loan, readLoans, type WireEligibility } from "./wire.ts"

export interface OracleEligibleLoan {
  readonly loanType: LoanType
  readonly balance: bigint
  readonly eligiblePlanTypes: ReadonlyArray<PlanType>
  readonly exact: { readonly balance: Decimal }
}

export interface OracleEligibility {
  readonly loans: ReadonlyArray<OracleEligibleLoan>
  readonly edges: Edges
}

const isClosed = (plan: PlanType): boolean => plan === "REVISED PAY AS YOU EARN" || plan === "SAVE"

/**
 * Whether the plan refuses the loan as an artifact in a request with no other loan. Whether
 * STANDARD is tiered is asked of the whole request.
 */
const isArtifactAlone = (plan: PlanType, loan: Loan, dates: Dates, edges: Edges): boolean =>
  hasBalance(loan) && artifactsAmong(plan, [loan], [loan], dates, false, edges).length > 0

export function oracleEligibility(request: WireEligibility): OracleEligibility {
  const loans = readLoans(request.loans)
  const edges: Edges = []
  const owed = withoutEmpty(loans, edges)
  const dates = datesOf(request.firstBorrowedOn ?? null, owed)
  const answers = loans.map((loan) => ({
    loanType: loan.type,
    balance: toCents(balanceOf(loan)),
    eligiblePlanTypes: planTypes.filter(
      (plan) => !isClosed(plan) && takes(plan, loan, owed, dates, edges) && !isArtifactAlone(plan, loan, dates, edges)
    ),
    exact: { balance: balanceOf(loan) }
  }))
  return { loans: answers, edges }
}
