/**
 * The calculations of the engine on this machine. They have the same figures and sources, but no
 * key, charge or record. Nothing is sent or written.
 */
import { Effect } from "effect"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { Engine } from "../engine/Engine.ts"
import { planRefused, requestContradicted } from "../http/problems.ts"
import {
  compareUnrecorded,
  eligiblePlansUnrecorded,
  explainUnrecorded,
  plansUnrecorded,
  projectUnrecorded
} from "../services/answers/local.ts"
import type { Calculations } from "./toolCalls.ts"

export const makeLocalCalculations = Effect.map(Engine, (engine) => {
  const local = Effect.provideService(Engine, engine)
  return {
    project: (request) => projectUnrecorded(request).pipe(local, Effect.catchTag("PlanRefused", planRefused)),
    compare: (request) => compareUnrecorded(request).pipe(local, Effect.catchTag("PlanRefused", planRefused)),
    eligiblePlans: (request) =>
      eligiblePlansUnrecorded(request).pipe(local, Effect.catchTag("RequestContradicted", requestContradicted)),
    explain: (request) => explainUnrecorded(request).pipe(local, Effect.catchTag("PlanRefused", planRefused)),
    plans: (request) =>
      plansUnrecorded(request).pipe(
        local,
        Effect.catchTags({ RequestContradicted: requestContradicted, PlanRefused: planRefused })
      ),
    planTypes: Effect.succeed({ planTypes: PLAN_TYPES })
  } satisfies Calculations
})
