/** The response of GET /v1/reference: four canonical scenarios, recorded before they leave. */
import { Schema } from "effect"
import { ComparisonRequest, ScenarioComparisonResult } from "./comparison.ts"
import { instant, text } from "./primitives.ts"

export const ReferenceAnswer = Schema.Struct({
  id: text("Scenario id."),
  title: text("Short name."),
  description: text("What the scenario shows."),
  oracleScenario: text("Case of the test suite that fixes its figures."),
  request: ComparisonRequest.pipe(
    Schema.annotateKey({ description: "Replays the scenario through POST /v1/comparison." })
  ),
  answer: ScenarioComparisonResult.pipe(
    Schema.annotateKey({ description: "The recorded answer; provenance.verifyUrl confirms it." })
  )
}).annotate({ identifier: "ReferenceAnswer", description: "One canonical scenario and its recorded answer." })
export type ReferenceAnswer = typeof ReferenceAnswer.Type

export const ReferenceResponse = Schema.Struct({
  ruleVersion: text("Version of the rules ledger."),
  computedAtUtc: instant("When the scenarios were computed."),
  howToUse: text("How to replay and verify."),
  scenarios: Schema.Array(ReferenceAnswer).annotate({ description: "The four scenarios." })
}).annotate({ identifier: "ReferenceResponse", description: "The canonical scenarios, computed and recorded now." })
export type ReferenceResponse = typeof ReferenceResponse.Type
