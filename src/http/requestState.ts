/**
 * Mutable state of one request: its id, the size of its body, the caller's usage, and whether the
 * call is a repeat and was charged. It lives until the response is sent.
 */
import { Context, Effect } from "effect"
import type { Caller, Usage } from "../services/accounts/index.ts"
import type { ChargedAnswer, IdempotentCall, RecordedAnswer } from "../services/answers/index.ts"
import { FairQueue } from "../services/scheduling/index.ts"

export interface RequestState {
  readonly requestId: string
  /** Set when the caller is known, updated by the charge; the source of the RateLimit headers. */
  usage: Usage | undefined
  /**
   * Outcome of the charge; "refused" includes an unavailable ledger. A "repeated" call is recorded
   * already, so it is not charged, and is answered beyond the quota too.
   */
  charge: "none" | "made" | "refused" | "repeated"
  /** The identity of the call, if it has an Idempotency-Key. */
  idempotentCall: IdempotentCall | undefined
  /** Bytes received, also of a body that was cut off or too large. */
  bodyBytes: number
  /** The body has been counted against its key as a refused body. */
  isBodyCounted: boolean
}

export const newRequestState = (requestId: string): RequestState => ({
  requestId,
  usage: undefined,
  charge: "none",
  idempotentCall: undefined,
  bodyBytes: 0,
  isBodyCounted: false
})

export const CurrentRequestState = Context.Reference<RequestState>("repayment-of-record/CurrentRequestState", {
  defaultValue: () => newRequestState("none")
})

/** Sets the usage that the RateLimit headers of the response show. */
export const noteUsage = (usage: Usage): Effect.Effect<void> =>
  CurrentRequestState.useSync((requestState) => {
    requestState.usage = usage
  })

/** Marks the call as charged; its response shows the usage after the charge. */
export const noteCharge = (usage: Usage): Effect.Effect<void> =>
  CurrentRequestState.useSync((requestState) => {
    requestState.usage = usage
    requestState.charge = "made"
  })

/** Marks a failed charge: the key or its quota was refused, or the ledger is unavailable. */
export const noteRefusedCharge: Effect.Effect<void> = CurrentRequestState.useSync((requestState) => {
  requestState.charge = "refused"
})

/** Marks a repeated call, whose answer is recorded already. It is not charged. */
export const noteRepeated: Effect.Effect<void> = CurrentRequestState.useSync((requestState) => {
  requestState.charge = "repeated"
})

/** Serializing a shorter answer takes less time than a turn of its own. */
const SHORT_BYTES = 16 * 1024

/** Marks a call as charged, and waits for the caller's turn before a long answer is serialized. */
export const makeResponding = Effect.map(FairQueue, (fairQueue) => {
  const inTurn = ({ keyId }: Pick<Caller, "keyId">, usage: Usage | null, bytes?: number): Effect.Effect<void> =>
    CurrentRequestState.use((requestState) => {
      if (usage !== null) requestState.usage = usage
      requestState.charge = usage === null ? "repeated" : "made"
      const length = bytes ?? requestState.bodyBytes
      return length < SHORT_BYTES ? Effect.void : fairQueue.finish(keyId, length)
    })
  return {
    /** `bytes`: estimated size of the answer. The default is the size of the request. */
    charged:
      (caller: Pick<Caller, "keyId">, bytes?: number) =>
      <A>({ answer, usage }: ChargedAnswer<A>): Effect.Effect<A> =>
        Effect.as(inTurn(caller, usage, bytes), answer),
    /** The same for projections and comparisons, since the type accepts only a recorded answer. */
    recorded:
      (caller: Pick<Caller, "keyId">) =>
      <Answer extends RecordedAnswer<unknown, unknown>>(answer: Answer): Effect.Effect<Answer> =>
        Effect.as(inTurn(caller, answer.usage), answer)
  }
})

const REQUEST_ID = /^[\w.-]{1,64}$/

/** The client's own request id, if it is short and holds only harmless characters. */
export const inboundRequestId = (header: string | undefined): string | undefined =>
  header !== undefined && REQUEST_ID.test(header) ? header : undefined
