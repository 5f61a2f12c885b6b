/**
 * The operators' listener: Prometheus metrics and readiness for keyed calls, passed in by the
 * caller. It has a port of its own, on the same network interface as the service.
 */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { AppConfig } from "../platform/config.ts"
import { Stopping } from "./stopping.ts"

const OK = 200
const UNAVAILABLE = 503
const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8"

export interface OperatorReports<R> {
  /** The text that Prometheus reads. */
  readonly metrics: Effect.Effect<string, never, R>
  /** The reason why keyed calls cannot be served now; null if they can. */
  readonly obstacle: Effect.Effect<string | null, never, R>
}

/**
 * `/ready` is the readiness probe for a load balancer: 200 while keyed calls can be served. It is
 * 503 with the reason otherwise, and from the moment a stop is announced.
 */
const routes = <R>({ metrics, obstacle }: OperatorReports<R>) =>
  Layer.unwrap(
    Effect.map(Effect.context<R>(), (services) =>
      Layer.mergeAll(
        HttpRouter.add(
          "GET",
          "/ready",
          Effect.map(Effect.provideContext(obstacle, services), (reason) =>
            HttpServerResponse.jsonUnsafe({ status: reason ?? "ready" }, { status: reason === null ? OK : UNAVAILABLE })
          )
        ),
        HttpRouter.add(
          "GET",
          "/metrics",
          Effect.map(Effect.provideContext(metrics, services), (text) =>
            HttpServerResponse.text(text, { contentType: PROMETHEUS_TEXT })
          )
        )
      )
    )
  )

export const operatorListener = <R>(reports: OperatorReports<R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { host, metricsPort } = yield* AppConfig
      if (metricsPort === null) return Layer.empty
      const stopping = yield* Stopping
      const obstacle = Effect.flatMap(stopping.obstacle, (stopReason) =>
        stopReason === null ? reports.obstacle : Effect.succeed(stopReason)
      )
      return HttpRouter.serve(routes({ ...reports, obstacle }), { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provide(NodeHttpServer.layer(createServer, { host, port: metricsPort }))
      )
    })
  )
