/**
 * What is known of one request while it is answered: its id, the bytes of its body, the caller's usage for the RateLimit
 * headers, and whether the call was charged. It ends with the response.
 */
import { Context, Effect } from "effect"
import type { Caller, Usage } from "../services/accounts/Keys.ts"
import type { ChargedAnswer, RecordedAnswer } from "../services/answers/Answers.ts"
import { FairQueue } from "../services/scheduling/FairQueue.ts"

export interface RequestState {
  readonly requestId: string
  /** Set when the caller is known, and again when the call is charged; the source of the RateLimit headers. */
  usage: Usage | undefined
  /** What the ledger said when it was asked to charge the call. */
  charge: "none" | "made" | "refused"
  /** Set when the body is read. */
  bodyBytes: number
  /** The body has been counted against its key as a refused one. */
  isBodyCounted: boolean
  /** On which the body waits for its turn: that of its key, of its route, or of its route and address. */
  line: string
  /** The text of the body, once it is known to be JSON within the bounds. */
  bodyText: string
}

export const newRequestState = (requestId: string): RequestState => ({
  requestId,
  usage: undefined,
  charge: "none",
  bodyBytes: 0,
  isBodyCounted: false,
  line: "",
  bodyText: ""
})

export const CurrentRequestState = Context.Reference<RequestState>("repayment-of-record/CurrentRequestState", {
  defaultValue: () => newRequestState("none")
})

/** Puts these figures into the RateLimit headers of the response. */
export const noteUsage = (usage: Usage): Effect.Effect<void> =>
  Effect.map(CurrentRequestState, (requestState) => {
    requestState.usage = usage
  })

/** The call was charged; its response carries the figures after the charge. */
export const noteCharge = (usage: Usage): Effect.Effect<void> =>
  Effect.map(CurrentRequestState, (requestState) => {
    requestState.usage = usage
    requestState.charge = "made"
  })

/** The ledger was asked to charge the call and did not: its word on the key has been heard, or it is away. */
export const noteRefusedCharge: Effect.Effect<void> = Effect.map(CurrentRequestState, (requestState) => {
  requestState.charge = "refused"
})

/** A shorter answer is written out in less time than a turn of its own takes. */
const SHORT_BYTES = 16 * 1024

/** A caller's answer, when it is the caller's turn to have it written out. */
export const makeResponding = Effect.map(FairQueue, (fairQueue) => {
  const inTurn = ({ keyId }: Pick<Caller, "keyId">, usage: Usage, bytes?: number): Effect.Effect<void> =>
    Effect.flatMap(CurrentRequestState, (requestState) => {
      requestState.usage = usage
      requestState.charge = "made"
      const length = bytes ?? requestState.bodyBytes
      return length < SHORT_BYTES ? Effect.void : fairQueue.finish(keyId, length)
    })
  return {
    /** `bytes`: about how long the answer is; a calculation's is about as long as its request. */
    charged:
      (caller: Pick<Caller, "keyId">, bytes?: number) =>
      <A>({ answer, usage }: ChargedAnswer<A>): Effect.Effect<A> =>
        Effect.as(inTurn(caller, usage, bytes), answer),
    /** The same, for projections and comparisons: the type accepts nothing but a recorded answer. */
    recorded:
      (caller: Pick<Caller, "keyId">) =>
      <Answer extends RecordedAnswer<unknown, unknown>>(answer: Answer): Effect.Effect<Answer> =>
        Effect.as(inTurn(caller, answer.usage), answer)
  }
})

const REQUEST_ID = /^[\w.-]{1,64}$/

/** The id that the client sent, if it is short and holds only harmless characters. */
export const inboundRequestId = (header: string | undefined): string | undefined =>
  header !== undefined && REQUEST_ID.test(header) ? header : undefined
