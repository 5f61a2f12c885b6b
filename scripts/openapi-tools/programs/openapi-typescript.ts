/** A user's program that has only the types of openapi-typescript, and calls with fetch. */
import type { components, paths } from "./openapi-typescript.gen.ts"

declare const process: { readonly argv: string[] }

type Posted<Path extends "/v1/projection" | "/v1/comparison"> = paths[Path]["post"]
type Request = Posted<"/v1/projection">["requestBody"]["content"]["application/json"]
type Result = Posted<"/v1/projection">["responses"]["200"]["content"]["application/json"]
type Refusal = Posted<"/v1/projection">["responses"]["400"]["content"]["application/problem+json"]
type Comparison = Posted<"/v1/comparison">["responses"]["200"]["content"]["application/json"]
type Record = components["schemas"]["VerifiedAnswer"]

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)

const ask = async <A>(path: string, body?: object): Promise<A> => {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Api-Key": apiKey, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return response.json() as Promise<A>
}

const project = (request: Request) => ask<Result | Refusal>("/v1/projection", request)
const isRefusal = (answer: Result | Refusal): answer is Refusal => "errors" in answer

// Fields with defaults are optional; a spouse's income and a label may be null.
const scenario: components["schemas"]["Scenario"] = {
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

const answer = await project({ scenario, loans, includeYearly: true })
if (isRefusal(answer)) throw new Error(Object.values(answer.errors).flat().join())
const forgivenessType: "Pslf" | "TimeBased" | "Teacher" | "None" = answer.forgivenessType
const months: number | null = answer.monthsToFinish
const verifyUrl: string | null = answer.provenance.verifyUrl
const paid: number = answer.yearly?.at(-1)?.cumulativePaid ?? Number.NaN
if (paid !== answer.totalOutOfPocket) throw new Error("the series does not add up")
if (forgivenessType !== "None" || months === null) throw new Error("the loan is not paid off")
if (verifyUrl === null) throw new Error("the projection is not recorded")

const negative = await project({ scenario: { ...scenario, adjustedGrossIncome: -1 }, loans })
if (!isRefusal(negative)) throw new Error("a negative income was accepted")
if (!("scenario.adjustedGrossIncome" in negative.errors)) throw new Error(JSON.stringify(negative.errors))

const standard: components["schemas"]["Scenario"] = { ...scenario, planType: "STANDARD", label: "standard" }
const compared = await ask<Comparison>("/v1/comparison", {
  arms: [
    { scenario, loans },
    { scenario: standard, loans }
  ]
} satisfies components["schemas"]["ComparisonRequest"])

const refused = await project({ scenario, loans: loans.map((loan) => ({ ...loan, loanType: "DIRECT PLUS PARENT" })) })
if (!isRefusal(refused)) throw new Error("a plan that the loan cannot take was accepted")
const status: 400 = refused.status

const { answerId, ruleVersion } = answer.provenance
const record = await ask<Record>(`/v1/verify/${answerId}`)

console.log(
  JSON.stringify({
    payment: answer.year1MonthlyPayment,
    cheapest: compared.lowestCostLabel,
    refused: `${status} ${refused.title}`,
    verified: record.answerId === answerId && record.ruleVersion === ruleVersion
  })
)
