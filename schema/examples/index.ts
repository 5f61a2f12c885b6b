/**
 * One runnable request and its response for every operation, by operation id: what OpenAPI shows and tests run. The
 * responses were answered by the service; keys and ids in them are placeholders, and its instants are of that moment.
 */
import calculateLoan from "./calculateLoan.json" with { type: "json" }
import claimProductionKey from "./claimProductionKey.json" with { type: "json" }
import compareScenarios from "./compareScenarios.json" with { type: "json" }
import getEligiblePlans from "./getEligiblePlans.json" with { type: "json" }
import getHealth from "./getHealth.json" with { type: "json" }
import getHealthV1 from "./getHealthV1.json" with { type: "json" }
import getMe from "./getMe.json" with { type: "json" }
import getPlanTypes from "./getPlanTypes.json" with { type: "json" }
import getReference from "./getReference.json" with { type: "json" }
import getRules from "./getRules.json" with { type: "json" }
import getRulesVersion from "./getRulesVersion.json" with { type: "json" }
import listRecords from "./listRecords.json" with { type: "json" }
import mintSandboxKey from "./mintSandboxKey.json" with { type: "json" }
import receiveStripeEvent from "./receiveStripeEvent.json" with { type: "json" }
import runProjection from "./runProjection.json" with { type: "json" }
import verifyAnswer from "./verifyAnswer.json" with { type: "json" }

export interface Example {
  /** What the request asks, in a few words. */
  readonly summary: string
  /** Path, query and header parameters by name. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** The body, as JSON. */
  readonly request?: unknown
  /** The body of the answer. */
  readonly response: unknown
}

/** The address that the answers were handed out at. */
export const EXAMPLES_PUBLIC_URL = "http://127.0.0.1:8080"

export const EXAMPLES: Readonly<Record<string, Example>> = {
  getHealth,
  getHealthV1,
  calculateLoan,
  verifyAnswer,
  getRules,
  getRulesVersion,
  mintSandboxKey,
  claimProductionKey,
  runProjection,
  compareScenarios,
  getEligiblePlans,
  getPlanTypes,
  getMe,
  listRecords,
  getReference,
  receiveStripeEvent
}
