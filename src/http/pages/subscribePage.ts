/** The page for callers who want more calls. Without a payment link, it says that none are sold. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { AppConfig } from "../../platform/config.ts"
import { encodedOnce } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { htmlPage } from "./html.ts"

const PATH = "/subscribe"

export const SUBSCRIBE_ROUTES = getRoutes(PATH)

const BODY = `<h1>This installation sells no keys</h1>
<p>A sandbox key is free, and its count of calls starts again on the first of each month (UTC). The comparison of all plans and the explanation of a payment need no key.</p>
<h2>If you need more calls</h2>
<p>Ask the operator of this service for a production key.</p>
<h2>If you run this service</h2>
<p>Issue a key by hand: this command opens a subscription for an email address and says how its owner collects the key.</p>
<pre><code>npm run repay -- subscriptions pay ada@example.org</code></pre>
<p>To sell keys instead, set <code>PAYMENT_LINK</code> to a Stripe payment link. Answers then link to it instead of this page.</p>`

export const SubscribePage = Layer.unwrap(
  Effect.gen(function* () {
    const { operator } = yield* AppConfig
    const headers = { "cache-control": "public, max-age=300" }
    return HttpRouter.add(
      "GET",
      PATH,
      encodedOnce(htmlPage({ title: "No keys are sold here", operator, main: BODY, headers }))
    )
  })
)
