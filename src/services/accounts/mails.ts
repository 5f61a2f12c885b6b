/**
 * The plain texts of the three mails that the service sends. Only the mail about the production key
 * contains a key.
 */
import { domainToASCII } from "node:url"

export interface MailText {
  readonly subject: string
  readonly text: string
}

const letter = (subject: string, lines: ReadonlyArray<string>): MailText => ({ subject, text: `${lines.join("\n")}\n` })

export const sandboxMinted = (keyPrefix: string, publicUrl: string): MailText =>
  letter("A sandbox key was issued for your address", [
    `A sandbox key beginning with ${keyPrefix} was issued for this address at ${publicUrl}.`,
    "It works for 30 days. The previous sandbox key of this address, if there was one, no longer works.",
    "",
    "If this was not you, somebody entered your address. The key gives access to nothing of yours, and a mailbox gets",
    "only a few such emails a day. If you used the previous key, you can request a new one at any time:",
    `POST ${publicUrl}/v1/keys/sandbox`,
    "A production key is not affected. Pay only through the upgradeUrl that came with your own key: it names that key, and",
    "nobody else can collect what you pay for."
  ])

export const productionKey = (apiKey: string, publicUrl: string): MailText =>
  letter("Your production key", [
    "Thank you for your payment. Your production key:",
    "",
    apiKey,
    "",
    "Send it in the X-Api-Key header. It is not stored and cannot be shown again, so keep it safe.",
    "As long as it is unused, it can be exchanged for a new one with your sandbox key:",
    `POST ${publicUrl}/v1/keys/claim`
  ])

export const productionClaimed = (keyPrefix: string, publicUrl: string): MailText =>
  letter("Your production key was collected", [
    `A production key beginning with ${keyPrefix} was collected with a sandbox key at ${publicUrl}/v1/keys/claim.`,
    "A production key sent or collected before it no longer works.",
    "",
    "If this was not you, reply to this email."
  ])

/**
 * Letters, digits, dots and hyphens only. The host of a URL may contain other characters, but a
 * domain may not.
 */
const INTERNATIONAL_DOMAIN = /@(?=[^@]*\P{ASCII})([\p{L}\p{M}\p{Nd}.-]+)$/u

/** Converts an international domain to its xn-- form; an invalid one makes an invalid address. */
export const withAsciiDomain = (address: string): string =>
  address.trim().replace(INTERNATIONAL_DOMAIN, (_, domain: string) => `@${domainToASCII(domain)}`)
