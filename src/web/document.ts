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
import { pageHtml, UNNAMED } from "./frame.ts"
import { texts } from "./texts.ts"

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

const Intro = () =>
  h(
    "div",
    { class: "intro" },
    h("h1", null, texts.title),
    h("p", { class: "soft" }, texts.lead),
    h(
      "ul",
      { class: "trust small" },
      texts.frame.trust(texts.frame.lawAsOf(releasedAtUtc)).map((text) => h("li", { key: text }, text))
    )
  )

const HEAD = `
<link rel="icon" type="image/svg+xml" href="/favicon.svg"><link rel="modulepreload" href="/page.js"><script type="module" src="/page.js"></script>`

/** @param outcome undefined before anything was computed */
export const startPage = (draft: Draft, outcome: Outcome | undefined, style = "", operator = UNNAMED): string =>
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
        h(
          "div",
          { id: "app", "data-answered": outcome !== undefined },
          h(App, { state: firstState(draft, outcome), actions: undefined })
        ),
        h("p", { class: "small" }, texts.frame.leftOut)
      )
    )
  })
