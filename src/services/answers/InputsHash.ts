/**
 * The keyed hash (HMAC) of a request's inputs: equal for equal inputs, however they are spelled.
 * Without a key, incomes and balances could be guessed from it. It covers the decoded request:
 * defaults filled in, enums canonical.
 */
import { createHmac } from "node:crypto"
import serialize from "canonicalize"
import { Context, Effect, Layer, Redacted } from "effect"
import { AppConfig } from "../../platform/config.ts"

/** RFC 8785: the same text for the same value, in any order of keys and any spelling of numbers. */
export const canonicalJson = (value: unknown): string => serialize(value) ?? "null"

export class InputsHash extends Context.Service<
  InputsHash,
  { readonly of: (eventType: string, decodedRequest: unknown) => string }
>()("repayment-of-record/InputsHash") {
  static readonly layer: Layer.Layer<InputsHash, never, AppConfig> = Layer.effect(
    InputsHash,
    Effect.map(AppConfig, ({ pepper }) =>
      InputsHash.of({
        of: (eventType, decodedRequest) =>
          `h1-${createHmac("sha256", Redacted.value(pepper)).update(eventType).update(canonicalJson(decodedRequest)).digest("hex")}`
      })
    )
  )
}
