/**
 * The rules ledger as web pages: one searchable page with everything, and a page for each entry.
 * Everything is rendered at startup; a search only filters. GET /v1/rules is the same for programs.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { NotFoundProblem } from "../../../schema/problems.ts"
import { escapeHtml } from "../../messages/escapeHtml.ts"
import { SUBJECTS } from "../../messages/rules/subjects.ts"
import { AppConfig, type Settings } from "../../platform/config.ts"
import { RateLimits } from "../../services/scheduling/index.ts"
import { ClientAddress } from "../address.ts"
import { encodedOnce } from "../etag.ts"
import { makeRefusals } from "../problems.ts"
import { getRoutes } from "../routes.ts"
import { htmlPage } from "./html.ts"
import { type Article, articlesOf } from "./rules/articles.ts"
import { aloneHtml, listHtml, type Section } from "./rules/layout.ts"
import { asksNothing, finds, type Search, searchOf } from "./rules/search.ts"

const LIST = "/rules"
const ALONE = "/rules/:id"

export const RULES_PAGE_ROUTES = getRoutes(LIST, ALONE)

const HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
  "cache-control": "public, max-age=300"
}

const TITLE = "Rules of federal student-loan repayment"

const alonePage = (article: Article, { operator, publicUrl }: Settings) =>
  htmlPage({
    title: article.label,
    operator,
    main: aloneHtml(article),
    headers: HEADERS,
    head: `<link rel="canonical" href="${escapeHtml(`${publicUrl}/rules/${article.id}`)}">`
  })

const NO_SEARCH: Search = { q: "", plan: "", kind: "", evidence: "" }

const articlesIn = (sections: ReadonlyArray<Section>): ReadonlyArray<Article> =>
  sections.flatMap(({ articles }) => articles)

const foundHtml = (sections: ReadonlyArray<Section>, search: Search): string => {
  const isFound = finds(search)
  const found = sections
    .map((section) => ({ ...section, articles: section.articles.filter(isFound) }))
    .filter(({ articles }) => articles.length > 0)
  const count = articlesIn(found).length
  const sentence = count === 0 ? "Nothing matches." : `${count} of ${articlesIn(sections).length} entries match.`
  return listHtml(found, search, sentence)
}

export const RulesPages = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* AppConfig
    const limits = yield* RateLimits
    const clients = yield* ClientAddress
    const refusals = yield* makeRefusals
    const sections = SUBJECTS.map((subject) => ({ ...subject, articles: articlesOf(subject) }))
    const listPage = (main: string) => htmlPage({ title: TITLE, operator: settings.operator, main, headers: HEADERS })
    const everything = encodedOnce(listPage(listHtml(sections, NO_SEARCH, "")))
    const pages = new Map(
      articlesIn(sections).map((article) => [article.id, encodedOnce(alonePage(article, settings))])
    )

    const list = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const search = searchOf(request.url)
      if (asksNothing(search)) return everything
      yield* limits.consume("keyless", yield* clients.of(request))
      return listPage(foundHtml(sections, search))
    })
    const alone = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      return pages.get(id) ?? (yield* new NotFoundProblem({ detail: "The ledger has no rule with this id." }))
    })
    return Layer.mergeAll(
      HttpRouter.add("GET", LIST, Effect.catchTags(list, refusals.limited)),
      HttpRouter.add("GET", ALONE, alone)
    )
  })
).pipe(Layer.provide(ClientAddress.layer))
