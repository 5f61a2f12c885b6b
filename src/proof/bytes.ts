/**
 * Bytes, their text forms and their SHA-256, for a verifier that runs in a browser as on a server: WebCrypto and nothing
 * else. A text form is read strictly, so that two texts never stand for the same bytes.
 */
export type Bytes = Uint8Array<ArrayBuffer>

/** A server may hand in its own, which does not have to wait: the same bytes, sooner. */
export type Sha256 = (bytes: Bytes) => Bytes | Promise<Bytes>

export const webSha256: Sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))

/** Whoever checks something believes it, unless this or anything else is thrown. */
export const refuse = (reason: string): never => {
  throw new Error(reason)
}

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Throws at what is not UTF-8. A byte order mark is a character like others. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

export const concat = (...parts: ReadonlyArray<ArrayLike<number>>): Bytes => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
export const toHex = (bytes: Uint8Array): string => bytes.reduce((hex, byte) => hex + HEX[byte]!, "")

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

/** The bytes of the one Base64 text that stands for them (RFC 4648, section 4). */
export const fromBase64 = (text: string): Bytes => {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
  const bytes = Uint8Array.from(isBase64 ? atob(text) : "", (character) => character.charCodeAt(0))
  return isBase64 && toBase64(bytes) === text ? bytes : refuse("it is not Base64 as it is written")
}

/** A count or an index: decimal digits without leading zeroes, and no more than are exact. */
export const wholeNumber = (text: string): number =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : refuse("a number is not written in decimal digits without leading zeroes")
