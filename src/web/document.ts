/** The start page as the server sends it, which is its script's first drawing. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { releasedAtUtc } from "../../ledger/release.ts"
import { emptyDraft } from "./book/draft.ts"
import { App } from "./components/App.ts"
import { div, p } from "./components/elements.ts"
import { type Actions, firstState } from "./components/state.ts"
import { type Operator, pageHtml } from "./frame.ts"
import { texts } from "./texts.ts"

/** No action is called while a page is rendered as text. */
const NO_ACTIONS = {} as Actions

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

const HEAD = `
<link rel="icon" type="image/svg+xml" href="/favicon.svg"><link rel="modulepreload" href="/page.js"><script type="module" src="/page.js"></script>`

export const startPage = (style: string, operator: Operator): string =>
  pageHtml({
    title: texts.title,
    operator,
    style,
    head: HEAD,
    before: `<a class="skip" href="#plans">${texts.frame.skip}</a>`,
    main: renderToString(
      h(
        "main",
        null,
        h(Intro, null),
        h(WithoutScript, null),
        h("div", { id: "app" }, h(App, { state: firstState(emptyDraft), actions: NO_ACTIONS })),
        p("small", texts.frame.leftOut)
      )
    )
  })
