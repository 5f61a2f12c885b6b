/** `repay subscriptions`: ends and allows subscriptions. Calls no payment provider. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { isUuid } from "../../../schema/primitives.ts"
import { refused } from "../failures.ts"
import { argument } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, say, show } from "../output.ts"
import { allowedView } from "../views/subscriptions.ts"
import { administer, ambiguous, keyNamed, noSubscription, subscriptionNamed } from "./administer.ts"
import { subscriptionListCommand } from "./lists.ts"
import { payCommand } from "./manualBilling.ts"

const ON_THE_DATABASE = "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
const EXAMPLE_ID = "5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"

const endCommand = dataCommand(
  "end",
  { id: argument("id", "Id of the subscription") },
  Effect.fn("repay.subscriptions.end")(function* (input, format) {
    const id = yield* subscriptionNamed(input.id)
    const outcome = yield* administer((administration) => administration.end(id))
    if (outcome._tag === "NotFound") return yield* noSubscription(id)
    if (outcome._tag === "EndedAlready") yield* say("It was ended already; nothing was changed.")
    else if (!outcome.isByHand)
      yield* say("Stripe is not notified: end the subscription there too, or Stripe continues to charge.")
    return yield* show(format, { subscriptionId: id, ended: true }, () => `Ended: ${id}`)
  })
).pipe(
  withHelp(
    "End a subscription now: its production key stops at once, and no payment, claim or mail opens it again. Only `repay subscriptions allow` does.",
    ON_THE_DATABASE
  ),
  Command.withShortDescription("End a subscription now"),
  Command.withExamples([{ command: `repay subscriptions end ${EXAMPLE_ID}`, description: "The id is in the list" }])
)

const ID_OR_KEY = "id or key"

const allowCommand = dataCommand(
  "allow",
  {
    named: argument(ID_OR_KEY, "Id of a subscription, or prefix or id of a revoked key")
  },
  Effect.fn("repay.subscriptions.allow")(function* (input, format) {
    const named = yield* isUuid(input.named) ? Effect.succeed(input.named) : keyNamed(ID_OR_KEY, input.named)
    const outcome = yield* administer((administration) => administration.allow(named))
    if (outcome._tag === "NotHeld")
      return yield* refused(`No held subscription and no revoked sandbox key matches ${named}.`)
    if (outcome._tag === "Ambiguous")
      return yield* ambiguous("Several keys share this prefix; nothing was allowed.", outcome.keys)
    if (outcome._tag === "MayClaim") {
      const { keyPrefix } = outcome
      return yield* show(format, { keyPrefix, subscriptionId: null, lifted: null }, allowedView(named, null))
    }
    const { lifted, subscriptionId } = outcome
    if (lifted === null) {
      yield* say(`Subscription ${subscriptionId} was not on hold: its production key is mailed again.`)
    }
    return yield* show(format, { keyPrefix: null, subscriptionId, lifted }, allowedView(named, outcome))
  })
).pipe(
  withHelp(
    "Reopen a subscription that is on hold or ended, whatever the cause, or let a revoked sandbox key claim again. The subscription then gets a new production key by mail or claim; revoked keys stay revoked. If it is not on hold, but the mail with its key reached nobody, a key is mailed again.",
    ON_THE_DATABASE
  ),
  Command.withShortDescription("Lift a hold"),
  Command.withExamples([
    { command: `repay subscriptions allow ${EXAMPLE_ID}`, description: "After a dispute that was won" },
    { command: "repay subscriptions allow slr_sbx_Ab12Cd", description: "A sandbox key may claim again" }
  ])
)

export const subscriptionsCommand = Command.make("subscriptions").pipe(
  Command.withDescription("Subscriptions of this installation."),
  Command.withSubcommands([subscriptionListCommand, payCommand, endCommand, allowCommand])
)
