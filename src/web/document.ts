/** The start page as the server sends it, which is its script's first drawing, and as one file to keep. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { releasedAtUtc, ruleVersion } from "../../ledger/release.ts"
import { escapeHtml } from "../messages/escapeHtml.ts"
import { emptyDraft } from "./book/draft.ts"
import type { Whose } from "./book/spouse.ts"
import { App } from "./components/App.ts"
import { div, p } from "./components/elements.ts"
import { type Actions, firstState } from "./components/state.ts"
import { type Operator, pageHtml } from "./frame.ts"
import { texts } from "./texts.ts"

/** No action is called while a page is rendered as text. */
const NO_ACTIONS = { own: {}, spouse: {} } as Record<Whose, Actions>

const Intro = () =>
  div(
    "intro",
    h("h1", null, texts.title),
    p("soft", texts.lead),
    h(
      "ul",
      { class: "trust small" },
      texts.frame.trust(texts.frame.lawAsOf(releasedAtUtc)).map((text) => h("li", { key: text }, text))
    )
  )

const WithoutScript = () => {
  const { command, guide, lead, rules } = texts.withoutScript
  return h(
    "noscript",
    null,
    p("card note", lead, h("code", null, command), guide, h("a", { href: "/rules" }, rules), ".")
  )
}

const mainOf = (...last: ReadonlyArray<string>): string =>
  renderToString(
    h(
      "main",
      null,
      h(Intro, null),
      h(WithoutScript, null),
      h("div", { id: "app" }, h(App, { state: firstState(emptyDraft), actions: NO_ACTIONS })),
      last.map((text) => p("small", text))
    )
  )

const BEFORE = `<a class="skip" href="#plans">${texts.frame.skip}</a>`

const HEAD = `
<link rel="icon" type="image/svg+xml" href="/favicon.svg"><link rel="modulepreload" href="/page.js"><script type="module" src="/page.js"></script>`

export const startPage = (style: string, operator: Operator): string =>
  pageHtml({ title: texts.title, operator, style, head: HEAD, before: BEFORE, main: mainOf(texts.frame.leftOut) })

/** The view of an answer in a chat program: one file that loads nothing and sends nothing. */
export const chatFile = (style: string, script: string, policy: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(texts.chat.title)}</title><style>${style}</style></head>
<body><main id="app" class="answer"></main><script type="module">${script}</script></body>
</html>
`

/** What the file to keep is made of. */
interface Kept {
  readonly style: string
  readonly script: string
  readonly worker: string
  readonly policy: string
  /** The service that the file comes from, to which its links lead. */
  readonly service: string
}

/** The start page in one file, which works from a disk without a network. */
export const calculatorFile = ({ policy, script, service, style, worker }: Kept, operator: Operator): string => {
  const html = pageHtml({
    title: texts.title,
    operator,
    style,
    head: `<meta http-equiv="content-security-policy" content="${policy}"><meta name="service" content="${escapeHtml(service)}">`,
    before: BEFORE,
    main: mainOf(texts.frame.leftOut, texts.frame.kept(ruleVersion, texts.frame.lawAsOf(releasedAtUtc)))
  }).replaceAll('href="/', `href="${escapeHtml(service)}/`)
  const scripts = `<script type="text/plain" id="worker">${worker}</script><script type="module">${script}</script>`
  return html.replace("</body>", () => `${scripts}\n</body>`)
}
