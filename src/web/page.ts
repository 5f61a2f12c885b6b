/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The script of the start page. It stores the typed fields, lets the worker compute, and shows the
 * answer. A tab stores its fields; a link has them in its fragment, which browsers do not send.
 */
import { h, options, render } from "preact"
import {
  type Draft,
  draftOf,
  emptyChange,
  emptyDraft,
  emptyLoan,
  fieldsOf,
  isEmptyLoan,
  USUAL_GROWTH
} from "./book/draft.ts"
import { READ_BYTES as MAX_FILE_BYTES, withFile } from "./book/file.ts"
import { withInterest } from "./book/interest.ts"
import { draftFor, type Whose } from "./book/spouse.ts"
import { App } from "./components/App.ts"
import { type Actions, firstState, type ReadFile, type State } from "./components/state.ts"
import { Computing } from "./computing.ts"
import { keepingOwnNodes } from "./ownNodes.ts"
import { texts } from "./texts.ts"

const REMEMBERED = "draft"

/** In a calculator that was saved as a file: the service to which its links lead. */
const SERVICE = document.querySelector<HTMLMetaElement>("meta[name=service]")?.content
if (SERVICE !== undefined)
  options.vnode = ({ props, type }) => {
    if (type === "a" && "href" in props && String(props.href).startsWith("/")) props.href = SERVICE + props.href
  }

const root = document.querySelector<HTMLElement>("#app")!

/** If storage is off, a reload begins anew. */
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

/** The draft of a link. Other fragments are targets in the page, or foreign. */
const linkedDraft = (): Draft | undefined => {
  const draft = draftOf(new URLSearchParams(location.hash.slice(1)))
  if (fieldsOf(draft).length === 0) return undefined
  history.replaceState(null, "", location.pathname)
  return draft
}

/** The fields that were typed before the script ran. */
const typedDraft = (): Draft =>
  draftOf(
    [...new FormData(root.querySelector("form")!)].map(([name, value]): [string, string] => [name, String(value)])
  )

/** The stored draft of the tab, or else that of the form. A link replaces it, and undo restores it. */
const firstDrafts = (): Pick<State, "before" | "draft"> => {
  const fields = remembered()
  const own = fields === null ? typedDraft() : draftOf(new URLSearchParams(fields))
  const linked = linkedDraft()
  if (linked === undefined) return { draft: own, before: undefined }
  return { draft: linked, before: fieldsOf(own).length === 0 ? undefined : own }
}

const drafts = firstDrafts()
root.replaceChildren()
const drawn = keepingOwnNodes(root)
// Components with a state of their own are redrawn through this, too.
options.debounceRendering = (draw) => queueMicrotask(() => drawn(draw))
let state: State = { ...firstState(drafts.draft), before: drafts.before, isBusy: true }

const show = (change: Partial<State>): void => {
  state = { ...state, ...change }
  drawn(() => render(h(App, { state, actions }), root))
}

/** The time of the request for the shown figures, which are explained for the same day. */
let computedAt = Date.now()

/** The latest answer to this draft. */
let latest: State["answered"]

const computing = new Computing(
  (told) => {
    if (told.kind === "compute") {
      if (told.outcome._tag === "Answered") latest = told.outcome
      else state = { ...state, answered: state.answered ?? latest }
      show({ outcome: told.outcome, isBusy: false })
    } else if (told.kind === "read") show({ readings: { ...state.readings, [told.whose]: told.reading } })
    else if (state.why !== undefined) show({ why: { ...state.why, explanation: told.explanation } })
  },
  () => show({ hasFailed: true, isBusy: false, why: undefined })
)

const change = (draft: Draft, more: Partial<State> = {}): void => {
  remember(draft)
  show({ draft, isBusy: true, hasFailed: false, notice: "", ...more })
  computedAt = Date.now()
  computing.ask({ kind: "compute", draft, now: computedAt })
}

/** Replaces the draft or its order. Undo restores the earlier draft. */
const replace = (draft: Draft, more: Partial<State> = {}): void => {
  latest = undefined
  change(draft, { before: state.draft, answered: undefined, generation: state.generation + 1, ...more })
}

const focusOn = (id: string): void => document.getElementById(id)?.focus()
/** Folds loans that need no check, so that the form stays short. */
const closeLoans = (): void => {
  for (const fold of root.querySelectorAll<HTMLDetailsElement>(".loans details[open].loan"))
    fold.open = fold.querySelector("summary .look") !== null
}

const save = (name: string, text: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const linkOf = (draft: Draft): string =>
  `${SERVICE === undefined ? location.origin + location.pathname : `${SERVICE}/`}#${new URLSearchParams(fieldsOf(draft))}`

const actionsOf = (whose: Whose): Actions => {
  const prefix = whose === "own" ? "" : "spouse-"
  const draftNow = (): Draft => (whose === "own" ? state.draft : (state.draft.spouse ?? emptyDraft))
  /** The whole draft, with this one's in it. */
  const withOwn = (draft: Draft): Draft => (whose === "own" ? draft : { ...state.draft, spouse: draft })
  const setLoans = (loans: Draft["loans"]) => change(withOwn({ ...draftNow(), loans }))
  const read = (reading: ReadFile | undefined) => ({ readings: { ...state.readings, [whose]: reading } })
  return {
    setLoan: (index, field, value) =>
      setLoans(draftNow().loans.map((loan, at) => (at === index ? { ...loan, [field]: value } : loan))),
    setEveryLoan: (field, value) =>
      setLoans(draftNow().loans.map((loan) => (isEmptyLoan(loan) ? loan : { ...loan, [field]: value }))),
    setUnpaidInterest: (cents) => setLoans(withInterest(draftNow().loans, cents)),
    setHousehold: (field, value) => {
      const draft = draftNow()
      change(withOwn({ ...draft, household: { ...draft.household, [field]: value } }))
    },
    addLoan: () => {
      const { loans } = draftNow()
      closeLoans()
      setLoans([...loans, emptyLoan])
      focusOn(`${prefix}loan${loans.length + 1}-type`)
    },
    removeLoan: (index) => {
      const loans = draftNow().loans.filter((_, at) => at !== index)
      replace(withOwn({ ...draftNow(), loans }))
      focusOn(`${prefix}loan${Math.min(index, loans.length - 1) + 1}`)
    },
    setChange: (index, field, value) => {
      const changes = state.draft.changes.map((change, at) => (at === index ? { ...change, [field]: value } : change))
      change({ ...state.draft, changes })
    },
    addChange: () => {
      const { changes } = state.draft
      change({ ...state.draft, changes: [...changes, emptyChange] })
      focusOn(`change${changes.length + 1}-year`)
    },
    removeChange: (index) => replace({ ...state.draft, changes: state.draft.changes.filter((_, at) => at !== index) }),
    tryGrowth: () => change({ ...state.draft, household: { ...state.draft.household, ...USUAL_GROWTH } }),
    addSpouse: () => {
      change({ ...state.draft, spouse: emptyDraft })
      focusOn("spouse-loan1-type")
    },
    removeSpouse: () => {
      const { household } = draftFor(state.draft, "own")
      const { spouseLoans } = household
      const own = { ...state.draft.household, spouseLoans }
      replace({ ...state.draft, household: own, spouse: undefined }, { whose: "own", returns: {} })
      focusOn("household")
    },
    showAnswerOf: (shown) => show({ whose: shown, goal: undefined, sort: undefined, returns: {}, why: undefined }),
    replace: (draft) => replace(draft, { readings: {}, whose: "own" }),
    undo: () => {
      if (state.before !== undefined) replace(state.before)
    },
    readFile: async (file) => {
      try {
        const bytes = new Uint8Array(await file.slice(0, MAX_FILE_BYTES).arrayBuffer())
        computing.ask({ kind: "read", bytes, whose })
      } catch {
        show(read({ _tag: "Refused", sentence: texts.book.file.unreadable }))
      }
    },
    useFile: () => {
      const reading = state.readings[whose]
      if (reading?._tag !== "Read") return
      replace(withOwn(withFile(draftNow(), reading)), read({ ...reading, isUsed: true }))
      focusOn("household")
      document.getElementById("household")?.scrollIntoView()
    },
    leaveFile: () => show(read(undefined)),
    setGoal: (goal) => show({ goal }),
    sortBy: (sort) => show({ sort }),
    chooseReturn: (planType, filing) => show({ returns: { ...state.returns, [planType]: filing } }),
    explain: (line, figure, month = figure === "highest" ? line.highestMonth : line.paused) => {
      // The figure is outdated and will be replaced in a moment.
      if (state.isBusy || state.outcome?._tag !== "Answered") return
      const { why } = state
      const explanation = why?.line.key === line.key && why.figure === figure ? why.explanation : undefined
      show({ why: { line, figure, month, explanation } })
      computing.ask({ kind: "explain", draft: state.draft, now: computedAt, question: { whose, line, figure, month } })
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
}

const actions = { own: actionsOf("own"), spouse: actionsOf("spouse") }

// What is half typed has answers, too, which nobody asked for. So the one before a field is entered stays.
root.addEventListener("focusin", () => {
  if (state.outcome?._tag === "Answered") state = { ...state, answered: state.outcome }
})
addEventListener("hashchange", () => {
  const draft = linkedDraft()
  if (draft !== undefined) replace(draft)
})
// The browser would open a file that is dropped elsewhere, and leave the page.
for (const event of ["dragover", "drop"]) addEventListener(event, (dropped) => dropped.preventDefault())

change(state.draft)
