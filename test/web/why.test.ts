/**
 * Explanations of the figures of the start page, for random books: the last row is the figure to the
 * cent, the parts add up to it, and a sentence leads.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { type Change, STATES } from "../../schema/scenario.ts"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import { answerOf, type Line } from "../../src/web/book/answer.ts"
import { compute, explainFigure } from "../../src/web/book/compute.ts"
import { type Draft, ERAS, emptyDraft, emptyLoan, exampleDraft } from "../../src/web/book/draft.ts"
import { readDraft } from "../../src/web/book/reading.ts"
import type { Explanation, Figure } from "../../src/web/book/why/explanation.ts"
import { explanationOf } from "../../src/web/book/why/index.ts"
import { dialogTexts } from "../../src/web/whyTexts.ts"

const NOW = new Date("2026-11-22T12:00:00Z")
const START = startMonthOf(NOW)
const NO_CHANGE: Omit<Change, "fromYear"> = {
  adjustedGrossIncome: null,
  spouseAdjustedGrossIncome: null,
  spouseFederalLoanBalance: null,
  filingStatus: null,
  dependents: null,
  workingTowardsPslf: null
}
const FIGURES = Object.keys(dialogTexts.figures) as ReadonlyArray<Figure>
const BOOKS = 50
const SEED = 20261126
/** The states that tax forgiven debt are drawn as often as all others. */
const TAXING = ["AR", "IN", "MS", "NC", "WI"]

const cents = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((amount) => (amount / 100).toFixed(2))
const whole = (most: number) => fc.integer({ min: 0, max: most }).map(String)

const loans = fc.array(
  fc.record({
    type: fc.constantFrom(...LOAN_TYPES),
    balance: cents(120_000),
    rate: cents(12),
    interest: cents(9_000),
    months: fc.oneof(fc.constant("0"), whole(200)),
    pslf: fc.oneof(fc.constant("0"), whole(110))
  }),
  { minLength: 1, maxLength: 4 }
)
const households = fc.record({
  income: cents(150_000),
  filing: fc.constantFrom("Single", "HeadOfHousehold", "Married"),
  spouseIncome: cents(90_000),
  spouseLoans: cents(50_000),
  dependents: whole(4),
  state: fc.oneof(fc.constantFrom(...STATES), fc.constantFrom(...TAXING)),
  growth: cents(6),
  service: fc.constantFrom("", "", "yes"),
  firstBorrowed: fc.constantFrom("", ...ERAS)
})
const books = fc.record({ loans, household: households }).map(
  (drawn): Draft => ({
    ...emptyDraft,
    loans: drawn.loans.map((loan) => ({ ...emptyLoan, ...loan })),
    household: { ...emptyDraft.household, ...drawn.household }
  })
)

const toCents = (amount: number): number => Math.round(amount * 100)
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
  const month = figure === "highest" ? line.highestMonth : 0
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

describe("the explanation of a figure", () => {
  it(`ends with the figure, for all figures of ${BOOKS} random books`, { timeout: 120_000 }, () => {
    const seen = { lines: 0, taxed: 0, forgiven: 0, successors: 0 }
    const answered = fc
      .sample(books, { seed: SEED, numRuns: 10 * BOOKS })
      .map((draft) => ({ draft, lines: linesOf(draft) }))
      .filter(({ lines }) => lines.length > 0)
      .slice(0, BOOKS)
    expect(answered.length).toBe(BOOKS)
    for (const { draft, lines } of answered) {
      for (const line of lines) {
        seen.lines++
        const figures = figuresOf(line)
        for (const figure of FIGURES) {
          const explanation = explained(draft, line, figure)
          const last = explanation.rows.at(-1)!
          const where = `${figure} of ${line.key} of ${JSON.stringify(draft)}`
          expect(last.role, where).toBe("sum")
          expect(last.value, where).toBe(figures[figure])
          if (isSum(explanation)) expect(partsOf(explanation), where).toBe(toCents(figures[figure]!))
          expect(explanation.said.length, where).toBeGreaterThan(0)
          expect(wordsOf(explanation), where).not.toMatch(BROKEN)
          if (figure === "highest" && explanation.said.some(({ planType }) => planType !== undefined)) seen.successors++
        }
        if (line.figures.forgivenessTaxesOwed > 0) seen.taxed++
        if (line.figures.amountForgiven > 0) seen.forgiven++
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(BOOKS)
  })

  it("derives the payments of each kind of plan in dollars", () => {
    const said = (plan: string, figure: Figure = "first") => {
      const line = linesOf(exampleDraft).find(({ planType }) => planType === plan)!
      return explained(exampleDraft, line, figure).said.map(({ text }) => text)
    }
    expect(said("REPAYMENT ASSISTANCE")).toEqual([
      "$58,000 a year is in the 5% band: 5% of $58,000 is $2,900 a year, $241.67 a month; no dependents, so nothing is taken off."
    ])
    expect(said("INCOME BASED")).toEqual([
      "$58,000 a year is $34,060 above $23,940: 10% of that is $3,406 a year, $283.83 a month.",
      "$23,940 is 150% of the poverty guideline for a family of 1. The most you'd ever pay on this plan is $557.64, as on the 10-year Standard plan."
    ])
    expect(said("INCOME CONTINGENT")[0]).toBe(
      "93.43% of $488.31, a 12-year payment on these loans, is $456.23 a month."
    )
    expect(said("STANDARD")).toEqual([
      "$51,350 in 2 loans, each at its own rate over 90 months, comes to $697.89 a month."
    ])
    expect(said("PAY AS YOU EARN", "highest")).toEqual([
      "$88,253.86 a year is in the 8% band: 8% of $88,253.86 is $7,060.31 a year, $588.36 a month; no dependents, so nothing is taken off.",
      "Your plan closes, so these loans move here in Jul 2028. By then your income has risen from $58,000 to $88,253.86 a year."
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

  it("follows what changes in later years, and rising prices, and is of the plan without extra payments", () => {
    const reading = readDraft(exampleDraft, START)
    if (reading._tag !== "Book") throw new Error("the example is a book")
    const change = {
      ...NO_CHANGE,
      fromYear: 4,
      adjustedGrossIncome: 20_000,
      filingStatus: "HeadOfHousehold",
      dependents: 2
    }
    const household = { ...reading.book.household, annualPriceGrowth: 0.02, changes: [change as Change] }
    const book = { ...reading.book, household }
    for (const line of answerOf(book, START).lines) {
      const figures = figuresOf(line)
      for (const figure of FIGURES) {
        const month = figure === "highest" ? line.highestMonth : 0
        const asked = {
          book: { ...book, household: { ...household, extraMonthlyPayment: 50 } },
          start: START,
          line,
          month
        }
        const explanation = explanationOf(asked, figure)
        expect(explanation.rows.at(-1)!.value, `${figure} of ${line.key}`).toBe(figures[figure])
        if (isSum(explanation)) expect(partsOf(explanation)).toBe(toCents(figures[figure]!))
        expect(wordsOf(explanation)).not.toMatch(BROKEN)
      }
    }
  })
})
