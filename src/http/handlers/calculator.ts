/** The keyless calculator. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { bodyOf } from "../body.ts"

const loanOf = bodyOf(KeylessLoanRequest)

/** The answer as a response, written as the schema of the endpoint would, which takes longer. */
export const makeCalculator = Effect.map(Answers, (answers) => ({
  calculateLoan: Effect.flatMap(loanOf, answers.calculate).pipe(
    Effect.map((answer) => HttpServerResponse.jsonUnsafe(answer))
  )
}))

export const CalculatorLive = HttpApiBuilder.group(
  Api,
  "calculator",
  Effect.fn(function* (handlers) {
    const { calculateLoan } = yield* makeCalculator
    return handlers.handleRaw("calculateLoan", () => calculateLoan)
  })
)
