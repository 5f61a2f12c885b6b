/**
 * The form of an API key: type part, 32 random characters, 6 characters of their CRC-32. The check tells a mistyped or
 * cut key from a real one before anything is looked up; it proves nothing. What is stored of a key is its keyed hash.
 */
import { createHmac, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"

export type Tier = "Sandbox" | "Production"

const TYPE_PART: Readonly<Record<Tier, string>> = { Sandbox: "slr_sbx_", Production: "slr_live_" }
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_CHARACTERS = 32
const CHECK_CHARACTERS = 6
const SHOWN_CHARACTERS = 6
const KEY_FORM = new RegExp(
  `^(slr_sbx_|slr_live_)([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`
)

const checkOf = (text: string): string => {
  let rest = crc32(text)
  let check = ""
  for (let index = 0; index < CHECK_CHARACTERS; index++) {
    check = ALPHABET.charAt(rest % ALPHABET.length) + check
    rest = Math.floor(rest / ALPHABET.length)
  }
  return check
}

/** A new key from the system's cryptographic randomness. */
export const newSecret = (tier: Tier): string => {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("")
  const unchecked = TYPE_PART[tier] + random
  return unchecked + checkOf(unchecked)
}

/** The tier that a well-formed key claims to be of; undefined for anything that no key can be. */
export const tierOf = (secret: string): Tier | undefined => {
  const [, type, random, check] = KEY_FORM.exec(secret) ?? []
  if (type === undefined || random === undefined || checkOf(type + random) !== check) return undefined
  return type === TYPE_PART.Sandbox ? "Sandbox" : "Production"
}

/** Identifies a key without exposing it. */
export const prefixOf = (secret: string): string => {
  const type = secret.startsWith(TYPE_PART.Sandbox) ? TYPE_PART.Sandbox : TYPE_PART.Production
  return secret.slice(0, type.length + SHOWN_CHARACTERS)
}

/** HMAC-SHA-256 under the pepper: without the pepper, a stolen table of hashes tests no guess. */
export const hashOf = (pepper: string, secret: string): Uint8Array =>
  new Uint8Array(createHmac("sha256", pepper).update(secret).digest())
