/** The calculations of a key: charged and recorded by the same service as the REST routes, with source McpServer. */
import { Effect } from "effect"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { makeRefusals } from "../http/problems.ts"
import { makeResponding, noteCharge } from "../http/requestState.ts"
import type { Caller } from "../services/accounts/Keys.ts"
import { Answers } from "../services/answers/Answers.ts"
import { Charging } from "../services/answers/Charging.ts"
import type { Calculations } from "./toolCalls.ts"

export const makeKeyedCalculations = Effect.gen(function* () {
  const answers = yield* Answers
  const charging = yield* Charging
  const respond = yield* makeResponding
  const refusals = yield* makeRefusals
  return (caller: Caller): Calculations => ({
    project: (request) =>
      answers
        .project(caller, "McpServer", request)
        .pipe(Effect.flatMap(respond.recorded(caller)), Effect.catchTags(refusals.plan)),
    compare: (request) =>
      answers
        .compare(caller, "McpServer", request)
        .pipe(Effect.flatMap(respond.recorded(caller)), Effect.catchTags(refusals.plan)),
    eligiblePlans: (request) =>
      answers
        .eligiblePlans(caller, request)
        .pipe(Effect.flatMap(respond.charged(caller)), Effect.catchTags(refusals.dated)),
    explain: (request) => Effect.catchTag(answers.explain(request), "PlanRefused", refusals.plan.PlanRefused),
    planTypes: charging
      .charge(caller)
      .pipe(Effect.flatMap(noteCharge), Effect.as({ planTypes: PLAN_TYPES }), Effect.catchTags(refusals.charge))
  })
})
