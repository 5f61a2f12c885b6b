/** The keyless calculator. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { bodyOf } from "../body.ts"

const loanOf = bodyOf(KeylessLoanRequest)

export const CalculatorLive = HttpApiBuilder.group(
  Api,
  "calculator",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    return handlers.handleRaw("calculateLoan", () => Effect.flatMap(loanOf, answers.calculate))
  })
)
