/**
 * Route table of every path that the server serves. It makes an unknown path a 404 and a wrong
 * method a 405 with Allow, before any other check of a well-formed request.
 * Paths are exact as sent: case, slashes and percent-encoding matter.
 */
import { FindMyWay } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { routable } from "./requestHead.ts"

export const ROUTER_CONFIG = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 100
} as const

type Path = `/${string}`

/** A route outside the contract. */
export interface PlainRoute {
  readonly method: "GET" | "POST"
  readonly path: Path
}

/** A GET route for each path. */
export const getRoutes = (...paths: ReadonlyArray<Path>): ReadonlyArray<PlainRoute> =>
  paths.map((path) => ({ method: "GET", path }))

export interface Match {
  /** The pattern of the route, if the path is known and has this method. */
  readonly pattern: string | undefined
  /**
   * Without a pattern, the methods that the path answers; none if it is unknown. With one, only the
   * request's method.
   */
  readonly allow: ReadonlyArray<string>
}

/** Longer than any path here, including its parameter. */
const MAX_PATH_CHARACTERS = 256

const NOWHERE: Match = { pattern: undefined, allow: [] }

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
/** The target of an OPTIONS request that asks about the server as a whole (RFC 9112, 3.2.4). */
const WHOLE_SERVER = "*"

/**
 * Whether the fixed parts of the path, as sent, are spelled as in the pattern. The router alone would
 * also accept them percent-encoded, because it decodes first. Parameters may be percent-encoded but
 * not empty, and the tail of a wildcard is left to its route.
 */
const isExact = (pattern: string, path: string): boolean => {
  if (pattern === path) return true
  if (pattern.endsWith("/*")) return path.startsWith(pattern.slice(0, -1))
  if (!pattern.includes(":")) return false
  const sent = path.split("/")
  return pattern
    .split("/")
    .every((segment, index) => (segment.startsWith(":") ? sent[index] !== "" : segment === sent[index]))
}

export class RouteTable {
  private readonly router = FindMyWay.make<string>(ROUTER_CONFIG)
  private readonly methods = new Set<string>()

  static of<Id extends string, Groups extends HttpApiGroup.Constraint>(
    api: HttpApi.HttpApi<Id, Groups>,
    plain: ReadonlyArray<PlainRoute>
  ): RouteTable {
    const table = new RouteTable()
    HttpApi.reflect(api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint }) => table.add(endpoint.method, endpoint.path as Path)
    })
    for (const { method, path } of plain) table.add(method, path)
    return table
  }

  match(method: string, path: string | undefined): Match {
    if (path === undefined || path.length > MAX_PATH_CHARACTERS) return NOWHERE
    const pattern = this.find(method === "HEAD" ? "GET" : method, path)
    return pattern === undefined ? { pattern, allow: this.allow(method, path) } : { pattern, allow: [method] }
  }

  private add(method: string, path: Path): void {
    this.router.on(method, path, path)
    this.methods.add(method)
  }

  private find(method: string, path: string): string | undefined {
    const pattern = this.router.find(method, routable(path))?.handler
    return pattern !== undefined && isExact(pattern, path) ? pattern : undefined
  }

  /** GET implies HEAD, and every path answers OPTIONS. */
  private allow(method: string, path: string): ReadonlyArray<string> {
    const isWhole = method === "OPTIONS" && path === WHOLE_SERVER
    const methods = METHODS.filter((one) => (isWhole ? this.methods.has(one) : this.find(one, path) !== undefined))
    if (methods.length === 0) return []
    return [...methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])), "OPTIONS"]
  }
}
