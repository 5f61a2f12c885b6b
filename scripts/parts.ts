/**
 * The `parts` task: writes one HTML file with the start page's parts in their states, light and
 * dark, drawn by the real components from answers that are computed now. For those who change them.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { webText } from "../src/http/pages/webFile.ts"
import {
  type Actions,
  App,
  compute,
  type Draft,
  emptyChange,
  emptyDraft,
  emptyLoan,
  exampleDraft,
  explainFigure,
  firstState,
  pageHtml,
  readFile,
  STYLES,
  type State,
  UNNAMED,
  USUAL_GROWTH,
  withFile
} from "../src/web/index.ts"
import { Misuse, PROJECT, say } from "./harness.ts"

const NOW = new Date()
const SAMPLE = join(PROJECT, "test/myAidData/samples/04-parent-plus-keys-of-2026.txt")

/** Present, so that what needs a script is drawn, and without effect. */
const ACTIONS = new Proxy({}, { get: () => () => undefined }) as Actions

const example = (household: Partial<Draft["household"]>, others: Partial<Draft> = {}): Draft => ({
  ...exampleDraft,
  ...others,
  household: { ...exampleDraft.household, ...household }
})
const oneLoan = (loan: Partial<Draft["loans"][number]>): Draft["loans"] => [
  { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "31500", rate: "6.53", ...loan }
]

const stateOf = (draft: Draft, more: Partial<State> = {}): State => ({
  ...firstState(draft, compute(draft, NOW)),
  ...more
})

const explained = (draft: Draft): State => {
  const state = stateOf(draft)
  if (state.outcome?._tag !== "Answered") throw new Error("The example of an explanation has no answer.")
  const line = state.outcome.answer.lines.find(({ figures }) => figures.forgivenessTaxesOwed > 0)!
  const explanation = explainFigure(draft, { line, figure: "tax", month: 0 }, NOW)
  return { ...state, why: { line, figure: "tax", month: 0, explanation } }
}

/** @returns a state by its name; of those whose name says "open", every disclosure is open */
const states = (): Readonly<Record<string, State>> => {
  const reading = readFile(readFileSync(SAMPLE))
  if (reading._tag !== "Read") throw new Error("The sample of a file cannot be read.")
  const imported = withFile(exampleDraft, reading)
  const growing = { income: "90000", year: "4", filing: "Married", spouseIncome: "48000" }
  return {
    "nothing typed yet": stateOf(emptyDraft),
    "a field that is wrong": stateOf(example({ income: "a lot" })),
    "a loan with a rate that needs a look": stateOf(example({}, { loans: oneLoan({ rate: "65" }) })),
    "nothing owed": stateOf(example({}, { loans: oneLoan({ balance: "0" }) })),
    "the example: two cards": stateOf(exampleDraft),
    "the example, with a goal, everything open": stateOf(exampleDraft, { goal: "first" }),
    "three cards: a low income": stateOf(example({ income: "24000", ...USUAL_GROWTH })),
    "first borrowed: not sure": stateOf(example({ firstBorrowed: "" })),
    "married: joint and separate returns, open": stateOf(example({ filing: "Married", spouseIncome: "41000" })),
    "a loan made since July 2026": stateOf(example({ madeSince2026: "yes" })),
    "public service, nearly done": stateOf(example({ service: "yes" }, { loans: oneLoan({ pslf: "110" }) })),
    "paying more": stateOf(example({ extra: "100" })),
    "what may change, open": stateOf(example(USUAL_GROWTH, { changes: [{ ...emptyChange, ...growing }] })),
    "a file, before it is used": stateOf(emptyDraft, { readings: { own: reading } }),
    "a file, used": stateOf(imported, { readings: { own: { ...reading, isUsed: true } }, before: exampleDraft }),
    "an explanation, open": explained(example({ income: "24000" }, { loans: oneLoan({ balance: "60000" }) }))
  }
}

const drawn = (name: string, state: State): string => {
  const html = renderToString(h(App, { state, actions: { own: ACTIONS, spouse: ACTIONS } }))
  const opened = html.replace("<dialog", "<dialog open").replace(/<details(?![^>]* open)/g, "<details open")
  const shown = /\bopen$/.test(name) ? opened : html
  // Radio buttons of one name would be one choice, on all sheets together.
  const schemes = ["light", "dark"].map(
    (scheme) =>
      `<div class="sheet" style="color-scheme: ${scheme}">${shown.replaceAll(' name="', ` name="${name} ${scheme} `)}</div>`
  )
  return `<details class="sheets" open><summary><h2>${name}</h2></summary>${schemes.join("\n")}</details>`
}

const STYLE = `${webText(STYLES)}
.sheets { margin-top: 2rem }
.sheet { padding: 1rem; background: var(--paper); color: var(--ink) }
.sheet dialog.computed { position: static; grid-column: 1 / -1; margin: 1rem 0; border: 1px solid var(--line) }`

export default (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({ args: [...args], options: { out: { type: "string" } } })
  if (values.out === undefined) throw new Misuse("parts needs --out <folder>")
  const sheets = Object.entries(states()).map(([name, state]) => drawn(name, state))
  const main = `<main><h1>The parts of the start page</h1>${sheets.join("\n")}</main>`
  mkdirSync(values.out, { recursive: true })
  const file = resolve(values.out, "parts.html")
  writeFileSync(file, pageHtml({ title: "Parts", operator: UNNAMED, style: STYLE, head: "", main }))
  say(file)
}
