/** Four canonical scenarios, computed live and recorded. */
import { Schema } from "effect"
import { ComparisonRequest, ScenarioComparisonResult } from "./comparison.ts"
import { instant, text } from "./primitives.ts"

export const ReferenceAnswer = Schema.Struct({
  id: text("Scenario id."),
  title: text("Short name."),
  description: text("What the scenario shows."),
  oracleScenario: text("Parity case of the test suite that pins it."),
  request: ComparisonRequest.annotate({ description: "Replays the scenario through POST /v1/comparison." }),
  answer: ScenarioComparisonResult
}).annotate({ identifier: "ReferenceAnswer" })
export type ReferenceAnswer = typeof ReferenceAnswer.Type

export const ReferenceResponse = Schema.Struct({
  ruleVersion: text("Version of the rules ledger."),
  computedAtUtc: instant("When the scenarios were computed."),
  howToUse: text("How to replay and verify."),
  scenarios: Schema.Array(ReferenceAnswer)
}).annotate({ identifier: "ReferenceResponse" })
export type ReferenceResponse = typeof ReferenceResponse.Type
