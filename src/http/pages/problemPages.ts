/** Pages that the `type` of a problem points to: its meaning, its cause and how to avoid it. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { NotFoundProblem, PROBLEM_HEADERS, PROBLEMS } from "../../../schema/problems.ts"
import { escapeHtml } from "../../messages/escapeHtml.ts"
import { AppConfig, type Settings } from "../../platform/config.ts"
import { encodedOnce } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { htmlPage } from "./html.ts"
import { PROBLEM_EXAMPLES, type ProblemExample } from "./problemExamples.ts"

const PATH = "/problems/:slug"

export const PROBLEM_ROUTES = getRoutes(PATH)

const COMMON_MEMBERS = new Set(["type", "title", "status", "detail", "instance"])

/** Links to the ledger rules that decide the problem. */
const decidedBy = ({ rules = [] }: ProblemExample): string =>
  rules.length === 0
    ? ""
    : `<p>Decided by ${rules.map((id) => `<a href="/rules/${id}"><code>${id}</code></a>`).join(" and ")}.</p>`

const page = (problem: (typeof PROBLEMS)[number], { operator, publicUrl }: Settings) => {
  const { detail, slug, status, title } = problem.declaration
  const example = PROBLEM_EXAMPLES[slug]!
  const members = Object.keys(problem.fields).filter((member) => !COMMON_MEMBERS.has(member))
  const code = (text: string) => `<pre><code>${escapeHtml(text.replaceAll("{base}", publicUrl))}</code></pre>`
  const codeList = (names: ReadonlyArray<string>) =>
    names.length === 0 ? "none" : names.map((name) => `<code>${escapeHtml(name)}</code>`).join(", ")
  return htmlPage({
    title: `${status} ${slug}`,
    operator,
    headers: { "cache-control": "public, max-age=3600" },
    main: `<h1>${escapeHtml(title)}</h1>
<dl>
<dt>Status</dt><dd>${status}</dd>
<dt>Type</dt><dd><code>${escapeHtml(`${publicUrl}/problems/${slug}`)}</code></dd>
<dt>Additional members</dt><dd>${codeList(members)}</dd>
<dt>Additional headers</dt><dd>${codeList(PROBLEM_HEADERS[status] ?? [])}</dd>
</dl>
<p>${escapeHtml(example.when)}</p>
<p>${escapeHtml(detail)}</p>
${decidedBy(example)}
<h2>A request that causes it</h2>
${code(example.causes)}
<h2>A request that avoids it</h2>
${code(example.fixes)}`
  })
}

export const ProblemPages = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* AppConfig
    const pages = new Map(
      PROBLEMS.map((problem) => [String(problem.declaration.slug), encodedOnce(page(problem, settings))])
    )
    return HttpRouter.add(
      "GET",
      PATH,
      Effect.gen(function* () {
        const { slug = "" } = yield* HttpRouter.params
        return pages.get(slug) ?? (yield* new NotFoundProblem({}))
      })
    )
  })
)
