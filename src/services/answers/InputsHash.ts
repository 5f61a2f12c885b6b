/**
 * The keyed hash (HMAC) of a request's inputs: equal for equal inputs, however they are spelled.
 * Without a key, incomes and balances could be guessed from it. It covers the RFC 8785 text of the
 * decoded request: defaults filled in, enums canonical.
 */
import { createHmac } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { AppConfig } from "../../platform/config.ts"

export class InputsHash extends Context.Service<
  InputsHash,
  {
    /** @param pepper the key; the present pepper by default */
    readonly of: (eventType: string, canonicalRequest: string, pepper?: Redacted.Redacted<string>) => string
  }
>()("repayment-of-record/InputsHash") {
  static readonly layer: Layer.Layer<InputsHash, never, AppConfig> = Layer.effect(
    InputsHash,
    Effect.map(AppConfig, ({ pepper: present }) =>
      InputsHash.of({
        of: (eventType, canonicalRequest, pepper = present) =>
          `h1-${createHmac("sha256", Redacted.value(pepper)).update(eventType).update(canonicalRequest).digest("hex")}`
      })
    )
  )
}
