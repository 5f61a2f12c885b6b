/** The frame of the articles of the rules pages: search form, contents and result line. */
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
<button class="do">Search</button>
</form></search>`

const { constants, engineRevision, generatedAtUtc, knownOmissions, version } = publishedRules

const DATE_CHARACTERS = "YYYY-MM-DD".length

const HEADING = `<h1>The rules behind every figure</h1>
<p>Each number of the law that this service uses, with its source, its dates and how surely it was read. The rules that it knowingly
does not apply are listed too. An answer names the rules that it used in <code>provenance.citations</code>, by the ids on this page.</p>
<dl>
<dt>Rules version</dt><dd><code>${escapeHtml(version)}</code></dd>
<dt>Released</dt><dd>${dateHtml(generatedAtUtc.slice(0, DATE_CHARACTERS))}</dd>
<dt>Engine revision</dt><dd>${engineRevision}</dd>
<dt>Entries</dt><dd>${constants.length} of rules, ${knownOmissions.length} of rules not applied</dd>
<dt>For programs</dt><dd><a href="/v1/rules">the same as JSON</a></dd>
</dl>`

const GRADES = `<details><summary>What the grades of evidence mean</summary><dl>${EVIDENCE_GRADES.map(
  (grade) => `<dt>${evidenceName(grade)}</dt><dd>${escapeHtml(EVIDENCE[grade])}</dd>`
).join("\n")}</dl></details>`

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
  `${HEADING}
${form(search)}
${GRADES}
${found === "" ? "" : `<p role="status">${found} <a href="/rules">Show everything</a></p>`}
${sections.length === 0 ? "" : contents(sections)}
${sections.map(sectionHtml).join("\n")}`

export const aloneHtml = ({ alone, id }: Article): string =>
  `<nav aria-label="Rules"><a href="/rules#${escapeHtml(id)}">All rules</a></nav>
${alone}
<p>Of rules version <code>${escapeHtml(version)}</code>, released ${dateHtml(generatedAtUtc.slice(0, DATE_CHARACTERS))}.</p>`
