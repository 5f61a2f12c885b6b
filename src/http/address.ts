/**
 * Whose request this is when nobody has to say who they are: the client's address, and the limits that it is held to.
 * Forwarded addresses are believed only as far as the configured number of proxies goes.
 */
import { isIP, isIPv4 } from "node:net"
import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { AddressBucketOf, AddressLimit } from "../../schema/middleware.ts"
import { AppConfig } from "../config.ts"
import { RateLimits } from "../services/RateLimits.ts"
import { makeRefusals } from "./problems.ts"

const UNKNOWN = "unknown"
const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const PREFIX_GROUPS = 4

/** The first 64 bits, which is what one household or server is given. */
const ipv6Prefix = (address: string): string => {
  const [head = "", tail] = address.toLowerCase().split("%")[0]!.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0")
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return `${groups
    .slice(0, PREFIX_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`
}

/** An address as limits count it: IPv4 whole, IPv6 by its /64. */
export const limitedAddress = (address: string): string => {
  const mapped = IPV4_MAPPED.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return mapped
  return isIP(mapped.split("%")[0]!) === 6 ? ipv6Prefix(mapped) : UNKNOWN
}

/** The address that the outermost trusted proxy saw; the peer's if fewer proxies than trusted have written one. */
export const clientAddress = (peer: string | undefined, forwardedFor: string | undefined, hops: number): string => {
  const forwarded = hops > 0 ? (forwardedFor ?? "").split(",").map((entry) => entry.trim()) : []
  const believed = forwarded[forwarded.length - hops]
  return limitedAddress(believed !== undefined && isIP(believed) !== 0 ? believed : (peer ?? UNKNOWN))
}

export const AddressLimitLive = Layer.effect(
  AddressLimit,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const limits = yield* RateLimits
    const refusals = yield* makeRefusals
    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const peer = Option.getOrUndefined(request.remoteAddress)
        const address = clientAddress(peer, request.headers["x-forwarded-for"], config.trustedProxyHops)
        yield* limits
          .consume(Context.get(endpoint.annotations, AddressBucketOf), address)
          .pipe(Effect.catchTag("RateLimited", refusals.limited.RateLimited), Effect.provideService(AppConfig, config))
        return yield* httpEffect
      })
  })
)
