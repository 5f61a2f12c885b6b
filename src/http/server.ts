/**
 * The HTTP server: contract routes and plain routes on the main listener. Other surfaces on the
 * same port, such as the tool server, are passed in.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import { AppConfig } from "../platform/config.ts"
import { AddressLimitLive } from "./address.ts"
import { AuthenticationLive } from "./auth.ts"
import { JsonBodyLive } from "./body.ts"
import { rememberingPlatform } from "./compression.ts"
import type { directRoutes } from "./direct.ts"
import { edge } from "./edge.ts"
import { AccountLive } from "./handlers/account.ts"
import { CalculationsLive } from "./handlers/calculations.ts"
import { CalculatorLive } from "./handlers/calculator.ts"
import { HealthLive } from "./handlers/health.ts"
import { KeysLive } from "./handlers/keys.ts"
import { ReferenceLive } from "./handlers/reference.ts"
import { RulesLive } from "./handlers/rules.ts"
import { VerifyLive } from "./handlers/verify.ts"
import { WebhooksLive } from "./handlers/webhooks.ts"
import { boundedServer, LISTENER_LIMITS } from "./listener.ts"
import { LOG_ROUTES, LogRoutes } from "./log.ts"
import { OPENAPI_ROUTES, OpenApiDocument } from "./openapi/document.ts"
import { DOCS_ROUTES, Docs } from "./pages/docs.ts"
import { GUIDE_ROUTES, Guides } from "./pages/guides.ts"
import { PROBLEM_ROUTES, ProblemPages } from "./pages/problemPages.ts"
import { RULES_PAGE_ROUTES, RulesPages } from "./pages/rulesPages.ts"
import { START_PAGE_ROUTES, StartPage } from "./pages/startPage.ts"
import { SUBSCRIBE_ROUTES, SubscribePage } from "./pages/subscribePage.ts"
import { VERIFY_PAGE_ROUTES, VerifyPageScript } from "./pages/verifyPage.ts"
import { AnsweringLive } from "./problems.ts"
import { type PlainRoute, ROUTER_CONFIG, RouteTable } from "./routes.ts"
import { DRAIN_SECONDS } from "./stopping.ts"
import { WELL_KNOWN_ROUTES, WellKnown } from "./wellKnown.ts"

const Handlers = Layer.mergeAll(
  HealthLive,
  CalculatorLive,
  VerifyLive,
  RulesLive,
  KeysLive,
  CalculationsLive,
  AccountLive,
  ReferenceLive,
  WebhooksLive
)

const Middleware = Layer.mergeAll(AnsweringLive, AuthenticationLive, AddressLimitLive, JsonBodyLive)

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(Middleware))

/** The routes outside the contract, on the main listener. */
export const PLAIN_ROUTES: ReadonlyArray<PlainRoute> = [
  ...LOG_ROUTES,
  ...OPENAPI_ROUTES,
  ...DOCS_ROUTES,
  ...GUIDE_ROUTES,
  ...SUBSCRIBE_ROUTES,
  ...START_PAGE_ROUTES,
  ...VERIFY_PAGE_ROUTES,
  ...PROBLEM_ROUTES,
  ...RULES_PAGE_ROUTES,
  ...WELL_KNOWN_ROUTES
]

/** Routes outside the contract, and the layer that serves them. */
export interface Surface<E, R> {
  readonly routes: ReadonlyArray<PlainRoute>
  readonly layer: Layer.Layer<never, E, R>
}

const httpRoutes = <E, R>(surface: Surface<E, R>, direct: typeof directRoutes) =>
  Layer.mergeAll(
    ApiRoutes,
    OpenApiDocument,
    Docs,
    Guides,
    SubscribePage,
    StartPage,
    VerifyPageScript,
    ProblemPages,
    RulesPages,
    WellKnown,
    LogRoutes,
    surface.layer,
    edge(RouteTable.of(Api, [...PLAIN_ROUTES, ...surface.routes]), direct).pipe(Layer.provide(Middleware))
  )

const Listener = Layer.unwrap(
  Effect.gen(function* () {
    const { host, port, publicUrl, trustedProxyHops } = yield* AppConfig
    // All clients behind a proxy share its address.
    const connectionsPerAddress =
      trustedProxyHops > 0 ? LISTENER_LIMITS.connections : LISTENER_LIMITS.connectionsPerAddress
    return NodeHttpServer.layer(() => boundedServer(publicUrl, { ...LISTENER_LIMITS, connectionsPerAddress }), {
      host,
      port,
      gracefulShutdownTimeout: `${DRAIN_SECONDS} seconds`
    })
  })
)

/** Serves routes on the main listener. At shutdown it accepts no connection, and lets requests in flight finish. */
export const served = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.serve(routes, { routerConfig: ROUTER_CONFIG, disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(rememberingPlatform),
    Layer.provideMerge(Listener)
  )

export const httpServer = <E, R>(surface: Surface<E, R>, direct: typeof directRoutes) =>
  served(httpRoutes(surface, direct))
