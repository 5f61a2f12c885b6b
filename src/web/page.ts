/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The start page once its script runs: keeps what is typed, lets the worker compute it, and shows what that says. A tab
 * remembers its own fields; a link holds them in its fragment, which browsers do not send.
 */
import { h, render } from "preact"
import type { Line } from "./book/answer.ts"
import { type Draft, draftOf, emptyLoan, fieldsOf } from "./book/draft.ts"
import { App } from "./components/App.ts"
import type { Actions, State } from "./components/state.ts"
import type { Asked, Told } from "./messages.ts"
import { texts } from "./texts.ts"

const REMEMBERED = "draft"

const root = document.querySelector<HTMLElement>("#app")!
const worker = new Worker("/worker.js", { type: "module" })

/** Storage may be switched off; then a reload begins anew. */
const remember = (draft: Draft): void => {
  try {
    sessionStorage.setItem(REMEMBERED, String(new URLSearchParams(fieldsOf(draft))))
  } catch {}
}
const remembered = (): string | null => {
  try {
    return sessionStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

/** The fields of a link; other fragments lead to places of the page. */
const linkedFields = (): string | undefined => {
  const { hash } = location
  if (!hash.includes("=")) return undefined
  history.replaceState(null, "", location.pathname)
  return hash.slice(1)
}

/** What a form holds: of one that the server has answered, what was sent. */
const typedFields = (): Draft => {
  const form = root.querySelector("form")
  if (form === null) return draftOf([])
  return draftOf([...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]))
}

const firstDraft = (): Draft => {
  const fields = linkedFields() ?? remembered()
  return fields === null ? typedFields() : draftOf(new URLSearchParams(fields))
}

let state: State = {
  draft: firstDraft(),
  outcome: undefined,
  isBusy: true,
  hasFailed: false,
  plotted: undefined,
  why: undefined,
  notice: ""
}

const show = (change: Partial<State>): void => {
  state = { ...state, ...change }
  render(h(App, { state, actions }), root)
}

let asked = 0
/** When the figures that are shown were asked for. */
let askedAt = Date.now()
const ask = (question?: Asked["question"]): void => {
  if (question === undefined) askedAt = Date.now()
  const more = question === undefined ? {} : { question }
  worker.postMessage({ id: ++asked, draft: state.draft, now: askedAt, ...more } satisfies Asked)
}

/** Only the latest answer is shown: an earlier one is of other fields. */
worker.onmessage = ({ data }: MessageEvent<Told>) => {
  if (data.id !== asked) return
  if (data.outcome !== undefined) show({ outcome: data.outcome, isBusy: false })
  else if (state.why !== undefined) show({ why: { ...state.why, explanation: data.explanation } })
}
worker.onerror = () => show({ hasFailed: true, isBusy: false })

const change = (draft: Draft, notice = ""): void => {
  remember(draft)
  show({ draft, notice, isBusy: true })
  ask()
}

const changeLoans = (loans: Draft["loans"]): void => change({ ...state.draft, loans })

const save = (name: string, text: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const linkOf = (draft: Draft): string =>
  `${location.origin}${location.pathname}#${new URLSearchParams(fieldsOf(draft))}`

const actions: Actions = {
  setLoan: (index, field, value) =>
    changeLoans(state.draft.loans.map((loan, at) => (at === index ? { ...loan, [field]: value } : loan))),
  setHousehold: (field, value) => change({ ...state.draft, household: { ...state.draft.household, [field]: value } }),
  addLoan: () => changeLoans([...state.draft.loans, emptyLoan]),
  removeLoan: (index) => changeLoans(state.draft.loans.filter((_, at) => at !== index)),
  replace: change,
  plot: (plotted) => show({ plotted }),
  explain: (line: Line, month: number) => {
    const explanation = state.why?.line.key === line.key ? state.why.explanation : undefined
    show({ why: { line, month, explanation } })
    ask({ planType: line.planType, filing: line.filing, month })
  },
  closeWhy: () => show({ why: undefined }),
  copyLink: () =>
    navigator.clipboard.writeText(linkOf(state.draft)).then(
      () => show({ notice: texts.tools.copied }),
      () => show({ notice: linkOf(state.draft) })
    ),
  print: () => window.print(),
  save
}

addEventListener("hashchange", () => {
  const fields = linkedFields()
  if (fields !== undefined) change(draftOf(new URLSearchParams(fields)))
})

root.replaceChildren()
change(state.draft)
