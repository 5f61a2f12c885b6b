/** Handlers of the rules ledger and its version, with a strong ETag. The ledger is encoded once. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { publishedRules, ruleVersion } from "../../services/answers/publishedRules.ts"
import { encodedOnce, etagOf, unlessHeld } from "../etag.ts"

const HEADERS = { etag: etagOf(ruleVersion), "cache-control": "public, max-age=60, must-revalidate" }

const rules = encodedOnce(HttpServerResponse.jsonUnsafe(publishedRules, { headers: HEADERS }))
const version = HttpServerResponse.jsonUnsafe({ version: ruleVersion }, { headers: HEADERS })

const conditional =
  (current: HttpServerResponse.HttpServerResponse) =>
  ({ headers }: { readonly headers: { readonly "if-none-match"?: string } }) =>
    Effect.succeed(unlessHeld(current, headers["if-none-match"]))

export const RulesLive = HttpApiBuilder.group(Api, "rules", (handlers) =>
  handlers.handleAll({ rules: conditional(rules), rulesVersion: conditional(version) })
)
