/** The keyless calculator. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { Answers } from "../../services/answers/Answers.ts"

export const CalculatorLive = HttpApiBuilder.group(
  Api,
  "calculator",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    return handlers.handle("calculateLoan", ({ payload }) => answers.calculate(payload))
  })
)
