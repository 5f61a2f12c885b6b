/**
 * `repay keys`: `list` (lists.ts), `create` (createKey.ts), and `revoke`, which stops an API key at
 * once, for example a leaked or refunded one.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { KeySummary } from "../../services/accounts/index.ts"
import { refused } from "../failures.ts"
import { argument } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, type Screen, say, show } from "../output.ts"
import { definitionList } from "../views/table.ts"
import { administer, ambiguous, keyNamed } from "./administer.ts"
import { createKeyCommand } from "./createKey.ts"
import { keyListCommand } from "./lists.ts"

const view =
  ({ keyId, keyPrefix, tier }: KeySummary) =>
  ({ style }: Screen): string =>
    definitionList(
      [
        ["Revoked", keyPrefix],
        ["Key id", keyId],
        ["Tier", tier]
      ],
      style.bold
    ).join("\n")

/** Other effects of the revocation, and how to undo them. */
const consequence = ({ keyPrefix }: KeySummary, heldSubscriptionId: string | null): string =>
  heldSubscriptionId === null
    ? `It can no longer claim a production key, and no key can claim a subscription that was paid with it. To undo that: repay subscriptions allow ${keyPrefix}`
    : `Its subscription is on hold and gets no other key. To undo that: repay subscriptions allow ${heldSubscriptionId}`

/** The key may just have been replaced. Its subscription can be ended whatever its key is now. */
const remedy = (subscriptionId: string | null): ReadonlyArray<string> =>
  subscriptionId === null
    ? []
    : [`It was revoked or replaced. To stop its subscription: repay subscriptions end ${subscriptionId}`]

const revokeCommand = dataCommand(
  "revoke",
  {
    key: argument("key", "Prefix of the key, such as slr_sbx_Ab12Cd, or its id")
  },
  Effect.fn("repay.keys.revoke")(function* (input, format) {
    const named = yield* keyNamed("key", input.key)
    const outcome = yield* administer((administration) => administration.revoke(named))
    if (outcome._tag === "NotFound") {
      return yield* refused(`No active key matches ${named}.`, ...remedy(outcome.subscriptionId))
    }
    if (outcome._tag === "Ambiguous")
      return yield* ambiguous("Several active keys share this prefix; nothing was revoked.", outcome.keys)
    yield* say(consequence(outcome.key, outcome.heldSubscriptionId))
    return yield* show(format, outcome.key, view(outcome.key))
  })
).pipe(
  withHelp(
    "Revoke an API key: every later request with it is refused, and its records are kept. This cannot be undone; the owner has to request another key.",
    "The subscription of a production key is held: neither a claim nor a mail issues another key. A revoked sandbox key can claim nothing, even if it had expired or been replaced before. `repay subscriptions allow` lifts both.",
    "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
  ),
  Command.withShortDescription("Revoke an API key"),
  Command.withExamples([
    { command: "repay keys revoke slr_live_Ab12Cd", description: "By the prefix shown in records and emails" }
  ])
)

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys of this installation."),
  Command.withSubcommands([keyListCommand, createKeyCommand, revokeCommand])
)
