/** The start page as the server sends it: the same components, rendered once, which work as a plain form without a script. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { releasedAtUtc } from "../../ledger/release.ts"
import { MAX_CHANGES } from "../../schema/bounds.ts"
import type { Outcome } from "./book/compute.ts"
import {
  type Draft,
  emptyChange,
  emptyDraft,
  emptyLoan,
  exampleDraft,
  MAX_LOANS_OF_FORM,
  USUAL_GROWTH
} from "./book/draft.ts"
import { App } from "./components/App.ts"
import { firstState } from "./components/state.ts"
import { texts } from "./texts.ts"

/** The style of the page, a file for each part of it; sent as one. */
export const STYLES = ["page.css", "form.css", "answer.css", "why.css", "consolidation.css"]

const REMOVE = /^remove(Change)?([1-9]\d{0,2})$/

/** What a button of a form without script does to the fields that come with it. */
export const acted = (draft: Draft, action: string | null): Draft => {
  if (action === "example") return exampleDraft
  if (action === "clear") return emptyDraft
  if (action === "add" && draft.loans.length < MAX_LOANS_OF_FORM)
    return { ...draft, loans: [...draft.loans, emptyLoan] }
  if (action === "addChange" && draft.changes.length < MAX_CHANGES)
    return { ...draft, changes: [...draft.changes, emptyChange] }
  if (action === "try") return { ...draft, household: { ...draft.household, ...USUAL_GROWTH } }
  const [, ofChange, number] = REMOVE.exec(action ?? "") ?? []
  if (number === undefined) return draft
  const isLeft = (_: unknown, index: number): boolean => index !== Number(number) - 1
  if (ofChange !== undefined) return { ...draft, changes: draft.changes.filter(isLeft) }
  return draft.loans.length === 1 ? draft : { ...draft, loans: draft.loans.filter(isLeft) }
}

const Header = () =>
  h(
    "header",
    { class: "bar" },
    h(
      "a",
      { class: "brand", href: "/" },
      h(
        "svg",
        { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" },
        h("rect", { x: 2, y: 2, width: 20, height: 20, rx: 6 }),
        h("path", { d: "M7 12.5l3.2 3.2L17 8.5" })
      ),
      texts.frame.brand
    ),
    h(
      "nav",
      { "aria-label": texts.frame.site },
      texts.frame.links.map(([href, text]) => h("a", { key: href, href }, text))
    )
  )

const Intro = () =>
  h(
    "div",
    { class: "intro" },
    h("h1", null, texts.title),
    h("p", { class: "soft" }, texts.lead),
    h(
      "ul",
      { class: "trust small" },
      texts.frame.trust(releasedAtUtc).map((text) => h("li", { key: text }, text))
    )
  )

const Footer = () =>
  h(
    "footer",
    { class: "small" },
    h("p", null, texts.frame.leftOut, " ", h("a", { href: "/rules" }, texts.frame.rules)),
    h("p", null, texts.frame.about)
  )

/** @param outcome undefined before anything was computed */
export const startPage = (draft: Draft, outcome: Outcome | undefined): string => {
  const state = firstState(draft, outcome)
  const body = renderToString(
    h(
      "body",
      null,
      h("a", { class: "skip", href: "#plans" }, texts.frame.skip),
      h(Header, null),
      h(
        "main",
        null,
        h(Intro, null),
        h("div", { id: "app", "data-answered": outcome !== undefined }, h(App, { state, actions: undefined }))
      ),
      h(Footer, null)
    )
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg"><link rel="stylesheet" href="/page.css"><link rel="modulepreload" href="/page.js"><script type="module" src="/page.js"></script></head>
${body}
</html>
`
}
