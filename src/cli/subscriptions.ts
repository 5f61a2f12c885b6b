/**
 * `repay subscriptions`: what is paid, held and ended, which payment events were not applied, and the operator's word on
 * a subscription: end it, or allow it again. Talks to no payment provider.
 */

import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { isUuid } from "../../schema/primitives.ts"
import { administer, ambiguous, keyNamed, look, noSubscription, subscriptionNamed } from "./administer.ts"
import { checkedEmail, claimKeyCommand, payCommand } from "./byHand.ts"
import { refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, say, show } from "./output.ts"
import { READS } from "./reader.ts"
import { switchFlag } from "./switchFlag.ts"
import { allowedView, subscriptionsView, unappliedView } from "./views/subscriptions.ts"

const ON_THE_DATABASE = "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
const AN_ID = "5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"

/** A full page has left something off. */
const sayIfFull = (count: number, limit: number, how: string) =>
  count < limit ? Effect.void : say(`Only the newest ${limit} are shown${how}.`)

const listCommand = dataCommand(
  "list",
  {
    email: Argument.String("email").pipe(
      Argument.withDescription("Only the subscriptions of this address"),
      Argument.optional
    )
  },
  Effect.fn("repay.subscriptions.list")(function* (input, format) {
    const email = Option.isNone(input.email) ? null : yield* checkedEmail(input.email.value)
    const { MAX_LISTED_SUBSCRIPTIONS } = yield* Effect.promise(() => import("../services/payments/overview.ts"))
    const subscriptions = yield* look((administration) => administration.list(email))
    yield* sayIfFull(subscriptions.length, MAX_LISTED_SUBSCRIPTIONS, "; name an address to see those of one")
    return yield* show(format, { subscriptions }, subscriptionsView(subscriptions))
  })
).pipe(
  Command.withDescription(
    helpText(
      "List the paid subscriptions, newest first: whether each is paid, held or ended, why and since when, and the prefix of its live production key with whether that was used, or else of its sandbox key if that was revoked. The JSON has every member.",
      `${READS} The output holds addresses.`
    )
  ),
  Command.withShortDescription("List subscriptions"),
  Command.withExamples([{ command: "repay subscriptions list ada@example.org", description: "Of one address" }])
)

const unappliedCommand = dataCommand(
  "unapplied",
  {
    all: switchFlag("all", "Also those of other products of the account")
  },
  Effect.fn("repay.subscriptions.unapplied")(function* (input, format) {
    const { MAX_LISTED_EVENTS } = yield* Effect.promise(() => import("../services/payments/unapplied.ts"))
    const events = yield* look((administration) => administration.unapplied(input.all))
    yield* sayIfFull(events.length, MAX_LISTED_EVENTS, "")
    if (!input.all) yield* say("Events of other products are left out: --all shows them.")
    return yield* show(format, { events }, unappliedView(events))
  })
).pipe(
  Command.withDescription(
    helpText(
      "List the payment events that could not be applied and the payments that brought no key, newest first, each with its reason and Stripe's ids. An event that Stripe sends again and that then applies leaves the list, and so do one whose subscription is paid or gets a key after all and one that is dismissed. Those of other products of the account are left out unless asked for.",
      READS
    )
  ),
  Command.withShortDescription("List payment events that were not applied"),
  Command.withExamples([{ command: "repay subscriptions unapplied --json", description: "For a script" }])
)

const dismissCommand = dataCommand(
  "dismiss",
  {
    event: Argument.String("event").pipe(Argument.withDescription("Id of the event, as it is listed"))
  },
  Effect.fn("repay.subscriptions.dismiss")(function* (input, format) {
    const { event } = input
    if (!(yield* administer((administration) => administration.dismiss(event)))) {
      return yield* refused("No event of this id is in the list of those that were not applied.")
    }
    return yield* show(format, { eventId: event, dismissed: true }, () => `Dismissed: ${event}`)
  })
).pipe(
  Command.withDescription(
    helpText("Take a payment event off the list of those that were not applied. Changes nothing else.", ON_THE_DATABASE)
  ),
  Command.withShortDescription("Take a payment event off that list"),
  Command.withExamples([{ command: "repay subscriptions dismiss evt_1Ab2Cd", description: "It was looked into" }])
)

const endCommand = dataCommand(
  "end",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the subscription")) },
  Effect.fn("repay.subscriptions.end")(function* (input, format) {
    const id = yield* subscriptionNamed(input.id)
    const outcome = yield* administer((administration) => administration.end(id))
    if (outcome._tag === "NotFound") return yield* noSubscription(id)
    if (outcome._tag === "EndedAlready") yield* say("It was ended already; nothing was changed.")
    else if (!outcome.isByHand) yield* say("Stripe does not know: end it there too, or it goes on charging.")
    return yield* show(format, { subscriptionId: id, ended: true }, () => `Ended: ${id}`)
  })
).pipe(
  Command.withDescription(
    helpText(
      "End a subscription now: its production key stops at once, and no payment, claim or mail opens it again. Only `repay subscriptions allow` does.",
      ON_THE_DATABASE
    )
  ),
  Command.withShortDescription("End a subscription now"),
  Command.withExamples([{ command: `repay subscriptions end ${AN_ID}`, description: "The id is in the list" }])
)

const ID_OR_KEY = "id or key"

/** Two ways on, because the key may be in the wrong hands. */
const stillBarred = (id: string, keyId: string): ReadonlyArray<string> => [
  `Subscription ${id} is still held: the sandbox key that it belongs to was revoked.`,
  `To let that key claim again: repay subscriptions allow ${keyId}`,
  `To give the payer another: repay subscriptions claim-key ${id}`
]

const allowCommand = dataCommand(
  "allow",
  {
    named: Argument.String(ID_OR_KEY).pipe(
      Argument.withDescription("Id of a subscription, or prefix or id of a key that was revoked")
    )
  },
  Effect.fn("repay.subscriptions.allow")(function* (input, format) {
    const named = yield* isUuid(input.named) ? Effect.succeed(input.named) : keyNamed(ID_OR_KEY, input.named)
    const outcome = yield* administer((administration) => administration.allow(named))
    if (outcome._tag === "NotHeld") return yield* refused(`Nothing is held under ${named}.`)
    if (outcome._tag === "Ambiguous")
      return yield* ambiguous("Several keys share this prefix; nothing was allowed.", outcome.keys)
    if (outcome._tag === "HeldByKey") return yield* refused(...stillBarred(outcome.subscriptionId, outcome.keyId))
    const { barredKeyId, key, subscriptions } = outcome
    for (const { id, lifted, stillHeld } of subscriptions) {
      if (lifted.length === 0) yield* say(`Nothing held subscription ${id}: its production key is mailed again.`)
      if (barredKeyId !== null) yield* Effect.forEach(stillBarred(id, barredKeyId), say)
      else if (stillHeld.length > 0) {
        yield* say(
          `Subscription ${id} is still held (${stillHeld.join(", ")}). To lift that: repay subscriptions allow ${id}`
        )
      }
    }
    return yield* show(format, { keyPrefix: key?.keyPrefix ?? null, subscriptions }, allowedView(named, subscriptions))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Lift the holds of a subscription, whoever or whatever placed them, also its end, or let a sandbox key that was revoked claim again. The subscription then gets a new production key by mail or claim; revoked keys stay revoked. If nothing holds it, and its key was mailed to nobody, it is mailed again.",
      ON_THE_DATABASE
    )
  ),
  Command.withShortDescription("Lift a hold"),
  Command.withExamples([
    { command: `repay subscriptions allow ${AN_ID}`, description: "After a dispute that was won" },
    { command: "repay subscriptions allow slr_sbx_Ab12Cd", description: "A sandbox key may claim again" }
  ])
)

export const subscriptionsCommand = Command.make("subscriptions").pipe(
  Command.withDescription("Subscriptions of this installation."),
  Command.withSubcommands([
    listCommand,
    payCommand,
    claimKeyCommand,
    endCommand,
    allowCommand,
    unappliedCommand,
    dismissCommand
  ])
)
