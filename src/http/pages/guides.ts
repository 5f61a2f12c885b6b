/** The guides of docs/ as pages and as Markdown, the index with its search, and /llms.txt. */
import { Effect, Function, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFoundProblem } from "../../../schema/problems.ts"
import { AppConfig } from "../../platform/config.ts"
import { encodedOnce, tagged, unlessHeld } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { ANSWERS, GUIDES, type Guide, guides } from "./guides/files.ts"
import { mainHtml } from "./guides/layout.ts"
import { llmsText } from "./guides/llms.ts"
import { rendered } from "./guides/rendered.ts"
import { htmlPage } from "./html.ts"
import { webFile } from "./webFile.ts"

const BELOW = `${GUIDES}/*` as const
const BELOW_ANSWERS = `${ANSWERS}/*` as const
const LLMS = "/llms.txt"
const SCRIPT = "/guides.js"

export const GUIDE_ROUTES = getRoutes(GUIDES, BELOW, ANSWERS, BELOW_ANSWERS, LLMS, SCRIPT)

const CACHED = { "cache-control": "public, max-age=300" }
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; base-uri 'none'"

/** The address in the files of docs/, for which the service shows its own. */
const LOCAL = /http:\/\/127\.0\.0\.1:8080|localhost:8080/g

const markdown = (text: string, type: string) =>
  tagged(encodedOnce(HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8`, headers: CACHED })))

export const Guides = Layer.unwrap(
  Effect.gen(function* () {
    const { mcpUrl, operator, publicUrl } = yield* AppConfig
    /** Generated pages contain recorded responses, with the address of their service. */
    const addressed = ({ file }: Guide, text: string) =>
      file.startsWith("generated/") ? text : text.replaceAll(LOCAL, publicUrl)
    const page = Function.memoize((guide: Guide) =>
      tagged(
        encodedOnce(
          htmlPage({
            title: guide.title,
            operator,
            main: addressed(guide, mainHtml(guide, SCRIPT)),
            headers: { ...CACHED, "content-security-policy": POLICY },
            head: `<link rel="alternate" type="text/markdown" href="${guide.source}">`
          })
        )
      )
    )
    const source = Function.memoize((guide: Guide) =>
      markdown(addressed(guide, rendered(guide).markdown), "text/markdown")
    )
    const llms = markdown(llmsText(publicUrl, mcpUrl), "text/plain")
    const served = new Map([
      [LLMS, () => llms] as const,
      ...guides.flatMap((guide) => [
        [guide.path, () => page(guide)] as const,
        [guide.source, () => source(guide)] as const,
        // Where the links of other guides lead, as Markdown.
        [`${GUIDES}/${guide.file}`, () => source(guide)] as const
      ])
    ])
    const answer = Effect.gen(function* () {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      const response = served.get(url.split("?", 1)[0]!)?.() ?? (yield* new NotFoundProblem({}))
      return unlessHeld(response, headers["if-none-match"])
    })
    return Layer.mergeAll(
      // The router matches them for the folders as well.
      HttpRouter.add("GET", BELOW, answer),
      HttpRouter.add("GET", BELOW_ANSWERS, answer),
      HttpRouter.add("GET", LLMS, answer),
      webFile({ path: SCRIPT, file: "generated/guides.bundle.js", type: "text/javascript" }, CACHED)
    )
  })
)
