/**
 * The reading level of the start page: the Flesch-Kincaid grade of the sentences of each part, for five borrowers. A
 * sentence counts once, whatever its amounts and months. A number is a word of one syllable, and so is a term of the law.
 */
import { globSync, readFileSync } from "node:fs"
import { syllable } from "syllable"
import { describe, expect, it } from "vitest"
import { render } from "../../src/http/pages/guides/render.ts"
import { compute, explainFigure } from "../../src/web/book/compute.ts"
import { type Draft, exampleDraft } from "../../src/web/book/draft.ts"
import type { Figure } from "../../src/web/book/why/explanation.ts"
import { startPage } from "../../src/web/document.ts"
import { UNNAMED } from "../../src/web/frame.ts"
import { texts } from "../../src/web/texts.ts"
import { dialogTexts } from "../../src/web/whyTexts.ts"
import { answered, appHtml } from "../support/books.ts"

const NOW = new Date("2026-11-25T12:00:00Z")
const MOST = 8

const [loan, ...others] = exampleDraft.loans
const withHousehold = (household: Partial<Draft["household"]>): Draft => ({
  ...exampleDraft,
  household: { ...exampleDraft.household, ...household }
})
const BORROWERS: ReadonlyArray<Draft> = [
  exampleDraft,
  withHousehold({ filing: "Married", spouseIncome: "41000", spouseLoans: "12000" }),
  { ...exampleDraft, loans: [...exampleDraft.loans, { ...loan!, type: "DIRECT PLUS PARENT", balance: "24000" }] },
  { ...withHousehold({ service: "yes" }), loans: [{ ...loan!, pslf: "80" }, ...others] },
  {
    ...withHousehold({
      filing: "Married",
      income: "90000",
      spouseIncome: "41000",
      state: "WI",
      dependents: "2"
    }),
    spouse: exampleDraft
  }
]

const TERMS: ReadonlyArray<string> = [
  ...Object.values(texts.answer.plans),
  ...Object.values(texts.answer.names),
  ...Object.values(texts.answer.shorts),
  ...Object.values(texts.book.types),
  ...Object.values(texts.household.states),
  "Income-Based",
  "adjusted gross income",
  "Department of Education",
  "partial financial hardship",
  "poverty guideline",
  "public service",
  "public-service",
  "standard deduction",
  "Teacher Loan Forgiveness",
  "consolidation",
  "consolidated",
  "consolidate",
  "deferment",
  "forbearance",
  "Parent PLUS",
  "studentaid.gov/idr",
  "studentaid.gov",
  "FFEL",
  "principal",
  "unsubsidized",
  "subsidized"
]

const escaped = TERMS.toSorted((one, other) => other.length - one.length).map((term) => term.replace(/[()]/g, "\\$&"))
const TERM = new RegExp(`(?<![\\w-])(?:${escaped.join("|")})(?![\\w-])`, "gi")

/** What is seen of HTML, a line for each block. */
const linesOf = (html: string): ReadonlyArray<string> =>
  html
    .replace(/<(svg|select|textarea|button)\b.*?<\/\1>/gs, "")
    .replace(/<span class="vh">.*?<\/span>/gs, "")
    .replace(/<\/?(?:a|b|i|data|span)\b[^>]*>/g, "")
    .split(/<[^>]*>/)
    .map((line) => line.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&").trim())

/** What ends as a sentence does. Labels and headings do not. */
const sentencesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(
    lines
      .flatMap((line) => line.split(/(?<=[.?!])\s+(?=["“A-Z\d$])/))
      .filter((sentence) => /[.?!]$/.test(sentence))
      .map((sentence) => [sentence.replace(/\$?\d[\d,.]*%?|\b[A-Z][a-z]{2} \d{4}/g, "0").replace(TERM, "it"), sentence])
  ).values()
]

const wordsOf = (sentence: string): ReadonlyArray<string> =>
  sentence
    .replace(TERM, "it")
    .split(/[\s/–—-]+/)
    .filter((word) => /[A-Za-z\d]/.test(word))

const syllablesOf = (word: string): number => (/\d/.test(word) ? 1 : Math.max(1, syllable(word)))

const gradeOf = (sentences: ReadonlyArray<string>): number => {
  const words = sentences.flatMap(wordsOf)
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59
}

const explanationsOf = (draft: Draft): ReadonlyArray<string> =>
  answered(draft, NOW).answer.lines.flatMap((line) =>
    (Object.keys(dialogTexts.figures) as ReadonlyArray<Figure>).flatMap((figure) => {
      const month = figure === "highest" ? line.highestMonth : 0
      const { notes, rows, said } = explainFigure(draft, { line, figure, month }, NOW)!
      return [...said.map(({ text }) => text), ...notes, ...rows.map(({ formula = "" }) => formula)]
    })
  )

const PARTS = {
  form: /<form\b.*?<\/form>/gs,
  cards: /<fieldset class="goals">.*?<\/fieldset>|<p class="assumes">.*?<\/p>/gs,
  plots: /<figure class="card plots">.*?<\/figure>/gs,
  list: /<section class="card plans".*?(?=<section class="card consolidation"|<table class="printed")/gs,
  couple: /<h2>For the two.*?<fieldset class="whose">.*?<\/fieldset>/gs,
  consolidation: /<section class="card consolidation".*?<\/section>/gs,
  questions: /<section class="card questions".*?<\/section>/gs
}
const pages = startPage("", UNNAMED) + BORROWERS.map((draft) => appHtml(draft, compute(draft, NOW))).join("")
const rest = Object.values(PARTS).reduce((left, part) => left.replace(part, "<hr>"), pages)
const LINES = {
  ...Object.fromEntries(
    Object.entries(PARTS).map(([name, part]) => [name, (pages.match(part) ?? []).flatMap(linesOf)])
  ),
  frame: linesOf(rest),
  "short answers": globSync("docs/answers/*.md").flatMap((file) =>
    linesOf(render({ file: file.slice("docs/".length), text: readFileSync(file, "utf8") }).html.replaceAll("\n", " "))
  ),
  explanations: BORROWERS.flatMap(explanationsOf)
}

describe("the grade of the sentences of", () => {
  it.each(Object.entries(LINES))(`%s is ${MOST} at most`, (_, lines) => {
    const sentences = sentencesOf(lines)
    const hardest = sentences.toSorted((one, other) => gradeOf([other]) - gradeOf([one])).slice(0, 10)
    expect(sentences.length).toBeGreaterThan(0)
    expect(gradeOf(sentences), hardest.join("\n")).toBeLessThanOrEqual(MOST)
  })
})
