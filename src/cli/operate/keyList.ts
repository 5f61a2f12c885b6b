/** `repay keys list`: lists API keys with their state and last use. It shows no key. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { helpText } from "../helpText.ts"
import { dataCommand } from "../output.ts"
import { KEYS } from "../views/lists.ts"
import { checkedEmail } from "./manualBilling.ts"
import { allFlag, sayIfFull, showPages } from "./pagination.ts"
import { READS, withReader } from "./reader.ts"

const TIERS = [
  ["sandbox", "Sandbox"],
  ["production", "Production"]
] as const

export const keyListCommand = dataCommand(
  "list",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Only keys made for this address"), Flag.optional),
    environment: Flag.ChoiceWithValue("environment", TIERS).pipe(
      Flag.withDescription("Only keys of this kind"),
      Flag.optional
    ),
    all: allFlag
  },
  Effect.fn("repay.keys.list")(function* (input, format) {
    const email = Option.isNone(input.email) ? null : yield* checkedEmail(input.email.value)
    const { listKeys } = yield* Effect.promise(() => import("../../services/accounts/keyList.ts"))
    const { MAX_LISTED } = yield* Effect.promise(() => import("../../services/pagination.ts"))
    const wanted = { email, tier: Option.getOrNull(input.environment), most: input.all ? null : MAX_LISTED }
    yield* withReader(({ now, sql }) =>
      showPages(format, {
        name: "keys",
        before: {},
        columns: KEYS,
        none: "No keys found.",
        pages: (take) =>
          Effect.tap(listKeys(sql, wanted, now, take), (count) => sayIfFull(count, wanted.most, "newest"))
      })
    )
  })
).pipe(
  Command.withDescription(
    helpText(
      "List the API keys, newest first: prefix, kind, whether each is live, expired or revoked and why, when it was made, and the month in which it was last charged for a call. A production key has the address of its subscription. The JSON has every member; no output has a key.",
      READS
    )
  ),
  Command.withShortDescription("List API keys"),
  Command.withExamples([
    { command: "repay keys list --email ada@example.org", description: "Of one address" },
    { command: "repay keys list --environment production --all --json", description: "All that were ever paid for" }
  ])
)
