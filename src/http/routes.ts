/**
 * Every path that the server serves, so that an unknown path is answered with 404 and a wrong method with 405 and Allow
 * before anything else is checked. Paths are exact: case and slashes matter.
 */
import { FindMyWay } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"

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

export interface Match {
  /** The pattern of the route, if the path is known and has this method. */
  readonly pattern: string | undefined
  /** Methods of the path; empty when it is unknown. */
  readonly allow: ReadonlyArray<string>
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

export class RouteTable {
  private readonly router = FindMyWay.make<string>(ROUTER_CONFIG)

  static of<Id extends string, Groups extends HttpApiGroup.Constraint>(
    api: HttpApi.HttpApi<Id, Groups>,
    plain: ReadonlyArray<PlainRoute>
  ): RouteTable {
    const table = new RouteTable()
    HttpApi.reflect(api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint }) => table.router.on(endpoint.method, endpoint.path as Path, endpoint.path)
    })
    for (const { method, path } of plain) table.router.on(method, path, path)
    return table
  }

  match(method: string, url: string): Match {
    const pattern = this.router.find(method === "HEAD" ? "GET" : method, url)?.handler
    if (pattern !== undefined) return { pattern, allow: [method] }
    return { pattern: undefined, allow: this.allow(url) }
  }

  /** GET implies HEAD, and every path answers OPTIONS. */
  private allow(url: string): ReadonlyArray<string> {
    const methods = METHODS.filter((method) => this.router.find(method, url) !== undefined)
    if (methods.length === 0) return []
    return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"]
  }
}
