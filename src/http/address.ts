/**
 * Client addresses of anonymous requests, and rate limits by address. In X-Forwarded-For, only
 * entries written by the configured number of proxies are trusted.
 */
import { isIP, isIPv4 } from "node:net"
import { Context, Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { AddressBucketOf, AddressLimit } from "../../schema/middleware.ts"
import { AppConfig } from "../platform/config.ts"
import { RateLimits } from "../services/scheduling/index.ts"
import { makeRefusals } from "./problems.ts"

const UNKNOWN = "unknown"
const PREFIX_SEGMENTS = 4

/** The first 64 bits of an IPv6 address: the prefix assigned to one household or server. */
const ipv6Prefix = (address: NetAddress.Ipv6Address): string => {
  const segments = NetAddress.ipv6ToSegments(address).slice(0, PREFIX_SEGMENTS)
  return `${segments.map((segment) => segment.toString(16)).join(":")}::/64`
}

/** Rate-limit key of an address: IPv4 in full, IPv6 by its /64, IPv4-mapped IPv6 as IPv4. */
export const limitedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  const [withoutZone = ""] = address.split("%")
  return Result.match(NetAddress.ipFromString(withoutZone), {
    onFailure: () => UNKNOWN,
    onSuccess: (parsed) =>
      NetAddress.match(NetAddress.toCanonical(parsed), { onIpv4: NetAddress.formatIp, onIpv6: ipv6Prefix })
  })
}

/** 192.0.2.1:4711, [2001:db8::1]:4711 and [2001:db8::1], as some proxies write an address. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?)$/

/** The address in an X-Forwarded-For entry, without a port; undefined if it is not an address. */
const forwardedAddress = (entry: string): string | undefined => {
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? []
  const address = ipv4 ?? ipv6 ?? entry
  return isIP(address) === 0 ? undefined : address
}

/** The address that the outermost trusted proxy saw; undefined if missing or not an address. */
const trustedAddress = (forwardedFor: string | undefined, hops: number): string | undefined => {
  const forwarded = hops > 0 ? (forwardedFor ?? "").split(",").map((entry) => entry.trim()) : []
  return forwardedAddress(forwarded[forwarded.length - hops] ?? "")
}

/** The address that the outermost trusted proxy saw, else the peer's. */
export const clientAddress = (peer: string | undefined, forwardedFor: string | undefined, hops: number): string =>
  limitedAddress(trustedAddress(forwardedFor, hops) ?? peer ?? UNKNOWN)

/** Warns once that all clients of a proxy share one limit. The log has no addresses. */
const warnOnce = () => {
  let hasWarned = false
  return (reason: string) =>
    Effect.suspend(() => {
      if (hasWarned) return Effect.void
      hasWarned = true
      return Effect.logWarning(`${reason}: all clients behind the proxy share one rate limit`)
    })
}

/** Rate-limit key of the client address of a request. */
export class ClientAddress extends Context.Service<
  ClientAddress,
  { readonly of: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string> }
>()("repayment-of-record/ClientAddress") {
  static readonly layer: Layer.Layer<ClientAddress, never, AppConfig> = Layer.effect(
    ClientAddress,
    Effect.map(AppConfig, ({ trustedProxyHops: hops }) => {
      const warn = warnOnce()
      return ClientAddress.of({
        of: (request) => {
          const forwardedFor = request.headers["x-forwarded-for"]
          const address = clientAddress(Option.getOrUndefined(request.remoteAddress), forwardedFor, hops)
          if (hops === 0 && forwardedFor !== undefined)
            return Effect.as(warn("X-Forwarded-For is sent, but TRUSTED_PROXY_HOPS is 0"), address)
          if (hops > 0 && trustedAddress(forwardedFor, hops) === undefined)
            return Effect.as(
              warn("X-Forwarded-For has no address at the position that TRUSTED_PROXY_HOPS gives"),
              address
            )
          return Effect.succeed(address)
        }
      })
    })
  )
}

export const AddressLimitLive = Layer.effect(
  AddressLimit,
  Effect.gen(function* () {
    const clients = yield* ClientAddress
    const limits = yield* RateLimits
    const refusals = yield* makeRefusals
    return (httpEffect, { endpoint }) => {
      const bucket = Context.get(endpoint.annotations, AddressBucketOf)
      return HttpServerRequest.HttpServerRequest.use(clients.of).pipe(
        Effect.flatMap((address) => Effect.catchTags(limits.consume(bucket, address), refusals.limited)),
        Effect.andThen(httpEffect)
      )
    }
  })
).pipe(Layer.provide(ClientAddress.layer))
