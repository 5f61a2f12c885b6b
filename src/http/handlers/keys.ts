/** Key handlers: free sandbox keys, and their exchange for a production key. Each is shown once. */

import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import {
  ClaimKeyRequest,
  type ClaimKeyResponse,
  SandboxKeyRequest,
  type SandboxKeyResponse
} from "../../../schema/keys.ts"
import { AppConfig, type Settings } from "../../platform/config.ts"
import { type Claimed, Keys, type MintedKey, normalizedEmail, Subscriptions } from "../../services/accounts/index.ts"
import { Admission } from "../auth.ts"
import { bodyOf } from "../body.ts"
import { makeRefusals } from "../problems.ts"
import { upgradeUrl } from "../upgradeUrl.ts"

const TERMS =
  "By requesting or using a key you accept that answers are calculations from the inputs you send, not legal, tax or financial advice, and that those of projections and comparisons are recorded, without their inputs."

const issued = (key: MintedKey, settings: Settings) => ({
  apiKey: Redacted.value(key.apiKey),
  keyPrefix: key.keyPrefix,
  tier: key.tier,
  monthlyCallLimit: key.monthlyCallLimit,
  headerName: "X-Api-Key",
  mcpEndpoint: settings.mcpUrl
})

const sandboxKeyResponse = Effect.fnUntraced(function* (key: MintedKey, email: string, settings: Settings) {
  if (key.expiresAt === null) return yield* Effect.die(new Error("A sandbox key was minted without an end"))
  const firstStep = settings.given.includes("PAYMENT_LINK")
    ? "After paying through upgradeUrl"
    : "This service sells no keys. Once its operator has entered a subscription for you"
  const response: SandboxKeyResponse = {
    ...issued(key, settings),
    expiresAt: key.expiresAt.toISOString(),
    upgradeUrl: upgradeUrl(settings.paymentLink, normalizedEmail(email), key.keyId),
    platformUrl: settings.publicUrl,
    claimHow: `${firstStep}, send {"sandboxKey": "<this key>"} to POST ${settings.publicUrl}/v1/keys/claim, or wait for the email with the production key.`,
    terms: TERMS,
    notice:
      "Store the key now: it is shown once and cannot be recovered. Any earlier sandbox key of this address is revoked."
  }
  return response
})

const claimKeyResponse = ({ key, revokedKeyPrefix }: Claimed, settings: Settings): ClaimKeyResponse => ({
  ...issued(key, settings),
  revokedKeyPrefix,
  notice:
    revokedKeyPrefix === ""
      ? "Store the key now: it is shown once and cannot be recovered."
      : `Store the key now: it is shown once and cannot be recovered. The key ${revokedKeyPrefix}... is revoked.`
})

const mintOf = bodyOf(SandboxKeyRequest)
const claimOf = bodyOf(ClaimKeyRequest)

export const KeysLive = HttpApiBuilder.group(
  Api,
  "keys",
  Effect.fn(function* (handlers) {
    const keys = yield* Keys
    const admission = yield* Admission
    const subscriptions = yield* Subscriptions
    const settings = yield* AppConfig
    const refusals = yield* makeRefusals
    return handlers
      .handleRaw("mintSandboxKey", () =>
        Effect.gen(function* () {
          const { email } = yield* mintOf
          const key = yield* keys.mintSandbox(email)
          yield* admission.welcome(key)
          return yield* sandboxKeyResponse(key, email, settings)
        }).pipe(Effect.catchTags(refusals.unavailable))
      )
      .handleRaw("claimProductionKey", () =>
        Effect.gen(function* () {
          const { sandboxKey } = yield* claimOf
          const claimed = yield* subscriptions.claim(sandboxKey.trim())
          yield* admission.welcome(claimed.key)
          return claimKeyResponse(claimed, settings)
        }).pipe(Effect.catchTags(refusals.claim))
      )
  })
).pipe(Layer.provide(Admission.layer))
