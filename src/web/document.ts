/** The start page as the server sends it: the same components, rendered once, which work as a plain form without a script. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Outcome } from "./book/compute.ts"
import { type Draft, emptyDraft, emptyLoan, exampleDraft, MAX_LOANS_OF_FORM } from "./book/draft.ts"
import { App } from "./components/App.ts"
import { firstState } from "./components/state.ts"
import { texts } from "./texts.ts"

/** The style of the page, a file for each part of it; sent as one. */
export const STYLES = ["page.css"]

const REMOVE = /^remove([1-9]\d{0,2})$/

/** What a button of a form without script does to the fields that come with it. */
export const acted = (draft: Draft, action: string | null): Draft => {
  if (action === "example") return exampleDraft
  if (action === "clear") return emptyDraft
  if (action === "add" && draft.loans.length < MAX_LOANS_OF_FORM)
    return { ...draft, loans: [...draft.loans, emptyLoan] }
  const [, number] = REMOVE.exec(action ?? "") ?? []
  if (number === undefined || draft.loans.length === 1) return draft
  return { ...draft, loans: draft.loans.filter((_, index) => index !== Number(number) - 1) }
}

/** @param outcome undefined before anything was computed */
export const startPage = (draft: Draft, outcome: Outcome | undefined): string => {
  const state = firstState(draft, outcome)
  const { api, disclaimer, rules } = texts.footer
  const body = renderToString(
    h(
      "body",
      null,
      h("header", null, h("h1", null, texts.title), h("p", null, texts.lead)),
      h("main", { id: "app", "data-answered": outcome !== undefined }, h(App, { state, actions: undefined })),
      h(
        "footer",
        null,
        h("a", { href: "/rules" }, rules),
        " · ",
        h("a", { href: "/docs" }, api),
        h("p", null, disclaimer)
      )
    )
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title>
<link rel="stylesheet" href="/page.css"><link rel="modulepreload" href="/page.js"><script type="module" src="/page.js"></script></head>
${body}
</html>
`
}
