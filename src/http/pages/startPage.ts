/**
 * Routes of the start page, its script and worker. The page computes in the browser, and its
 * content security policy forbids sending anything, because it allows no connection and no form.
 */
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { AppConfig } from "../../platform/config.ts"
import { STYLES, startPage } from "../../web/index.ts"
import { encodedOnce } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { type WebFile, webFile, webText } from "./webFile.ts"

/** In the page itself, so that the first paint waits for no second request. */
const STYLE = webText(STYLES)
const POLICY = `default-src 'none'; script-src 'self'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; worker-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`
const CACHED = { "cache-control": "public, max-age=300" }

/** The files of the page in src/web, and where they are served. */
const FILES: ReadonlyArray<WebFile> = [
  { path: "/page.js", file: "generated/page.bundle.js", type: "text/javascript" },
  { path: "/worker.js", file: "generated/worker.bundle.js", type: "text/javascript" },
  { path: "/favicon.svg", file: "favicon.svg", type: "image/svg+xml" },
  // Browsers ask for it on pages that name no icon.
  { path: "/favicon.ico", file: "favicon.svg", type: "image/svg+xml" }
]

export const START_PAGE_ROUTES = getRoutes("/", ...FILES.map(({ path }) => path))

/** The worker runs under the policy of its own response. */
const FILE_HEADERS = { ...CACHED, "content-security-policy": "default-src 'none'" }

const page = (html: string) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": POLICY, ...CACHED }
  })

export const StartPage = Layer.mergeAll(
  Layer.unwrap(
    Effect.map(AppConfig, ({ operator }) => HttpRouter.add("GET", "/", encodedOnce(page(startPage(STYLE, operator)))))
  ),
  ...FILES.map((file) => webFile(file, FILE_HEADERS))
)
