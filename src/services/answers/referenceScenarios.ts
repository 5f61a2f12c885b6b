/**
 * The requests of the four reference scenarios of GET /v1/reference, each under three plans. The
 * test case that pins the figures of a scenario is named in `oracleScenario`.
 */
import { Schema } from "effect"
import { ComparisonRequest } from "../../../schema/comparison.ts"

interface ReferenceScenario {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly oracleScenario: string
  readonly request: ComparisonRequest
}

const COMPARED_PLANS = ["REPAYMENT ASSISTANCE", "INCOME BASED", "STANDARD"]
const LOAN = { loanType: "DIRECT STAFFORD UNSUBSIDIZED" }
const HOUSEHOLD = {
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

const decode = Schema.decodeUnknownSync(ComparisonRequest)

/** The same household and loans under each plan, with the plan as the label. */
const underEachPlan = (household: object, loan: object): ComparisonRequest =>
  decode({
    arms: COMPARED_PLANS.map((planType) => ({
      scenario: { planType, ...HOUSEHOLD, ...household, label: planType },
      loans: [{ ...LOAN, ...loan }]
    })),
    includeYearly: false
  })

export const REFERENCE_SCENARIOS: ReadonlyArray<ReferenceScenario> = [
  {
    id: "single-borrower",
    title: "Single borrower",
    description: "One borrower with an income of 60,000 dollars owes 60,000 dollars at 6%.",
    oracleScenario: "worked-numbers 12",
    request: underEachPlan({}, { principalBalance: 60_000, interestRate: 0.06 })
  },
  {
    id: "joint-two-incomes",
    title: "Joint return with two incomes",
    description:
      "A couple with incomes of 60,000 and 45,000 dollars and two dependents files jointly; 60,000 dollars at 6%.",
    oracleScenario: "worked-numbers 19",
    request: underEachPlan(
      { filingStatus: "MarriedFilingJointly", spouseAdjustedGrossIncome: 45_000, dependents: 2 },
      { principalBalance: 60_000, interestRate: 0.06 }
    )
  },
  {
    id: "pslf-60-of-120",
    title: "Public-service forgiveness at 60 of 120 payments",
    description:
      "A public servant with 60 qualifying payments owes 80,000 dollars at 6.5%. On STANDARD the count shortens the term, so nothing is left to forgive.",
    oracleScenario: "worked-numbers 70",
    request: underEachPlan(
      { workingTowardsPslf: true },
      { principalBalance: 80_000, interestRate: 0.065, pslfCount: 60 }
    )
  },
  {
    id: "prior-idr-months",
    title: "Prior qualifying income-driven months",
    description:
      "60 months already count toward income-driven forgiveness; 35,000 dollars at 5.5%. STANDARD pays over the 60 months left of its ten years.",
    oracleScenario: "worked-numbers 53",
    request: underEachPlan({}, { principalBalance: 35_000, interestRate: 0.055, idrMonthsInRepayment: 60 })
  }
]
