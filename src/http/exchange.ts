/**
 * What is known of one request while it is answered: its id, and the caller's usage for the RateLimit headers. It ends
 * with the response.
 */
import { Context, Effect } from "effect"
import type { ChargedAnswer, RecordedAnswer } from "../services/answers/Answers.ts"
import type { Usage } from "../services/keys/Keys.ts"

export interface Exchange {
  readonly requestId: string
  /** Set when the caller is known, and again when the call is charged; the source of the RateLimit headers. */
  usage: Usage | undefined
}

export const CurrentExchange = Context.Reference<Exchange>("repayment-of-record/CurrentExchange", {
  defaultValue: () => ({ requestId: "none", usage: undefined })
})

/** Puts these figures into the RateLimit headers of the response. */
export const noteUsage = (usage: Usage): Effect.Effect<void> =>
  Effect.map(CurrentExchange, (exchange) => {
    exchange.usage = usage
  })

/** The body of a charged answer; the response carries the figures after the charge. */
export const respondCharged = <A>({ answer, usage }: ChargedAnswer<A>): Effect.Effect<A> =>
  Effect.as(noteUsage(usage), answer)

/** The same, for projections and comparisons: the type accepts nothing but a recorded answer. */
export const respondRecorded: <A>(recorded: RecordedAnswer<A>) => Effect.Effect<A> = respondCharged

const REQUEST_ID = /^[\w.-]{1,64}$/

/** The id that the client sent, if it is short and holds only harmless characters. */
export const inboundRequestId = (header: string | undefined): string | undefined =>
  header !== undefined && REQUEST_ID.test(header) ? header : undefined
