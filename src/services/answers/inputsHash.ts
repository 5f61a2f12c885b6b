/**
 * The keyed hash (HMAC) of a request's inputs: equal for equal inputs, however they are spelled.
 * Without a key, incomes and balances could be guessed from it. It covers the RFC 8785 text of the
 * decoded request: defaults filled in, enums canonical.
 */
import { createHmac } from "node:crypto"
import { Redacted } from "effect"

export const inputsHashOf = (pepper: Redacted.Redacted<string>, eventType: string, canonicalRequest: string): string =>
  `h1-${createHmac("sha256", Redacted.value(pepper)).update(eventType).update(canonicalRequest).digest("hex")}`
