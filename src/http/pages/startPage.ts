/**
 * Routes of the start page, its script and worker. The page computes in the browser, and its
 * content security policy forbids sending anything. Without a script, the form is posted, computed
 * here and not stored.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { UnsupportedMediaTypeProblem } from "../../../schema/problems.ts"
import { AppConfig } from "../../platform/config.ts"
import { RateLimits } from "../../services/scheduling/RateLimits.ts"
import { compute } from "../../web/book/compute.ts"
import { draftOf, emptyDraft, MAX_LOANS_OF_FORM } from "../../web/book/draft.ts"
import { acted, startPage } from "../../web/document.ts"
import { STYLES } from "../../web/frame.ts"
import { ClientAddress } from "../address.ts"
import { makeBodies } from "../body.ts"
import { encodedOnce } from "../etag.ts"
import { makeRefusals } from "../problems.ts"
import { getRoutes, type PlainRoute } from "../routes.ts"
import { type WebFile, webFile, webText } from "./webFile.ts"

/** In the page itself, so that the first paint waits for no second request. */
const STYLE = webText(STYLES)
const POLICY = `default-src 'none'; script-src 'self'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; worker-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
const HTML = "text/html; charset=utf-8"
const CACHED = { "cache-control": "public, max-age=300" }

/** The files of the page in src/web, and where they are served. */
const FILES: ReadonlyArray<WebFile> = [
  { path: "/page.js", file: "generated/page.bundle.js", type: "text/javascript" },
  { path: "/worker.js", file: "generated/worker.bundle.js", type: "text/javascript" },
  { path: "/favicon.svg", file: "favicon.svg", type: "image/svg+xml" },
  // Browsers ask for it on pages that name no icon.
  { path: "/favicon.ico", file: "favicon.svg", type: "image/svg+xml" }
]

export const START_PAGE_ROUTES: ReadonlyArray<PlainRoute> = [
  { method: "POST", path: "/" },
  ...getRoutes("/", ...FILES.map(({ path }) => path))
]

/** The worker runs under the policy of its own response. */
const FILE_HEADERS = { ...CACHED, "content-security-policy": "default-src 'none'" }

const page = (html: string, headers: Record<string, string>) =>
  HttpServerResponse.text(html, { contentType: HTML, headers: { "content-security-policy": POLICY, ...headers } })

const isForm = (contentType: string | undefined): boolean =>
  (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase() === "application/x-www-form-urlencoded"

/** Answer page for a posted form, rate-limited and queued like a keyless calculation. */
const makeAnswer = Effect.gen(function* () {
  const limits = yield* RateLimits
  const clients = yield* ClientAddress
  const bodies = yield* makeBodies
  const refusals = yield* makeRefusals
  const { operator } = yield* AppConfig
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* limits.consume("keyless", yield* clients.of(request)).pipe(Effect.catchTags(refusals.limited))
    if (!isForm(request.headers["content-type"])) return yield* new UnsupportedMediaTypeProblem({ detail: FORMS_ONLY })
    const fields = new URLSearchParams(yield* bodies.sent(request, FORM_BYTES, "/"))
    const draft = acted(draftOf(fields, MAX_LOANS_OF_FORM), fields.get("action"))
    const now = new Date(yield* Clock.currentTimeMillis)
    return page(startPage(draft, compute(draft, now), STYLE, operator), { "cache-control": "no-store" })
  })
})

const FORMS_ONLY = "Send the form as application/x-www-form-urlencoded, as browsers do; programs send JSON to /v1."
/** More than twice the size of a form with the maximum number of loans and changes. */
const FORM_BYTES = 24 * 1024

export const StartPage = Layer.mergeAll(
  Layer.unwrap(
    Effect.gen(function* () {
      const { operator } = yield* AppConfig
      return Layer.mergeAll(
        HttpRouter.add("GET", "/", encodedOnce(page(startPage(emptyDraft, undefined, STYLE, operator), CACHED))),
        HttpRouter.add("POST", "/", yield* makeAnswer)
      )
    })
  ),
  ...FILES.map((file) => webFile(file, FILE_HEADERS))
).pipe(Layer.provide(ClientAddress.layer))
