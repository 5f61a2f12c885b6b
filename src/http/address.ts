/**
 * Client address of anonymous requests, and the rate limits by that address. Of X-Forwarded-For only the entries that the
 * configured number of proxies has written are trusted.
 */
import { isIP } from "node:net"
import { Context, Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { AddressBucketOf, AddressLimit } from "../../schema/middleware.ts"
import { AppConfig } from "../platform/config.ts"
import { RateLimits } from "../services/scheduling/RateLimits.ts"
import { makeRefusals } from "./problems.ts"

const UNKNOWN = "unknown"
const PREFIX_SEGMENTS = 4

/** The first 64 bits of an IPv6 address, which are what one household or server is given. */
const ipv6Prefix = (address: NetAddress.Ipv6Address): string => {
  const segments = NetAddress.ipv6ToSegments(address).slice(0, PREFIX_SEGMENTS)
  return `${segments.map((segment) => segment.toString(16)).join(":")}::/64`
}

/** An address as limits count it: IPv4 whole, IPv6 by its /64, an IPv4 address mapped into IPv6 as IPv4. */
export const limitedAddress = (address: string): string => {
  const [withoutZone = ""] = address.split("%")
  return Result.match(NetAddress.ipFromString(withoutZone), {
    onFailure: () => UNKNOWN,
    onSuccess: (parsed) =>
      NetAddress.match(NetAddress.toCanonical(parsed), { onIpv4: NetAddress.formatIp, onIpv6: ipv6Prefix })
  })
}

/** 192.0.2.1:4711, [2001:db8::1]:4711 and [2001:db8::1], as some proxies write an address. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?)$/

/** The address of one entry of X-Forwarded-For, without the port that some proxies add; undefined if it is none. */
const forwardedAddress = (entry: string): string | undefined => {
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? []
  const address = ipv4 ?? ipv6 ?? entry
  return isIP(address) === 0 ? undefined : address
}

/** The address that the outermost trusted proxy saw; undefined if there is no such entry, or it is no address. */
const trustedAddress = (forwardedFor: string | undefined, hops: number): string | undefined => {
  const forwarded = hops > 0 ? (forwardedFor ?? "").split(",").map((entry) => entry.trim()) : []
  return forwardedAddress(forwarded[forwarded.length - hops] ?? "")
}

/** The address that the outermost trusted proxy saw, else the peer's. */
export const clientAddress = (peer: string | undefined, forwardedFor: string | undefined, hops: number): string =>
  limitedAddress(trustedAddress(forwardedFor, hops) ?? peer ?? UNKNOWN)

/** Says once what makes all clients of a proxy share one limit, without any address. */
const warnOnce = () => {
  let isSaid = false
  return (reason: string) =>
    Effect.suspend(() => {
      if (isSaid) return Effect.void
      isSaid = true
      return Effect.logWarning(`${reason}: all clients behind the proxy share one rate limit`)
    })
}

/** The address of a client, as limits count it. */
export class ClientAddress extends Context.Service<
  ClientAddress,
  { readonly of: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string> }
>()("repayment-of-record/ClientAddress") {
  static readonly layer: Layer.Layer<ClientAddress, never, AppConfig> = Layer.effect(
    ClientAddress,
    Effect.map(AppConfig, ({ trustedProxyHops: hops }) => {
      const warn = warnOnce()
      return ClientAddress.of({
        of: Effect.fnUntraced(function* (request) {
          const forwardedFor = request.headers["x-forwarded-for"]
          if (hops === 0 && forwardedFor !== undefined)
            yield* warn("X-Forwarded-For is sent, but TRUSTED_PROXY_HOPS is 0")
          if (hops > 0 && trustedAddress(forwardedFor, hops) === undefined)
            yield* warn("X-Forwarded-For does not hold the client's address where TRUSTED_PROXY_HOPS says")
          return clientAddress(Option.getOrUndefined(request.remoteAddress), forwardedFor, hops)
        })
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
    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const address = yield* clients.of(yield* HttpServerRequest.HttpServerRequest)
        yield* limits
          .consume(Context.get(endpoint.annotations, AddressBucketOf), address)
          .pipe(Effect.catchTag("RateLimited", refusals.limited.RateLimited))
        return yield* httpEffect
      })
  })
).pipe(Layer.provide(ClientAddress.layer))
