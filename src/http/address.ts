/**
 * Client address of anonymous requests, and the rate limits by that address. Of X-Forwarded-For only the entries that the
 * configured number of proxies has written are trusted.
 */
import { isIP } from "node:net"
import { Context, Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { AddressBucketOf, AddressLimit } from "../../schema/middleware.ts"
import { AppConfig } from "../config.ts"
import { RateLimits } from "../services/RateLimits.ts"
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

/** The address that the outermost trusted proxy saw; the peer's if there are fewer entries than trusted proxies. */
export const clientAddress = (peer: string | undefined, forwardedFor: string | undefined, hops: number): string => {
  const forwarded = hops > 0 ? (forwardedFor ?? "").split(",").map((entry) => entry.trim()) : []
  const trusted = forwarded[forwarded.length - hops]
  return limitedAddress(trusted !== undefined && isIP(trusted) !== 0 ? trusted : (peer ?? UNKNOWN))
}

export const AddressLimitLive = Layer.effect(
  AddressLimit,
  Effect.gen(function* () {
    const { trustedProxyHops } = yield* AppConfig
    const limits = yield* RateLimits
    const refusals = yield* makeRefusals
    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const peer = Option.getOrUndefined(request.remoteAddress)
        const address = clientAddress(peer, request.headers["x-forwarded-for"], trustedProxyHops)
        yield* limits
          .consume(Context.get(endpoint.annotations, AddressBucketOf), address)
          .pipe(Effect.catchTag("RateLimited", refusals.limited.RateLimited))
        return yield* httpEffect
      })
  })
)
