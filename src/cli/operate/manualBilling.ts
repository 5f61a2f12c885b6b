/**
 * `repay subscriptions pay`: opens a subscription for operators who bill without Stripe, and sends
 * no email itself. The sandbox key of --key, or the printed claim key, can claim; the address alone
 * cannot.
 */
import { Effect, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { SandboxKeyRequest } from "../../../schema/keys.ts"
import type { Settings } from "../../platform/config.ts"
import { decodeStrictly } from "../../request/decode.ts"
import type { ClaimKey, PaymentOutcome } from "../../services/accounts/index.ts"
import { refuseFields } from "../calculate/requestFile.ts"
import { refused } from "../failures.ts"
import { argument, optionalFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, type Format, type Screen, say, show, showOnce } from "../output.ts"
import { definitionList } from "../views/table.ts"
import { administer, ambiguous, keyNamed } from "./administer.ts"

/** Addresses are validated as in a request for a sandbox key. */
export const checkedEmail = (email: string) =>
  decodeStrictly(SandboxKeyRequest)({ email }).pipe(
    Effect.map((request) => request.email.trim()),
    Effect.mapError(refuseFields)
  )

interface Paid {
  readonly email: string
  readonly paid: true
  readonly subscriptionId: string
}

type Lines = ReadonlyArray<readonly [name: string, value: string]>

const view =
  (lines: Lines) =>
  ({ style }: Screen): string =>
    definitionList(lines, style.bold).join("\n")

const anotherClaimKey = (id: string): string => `repay subscriptions end ${id}, then pay again`

/** Printed before the key, so that it is shown even if standard output is closed. */
const sayHowToClaim = (publicUrl: string, id: string) =>
  say(
    `The claim key is shown once, and can only claim the production key. Give it to the payer, who sends {"sandboxKey": "<claim key>"} to POST ${publicUrl}/v1/keys/claim. If it is lost: ${anotherClaimKey(id)}`
  )

const sayMailed = (email: string, { smtpUrl }: Settings) =>
  say(
    smtpUrl === null
      ? `The mail with the production key to ${email} waits: SMTP_URL is not set here.`
      : `The production key is mailed to ${email} too, as soon as the service runs.`
  )

/** Prints a claim key, which cannot be shown again. */
const showClaimKey = (format: Format, paid: Paid, lines: Lines, claimKey: ClaimKey) => {
  const secret = Redacted.value(claimKey)
  const lost = `The claim key is lost. For another: ${anotherClaimKey(paid.subscriptionId)}`
  return showOnce(format, { ...paid, claimKey: secret }, view([...lines, ["Claim key", secret]]), lost)
}

type NotPaid = Exclude<PaymentOutcome, { readonly _tag: "Paid" | "OpenAlready" }>

/** The reason why nothing was paid, with the remedy. */
const notPaid = (email: string, named: string | null, outcome: NotPaid) => {
  switch (outcome._tag) {
    case "HeldAlready": {
      const { subscriptionId, why } = outcome
      return refused(
        `${email} has a subscription already, which is held (${why}); nothing was paid. To end the hold: repay subscriptions allow ${subscriptionId}`
      )
    }
    case "KeyNotFound":
      return refused(`No sandbox key matches ${named}; nothing was paid.`)
    case "KeyAmbiguous":
      return ambiguous("Several keys share this prefix; nothing was paid.", outcome.keys)
    case "KeyBarred": {
      const { keyId, keyPrefix } = outcome.key
      return refused(
        `${keyPrefix} was revoked; nothing was paid. To let it claim again: repay subscriptions allow ${keyId}`
      )
    }
    case "KeyOfAnother":
      return refused(
        `${outcome.key.keyPrefix} was made for ${outcome.email}, not for ${email}; nothing was paid. Ask the payer for a key of this address, or leave --key out.`
      )
    case "KeyTaken":
      return refused(
        `${outcome.key.keyPrefix} belongs to the subscription ${outcome.subscriptionId} already; nothing was paid. Leave --key out to open another.`
      )
  }
}

const sayOpenAlready = (email: string, id: string) =>
  say(
    `${email} has an open subscription already; nothing was changed. If its claim key is lost: ${anotherClaimKey(id)}`
  )

export const payCommand = dataCommand(
  "pay",
  {
    email: argument("email", "Address of the payer, for the mails"),
    key: optionalFlag("key", "<prefix or id>", "The payer's sandbox key, which will claim the production key")
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
    const paid: Paid = { email, paid: true, subscriptionId: id }
    const lines: Lines = [
      ["Paid", email],
      ["Subscription", id]
    ]
    return claimKey === null
      ? yield* show(format, paid, view(lines))
      : yield* showClaimKey(format, paid, lines, claimKey)
  })
).pipe(
  withHelp(
    "Open a subscription that is paid outside Stripe. It belongs to the sandbox key of --key, which must have been made for the same address, or to a claim key that is printed once. While the address has a subscription that has not ended, by Stripe or by hand, nothing is changed.",
    "Works on the database of DATABASE_URL or DATA_DIR, also while the service runs."
  ),
  Command.withShortDescription("Open a subscription paid outside Stripe"),
  Command.withExamples([
    { command: "repay subscriptions pay ada@example.org", description: "Prints a claim key for the payer" },
    { command: "repay subscriptions pay ada@example.org --key slr_sbx_Ab12Cd", description: "For the payer's own key" }
  ])
)
