/** Handlers of the keyless calculations: the loan calculator, and the explanation of a payment. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { ExplainRequest } from "../../../schema/explanation.ts"
import { Answers } from "../../services/answers/index.ts"
import { bodyOf } from "../body.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { makeRefusals, requestContradicted } from "../problems.ts"

const loanOf = bodyOf(KeylessLoanRequest)
const explainedOf = bodyOf(ExplainRequest)

/** The answer serializes itself, to the same bytes as the endpoint's schema, in less time. */
export const makeCalculator = Effect.map(Answers, (answers) => ({
  calculateLoan: Effect.flatMap(loanOf, answers.calculate).pipe(
    Effect.map((text) => jsonResponse(text)),
    Effect.catchTag("RequestContradicted", requestContradicted)
  )
}))

export const CalculatorLive = HttpApiBuilder.group(
  Api,
  "calculator",
  Effect.fn(function* (handlers) {
    const { calculateLoan } = yield* makeCalculator
    const answers = yield* Answers
    const refusals = yield* makeRefusals
    const explain = Effect.flatMap(explainedOf, answers.explain).pipe(
      Effect.map((answer) => jsonResponse(answer)),
      Effect.catchTag("PlanRefused", refusals.plan.PlanRefused)
    )
    return handlers.handleRaw("calculateLoan", () => calculateLoan).handleRaw("explain", () => explain)
  })
)
