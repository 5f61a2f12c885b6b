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

/** The readiness probe of a load balancer: 200 while the database answers, else 503. */
const ready = <R>(databaseAnswers: Effect.Effect<boolean, never, R>) =>
  Layer.unwrap(
    Effect.map(Effect.context<R>(), (services) =>
      HttpRouter.add(
        "GET",
        "/ready",
        Effect.map(Effect.provideContext(databaseAnswers, services), (answers) =>
          HttpServerResponse.jsonUnsafe(
            { status: answers ? "ready" : "the database cannot be reached" },
            { status: answers ? OK : UNAVAILABLE }
          )
        )
      )
    )
  )

export const operatorListener = <R>(databaseAnswers: Effect.Effect<boolean, never, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { host, metricsPort } = yield* AppConfig
      if (metricsPort === null) return Layer.empty
      return HttpRouter.serve(
        Layer.mergeAll(ready(databaseAnswers), PrometheusMetrics.layerHttp({ path: "/metrics" })),
        {
          disableLogger: true,
          disableListenLog: true
        }
      ).pipe(Layer.provide(NodeHttpServer.layer(createServer, { host, port: metricsPort })))
    })
  )
