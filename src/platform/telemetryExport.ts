/** The export of logs, traces and metrics to a collector, over OTLP. */
import { randomUUID } from "node:crypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Exit, Layer } from "effect"
import { HttpClient } from "effect/http"
import { Otlp } from "effect/observability"

const SERVICE_NAME = "repayment-of-record"
const CLIENT_ERROR = 400

/**
 * Logs once when exports begin to fail, and once when all succeed again, because exports are
 * retried forever. The collector may accept some of the URLs and refuse others.
 */
const reportingOnce = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  const refused = new Set<string>()
  const report = (url: string, reason: string | null): Effect.Effect<void> => {
    const before = refused.size
    if (reason === null) refused.delete(url)
    else refused.add(url)
    if (before === 0 && refused.size > 0)
      return Effect.annotateLogs(Effect.logWarning("OTLP export failed; retrying"), {
        reason
      })
    return before > 0 && refused.size === 0 ? Effect.logInfo("OTLP export recovered") : Effect.void
  }
  return HttpClient.transform(client, (response, { url }) =>
    Effect.onExit(response, (exit) => {
      if (Exit.isSuccess(exit))
        return report(url, exit.value.status < CLIENT_ERROR ? null : `status ${exit.value.status}`)
      return Exit.hasInterrupts(exit) ? Effect.void : report(url, "it cannot be reached")
    })
  )
}

/**
 * The instance id keeps the counters of several processes apart. A collector would otherwise read
 * them as one counter that jumps.
 */
export const exportTo = (baseUrl: string) =>
  Otlp.layerJson({
    baseUrl,
    resource: { serviceName: SERVICE_NAME, attributes: { "service.instance.id": randomUUID() } }
  }).pipe(
    Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, reportingOnce))),
    Layer.provide(NodeHttpClient.layerUndici)
  )
