/** Sandbox keys, and their exchange for a production key: requests and responses. */
import { Schema } from "effect"
import { checkedText, instant, required, text } from "./primitives.ts"

const MAX_EMAIL_CHARACTERS = 254
/** Narrower than RFC 5322: one @, no space, control or invisible character, and a dotted domain. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/u
const EMAIL_MESSAGE = "must be an email address, such as ada@example.org"

/** Whether a text is exactly one email address. */
export const isEmail = (address: string): boolean =>
  address.trim().length <= MAX_EMAIL_CHARACTERS && EMAIL.test(address.trim())

const INTERNATIONAL_DOMAIN = /@[^@]*\P{ASCII}/u
const DOMAIN_MESSAGE = "has an international domain: send that in its xn-- form"
const FOLDED_MESSAGE =
  "contains a character that is a variant of another one: send every letter outside A to Z in lower case and in its plain form"

/**
 * The messages for an address that is not acceptable. A character that NFKC or lower-casing would
 * turn into another is refused too, such as the Kelvin sign (it would become k) or É; only A to Z
 * may be upper case.
 */
const emailProblems = (address: string): ReadonlyArray<string> => {
  if (!isEmail(address)) return [INTERNATIONAL_DOMAIN.test(address) ? DOMAIN_MESSAGE : EMAIL_MESSAGE]
  const trimmed = address.trim()
  const lower = trimmed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return trimmed.normalize("NFKC").toLowerCase() === lower ? [] : [FOLDED_MESSAGE]
}

export const SandboxKeyRequest = Schema.Struct({
  email: required(
    checkedText(EMAIL_MESSAGE, emailProblems, {
      description: "The address for notices about the key.",
      format: "email",
      toJsonSchema: () => ({ minLength: 1, maxLength: MAX_EMAIL_CHARACTERS })
    }),
    "an email address"
  )
}).annotate({
  identifier: "SandboxKeyRequest",
  description: "A request for a sandbox key.",
  message: "must be a JSON object with email"
})
export type SandboxKeyRequest = typeof SandboxKeyRequest.Type

export const ClaimKeyRequest = Schema.Struct({
  sandboxKey: required(
    checkedText(
      "must be the sandbox key as text",
      (key) => (key === "" ? ["must be the sandbox key, which begins with slr_sbx_"] : []),
      { description: "The sandbox key itself.", toJsonSchema: () => ({ minLength: 1 }) }
    ),
    "the sandbox key"
  )
}).annotate({
  identifier: "ClaimKeyRequest",
  description: "The sandbox key, as proof that the subscription is the caller's.",
  message: "must be a JSON object with sandboxKey"
})
export type ClaimKeyRequest = typeof ClaimKeyRequest.Type

const issued = {
  apiKey: text("The key. Shown once; it cannot be recovered."),
  keyPrefix: text("Identifies the key without exposing it."),
  tier: Schema.Literals(["Sandbox", "Production"]).annotate({ description: "Kind of the key." }),
  monthlyCallLimit: Schema.Int.annotate({ format: "int64", description: "Calls per calendar month, UTC." }),
  headerName: text("Header that carries the key."),
  mcpEndpoint: text("The tool server.")
}

export const SandboxKeyResponse = Schema.Struct({
  ...issued,
  expiresAt: instant("When the key stops working."),
  upgradeUrl: text("Payment link with the address filled in."),
  platformUrl: text("Start page of the service."),
  claimHow: text("How to collect a production key once the subscription is paid."),
  terms: text("Terms of use."),
  notice: text("What to do with the key now.")
}).annotate({ identifier: "SandboxKeyResponse", description: "A new sandbox key, shown once." })
export type SandboxKeyResponse = typeof SandboxKeyResponse.Type

export const ClaimKeyResponse = Schema.Struct({
  ...issued,
  revokedKeyPrefix: text("Prefix of the production key that this claim revoked; empty if there was none."),
  notice: text("What to do with the key now.")
}).annotate({ identifier: "ClaimKeyResponse", description: "The production key, shown once." })
export type ClaimKeyResponse = typeof ClaimKeyResponse.Type
