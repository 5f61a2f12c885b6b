/**
 * Examples: one runnable request and its response for every operation, by operation id. The OpenAPI
 * document shows them and tests run them.
 * The responses were made by a real service (scripts/generate/examples.ts). Keys and ids are
 * replaced by placeholders; times are those at which they were made.
 */
import calculateLoan from "./calculateLoan.json" with { type: "json" }
import checkAnswer from "./checkAnswer.json" with { type: "json" }
import claimProductionKey from "./claimProductionKey.json" with { type: "json" }
import comparePlans from "./comparePlans.json" with { type: "json" }
import compareScenarios from "./compareScenarios.json" with { type: "json" }
import explainPayment from "./explainPayment.json" with { type: "json" }
import getEligiblePlans from "./getEligiblePlans.json" with { type: "json" }
import getHealth from "./getHealth.json" with { type: "json" }
import getHealthV1 from "./getHealthV1.json" with { type: "json" }
import getMe from "./getMe.json" with { type: "json" }
import getPlanTypes from "./getPlanTypes.json" with { type: "json" }
import getReceipt from "./getReceipt.json" with { type: "json" }
import getReference from "./getReference.json" with { type: "json" }
import getRules from "./getRules.json" with { type: "json" }
import getRulesVersion from "./getRulesVersion.json" with { type: "json" }
import listRecords from "./listRecords.json" with { type: "json" }
import mintSandboxKey from "./mintSandboxKey.json" with { type: "json" }
import receiveStripeEvent from "./receiveStripeEvent.json" with { type: "json" }
import runProjection from "./runProjection.json" with { type: "json" }
import verifyAnswer from "./verifyAnswer.json" with { type: "json" }

export interface Example {
  readonly summary: string
  /** Path, query and header parameters by name. */
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly request?: unknown
  readonly response: unknown
}

/** The address of the service that made the responses. */
export const EXAMPLES_PUBLIC_URL = "http://127.0.0.1:8080"

export const EXAMPLES: Readonly<Record<string, Example>> = {
  getHealth,
  getHealthV1,
  calculateLoan,
  comparePlans,
  explainPayment,
  verifyAnswer,
  checkAnswer,
  getReceipt,
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
