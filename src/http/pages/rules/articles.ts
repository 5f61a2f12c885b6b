/**
 * HTML articles of the rules and omissions of the ledger, rendered once at startup: definition,
 * values, source, evidence grade and history. Selects and orders nothing.
 */
import { EVIDENCE, type Evidence } from "../../../../schema/rules.ts"
import { escapeHtml } from "../../../messages/escapeHtml.ts"
import { bearingText } from "../../../messages/rules/bearing.ts"
import { plansOfOmission, plansOfRule, plansText } from "../../../messages/rules/plansOf.ts"
import { nextOf, standingOf } from "../../../messages/rules/standing.ts"
import type { Subject } from "../../../messages/rules/subjects.ts"
import { dateHtml, valueHtml } from "./values.ts"

type Rule = Subject["rules"][number]
type Entry = Rule["entries"][number]
type Omission = Subject["omissions"][number]

export type Kind = "rules" | "omissions"

/** An entry as HTML, with the fields that the search uses. */
export interface Article {
  readonly id: string
  readonly label: string
  readonly kind: Kind
  readonly plans: ReadonlyArray<string>
  readonly evidence: Evidence
  /** HTML in a list of entries. */
  readonly html: string
  /** HTML on a page of its own, with earlier and later values. */
  readonly alone: string
  /** Its visible text, in lower case. */
  readonly text: string
}

const EVIDENCE_NAMES: Readonly<Record<Evidence, string>> = {
  statute: "Statute, regulation or notice read",
  "official-copy": "Official page or table read",
  "open-model": "Found in open models",
  "third-party": "Read in quotations or reports",
  convention: "Convention of this engine"
}

/** Short name of an evidence grade. */
export const evidenceName = (grade: Evidence): string => EVIDENCE_NAMES[grade]

const linkTo = (id: string, text: string): string => `<a href="/rules/${escapeHtml(id)}">${escapeHtml(text)}</a>`

/** Definition list of names and values; the values are HTML already. */
const facts = (rows: ReadonlyArray<readonly [name: string, html: string] | undefined>): string =>
  `<dl>${rows.flatMap((row) => (row === undefined ? [] : [`<dt>${row[0]}</dt><dd>${row[1]}</dd>`])).join("\n")}</dl>`

const sourceFacts = ({ lastVerified, source }: Entry | Omission) =>
  [
    ["Source", `<a href="${escapeHtml(source.url)}" rel="noreferrer">${escapeHtml(source.authority)}</a>`],
    ["Read", escapeHtml(source.note)],
    ["Evidence", `<strong>${evidenceName(source.evidence)}.</strong> ${escapeHtml(EVIDENCE[source.evidence])}`],
    ["Last verified", dateHtml(lastVerified)],
    ["Republished", escapeHtml(source.cadence)]
  ] as const

const standingHtml = (rule: Rule, entry: Entry): string => {
  const since = dateHtml(entry.effectiveDate)
  const standing = standingOf(rule, entry)
  if (standing === "inForce") return `since ${since}`
  if (standing === "later") return `from ${since} on; not yet in force when this version was released`
  const next = nextOf(rule, entry)!
  return `from ${since} until ${dateHtml(next.effectiveDate)}, when ${linkTo(next.id, next.label)} took its place`
}

/** The other entries of the rule, newest first. */
const othersOf = (rule: Rule, entry: Entry): ReadonlyArray<Entry> =>
  rule.entries.filter((other) => other !== entry).toReversed()

const historyFact = (rule: Rule, entry: Entry) => {
  const others = othersOf(rule, entry).map((one) => `<li>${linkTo(one.id, one.label)}: ${standingHtml(rule, one)}</li>`)
  return others.length === 0 ? undefined : (["Other dates", `<ul>${others.join("")}</ul>`] as const)
}

const ruleBody = (rule: Rule, entry: Entry): string =>
  `<p>${escapeHtml(entry.definition)}</p>
${valueHtml(entry.value, entry.unit)}
${facts([
  ["Effective", standingHtml(rule, entry)],
  ["Plans", escapeHtml(plansText(plansOfRule(rule), entry.plan))],
  ...sourceFacts(entry),
  [
    "Tested by cases",
    entry.parityLocked
      ? "yes: a test case with a figure from outside this service fails if the engine deviates from the rule"
      : "no"
  ],
  rule.informative ? ["Use", "for information: no figure depends on it"] : undefined,
  historyFact(rule, entry)
])}`

/** Values on other dates, each with its own source. */
const historyHtml = (rule: Rule, entry: Entry): string =>
  othersOf(rule, entry)
    .map(
      (one) => `<section><h2>${linkTo(one.id, one.label)}</h2>
<p>Effective ${standingHtml(rule, one)}.</p>
${valueHtml(one.value, one.unit)}
${facts(sourceFacts(one))}</section>`
    )
    .join("\n")

const omissionBody = (omission: Omission): string =>
  `<p>${escapeHtml(omission.detail)}</p>
${facts([
  ["Effective", `since ${dateHtml(omission.effectiveDate)}, and not applied`],
  omission.expiresDate === "" ? undefined : ["Until", dateHtml(omission.expiresDate)],
  ["Bears", escapeHtml(bearingText(omission))],
  ...sourceFacts(omission)
])}`

const ENTITIES: ReadonlyArray<readonly [string, string]> = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"]
]

/** Visible text of HTML, in lower case. */
const textOf = (html: string): string =>
  ENTITIES.reduce((text, [entity, character]) => text.replaceAll(entity, character), html.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .toLowerCase()

type ArticleContent = Pick<Article, "kind" | "plans"> & { readonly body: string; readonly history: string }

const articleOf = (
  { id, label, source }: Entry | Omission,
  { body, history, kind, plans }: ArticleContent
): Article => {
  const name = `<p class="id"><code>${escapeHtml(id)}</code></p>`
  return {
    id,
    label,
    kind,
    plans,
    evidence: source.evidence,
    html: `<article id="${escapeHtml(id)}">
<h3>${linkTo(id, label)}</h3>
${name}
${body}
</article>`,
    alone: `<h1>${escapeHtml(label)}</h1>
${name}
${body}
${history}`,
    text: textOf(`${escapeHtml(id)} ${escapeHtml(label)} ${body}`)
  }
}

/** All articles of a subject; within a rule, newest entry first. */
export const articlesOf = ({ omissions, rules }: Subject): ReadonlyArray<Article> => [
  ...rules.flatMap((rule) =>
    rule.entries.toReversed().map((entry) =>
      articleOf(entry, {
        kind: "rules",
        plans: plansOfRule(rule),
        body: ruleBody(rule, entry),
        history: historyHtml(rule, entry)
      })
    )
  ),
  ...omissions.map((omission) =>
    articleOf(omission, {
      kind: "omissions",
      plans: plansOfOmission(omission),
      body: omissionBody(omission),
      history: ""
    })
  )
]
