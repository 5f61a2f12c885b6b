/**
 * `repay subscriptions pay` and `claim-key`: for operators who bill without Stripe. Neither sends an email itself, and
 * neither lets an address claim: the key does that they name or print.
 */
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SandboxKeyRequest } from "../../schema/keys.ts"
import { decodeStrictly } from "../request/decode.ts"
import { administer, ambiguous, keyNamed, noSubscription, subscriptionNamed } from "./administer.ts"
import { refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, type Screen, say, show, showOnce } from "./output.ts"
import { refuseFields } from "./requestFile.ts"
import { definitionList } from "./views/table.ts"

const ONCE =
  "The claim key is shown once. Hand it to the payer: POST /v1/keys/claim exchanges it for the production key, and it serves for nothing else."
const KEY_FOLLOWS = "The running service also mails the production key when it can."

/** Addresses are validated as in a request for a sandbox key. */
export const checkedEmail = (email: string) =>
  decodeStrictly(SandboxKeyRequest)({ email }).pipe(
    Effect.map((request) => request.email.trim()),
    Effect.mapError(refuseFields)
  )

const view =
  (pairs: ReadonlyArray<readonly [string, string]>) =>
  ({ style }: Screen): string =>
    definitionList(pairs, style.bold).join("\n")

const another = (id: string) => `The claim key is lost. For another: repay subscriptions claim-key ${id}`

const openAlready = (email: string, id: string) =>
  say(
    `${email} has an open subscription already; nothing was changed. For a new claim key: repay subscriptions claim-key ${id}`
  )

export const payCommand = dataCommand(
  "pay",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the payer, for the mails")),
    key: Flag.String("key").pipe(
      Flag.withMetavar("<prefix or id>"),
      Flag.withDescription("The payer's sandbox key, which is to collect"),
      Flag.optional
    )
  },
  Effect.fn("repay.subscriptions.pay")(function* (input, format) {
    const email = yield* checkedEmail(input.email)
    const key = Option.isNone(input.key) ? null : yield* keyNamed("key", input.key.value)
    const outcome = yield* administer((administration) => administration.pay({ email, key }))
    if (outcome._tag === "KeyNotFound") return yield* refused(`No sandbox key matches ${key}; nothing was paid.`)
    if (outcome._tag === "KeyAmbiguous")
      return yield* ambiguous("Several keys share this prefix; nothing was paid.", outcome.keys)
    if (outcome._tag === "KeyBarred") {
      const { keyId, keyPrefix } = outcome.key
      return yield* refused(
        `${keyPrefix} was revoked; nothing was paid. To lift that: repay subscriptions allow ${keyId}`
      )
    }
    const { subscriptionId } = outcome
    const claimKey = outcome._tag === "Paid" ? outcome.claimKey : null
    if (outcome._tag === "OpenAlready") yield* openAlready(email, subscriptionId)
    else yield* say(claimKey === null ? KEY_FOLLOWS : `${ONCE} ${KEY_FOLLOWS}`)
    const lines = [["Paid", email] as const, ["Subscription", subscriptionId] as const]
    const data = { email, paid: true, subscriptionId }
    if (claimKey === null) return yield* show(format, data, view(lines))
    const secret = Redacted.value(claimKey)
    const withKey = view([...lines, ["Claim key", secret]])
    return yield* showOnce(format, { ...data, claimKey: secret }, withKey, another(subscriptionId))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Open a subscription that is paid outside Stripe. It belongs to the sandbox key of --key, or to a claim key that is printed once. While the address has one that has not ended, repeating the command changes nothing.",
      "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
    )
  ),
  Command.withShortDescription("Open a subscription paid outside Stripe"),
  Command.withExamples([
    { command: "repay subscriptions pay ada@example.org", description: "Prints a claim key for the payer" },
    { command: "repay subscriptions pay ada@example.org --key slr_sbx_Ab12Cd", description: "For the payer's own key" }
  ])
)

export const claimKeyCommand = dataCommand(
  "claim-key",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the subscription")) },
  Effect.fn("repay.subscriptions.claim-key")(function* (input, format) {
    const id = yield* subscriptionNamed(input.id)
    const outcome = yield* administer((administration) => administration.renewClaimKey(id))
    if (outcome._tag === "NotFound") return yield* noSubscription(id)
    if (outcome._tag === "InUse") {
      return yield* refused(
        `Its production key ${outcome.keyPrefix} is in use. If it is in the wrong hands: repay keys revoke ${outcome.keyPrefix}, then this again, then repay subscriptions allow ${id}`
      )
    }
    yield* say(ONCE)
    const claimKey = Redacted.value(outcome.claimKey)
    const lines = [["Subscription", id] as const, ["Claim key", claimKey] as const]
    return yield* showOnce(format, { subscriptionId: id, claimKey }, view(lines), another(id))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Print a new claim key for a subscription, in place of the sandbox key that it belonged to, which then collects nothing. Refused while its production key is in use.",
      "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
    )
  ),
  Command.withShortDescription("Replace a lost claim key"),
  Command.withExamples([
    {
      command: "repay subscriptions claim-key 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11",
      description: "The id is in repay subscriptions list"
    }
  ])
)
