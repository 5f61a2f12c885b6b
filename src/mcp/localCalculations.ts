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
import { compareUnrecorded, eligiblePlansUnrecorded, projectUnrecorded } from "../services/answers/unrecorded.ts"
import type { Calculations } from "./toolCalls.ts"

/** Settings of a process that hashes nothing: the pepper is thrown away with it, and no file is made. */
const NoSettings = Layer.suspend(() => AppConfig.layerFrom({ SECRET_PEPPER: randomUUID() }))

export const makeLocalCalculations = Effect.gen(function* () {
  const engine = yield* Engine
  const refusals = yield* Effect.provide(makeRefusals, NoSettings)
  const refuse = { PlanRefused: refusals.plan.PlanRefused }
  const local = Effect.provideService(Engine, engine)
  return {
    project: (request) => projectUnrecorded(request).pipe(local, Effect.catchTags(refuse)),
    compare: (request) => compareUnrecorded(request).pipe(local, Effect.catchTags(refuse)),
    eligiblePlans: (request) => local(eligiblePlansUnrecorded(request)),
    planTypes: Effect.succeed({ planTypes: PLAN_TYPES })
  } satisfies Calculations
})
