/**
 * The keyed hash of a request's inputs: equal for equal inputs however they were spelled, and useless for guessing
 * them, because incomes are few and the key is secret. It takes the decoded request: defaults filled, enums canonical.
 */
import { createHmac } from "node:crypto"
import serialize from "canonicalize"
import { Context, Effect, Layer, Redacted } from "effect"
import { AppConfig } from "../../config.ts"

/** RFC 8785: one text per value, whatever the order of its keys or the spelling of its numbers. */
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
