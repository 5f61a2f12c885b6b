/**
 * The format of an API key: type prefix, 32 random characters, 6 characters of CRC-32 checksum. The
 * checksum detects a mistyped or truncated key without a lookup; it proves nothing. Only a keyed
 * hash of a key is stored.
 */
import { createHmac, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import { Redacted } from "effect"
import type { Settings } from "../../platform/config.ts"

export type KeyTier = "Sandbox" | "Production"

const TYPE_PREFIX: Readonly<Record<KeyTier, string>> = { Sandbox: "slr_sbx_", Production: "slr_live_" }
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const SHOWN_CHARACTERS = 6
const KEY_FORM = new RegExp(
  `^(slr_sbx_|slr_live_)([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`
)

/** The checksum of the characters before the checksum. It needs no secret. */
export const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let checksum = ""
  for (let index = 0; index < CHECKSUM_CHARACTERS; index++) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum
    rest = Math.floor(rest / ALPHABET.length)
  }
  return checksum
}

/** A new key from the system's cryptographically secure random generator. */
export const newSecret = (tier: KeyTier): string => {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("")
  const unsummed = TYPE_PREFIX[tier] + random
  return unsummed + checksumOf(unsummed)
}

/** The tier that a well-formed key claims; undefined for anything that cannot be a key. */
export const tierOf = (secret: string): KeyTier | undefined => {
  const [, type, random, checksum] = KEY_FORM.exec(secret) ?? []
  if (type === undefined || random === undefined || checksumOf(type + random) !== checksum) return undefined
  return type === TYPE_PREFIX.Sandbox ? "Sandbox" : "Production"
}

/** Identifies a key without exposing it. */
export const prefixOf = (secret: string): string => {
  const type = secret.startsWith(TYPE_PREFIX.Sandbox) ? TYPE_PREFIX.Sandbox : TYPE_PREFIX.Production
  return secret.slice(0, type.length + SHOWN_CHARACTERS)
}

/** HMAC-SHA-256 keyed with the pepper, without which a stolen table does not confirm guesses. */
export const hashOf = (pepper: string, secret: string): Uint8Array =>
  new Uint8Array(createHmac("sha256", pepper).update(secret).digest())

/** A key's possible hashes: with the pepper and, if one is set, with the previous pepper. */
export const hashesOf = (
  { pepper, previousPepper }: Pick<Settings, "pepper" | "previousPepper">,
  secret: string
): ReadonlyArray<Uint8Array> => {
  const hash = hashOf(Redacted.value(pepper), secret)
  return previousPepper === null ? [hash] : [hash, hashOf(Redacted.value(previousPepper), secret)]
}
