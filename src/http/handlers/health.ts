/** Health handlers of this process. They query no database; readiness is on the metrics port. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import packageJson from "../../../package.json" with { type: "json" }
import type { Health } from "../../../schema/account.ts"
import { Api } from "../../../schema/api.ts"
import { AppConfig } from "../../platform/config.ts"
import { ruleVersion } from "../../services/answers/publishedRules.ts"

/** Encoded once; the same bytes as the endpoint's schema would write. */
export const makeHealth = Effect.map(AppConfig, ({ buildCommit }) => {
  const answer = { status: "ok", commit: buildCommit ?? "unknown", version: packageJson.version, ruleVersion } as const
  const health = Effect.succeed(HttpServerResponse.jsonUnsafe(answer satisfies Health))
  return { health, healthV1: health }
})

export const HealthLive = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function* (handlers) {
    const { health, healthV1 } = yield* makeHealth
    return handlers.handleAll({ health: () => health, healthV1: () => healthV1 })
  })
)
