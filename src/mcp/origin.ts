/**
 * Which web pages may talk to the tool server. A page of another site, opened in a browser that can reach this server,
 * must not; programs send no Origin. The Host header proves nothing and is not looked at.
 */
import type { Settings } from "../config.ts"

const LOOPBACK_LISTENERS = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i
const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"])

const parse = (origin: string): URL | undefined => (URL.canParse(origin) ? new URL(origin) : undefined)

type OriginCheck = (origin: string | undefined) => boolean

/** No Origin, one of the service's own, or on a loopback listener a page of this machine. */
export const originCheck = ({
  host,
  mcpUrl,
  publicUrl
}: Pick<Settings, "host" | "mcpUrl" | "publicUrl">): OriginCheck => {
  const own = new Set([publicUrl, mcpUrl].map((address) => new URL(address).origin))
  const onLoopback = LOOPBACK_LISTENERS.test(host)
  return (origin) => {
    if (origin === undefined) return true
    const page = parse(origin)
    if (page === undefined || page.origin !== origin.toLowerCase()) return false
    if (own.has(page.origin)) return true
    return onLoopback && /^https?:$/.test(page.protocol) && LOOPBACK_NAMES.has(page.hostname)
  }
}
