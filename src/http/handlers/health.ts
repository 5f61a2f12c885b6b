/** Health of this process. Makes no database query: readiness is served on the metrics port. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import packageJson from "../../../package.json" with { type: "json" }
import { Api } from "../../../schema/api.ts"
import { AppConfig } from "../../config.ts"
import { ruleVersion } from "../../services/answers/publishedRules.ts"

export const HealthLive = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function* (handlers) {
    const { buildCommit } = yield* AppConfig
    const health = Effect.succeed({
      status: "ok" as const,
      commit: buildCommit ?? "unknown",
      version: packageJson.version,
      ruleVersion
    })
    return handlers.handleAll({ health: () => health, healthV1: () => health })
  })
)
