/**
 * Which plans each loan can elect: the table, the test for 30,000 in one program, and no plan whose answer for that
 * loan alone would be an artifact of its counted months. The two closed plans are never listed.
 */
import { balanceOf, hasBalance, totalBalance } from "./book.ts"
import type { Decimal } from "./decimal.ts"
import { EXTENDED_OVER } from "./law.ts"
import { cellOf, type LoanType, type PlanType, planTypes } from "./matrix.ts"
import { refusalOf } from "./refusal.ts"
import { toCents } from "./rounding.ts"
import { type Edges, isOver } from "./thresholds.ts"
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

/** DIRECT.. and FFEL.. are the two programs of the 30,000 test; every type it applies to begins with one of them. */
const programOf = (type: LoanType): string => type.split(" ")[0]!

/** 34 CFR 685.208(b)(4): more than 30,000 outstanding in the loan's own program. */
function isExtendable(loan: Loan, loans: ReadonlyArray<Loan>, edges: Edges): boolean {
  const program = loans.filter((other) => hasBalance(other) && programOf(other.type) === programOf(loan.type))
  return isOver(totalBalance(program), EXTENDED_OVER, "30,000 for EXTENDED", edges)
}

/** What the table says of one loan among the loans of the request. */
export function mayElect(plan: PlanType, loan: Loan, loans: ReadonlyArray<Loan>, edges: Edges): boolean {
  switch (cellOf(loan.type, plan)) {
    case "Y":
      return true
    case "Y30":
      return isExtendable(loan, loans, edges)
    case "C1":
      return loan.idrMonths >= 1
    default:
      return false
  }
}

/** An empty loan has nothing that could be refused. */
const isArtifactAlone = (plan: PlanType, loan: Loan, edges: Edges): boolean =>
  hasBalance(loan) && refusalOf(plan, [loan], balanceOf(loan), false, edges) !== null

export function oracleEligibility(request: WireEligibility): OracleEligibility {
  const loans = readLoans(request.loans)
  const edges: Edges = []
  const answers = loans.map((loan) => ({
    loanType: loan.type,
    balance: toCents(balanceOf(loan)),
    eligiblePlanTypes: planTypes.filter(
      (plan) => mayElect(plan, loan, loans, edges) && !isArtifactAlone(plan, loan, edges)
    ),
    exact: { balance: balanceOf(loan) }
  }))
  return { loans: answers, edges }
}
