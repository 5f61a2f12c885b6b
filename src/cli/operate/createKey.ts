/** `repay keys create`: makes an API key for operators who bill without Stripe, and prints it once. */
import { Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import type { MintedKey } from "../../services/accounts/index.ts"
import { refused } from "../failures.ts"
import { textFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, say, showOnce } from "../output.ts"
import { definitionList } from "../views/table.ts"
import { administer } from "./administer.ts"
import { checkedEmail } from "./manualBilling.ts"
import { onInstallation } from "./reader.ts"

interface Created {
  readonly key: MintedKey
  /** null for a sandbox key, which has none. */
  readonly subscriptionId: string | null
}

const endFirst = (subscriptionId: string): string => `repay subscriptions end ${subscriptionId}, then create again`

const createSandbox = Effect.fnUntraced(function* (email: string) {
  const { Keys } = yield* Effect.promise(() => import("../../services/accounts/index.ts"))
  const key = yield* onInstallation(Keys.use(({ mintSandbox }) => mintSandbox(email)).pipe(Effect.provide(Keys.layer)))
  return { key, subscriptionId: null } satisfies Created
})

const createProduction = Effect.fnUntraced(function* (email: string) {
  const outcome = yield* administer(({ createKey }) => createKey(email))
  if (outcome._tag === "Created") return outcome satisfies Created
  return yield* refused(
    `${email} has a subscription already, so no key was made. For another key: ${endFirst(outcome.subscriptionId)}`
  )
})

export const createKeyCommand = dataCommand(
  "create",
  {
    email: textFlag("email", "<address>", "Address of the key's owner, for the mails"),
    tier: Flag.ChoiceWithValue("tier", [
      ["production", "Production"],
      ["sandbox", "Sandbox"]
    ]).pipe(Flag.withDescription("Kind of key"))
  },
  Effect.fn("repay.keys.create")(function* (input, format) {
    const email = yield* checkedEmail(input.email)
    const { key, subscriptionId } = yield* input.tier === "Sandbox" ? createSandbox(email) : createProduction(email)
    const { expiresAt, keyPrefix, monthlyCallLimit, tier } = key
    const apiKey = Redacted.value(key.apiKey)
    yield* say("The key is shown once.")
    const lines: ReadonlyArray<readonly [string, string]> = [
      ["Key", apiKey],
      ["Address", email],
      ["Tier", tier],
      ...(expiresAt === null ? [] : [["Expires", expiresAt.toISOString()] as const]),
      ...(subscriptionId === null ? [] : [["Subscription", subscriptionId] as const])
    ]
    return yield* showOnce(
      format,
      {
        email,
        apiKey,
        keyPrefix,
        tier,
        monthlyCallLimit,
        expiresAt,
        ...(subscriptionId === null ? {} : { subscriptionId })
      },
      ({ style }) => definitionList(lines, style.bold).join("\n"),
      `The key is lost. For another: ${subscriptionId === null ? "create again" : endFirst(subscriptionId)}`
    )
  })
).pipe(
  withHelp(
    "Make an API key and print it, once. A production key gets a subscription of its own, as if it were paid with `repay subscriptions pay` and claimed: it works until `repay subscriptions end`. An address with a subscription that has not ended gets no other. A sandbox key lasts 30 days, and replaces the one of its address. The address is mailed about the key, and never the key itself.",
    "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
  ),
  Command.withShortDescription("Make an API key"),
  Command.withExamples([
    {
      command: "repay keys create --email ada@example.org --tier production",
      description: "For a payer who is billed otherwise, or for your own programs"
    }
  ])
)
