/** What one request and its response know of each other while the request is answered. Nothing outlives the response. */
import { Context, Effect } from "effect"
import type { Usage } from "../services/keys/Keys.ts"

export interface Exchange {
  readonly requestId: string
  /** Set once the caller is known, and again when the call is charged: the RateLimit headers come from here. */
  usage: Usage | undefined
}

export const CurrentExchange = Context.Reference<Exchange>("repayment-of-record/CurrentExchange", {
  defaultValue: () => ({ requestId: "none", usage: undefined })
})

/** Makes the response carry these figures. */
export const noteUsage = (usage: Usage): Effect.Effect<void> =>
  Effect.map(CurrentExchange, (exchange) => {
    exchange.usage = usage
  })

const REQUEST_ID = /^[\w.-]{1,64}$/

/** The id that a client sent, if it is clean. */
export const inboundRequestId = (header: string | undefined): string | undefined =>
  header !== undefined && REQUEST_ID.test(header) ? header : undefined
