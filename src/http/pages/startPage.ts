/**
 * Serves the start page and its script. Its content security policy allows this script and calls to this service only.
 */
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { calculatorPage } from "../../web/calculatorPage.ts"
import { calculatorScript } from "../../web/calculatorScript.ts"
import { encodedOnce } from "../encodedOnce.ts"
import type { PlainRoute } from "../routes.ts"

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'none'"
const CACHE = "public, max-age=300"

export const START_PAGE_ROUTES: ReadonlyArray<PlainRoute> = [
  { method: "GET", path: "/" },
  { method: "GET", path: "/calculator.js" }
]

export const StartPage = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/",
    encodedOnce(
      HttpServerResponse.text(calculatorPage, {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": POLICY, "cache-control": CACHE }
      })
    )
  ),
  HttpRouter.add(
    "GET",
    "/calculator.js",
    encodedOnce(
      HttpServerResponse.text(calculatorScript, {
        contentType: "text/javascript; charset=utf-8",
        headers: { "cache-control": CACHE }
      })
    )
  )
)
