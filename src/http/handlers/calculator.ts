/** Handlers of the keyless calculations: one loan, a whole book, and the explanation of a payment. */
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { MAX_LOANS_OF_PATHS } from "../../../schema/bounds.ts"
import { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { ExplainRequest } from "../../../schema/explanation.ts"
import { SentBody } from "../../../schema/middleware.ts"
import { PlansRequest } from "../../../schema/plans.ts"
import { OverloadedProblem, type RateLimitedProblem } from "../../../schema/problems.ts"
import { Answers } from "../../services/answers/index.ts"
import { FairQueue, inSlices, LARGE_COST, RateLimits } from "../../services/scheduling/index.ts"
import { ClientAddress } from "../address.ts"
import { bodyOf } from "../body.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { makeRefusals, planRefused, requestContradicted } from "../problems.ts"

const loanOf = bodyOf(KeylessLoanRequest)
const explainedOf = bodyOf(ExplainRequest)
const plansOf = bodyOf(PlansRequest)

/** The answer serializes itself, to the same bytes as the endpoint's schema, in less time. */
export const makeCalculator = Effect.map(Answers, (answers) => ({
  calculateLoan: Effect.flatMap(loanOf, answers.calculate).pipe(
    Effect.map((text) => jsonResponse(text)),
    Effect.catchTag("RequestContradicted", requestContradicted)
  )
}))

/** The client of a call: the rate limit that counts it, its name there, and its client of the fair queue. */
export interface PlansClient {
  readonly bucket: "key" | "keyless"
  readonly client: string
  readonly line: string
}

/** Searches for the best path at one time. A dear one takes a quarter of a second. */
const MAX_SEARCHES = 16
/** Calls that a search counts as, beside its own. */
const CALLS_BESIDE = 9

/** A whole book under every plan, for the route and the tools. A search counts more, and pauses for others. */
export const makePlans = Effect.gen(function* () {
  const answers = yield* Answers
  const fairQueue = yield* FairQueue
  const limits = yield* RateLimits
  const { limited } = yield* makeRefusals
  let searches = 0
  /** A search counts as ten calls, and some run at a time, because all of them share the processor. */
  const searched = <A, E, R>({ bucket, client }: PlansClient, answer: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | OverloadedProblem | RateLimitedProblem, R> => {
      if (searches === MAX_SEARCHES) return Effect.fail(new OverloadedProblem({}))
      searches++
      return Effect.ensuring(
        Effect.andThen(Effect.catchTags(limits.consume(bucket, client, CALLS_BESIDE), limited), answer),
        Effect.sync(() => searches--)
      )
    })
  return (request: PlansRequest, client: PlansClient) => {
    const answer = answers
      .plans(request, inSlices(fairQueue.finish(client.line, LARGE_COST)))
      .pipe(Effect.catchTags({ RequestContradicted: requestContradicted, PlanRefused: planRefused }))
    return request.bestPath && request.loans.length <= MAX_LOANS_OF_PATHS ? searched(client, answer) : answer
  }
})

export const CalculatorLive = HttpApiBuilder.group(
  Api,
  "calculator",
  Effect.fn(function* (handlers) {
    const { calculateLoan } = yield* makeCalculator
    const answers = yield* Answers
    const clients = yield* ClientAddress
    const refusals = yield* makeRefusals
    const comparePlans = yield* makePlans
    const plans = Effect.gen(function* () {
      const { line } = yield* SentBody
      const client = yield* HttpServerRequest.HttpServerRequest.use(clients.of)
      return jsonResponse(yield* comparePlans(yield* plansOf, { bucket: "keyless", client, line }))
    })
    const explain = Effect.flatMap(explainedOf, answers.explain).pipe(
      Effect.map((answer) => jsonResponse(answer)),
      Effect.catchTag("PlanRefused", refusals.plan.PlanRefused)
    )
    return handlers
      .handleRaw("calculateLoan", () => calculateLoan)
      .handleRaw("plans", () => plans)
      .handleRaw("explain", () => explain)
  })
).pipe(Layer.provide(ClientAddress.layer))
