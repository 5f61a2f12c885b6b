/** `repay keys revoke`: revokes an API key at once, for example a leaked one. Issues no keys and shows none. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { isUuid } from "../../schema/primitives.ts"
import type { KeySummary } from "../services/keys/KeyRevocation.ts"
import { badInput, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { outputFlags, type Screen, show } from "./output.ts"
import { definitionList } from "./views/table.ts"

const PREFIX = /^slr_(?:sbx|live)_[0-9A-Za-z]{6}$/

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

const ambiguous = (keys: ReadonlyArray<KeySummary>) =>
  refused(
    "Several active keys share this prefix; nothing was revoked. Use the id of one of them:",
    ...keys.map(({ keyId, tier }) => `  ${keyId} (${tier})`)
  )

const revokeCommand = Command.make(
  "revoke",
  {
    key: Argument.String("key").pipe(Argument.withDescription("Prefix of the key, such as slr_sbx_Ab12Cd, or its id")),
    ...outputFlags
  },
  Effect.fn("repay.keys.revoke")(function* (input) {
    if (!PREFIX.test(input.key) && !isUuid(input.key)) {
      return yield* badInput("key: use the prefix of a key, such as slr_sbx_Ab12Cd, or its id; never the key itself")
    }
    const { KeyRevocation } = yield* Effect.promise(() => import("../services/keys/KeyRevocation.ts"))
    const { commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
    const outcome = yield* KeyRevocation.use((keys) => keys.revoke(input.key)).pipe(
      Effect.provide(KeyRevocation.layer),
      Effect.provide(Installation),
      Effect.mapError(commandFailure)
    )
    if (outcome._tag === "NotFound") return yield* refused(`No active key matches ${input.key}.`)
    if (outcome._tag === "Ambiguous") return yield* ambiguous(outcome.keys)
    return yield* show(input, outcome.key, view(outcome.key))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Revoke an API key: every later request with it is refused, and its records are kept. This cannot be undone; the owner has to request another key.",
      "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
    )
  ),
  Command.withShortDescription("Revoke an API key"),
  Command.withExamples([
    { command: "repay keys revoke slr_live_Ab12Cd", description: "By the prefix shown in records and emails" }
  ])
)

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys of this installation."),
  Command.withShortDescription("Revoke API keys"),
  Command.withSubcommands([revokeCommand])
)
