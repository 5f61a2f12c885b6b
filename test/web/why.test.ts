/**
 * Explanations of the figures of the start page, for random books: the last row is the figure to the
 * cent, rounded it is the text of the button that opens it, the parts add up to it, and a sentence leads.
 */
/// <reference lib="dom" />
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import type { FilingStatus } from "../../schema/scenario.ts"
import { dollars, wholeDollars } from "../../src/messages/figures.ts"
import { compute, explainFigure } from "../../src/web/book/compute.ts"
import { type Draft, EXACT_DAY, exampleDraft } from "../../src/web/book/draft.ts"
import type { Line } from "../../src/web/book/line.ts"
import type { Explanation, Figure } from "../../src/web/book/why/explanation.ts"
import { App } from "../../src/web/components/App.ts"
import { rowsOf } from "../../src/web/components/goals.ts"
import { type Actions, firstState } from "../../src/web/components/state.ts"
import { texts } from "../../src/web/texts.ts"
import { type AnsweredBook, answeredBooks } from "../support/books.ts"
import { newSeedOr, runs } from "../support/random.ts"

const NOW = new Date("2026-11-22T12:00:00Z")
const BOOKS = runs(20, 120)
const SEED = newSeedOr(20261126)

/** Never -0, which the page does not have. */
const toCents = (amount: number): number => Math.round(amount * 100) + 0
const round = (amount: number): number => toCents(amount) / 100

/** What the page shows of a line, in dollars; of its end the index of the last month. */
const figuresOf = ({ cost, figures, highestPayment, presentValue }: Line): Record<Figure, number | null> => {
  const { principalBalance, interestBalance } = figures.yearly![0]!
  return {
    first: figures.firstMonthPayment,
    highest: highestPayment,
    paid: figures.totalOutOfPocket,
    interest: round(figures.totalOutOfPocket - principalBalance - interestBalance),
    forgiven: figures.amountForgiven,
    tax: figures.forgivenessTaxesOwed,
    cost,
    worth: presentValue,
    ends: figures.monthsToFinish
  }
}

const linesOf = (draft: Draft): ReadonlyArray<Line> => {
  const outcome = compute(draft, NOW)
  return outcome._tag === "Answered" ? outcome.answer.lines : []
}

const explained = (draft: Draft, line: Line, figure: Figure): Explanation => {
  const month = figure === "highest" ? line.highestMonth : line.paused
  const explanation = explainFigure(draft, { line, figure, month }, NOW)
  if (explanation === undefined) throw new Error("a figure without an explanation")
  return explanation
}

/** The sum of the parts, less what is taken off, in cents. */
const partsOf = ({ rows }: Explanation): number =>
  rows.reduce((sum, { role, value }) => {
    if (role !== "part" && role !== "less") return sum
    return sum + (role === "part" ? 1 : -1) * toCents(value!)
  }, 0)

const wordsOf = ({ rows, said }: Explanation): string =>
  [...said.map(({ text }) => text), ...rows.map(({ formula = "", name, shown }) => `${name} ${shown} ${formula}`)].join(
    "\n"
  )

/** Words of a value that could not be computed. */
const BROKEN = /NaN|undefined|Infinity|null/

/** A plan's length, its last payment and so on are no sums. */
const isSum = ({ rows }: Explanation): boolean => rows.some(({ role }) => role === "part")

/** A button of the page that opens an explanation. */
interface Button {
  readonly line: Line
  readonly figure: Figure
  readonly shown: string
}

/** Nobody presses a button of a page that is only rendered. */
const actions = new Proxy({}, { get: () => undefined }) as Actions

const FIGURE_BY_LABEL = new Map(
  (Object.entries(texts.answer.figures) as ReadonlyArray<[Figure, string]>).map(([figure, label]) => [label, figure])
)

/** The buttons of the rendered page on which a return is chosen for each plan that has two. */
const buttonsOf = ({ answered, draft }: AnsweredBook, filing: FilingStatus): ReadonlyArray<Button> => {
  const { lines } = answered.answer
  const returns = Object.fromEntries(lines.map(({ planType }) => [planType, filing]))
  const state = { ...firstState(draft, answered), returns }
  const html = renderToString(h(App, { state, actions: { own: actions, spouse: actions } }))
  return rowsOf(lines, state).flatMap(({ chosen, planType }) => {
    const [, details = ""] = html.split(`<span class="vh">${texts.answer.details(texts.answer.names[planType])}</span>`)
    const [own = ""] = details.split('<li class="plan')
    return [...own.matchAll(/<dt>([^<]+)<\/dt><dd><button type="button" class="fig"[^>]*>(.+?)<\/button>/g)].map(
      ([, label = "", shown = ""]) => ({
        line: chosen,
        figure: FIGURE_BY_LABEL.get(label.replaceAll("&#39;", "'"))!,
        shown: shown.replace(/<[^>]+>/g, "")
      })
    )
  })
}

/** The last row of an explanation as its button shows it: payments in cents, other amounts in whole dollars. */
const asShown = ({ rows }: Explanation, figure: Figure): string => {
  const { shown, value } = rows.at(-1)!
  if (figure === "ends") return shown
  return figure === "first" || figure === "highest" ? dollars(value!) : wholeDollars(value!)
}

describe("the explanation of a figure", () => {
  it(`ends with the figure, for all figures of ${BOOKS} random books`, () => {
    const seen = { taxed: 0, forgiven: 0, successors: 0, changed: 0, priced: 0, extra: 0, dated: 0, exact: 0 }
    for (const { answered, draft } of answeredBooks(BOOKS, SEED, NOW)) {
      const { changes, household, loans } = draft
      for (const line of answered.answer.lines) {
        for (const [figure, value] of Object.entries(figuresOf(line)) as ReadonlyArray<[Figure, number | null]>) {
          const explanation = explained(draft, line, figure)
          const last = explanation.rows.at(-1)!
          const where = `${figure} of ${line.key} of ${JSON.stringify(draft)}`
          expect(last.role, where).toBe("sum")
          expect(last.value, where).toBe(value)
          if (isSum(explanation)) expect(partsOf(explanation), where).toBe(toCents(value!))
          expect(explanation.said.length, where).toBeGreaterThan(0)
          expect(wordsOf(explanation), where).not.toMatch(BROKEN)
          if (figure === "highest" && explanation.said.some(({ planType }) => planType !== undefined)) seen.successors++
        }
        if (line.figures.forgivenessTaxesOwed > 0) seen.taxed++
        if (line.figures.amountForgiven > 0) seen.forgiven++
        if (changes.length > 0) seen.changed++
        if (household.prices !== "0") seen.priced++
        if (line.withExtra !== undefined) seen.extra++
        if (loans.some(({ madeOn }) => madeOn !== "")) seen.dated++
        if (household.firstBorrowed === EXACT_DAY) seen.exact++
      }
    }
    for (const [kind, lines] of Object.entries(seen)) expect(lines, kind).toBeGreaterThan(BOOKS / 2)
  })

  it(`ends, rounded, with the text of its button, for all buttons of ${BOOKS} random books`, () => {
    const seen: Partial<Record<Figure, number>> = {}
    for (const book of answeredBooks(BOOKS, SEED, NOW)) {
      const pages = (["MarriedFilingJointly", "MarriedFilingSeparately"] as const).map((filing) =>
        buttonsOf(book, filing)
      )
      // Every line has buttons on one of the two pages.
      expect(new Set(pages.flat().map(({ line }) => line))).toEqual(new Set(book.answered.answer.lines))
      for (const { figure, line, shown } of pages.flat()) {
        const where = `${figure} of ${line.key} of ${JSON.stringify(book.draft)}`
        expect(shown, where).toBe(asShown(explained(book.draft, line, figure), figure))
        seen[figure] = (seen[figure] ?? 0) + 1
      }
    }
    expect(Object.keys(seen).sort()).toEqual([...FIGURE_BY_LABEL.values()].sort())
  })

  it("names the income above which a plan takes a share: 150% of $15,960, the guideline for one person", () => {
    const sharesOf = (plan: string) => linesOf(exampleDraft).find(({ planType }) => planType === plan)!.incomeShare
    expect(sharesOf("INCOME BASED")).toEqual({ rate: 0.1, above: 23_940 })
    expect(sharesOf("REPAYMENT ASSISTANCE")).toBeUndefined()
  })

  it("derives the payments of each kind of plan in dollars", () => {
    const said = (plan: string, figure: Figure = "first") => {
      const line = linesOf(exampleDraft).find(({ planType }) => planType === plan)!
      return explained(exampleDraft, line, figure).said.map(({ text }) => text)
    }
    expect(said("REPAYMENT ASSISTANCE")).toEqual([
      "$58,000 a year is in the 5% band. 5% of $58,000 is $2,900 a year, or $241.67 a month. You have no dependents, so nothing is taken off."
    ])
    expect(said("INCOME BASED")).toEqual([
      "$58,000 a year is $34,060 above $23,940. 10% of that is $3,406 a year, or $283.83 a month.",
      "$23,940 is 150% of the poverty guideline for a family of 1. The most you'd ever pay on this plan is $557.64, as on a Standard plan of ten full years."
    ])
    expect(said("INCOME CONTINGENT")[0]).toBe(
      "93.43% of $488.31, a 12-year payment on these loans, is $456.23 a month."
    )
    expect(said("STANDARD")).toEqual([
      "$51,350 in 2 loans, each at its own rate over 90 months, comes to $697.89 a month."
    ])
    expect(said("PAY AS YOU EARN", "highest")).toEqual([
      "$88,253.86 a year is in the 8% band. 8% of $88,253.86 is $7,060.31 a year, or $588.36 a month. You have no dependents, so nothing is taken off.",
      "Your plan closes, so these loans move here in Jul 2028. By then your income has risen from $58,000 to $88,253.86 a year."
    ])
  })

  it("says of graduated payments that are all the same that they do not rise", () => {
    const loan = {
      ...exampleDraft.loans[0]!,
      type: "DIRECT PLUS CONSOLIDATED",
      balance: "60000",
      rate: "0",
      months: ""
    }
    const household = { ...exampleDraft.household, firstBorrowed: "" }
    const draft: Draft = { ...exampleDraft, loans: [loan], household }
    const line = linesOf(draft).find(({ planType }) => planType === "GRADUATED")!
    expect(explained(draft, line, "first").said.map(({ text }) => text)).toEqual([
      "$60,000 is repaid at $250 a month, the same every month."
    ])
  })

  it("follows the tax from the income to the total, and says what to put aside", () => {
    const line = linesOf(exampleDraft).find(({ planType }) => planType === "INCOME BASED")!
    const { notes, rows, said } = explained(exampleDraft, line, "tax")
    expect(said[0]!.text).toBe("$1,509.31 is forgiven, and you'd owe about $392 in tax on it.")
    expect(said.at(-1)!.text).toBe("To have it ready by May 2044, put aside $2 a month from now on.")
    expect(rows.map(({ name, shown }) => `${name} ${shown}`.trim())).toEqual([
      "The year from Dec 2043 to May 2044",
      "Income of the year $88,253.86",
      "Forgiven $1,509.31",
      "Federal tax on $89,763.17, with what is forgiven $10,917.90",
      "Federal tax on $88,253.86, without it $10,585.85",
      "More federal tax $332.05",
      "North Carolina: more state tax $60.22",
      "Tax on what is forgiven $392.27"
    ])
    // Each tax is the sum of its brackets.
    for (const { rows: brackets = [], value } of rows.filter((row) => row.rows !== undefined))
      expect(brackets.reduce((sum, bracket) => sum + toCents(bracket.value!), 0)).toBeCloseTo(toCents(value!), -0.5)
    expect(notes[0]).toContain("tax tables of 2026")
  })
})
