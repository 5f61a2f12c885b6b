/**
 * The operators' listener on a separate port: Prometheus metrics, and the readiness of this process for keyed calls.
 * Never on the public port; on the same network interface as the service.
 */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { AppConfig } from "../config.ts"

const OK = 200
const UNAVAILABLE = 503

/** The readiness probe of a load balancer: 200 while keyed calls can be served, else 503 with the reason. */
const ready = <R>(obstacle: Effect.Effect<string | null, never, R>) =>
  Layer.unwrap(
    Effect.map(Effect.context<R>(), (services) =>
      HttpRouter.add(
        "GET",
        "/ready",
        Effect.map(Effect.provideContext(obstacle, services), (reason) =>
          HttpServerResponse.jsonUnsafe({ status: reason ?? "ready" }, { status: reason === null ? OK : UNAVAILABLE })
        )
      )
    )
  )

/** `obstacle` says why keyed calls cannot be served just now; null if they can. */
export const operatorListener = <R>(obstacle: Effect.Effect<string | null, never, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { host, metricsPort } = yield* AppConfig
      if (metricsPort === null) return Layer.empty
      return HttpRouter.serve(Layer.mergeAll(ready(obstacle), PrometheusMetrics.layerHttp({ path: "/metrics" })), {
        disableLogger: true,
        disableListenLog: true
      }).pipe(Layer.provide(NodeHttpServer.layer(createServer, { host, port: metricsPort })))
    })
  )
