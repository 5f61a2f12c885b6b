/**
 * `repay subscriptions pay` and `claim-key`: for operators who bill without Stripe. Neither sends an email itself, and
 * neither lets an address claim: the key does that they name or print.
 */
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SandboxKeyRequest } from "../../schema/keys.ts"
import type { Settings } from "../config.ts"
import { decodeStrictly } from "../request/decode.ts"
import type { ClaimKey, ClaimKeyOutcome, PaymentOutcome } from "../services/payments/byHand.ts"
import type { HoldReason } from "../services/payments/holds.ts"
import { administer, ambiguous, keyNamed, noSubscription, subscriptionNamed } from "./administer.ts"
import { refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, type Format, type Screen, say, show, showOnce } from "./output.ts"
import { refuseFields } from "./requestFile.ts"
import { definitionList } from "./views/table.ts"
import { harmless } from "./views/text.ts"

/** Addresses are validated as in a request for a sandbox key. */
export const checkedEmail = (email: string) =>
  decodeStrictly(SandboxKeyRequest)({ email }).pipe(
    Effect.map((request) => request.email.trim()),
    Effect.mapError(refuseFields)
  )

type Lines = ReadonlyArray<readonly [name: string, value: string]>

const view =
  (lines: Lines) =>
  ({ style }: Screen): string =>
    definitionList(lines, style.bold).join("\n")

/** Said before the key is printed: standard output may be closed, which nobody is told. */
const sayHowToClaim = (publicUrl: string, id: string) =>
  say(
    `The claim key is shown once and serves for nothing else. Hand it to the payer, who sends {"sandboxKey": "<claim key>"} to POST ${publicUrl}/v1/keys/claim and gets the production key. If it is lost: repay subscriptions claim-key ${id}`
  )

const sayMailed = (email: string, { smtpUrl }: Settings) =>
  say(
    smtpUrl === null
      ? `The mail with the production key to ${email} waits: SMTP_URL is not set here.`
      : `The production key is mailed to ${email} too, as soon as the service runs.`
  )

/** Prints a claim key, the one time. */
const showClaimKey = (format: Format, id: string, claimKey: ClaimKey, paid: { readonly email?: string }) => {
  const secret = Redacted.value(claimKey)
  const data = { ...paid, ...(paid.email === undefined ? {} : { paid: true }), subscriptionId: id, claimKey: secret }
  const first: Lines = paid.email === undefined ? [] : [["Paid", paid.email]]
  const lines: Lines = [...first, ["Subscription", id], ["Claim key", secret]]
  return showOnce(format, data, view(lines), `The claim key is lost. For another: repay subscriptions claim-key ${id}`)
}

type NotPaid = Exclude<PaymentOutcome, { readonly _tag: "Paid" | "OpenAlready" }>

/** Why nothing was paid, and what to do about it. */
const notPaid = (email: string, named: string | null, outcome: NotPaid) => {
  switch (outcome._tag) {
    case "HeldAlready": {
      const { holds, subscriptionId } = outcome
      return refused(
        `${email} has a subscription already, which is held (${holds.join(", ")}); nothing was paid. To lift that: repay subscriptions allow ${subscriptionId}`
      )
    }
    case "KeyNotFound":
      return refused(`No sandbox key matches ${named}; nothing was paid.`)
    case "KeyAmbiguous":
      return ambiguous("Several keys share this prefix; nothing was paid.", outcome.keys)
    case "KeyBarred": {
      const { keyId, keyPrefix } = outcome.key
      return refused(`${keyPrefix} was revoked; nothing was paid. To lift that: repay subscriptions allow ${keyId}`)
    }
    case "KeyOfAnother":
      return refused(
        `${outcome.key.keyPrefix} was made for ${harmless(outcome.email)}, not for ${email}; nothing was paid. Ask the payer for a key of this address, or leave --key out.`
      )
    case "KeyTaken":
      return refused(
        `${outcome.key.keyPrefix} belongs to the subscription ${outcome.subscriptionId} already; nothing was paid. Leave --key out to open another.`
      )
  }
}

const sayOpenAlready = (email: string, id: string) =>
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
    const { outcome, settings } = yield* administer(({ pay }, settings) =>
      Effect.map(pay({ email, key }), (outcome) => ({ outcome, settings }))
    )
    if (outcome._tag !== "Paid" && outcome._tag !== "OpenAlready") return yield* notPaid(email, key, outcome)
    const { subscriptionId: id } = outcome
    const claimKey = outcome._tag === "Paid" ? outcome.claimKey : null
    if (claimKey !== null) yield* sayHowToClaim(settings.publicUrl, id)
    yield* outcome._tag === "Paid" ? sayMailed(email, settings) : sayOpenAlready(email, id)
    if (claimKey !== null) return yield* showClaimKey(format, id, claimKey, { email })
    const lines: Lines = [
      ["Paid", email],
      ["Subscription", id]
    ]
    return yield* show(format, { email, paid: true, subscriptionId: id }, view(lines))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Open a subscription that is paid outside Stripe. It belongs to the sandbox key of --key, which must have been made for the same address, or to a claim key that is printed once. While the address has a subscription that has not ended, by Stripe or by hand, nothing is changed.",
      "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
    )
  ),
  Command.withShortDescription("Open a subscription paid outside Stripe"),
  Command.withExamples([
    { command: "repay subscriptions pay ada@example.org", description: "Prints a claim key for the payer" },
    { command: "repay subscriptions pay ada@example.org --key slr_sbx_Ab12Cd", description: "For the payer's own key" }
  ])
)

const sayHeld = (id: string, holds: ReadonlyArray<HoldReason>) =>
  say(
    `The subscription is held (${holds.join(", ")}): a claim is answered with 409 until it is allowed. To allow it: repay subscriptions allow ${id}`
  )

/** Why there is no new claim key, and what to do about it. */
const notMade = (id: string, outcome: Exclude<ClaimKeyOutcome, { readonly _tag: "Made" }>) => {
  if (outcome._tag === "NotFound") return noSubscription(id)
  if (outcome._tag === "InUse") {
    return refused(
      `Its production key ${outcome.keyPrefix} is in use. If it is in the wrong hands: repay keys revoke ${outcome.keyPrefix}, then this again, then repay subscriptions allow ${id}`
    )
  }
  return outcome.why === "ended"
    ? refused(`The subscription was ended. To open it again: repay subscriptions allow ${id}, then this again`)
    : refused("The paid time of the subscription is over. To open another: repay subscriptions pay <email>")
}

export const claimKeyCommand = dataCommand(
  "claim-key",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the subscription")) },
  Effect.fn("repay.subscriptions.claim-key")(function* (input, format) {
    const id = yield* subscriptionNamed(input.id)
    const { outcome, publicUrl } = yield* administer(({ renewClaimKey }, { publicUrl }) =>
      Effect.map(renewClaimKey(id), (outcome) => ({ outcome, publicUrl }))
    )
    if (outcome._tag !== "Made") return yield* notMade(id, outcome)
    yield* sayHowToClaim(publicUrl, id)
    if (outcome.holds.length > 0) yield* sayHeld(id, outcome.holds)
    return yield* showClaimKey(format, id, outcome.claimKey, {})
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
