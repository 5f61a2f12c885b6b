/**
 * The Idempotency-Key of a request: finds the call that the account made with it before. Such a
 * call is not charged, so the key is read before the quota and the body.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IDEMPOTENCY_KEY_TO_SEND, isIdempotencyKey } from "../../schema/bounds.ts"
import { type LedgerUnavailableProblem, ValidationProblem } from "../../schema/problems.ts"
import type { Caller } from "../services/accounts/index.ts"
import { IdempotencyKeys, isRepeated } from "../services/answers/index.ts"
import { makeRefusals } from "./problems.ts"
import { CurrentRequestState } from "./requestState.ts"

/**
 * Typed as if it never failed, because the endpoints with the header declare the problem, and
 * `Authentication`, which raises it for them, does not.
 */
const refuse = Effect.suspend(() =>
  Effect.fail(
    new ValidationProblem({
      errors: {
        "Idempotency-Key": [`must be sent once, with ${IDEMPOTENCY_KEY_TO_SEND}`]
      }
    })
  )
) as Effect.Effect<never>

/** Whether a caller has made a call before. */
export type WasAnswered = (caller: Caller) => Effect.Effect<boolean, LedgerUnavailableProblem>

/** Returns undefined for a request without the header, which costs nothing. */
export const makeWasAnswered = Effect.gen(function* () {
  const idempotencyKeys = yield* IdempotencyKeys
  const { unavailable } = yield* makeRefusals
  return (request: HttpServerRequest.HttpServerRequest): WasAnswered | undefined => {
    const key = request.headers["idempotency-key"]
    if (key === undefined) return undefined
    // A header that is sent twice fails too, because Node joins its values with ", ".
    if (!isIdempotencyKey(key)) return () => refuse
    return (caller) =>
      Effect.flatMap(Effect.catchTags(idempotencyKeys.find(caller, key), unavailable), (call) =>
        CurrentRequestState.useSync((requestState) => {
          requestState.idempotentCall = call
          if (isRepeated(call)) requestState.charge = "repeated"
          return isRepeated(call)
        })
      )
  }
})
