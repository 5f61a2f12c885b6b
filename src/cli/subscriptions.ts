/**
 * `repay subscriptions pay`: marks a subscription as paid, for operators who bill without Stripe. Sends no email
 * itself.
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { SandboxKeyRequest } from "../../schema/keys.ts"
import { decodeStrictly } from "../request/decode.ts"
import { helpText } from "./helpText.ts"
import { outputFlags, say, show } from "./output.ts"
import { refuseFields } from "./requestFile.ts"

const KEY_FOLLOWS =
  "The running service issues the production key when it can email it; its owner can also claim it with the sandbox key."

/** Addresses are validated as in a request for a sandbox key. */
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
      "Mark the subscription of an email address as paid, as a payment event of Stripe would. Repeating the command changes nothing.",
      "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
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
