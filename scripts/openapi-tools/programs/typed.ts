/** A user's program for a generated client. */
import { client } from "./client/client.gen.ts"
import { compareScenarios, type ProjectionRequest, runProjection, type Scenario, verifyAnswer } from "./client/index.ts"

declare const process: { readonly argv: string[] }

type Request = ProjectionRequest

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: ({ type }) => (type === "apiKey" ? apiKey : undefined) })

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

const { data: answer, error } = await runProjection({ body: { scenario, loans } })
if (answer === undefined) throw new Error(error.title)

const standard: Scenario = { ...scenario, planType: "STANDARD", label: "standard" }
const arms = [
  { scenario, loans },
  { scenario: standard, loans }
]
const { data: compared } = await compareScenarios({ body: { arms }, throwOnError: true })

const parentPlus = loans.map((loan) => ({ ...loan, loanType: "DIRECT PLUS PARENT" as const }))
const { error: refusal } = await runProjection({ body: { scenario, loans: parentPlus } })
if (refusal === undefined) throw new Error("a plan that the loan cannot take was accepted")

const { answerId, ruleVersion } = answer.provenance
if (answerId === null) throw new Error("the projection is not recorded")
const { data: record } = await verifyAnswer({ path: { answerId }, throwOnError: true })

console.log(
  JSON.stringify({
    payment: answer.year1MonthlyPayment,
    cheapest: compared.lowestCostLabel,
    refused: `${refusal.status} ${refusal.title}`,
    verified: record.answerId === answerId && record.ruleVersion === ruleVersion
  })
)
