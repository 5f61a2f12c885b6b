/**
 * Byte helpers of the verifier: SHA-256 and text forms, with WebCrypto alone, so it runs in
 * browsers too. Decoding is strict, so no two texts decode to the same bytes.
 */
export type Bytes = Uint8Array<ArrayBuffer>

/** A server may pass its own SHA-256, which is faster because it is synchronous. */
export type Sha256 = (bytes: Bytes) => Bytes | Promise<Bytes>

export const webSha256: Sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))

/** Rejects by throwing. A check that returns has passed. */
export const refuse = (reason: string): never => {
  throw new Error(reason)
}

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Throws on invalid UTF-8. A byte order mark is kept as a character. */
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

/** Decodes Base64 (RFC 4648, section 4), and rejects all but the canonical text of the bytes. */
export const fromBase64 = (text: string): Bytes => {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
  const bytes = Uint8Array.from(isBase64 ? atob(text) : "", (character) => character.charCodeAt(0))
  return isBase64 && toBase64(bytes) === text ? bytes : refuse("it is not Base64 as it is written")
}

/** A count or an index: decimal digits without leading zeroes, up to the largest safe integer. */
export const wholeNumber = (text: string): number =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : refuse("a number is not written in decimal digits without leading zeroes")
