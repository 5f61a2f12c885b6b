/**
 * Routes of the start page, its script and worker, and of all three as one file. The page computes in the browser, and its
 * content security policy forbids sending anything, because it allows no connection and no form.
 */
import { createHash } from "node:crypto"
import { Effect, Function, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { AppConfig } from "../../platform/config.ts"
import { calculatorFile, type Operator, STYLES, startPage } from "../../web/index.ts"
import { encodedOnce } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { type WebFile, webFile, webText } from "./webFile.ts"

/** In the page itself, so that the first paint waits for no second request. */
const STYLE = webText(STYLES)
/** The source of a policy that allows this inline text alone. */
const allowed = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
const SENDS_NOTHING = "form-action 'none'; base-uri 'none'"
const POLICY = `default-src 'none'; script-src 'self'; style-src ${allowed(STYLE)}; worker-src 'self'; img-src 'self'; ${SENDS_NOTHING}; frame-ancestors 'none'`
const CACHED = { "cache-control": "public, max-age=300" }

/** The files of the page in src/web, and where they are served. */
const FILES: ReadonlyArray<WebFile> = [
  { path: "/page.js", file: "generated/page.bundle.js", type: "text/javascript" },
  { path: "/worker.js", file: "generated/worker.bundle.js", type: "text/javascript" },
  { path: "/favicon.svg", file: "favicon.svg", type: "image/svg+xml" },
  // Browsers ask for it on pages that name no icon.
  { path: "/favicon.ico", file: "favicon.svg", type: "image/svg+xml" }
]

const CALCULATOR = "/calculator.html"

export const START_PAGE_ROUTES = getRoutes("/", CALCULATOR, ...FILES.map(({ path }) => path))

/** The worker runs under the policy of its own response. */
const FILE_HEADERS = { ...CACHED, "content-security-policy": "default-src 'none'" }

const page = (html: string) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": POLICY, ...CACHED }
  })

/** The page with its scripts, for a disk. */
const calculator = (service: string, operator: Operator) => {
  const [script, worker] = ["generated/page.bundle.js", "generated/worker.bundle.js"].map((file) => webText([file]))
  const policy = `default-src 'none'; script-src ${allowed(script!)}; style-src ${allowed(STYLE)}; worker-src blob:; ${SENDS_NOTHING}`
  return HttpServerResponse.text(
    calculatorFile({ style: STYLE, script: script!, worker: worker!, policy, service }, operator),
    {
      contentType: "text/html; charset=utf-8",
      headers: { "content-disposition": 'attachment; filename="calculator.html"', ...FILE_HEADERS }
    }
  )
}

export const StartPage = Layer.mergeAll(
  Layer.unwrap(
    Effect.map(AppConfig, ({ operator, publicUrl }) => {
      // Made when it is first asked for.
      const kept = Function.memoize((by: Operator) => encodedOnce(calculator(publicUrl, by)))
      return Layer.mergeAll(
        HttpRouter.add("GET", "/", encodedOnce(page(startPage(STYLE, operator)))),
        HttpRouter.add(
          "GET",
          CALCULATOR,
          Effect.sync(() => kept(operator))
        )
      )
    })
  ),
  ...FILES.map((file) => webFile(file, FILE_HEADERS))
)
