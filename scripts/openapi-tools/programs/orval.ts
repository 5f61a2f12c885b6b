/** What a stranger writes with the fetch client of orval, which was made for the address that is called. */
import { compareScenarios, type ProjectionRequest, runProjection, type Scenario, verifyAnswer } from "./orval.gen.ts"

declare const process: { readonly argv: string[] }

type Request = ProjectionRequest

const apiKey = process.argv.at(-1) ?? ""
const withKey = { headers: { "X-Api-Key": apiKey } }

const scenario: Scenario = {
  planType: "REPAYMENT ASSISTANCE",
  adjustedGrossIncome: 52_000,
  spouseAdjustedGrossIncome: null,
  filingStatus: "Single",
  dependents: 0,
  state: "NC",
  workingTowardsPslf: false,
  label: "typed"
}
const loans: Request["loans"] = [
  { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.0654 }
]

const projected = await runProjection({ scenario, loans }, withKey)
if (projected.status !== 200) throw new Error(projected.data.title)
const answer = projected.data

const standard: Scenario = { ...scenario, planType: "STANDARD", label: "standard" }
const arms = [
  { scenario, loans },
  { scenario: standard, loans }
]
const compared = await compareScenarios({ arms }, withKey)
if (compared.status !== 200) throw new Error(compared.data.title)

const parentPlus = loans.map((loan) => ({ ...loan, loanType: "DIRECT PLUS PARENT" as const }))
const refused = await runProjection({ scenario, loans: parentPlus }, withKey)
if (refused.status !== 400) throw new Error("a plan that the loan cannot take was accepted")

const { answerId, ruleVersion } = answer.provenance
if (answerId === null) throw new Error("the projection is not recorded")
const verified = await verifyAnswer(answerId)
if (verified.status !== 200) throw new Error(`the record was answered with ${verified.status}`)
const record = verified.data
// The same address has a page for people.
if (typeof record === "string") throw new Error(record)

console.log(
  JSON.stringify({
    payment: answer.year1MonthlyPayment,
    cheapest: compared.data.lowestCostLabel,
    refused: `${refused.data.status} ${refused.data.title}`,
    verified: record.answerId === answerId && record.ruleVersion === ruleVersion
  })
)
