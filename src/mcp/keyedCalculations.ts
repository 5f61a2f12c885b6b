/** The calculations of a key. The service of the REST routes charges and records them, with source McpServer. */
import { Effect } from "effect"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { makeRefusals } from "../http/problems.ts"
import { makeResponding, noteCharge } from "../http/requestState.ts"
import type { Caller } from "../services/accounts/index.ts"
import {
  Answers,
  Charging,
  IdempotencyKeys,
  type IdempotentCall,
  type RecordedCalculation
} from "../services/answers/index.ts"
import type { LedgerUnavailable } from "../services/ledgerUnavailable.ts"
import { makeOpenCalculations } from "./openCalculations.ts"
import type { Calculations } from "./toolCalls.ts"

export const makeKeyedCalculations = Effect.gen(function* () {
  const answers = yield* Answers
  const charging = yield* Charging
  const idempotencyKeys = yield* IdempotencyKeys
  const respond = yield* makeResponding
  const openCalculationsOf = yield* makeOpenCalculations
  const refusals = yield* makeRefusals
  const callOf = (caller: Caller, key: string | null): Effect.Effect<IdempotentCall | undefined, LedgerUnavailable> =>
    key === null ? Effect.succeed(undefined) : idempotencyKeys.find(caller, key)
  const recordedFor =
    <Request, Whole, Brief extends object>(caller: Caller, compute: RecordedCalculation<Request, Whole, Brief>) =>
    (request: Request, key: string | null) =>
      callOf(caller, key).pipe(
        Effect.flatMap((call) => compute(caller, "McpServer", request, call)),
        Effect.flatMap(respond.recorded(caller)),
        Effect.catchTags(refusals.plan)
      )
  return (caller: Caller): Calculations => ({
    ...openCalculationsOf({ bucket: "key", client: caller.keyId, line: caller.keyId }),
    project: recordedFor(caller, answers.project),
    compare: recordedFor(caller, answers.compare),
    eligiblePlans: (request) =>
      answers
        .eligiblePlans(caller, request)
        .pipe(Effect.flatMap(respond.charged(caller)), Effect.catchTags(refusals.dated)),
    planTypes: charging
      .charge(caller)
      .pipe(Effect.flatMap(noteCharge), Effect.as({ planTypes: PLAN_TYPES }), Effect.catchTags(refusals.charge))
  })
})
