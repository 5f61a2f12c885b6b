/**
 * The web origins that may call the tool server. Pages of other sites are refused, because their visitors' browsers
 * may reach this server. Programs send no Origin header. The Host header proves nothing, so it is not checked.
 */
import { isLoopback, type Settings } from "../platform/config.ts"

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"])

const parse = (origin: string): URL | undefined => (URL.canParse(origin) ? new URL(origin) : undefined)

type OriginCheck = (origin: string | undefined) => boolean

/** Allows no Origin, the service's own origins and, on a loopback listener, pages of this machine. */
export const originCheck = ({
  host,
  mcpUrl,
  publicUrl
}: Pick<Settings, "host" | "mcpUrl" | "publicUrl">): OriginCheck => {
  const own = new Set([publicUrl, mcpUrl].map((address) => new URL(address).origin))
  const onLoopback = isLoopback(host)
  return (origin) => {
    if (origin === undefined) return true
    const page = parse(origin)
    if (page === undefined || page.origin !== origin.toLowerCase()) return false
    if (own.has(page.origin)) return true
    return onLoopback && /^https?:$/.test(page.protocol) && LOOPBACK_NAMES.has(page.hostname)
  }
}
