/** What a stranger writes with the client of openapi-zod-client, which checks requests and answers as they pass. */
import { isAxiosError } from "axios"
import type { z } from "zod"
import { createApiClient, type schemas } from "./openapi-zod-client.gen.ts"

declare const process: { readonly argv: string[] }

type Request = z.input<typeof schemas.ProjectionRequest>

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
const client = createApiClient(baseUrl, { axiosConfig: { headers: { "X-Api-Key": apiKey } } })

const scenario: Request["scenario"] = {
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

const answer = await client.runProjection({ scenario, loans })

const standard: Request["scenario"] = { ...scenario, planType: "STANDARD", label: "standard" }
const arms = [
  { scenario, loans },
  { scenario: standard, loans }
]
const compared = await client.compareScenarios({ arms })

const parentPlus = loans.map((loan) => ({ ...loan, loanType: "DIRECT PLUS PARENT" as const }))
const refusal: unknown = await client.runProjection({ scenario, loans: parentPlus }).then(
  () => new Error("a plan that the loan cannot take was accepted"),
  (error: unknown) => error
)
if (!isAxiosError<{ readonly title: string }>(refusal)) throw refusal

const { answerId, ruleVersion } = answer.provenance
if (answerId === null) throw new Error("the projection is not recorded")
const record = await client.verifyAnswer({ params: { answerId } })

console.log(
  JSON.stringify({
    payment: answer.year1MonthlyPayment,
    cheapest: compared.lowestCostLabel,
    refused: `${refusal.response?.status} ${refusal.response?.data.title}`,
    verified: record.answerId === answerId && record.ruleVersion === ruleVersion
  })
)
