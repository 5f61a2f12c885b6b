/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The start page once its script runs: keeps what is typed, lets the worker compute it, and shows what that says. A tab
 * remembers its own fields; a link holds them in its fragment, which browsers do not send.
 */
import { h, render } from "preact"
import type { Line } from "./book/answer.ts"
import { type Draft, draftOf, emptyLoan, fieldsOf } from "./book/draft.ts"
import { READ_BYTES as MOST_FILE_BYTES } from "./book/file.ts"
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
  reading: undefined,
  notice: ""
}

const show = (change: Partial<State>): void => {
  state = { ...state, ...change }
  render(h(App, { state, actions }), root)
}

/** How often each kind was asked. */
const asked = { compute: 0, explain: 0, read: 0 }
/** When the figures that are shown were asked for. */
let computedAt = Date.now()

const ask = (message: Asked): void => worker.postMessage(message)

const compute = (): void => {
  computedAt = Date.now()
  ask({ kind: "compute", id: ++asked.compute, draft: state.draft, now: computedAt })
}

worker.onmessage = ({ data }: MessageEvent<Told>) => {
  if (data.id !== asked[data.kind]) return
  if (data.kind === "compute") show({ outcome: data.outcome, isBusy: false })
  else if (data.kind === "read") show({ reading: data.reading })
  else if (state.why !== undefined) show({ why: { ...state.why, explanation: data.explanation } })
}
worker.onerror = () => show({ hasFailed: true, isBusy: false })

const change = (draft: Draft, notice = ""): void => {
  remember(draft)
  show({ draft, notice, isBusy: true })
  compute()
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
  readFile: async (file) => {
    const id = ++asked.read
    ask({ kind: "read", id, bytes: new Uint8Array(await file.slice(0, MOST_FILE_BYTES).arrayBuffer()) })
  },
  useFile: () => {
    const { draft, reading } = state
    if (reading?._tag !== "Read") return
    show({ reading: undefined })
    const madeSince2026 = reading.hasLoanSince2026 ? "yes" : draft.household.madeSince2026
    change({ loans: reading.loans, household: { ...draft.household, madeSince2026 } })
  },
  leaveFile: () => show({ reading: undefined }),
  plot: (plotted) => show({ plotted }),
  explain: (line: Line, month: number) => {
    const explanation = state.why?.line.key === line.key ? state.why.explanation : undefined
    show({ why: { line, month, explanation } })
    const { filing, planType } = line
    const question = { planType, filing, month }
    ask({ kind: "explain", id: ++asked.explain, draft: state.draft, now: computedAt, question })
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
