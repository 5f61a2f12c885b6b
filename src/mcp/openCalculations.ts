/** The calculations without a key. Like the keyless routes, they are not charged or recorded. */
import { Effect } from "effect"
import { planRefused, requestContradicted } from "../http/problems.ts"
import { Answers } from "../services/answers/index.ts"
import type { OpenCalculations } from "./toolCalls.ts"

export const makeOpenCalculations = Effect.map(
  Answers,
  (answers): OpenCalculations => ({
    calculate: (request) =>
      answers.calculate(request).pipe(
        Effect.map((text) => JSON.parse(text)),
        Effect.catchTag("RequestContradicted", requestContradicted)
      ),
    explain: (request) => Effect.catchTag(answers.explain(request), "PlanRefused", planRefused)
  })
)
