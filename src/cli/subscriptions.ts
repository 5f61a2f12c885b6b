/** `repay subscriptions pay`: marks a subscription as paid for those who bill without Stripe. It sends no mail itself. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { SandboxKeyRequest } from "../../schema/keys.ts"
import { decodeStrictly } from "../request/decode.ts"
import { helpText } from "./helpText.ts"
import { outputFlags, say, show } from "./output.ts"
import { refuseFields } from "./requestFile.ts"

const KEY_FOLLOWS =
  "The running service makes the production key when it can mail it; the address can also claim it with its sandbox key."

/** The same rule for an address as where a sandbox key is asked for. */
const checkedEmail = (email: string) =>
  decodeStrictly(SandboxKeyRequest)({ email }).pipe(
    Effect.map((request) => request.email.trim()),
    Effect.mapError(refuseFields)
  )

const payCommand = Command.make(
  "pay",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the subscription")),
    ...outputFlags
  },
  Effect.fn("repay.subscriptions.pay")(function* (input) {
    const email = yield* checkedEmail(input.email)
    const { Subscriptions } = yield* Effect.promise(() => import("../services/payments/Subscriptions.ts"))
    const { commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
    yield* Subscriptions.use((subscriptions) => subscriptions.payByEmail(email)).pipe(
      Effect.provide(Subscriptions.layer),
      Effect.provide(Installation),
      Effect.mapError(commandFailure)
    )
    yield* say(KEY_FOLLOWS)
    return yield* show(input, { email, paid: true }, () => `Paid: ${email}`)
  })
).pipe(
  Command.withDescription(
    helpText(
      "Mark the subscription of an email address as paid, as a payment event of Stripe would. Saying it twice changes nothing.",
      "Acts on the database of DATABASE_URL or DATA_DIR, also while the service runs."
    )
  ),
  Command.withShortDescription("Mark a subscription as paid"),
  Command.withExamples([{ command: "repay subscriptions pay ada@example.org", description: "Paid outside Stripe" }])
)

export const subscriptionsCommand = Command.make("subscriptions").pipe(
  Command.withDescription("Subscriptions of this installation."),
  Command.withShortDescription("Mark subscriptions as paid"),
  Command.withSubcommands([payCommand])
)
