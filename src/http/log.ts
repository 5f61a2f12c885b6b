/**
 * Routes of the transparency log: checkpoint and tiles as in C2SP tlog-tiles, signing keys and
 * witnesses. They are outside the contract, because they are text and binary formats of external
 * protocols. docs/verification.md describes them. Receipts are in the contract.
 */
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFoundProblem, StartingProblem } from "../../schema/problems.ts"
import { TransparencyLog } from "../services/log/index.ts"
import { parseTilePath } from "../services/log/tiles.ts"
import { RateLimits } from "../services/scheduling/index.ts"
import { ClientAddress } from "./address.ts"
import { immutable } from "./etag.ts"
import { makeRefusals } from "./problems.ts"
import { getRoutes } from "./routes.ts"

const PREFIX = "/log/"
const CHECKPOINT = "/log/checkpoint"
const WITNESSED = "/log/checkpoint/witnessed"
const POLICY = "/log/policy"
const KEY = "/log/key"
const TILE = "/log/tile/*"

export const LOG_ROUTES = getRoutes(CHECKPOINT, WITNESSED, POLICY, KEY, TILE)

const TEXT = "text/plain; charset=utf-8"
/** The policy of a service without witnesses. */
const NO_WITNESSES = "quorum none\n"
/** A checkpoint changes every second, keys change when an operator rotates them, tiles never do. */
const CHECKPOINT_CACHE = { "cache-control": "public, max-age=1" }
const KEY_CACHE = { "cache-control": "public, max-age=60" }

export const LogRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const log = yield* TransparencyLog
    const limits = yield* RateLimits
    const clients = yield* ClientAddress
    const refusals = yield* makeRefusals

    const limited = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* limits.consume("log", yield* clients.of(request))
      return request
    })
    const text = (body: string, headers = {}) => HttpServerResponse.text(body, { contentType: TEXT, headers })
    const checkpoint = Effect.gen(function* () {
      yield* limited
      return text(yield* log.checkpoint, CHECKPOINT_CACHE)
    })
    const witnessed = Effect.gen(function* () {
      yield* limited
      const found = yield* log.witnessed
      if (Option.isSome(found)) return text(found.value, CHECKPOINT_CACHE)
      return yield* new NotFoundProblem({ detail: "No quorum of witnesses has seen a checkpoint yet." })
    })
    const policyText = Option.getOrElse(log.policy, () => NO_WITNESSES)
    const policy = Effect.as(limited, text(policyText, KEY_CACHE))
    const keys = Effect.gen(function* () {
      yield* limited
      const lines = (yield* log.keys).map((key) => `${key}\n`)
      return lines.length === 0 ? yield* new StartingProblem({}) : text(lines.join(""), KEY_CACHE)
    })
    const tile = Effect.gen(function* () {
      const { headers, url } = yield* limited
      const wanted = parseTilePath(url.split("?", 1)[0]!.slice(PREFIX.length))
      const found = wanted === undefined ? Option.none() : yield* log.tile(wanted)
      if (Option.isNone(found))
        return yield* new NotFoundProblem({ detail: "The log has no tile at this path, or does not have it yet." })
      const served = HttpServerResponse.uint8Array(found.value, { contentType: "application/octet-stream" })
      return immutable(served, headers["if-none-match"])
    })
    return Layer.mergeAll(
      HttpRouter.add("GET", CHECKPOINT, Effect.catchTags(checkpoint, refusals.log)),
      HttpRouter.add("GET", WITNESSED, Effect.catchTags(witnessed, refusals.tile)),
      HttpRouter.add("GET", POLICY, Effect.catchTags(policy, refusals.limited)),
      HttpRouter.add("GET", KEY, Effect.catchTags(keys, refusals.tile)),
      HttpRouter.add("GET", TILE, Effect.catchTags(tile, refusals.tile))
    )
  })
).pipe(Layer.provide(ClientAddress.layer))
