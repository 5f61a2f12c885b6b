/** The calculations without a key. Like the keyless routes, they are not charged or recorded. */
import { Effect } from "effect"
import { makePlans, type PlansClient } from "../http/handlers/calculator.ts"
import { planRefused } from "../http/problems.ts"
import { Answers } from "../services/answers/index.ts"
import type { OpenCalculations } from "./toolCalls.ts"

export const makeOpenCalculations = Effect.gen(function* () {
  const answers = yield* Answers
  const plans = yield* makePlans
  return (client: PlansClient): OpenCalculations => ({
    plans: (request) => plans(request, client),
    explain: (request) => Effect.catchTag(answers.explain(request), "PlanRefused", planRefused)
  })
})
