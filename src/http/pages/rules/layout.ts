/** Layout of the rules pages around the articles: header, search form, contents and result line. */
import { EVIDENCE, EVIDENCE_GRADES } from "../../../../schema/rules.ts"
import { PLAN_TYPES } from "../../../../schema/scenario.ts"
import { escapeHtml } from "../../../messages/escapeHtml.ts"
import { publishedRules } from "../../../services/answers/publishedRules.ts"
import { type Article, evidenceName } from "./articles.ts"
import { MAX_CHARACTERS, type Search } from "./search.ts"
import { dateHtml } from "./values.ts"

export interface Section {
  readonly id: string
  readonly heading: string
  readonly articles: ReadonlyArray<Article>
}

export const STYLE = `<style>
body { max-width: 60rem } main { display: block } header p, article > p { max-width: 44rem; overflow-wrap: anywhere }
h1, h2, h3 { overflow-wrap: anywhere } h2 { font-size: 1.3rem; margin-top: 3rem } h3 { font-size: 1.05rem; margin: 0 }
article { margin: 1.5rem 0; padding: 1rem 0 0; border-top: 1px solid #ccc } article:target { outline: 3px solid #0b5394; outline-offset: .5rem } .id { margin: .2rem 0; overflow-wrap: anywhere }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .8rem; align-items: end; margin: 1.5rem 0 }
label { display: block; font-size: .9rem } input, select, button { display: block; width: 100%; min-width: 0; box-sizing: border-box; font: inherit; height: 2.4rem; padding: 0 .5rem; color: inherit; background: #fff; border: 1px solid #767676; border-radius: .3rem }
button { font-weight: 600; color: #fff; background: #0b5394; border-color: #0b5394; cursor: pointer } :focus-visible { outline: 3px solid #b45f06; outline-offset: 2px }
.wide { overflow-x: auto; margin: .8rem 0 } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums } caption { text-align: left; color: #565656; padding-bottom: .2rem }
th, td { text-align: left; vertical-align: top; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #ddd } th { font-weight: 600 } td:has(> data:only-child) { white-space: nowrap } td ul, dd ul { margin: 0; padding-left: 1.1rem }
dl { font-size: .9rem } summary { cursor: pointer }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem } }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark } article { border-color: #444 } article:target { outline-color: #8ab4f8 } input, select { background: #222 } button { color: #10151a; background: #8ab4f8; border-color: #8ab4f8 } caption { color: #aaa } th, td { border-color: #444 } :focus-visible { outline-color: #f6b26b } }
@media print { form, nav { display: none } body { max-width: none; font-size: .85rem } h2, h3 { break-after: avoid } tr { break-inside: avoid } a { color: inherit } details::details-content { content-visibility: visible; block-size: auto } }
</style>`

const option = (value: string, text: string, chosen: string): string =>
  `<option value="${escapeHtml(value)}"${value === chosen ? " selected" : ""}>${escapeHtml(text)}</option>`

const select = (name: keyof Search, label: string, options: ReadonlyArray<readonly [string, string]>, search: Search) =>
  `<label>${label}<select name="${name}">${options.map(([value, text]) => option(value, text, search[name])).join("")}</select></label>`

const form = (search: Search): string => `<search><form action="/rules" method="get">
<label>Words<input type="search" name="q" maxlength="${MAX_CHARACTERS}" value="${escapeHtml(search.q)}"></label>
${select("plan", "Plan", [["", "every plan"], ...PLAN_TYPES.map((plan) => [plan, plan] as const)], search)}
${select(
  "kind",
  "Kind",
  [
    ["", "applied or not"],
    ["rules", "applied"],
    ["omissions", "not applied"]
  ],
  search
)}
${select("evidence", "Evidence", [["", "any"], ...EVIDENCE_GRADES.map((grade) => [grade, evidenceName(grade)] as const)], search)}
<button>Search</button>
</form></search>`

const { constants, engineRevision, generatedAtUtc, knownOmissions, version } = publishedRules

const DATE_CHARACTERS = "YYYY-MM-DD".length

const HEADER = `<header><h1>The rules behind every figure</h1>
<p>Each number of the law that this service uses, with its source and dates, how surely it was read, and the rules that it knowingly
does not apply. An answer names the rules that it used in <code>provenance.citations</code>, by the ids that stand here.</p>
<dl>
<dt>Rules version</dt><dd><code>${escapeHtml(version)}</code></dd>
<dt>Released</dt><dd>${dateHtml(generatedAtUtc.slice(0, DATE_CHARACTERS))}</dd>
<dt>Engine revision</dt><dd>${engineRevision}</dd>
<dt>Entries</dt><dd>${constants.length} of rules, ${knownOmissions.length} of rules not applied</dd>
<dt>For programs</dt><dd><a href="/v1/rules">the same as JSON</a></dd>
</dl></header>`

const GRADES = `<details><summary>What the grades of evidence mean</summary><dl>${EVIDENCE_GRADES.map(
  (grade) => `<dt>${evidenceName(grade)}</dt><dd>${escapeHtml(EVIDENCE[grade])}</dd>`
).join("\n")}</dl></details>`

const FOOTER = `<footer><p><a href="/">Compare every plan</a> &middot; <a href="/docs">API</a> &middot; <a href="/v1/rules">JSON</a>. Not legal, tax or financial advice.</p></footer>`

const contents = (sections: ReadonlyArray<Section>): string =>
  `<nav aria-label="Subjects"><ul>${sections
    .map(({ articles, heading, id }) => `<li><a href="#${id}">${escapeHtml(heading)}</a> (${articles.length})</li>`)
    .join("\n")}</ul></nav>`

const sectionHtml = ({ articles, heading, id }: Section): string =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(heading)}</h2>
${articles.map(({ html }) => html).join("\n")}
</section>`

/** `found`: a sentence on the result of a search; empty without one. */
export const listHtml = (sections: ReadonlyArray<Section>, search: Search, found: string): string =>
  `${HEADER}
${form(search)}
${GRADES}
${found === "" ? "" : `<p role="status">${found} <a href="/rules">Show everything</a></p>`}
${sections.length === 0 ? "" : contents(sections)}
<main>
${sections.map(sectionHtml).join("\n")}
</main>
${FOOTER}`

export const aloneHtml = ({ alone, id }: Article): string =>
  `<nav aria-label="Rules"><a href="/rules#${escapeHtml(id)}">All rules</a></nav>
<main>
${alone}
<p>Of rules version <code>${escapeHtml(version)}</code>, released ${dateHtml(generatedAtUtc.slice(0, DATE_CHARACTERS))}.</p>
</main>
${FOOTER}`
