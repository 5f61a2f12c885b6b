/**
 * The calculations of an engine on this machine: the same figures and sources, no key, no charge and no record. Opens no
 * connection and writes nothing.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer } from "effect"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { AppConfig } from "../config.ts"
import { Engine } from "../engine/Engine.ts"
import { makeRefusals } from "../http/problems.ts"
import {
  type Basis,
  basis,
  comparisonAnswer,
  type Identity,
  identified,
  identifiedComparison,
  projectionAnswer
} from "../services/provenance.ts"
import type { Calculations } from "./toolCalls.ts"

const ELIGIBILITY_BASIS: Basis = basis({
  engine: "eligibility",
  parityVerified: false,
  citations: ["loan-type-families", "plan-eligibility-matrix"]
})

const unrecorded = (computedAt: Date): Identity => ({
  computedAtUtc: computedAt.toISOString(),
  answerId: null,
  verifyUrl: null
})

/** Settings of a process that hashes nothing: the pepper is thrown away with it, and no file is made. */
const NoSettings = Layer.suspend(() => AppConfig.layerFrom({ SECRET_PEPPER: randomUUID() }))

export const makeLocalCalculations = Effect.gen(function* () {
  const engine = yield* Engine
  const refusals = yield* Effect.provide(makeRefusals, NoSettings)
  const refuse = { PlanRefused: refusals.plan.PlanRefused }
  return {
    project: (request) =>
      engine.project(request).pipe(
        Effect.map(({ computedAt, figures }) => identified(projectionAnswer(figures), unrecorded(computedAt))),
        Effect.catchTags(refuse)
      ),
    compare: (request) =>
      engine.compare(request).pipe(
        Effect.map(({ computedAt, figures }) =>
          identifiedComparison(comparisonAnswer(figures), unrecorded(computedAt))
        ),
        Effect.catchTags(refuse)
      ),
    eligiblePlans: (request) =>
      Effect.map(engine.eligiblePlans(request), ({ computedAt, figures }) =>
        identified({ loans: figures, provenance: ELIGIBILITY_BASIS }, unrecorded(computedAt))
      ),
    planTypes: Effect.succeed({ planTypes: PLAN_TYPES })
  } satisfies Calculations
})
