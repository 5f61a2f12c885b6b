/** What the page makes of an answer: cards, order, words that cover nothing, and links to rules. */
import { globSync, readFileSync } from "node:fs"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { ruleById } from "../../ledger/index.ts"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import { answerOf } from "../../src/web/book/answer.ts"
import { compute } from "../../src/web/book/compute.ts"
import {
  type Draft,
  emptyDraft,
  emptyLoan,
  exampleDraft,
  type HouseholdDraft,
  type LoanDraft
} from "../../src/web/book/draft.ts"
import { readDraft } from "../../src/web/book/reading.ts"
import { conditionOf } from "../../src/web/book/sure.ts"
import { Extra } from "../../src/web/components/Extra.ts"
import { cardsOf, rowsOf } from "../../src/web/components/goals.ts"
import { detailId, nameOf } from "../../src/web/components/lines.ts"
import { Labels } from "../../src/web/components/plots/labels.ts"
import { firstState } from "../../src/web/components/state.ts"
import { texts } from "../../src/web/texts.ts"
import { answered, appHtml, NO_ACTIONS } from "../support/books.ts"

const NOW = new Date("2026-11-25T12:00:00Z")

/** The borrower whose figures the design of the page shows. */
const drawn: Draft = {
  ...emptyDraft,
  loans: [
    { ...emptyLoan, type: "DIRECT STAFFORD SUBSIDIZED", balance: "11500", rate: "4.99" },
    { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "20000", rate: "6.53" }
  ],
  household: { ...emptyDraft.household, income: "46000", state: "OH", growth: "3" }
}
const couple: Draft = {
  ...exampleDraft,
  household: { ...exampleDraft.household, filing: "Married", spouseIncome: "41000" }
}

const htmlOf = (draft: Draft) => appHtml(draft, compute(draft, NOW))
const answerTo = (draft: Draft) => answered(draft, NOW).answer

describe("the cards", () => {
  it("name the plan that wins each goal, and one plan that wins two once", () => {
    const cards = cardsOf(answerTo(drawn))
    expect(cards.map(({ color, goals, line }) => [color, goals, line.planType])).toEqual([
      ["a", ["first"], "REPAYMENT ASSISTANCE"],
      ["b", ["cost", "soonest"], "STANDARD"]
    ])
    expect(cards[1]!.ties.soonest.map(({ planType }) => planType)).toEqual(["GRADUATED"])
  })

  it("say what a choice costs in figures that add up as they are shown", () => {
    const html = htmlOf(drawn)
    expect(html).toContain("You pay $50,591 in all, and you are done in Dec 2042. That is $8,673 more than Standard.")
    expect(html).toContain("Costs $8,673 less than Repayment Assistance (RAP).")
    expect(html).toContain("Graduated ($200 now, rising to $599) ends then too.")
    expect(html).toContain("RAP starts $196 lower and lasts six years longer")
    expect(html).toContain("after 16 years 1 month")
  })

  it("say why the cheapest plan is that, how much longer the other lasts, and lead to its next steps", () => {
    const html = htmlOf(drawn)
    expect(html).toContain("It costs least because you pay more from the start, so less interest adds up.")
    expect(html).toContain("You pay for 6 years 1 month longer.")
    for (const { line } of cardsOf(answerTo(drawn))) {
      expect(html).toContain(`href="#${detailId(line.planType)}"`)
      expect(html).toContain(`id="${detailId(line.planType)}"`)
    }
  })

  it("ask for no choice where one plan wins all goals", () => {
    const served = { ...drawn, loans: drawn.loans.map((loan) => ({ ...loan, pslf: "80", months: "80" })) }
    const draft = { ...served, household: { ...served.household, service: "yes" } }
    expect(cardsOf(answerTo(draft)).map(({ goals }) => goals)).toEqual([["first", "cost", "soonest"]])
    expect(htmlOf(draft)).toContain(texts.answer.cards.oneWins)
  })

  it("never stand for a plan that depends on an answer", () => {
    for (const draft of [drawn, couple, exampleDraft])
      for (const { line } of cardsOf(answerTo(draft))) expect(conditionOf(line)).toBeUndefined()
  })
})

/** Loans of one borrower, who first borrowed since July 2014. */
const borrowerOf = (loans: ReadonlyArray<Partial<LoanDraft>>, household: Partial<HouseholdDraft> = {}): Draft => ({
  ...emptyDraft,
  loans: loans.map((loan) => ({ ...emptyLoan, balance: "60000", rate: "6.5", ...loan })),
  household: { ...drawn.household, firstBorrowed: "2014", growth: "0", ...household }
})
const direct = { type: "DIRECT STAFFORD UNSUBSIDIZED" } as const
const parentsConsolidation = { type: "DIRECT PARENT PLUS CONSOLIDATED", months: "5" } as const

describe("what the law asks is said of the lines that it is about", () => {
  const { answer: words } = texts

  it("gives the month of a forgiveness, also where another loan lasts longer", () => {
    const perkins = { type: "FEDERAL PERKINS", balance: "8000", rate: "5" } as const
    const html = htmlOf(borrowerOf([{ ...direct, pslf: "80" }, perkins], { service: "yes" }))
    expect(html).toMatch(
      /In Mar 2030 \$[\d,]+ is forgiven, if you stay in public service, and you are done in Nov 2036\./
    )
    expect(html).toContain("after 10 years; part forgiven in Mar 2030")
    expect(html).toContain("forgiven, public service, Mar 2030; the rest paid off, Nov 2036")
  })

  it("keeps PAYE off the cards while its payment is not lower than that of ten years", () => {
    const rich = borrowerOf([{ ...direct, balance: "20000" }], { income: "120000" })
    const paye = answerTo(rich).lines.find(({ planType }) => planType === "PAY AS YOU EARN")!
    expect(paye.hasHardship).toBe(false)
    expect(cardsOf(answerTo(rich)).map(({ line }) => line.planType)).not.toContain("PAY AS YOU EARN")
    expect(htmlOf(rich)).toContain(words.noHardship(false))
    expect(htmlOf(borrowerOf([direct]))).toContain(words.hardship)
  })

  it.each([
    ["RAP", [direct], ["REPAYMENT ASSISTANCE"]],
    ["Income-Based", [parentsConsolidation], ["INCOME BASED"]],
    ["both", [direct, parentsConsolidation], ["REPAYMENT ASSISTANCE", "INCOME BASED"]]
  ])("names %s as what follows on ICR", (_, loans, successors) => {
    const icr = answerTo(borrowerOf(loans)).lines.find(({ planType }) => planType === "INCOME CONTINGENT")!
    expect(icr.successors).toEqual(successors)
  })

  it("tells payments that may count for public service from those that never do", () => {
    const notes = (draft: Draft) =>
      Object.fromEntries(answerTo(draft).lines.map(({ notes, planType }) => [planType, notes]))
    const older = notes(borrowerOf([direct], { service: "yes" }))
    expect(older["EXTENDED"]).toContain("uncertified")
    expect(older["GRADUATED"]).toContain("uncertified")
    expect(older["STANDARD"]).not.toContain("uncertified")
    const consolidated = { type: "DIRECT CONSOLIDATED UNSUBSIDIZED" } as const
    expect(notes(borrowerOf([consolidated], { service: "yes" }))["STANDARD"]).toContain("uncertified")
    const newer = notes(borrowerOf([{ ...direct, madeOn: "2026-09-01" }], { service: "yes" }))
    expect(newer["TIERED STANDARD"]).toContain("neverCertified")
  })

  it("takes more counted months than there were since July 2014 as a debt from before", () => {
    const { closed, done, lines } = answerTo(borrowerOf([{ ...direct, months: "245" }], { firstBorrowed: "" }))
    expect(done).toEqual([])
    const reasons = Object.fromEntries(closed.map((plan) => [plan.planType, plan.reasons]))
    expect(reasons["INCOME BASED"]).toEqual([{ _tag: "OwedBefore", day: "2014-07-01", by: null }])
    expect(reasons["PAY AS YOU EARN"]).toEqual([{ _tag: "OwedBefore", day: "2007-10-01", by: null }])
    expect(lines.find(({ planType }) => planType === "INCOME BASED (OLD)")!.notes).not.toContain("ifBefore2014")
  })

  it.each([
    ["FFEL STAFFORD UNSUBSIDIZED", "INCOME BASED (OLD)", "ifBefore2014"],
    ["DIRECT PLUS CONSOLIDATED", "EXTENDED", "ifSince1998"]
  ] as const)("asks nothing that a loan of kind %s answers", (type, plan, note) => {
    const line = answerTo(borrowerOf([{ type }], { firstBorrowed: "" })).lines.find(({ planType }) => planType === plan)
    expect(line!.notes).not.toContain(note)
    const asked = answerTo(borrowerOf([direct], { firstBorrowed: "" })).lines.find(({ planType }) => planType === plan)
    expect(asked!.notes).toContain(note)
  })

  it("names both terms of Income-Based where either is better than the card", () => {
    const html = htmlOf(borrowerOf([{ ...parentsConsolidation, months: "12" }], { firstBorrowed: "" }))
    expect(html).toMatch(
      /Income-Based starts lower still, in both its kinds: \$\d+ if you owed nothing on July 1, 2014, or nothing when you took a loan after that day, else \$\d+\./
    )
  })

  it("says what closes a plan, and whom to ask", () => {
    const stepsOf = (loan: Partial<LoanDraft>) => htmlOf(borrowerOf([loan], { firstBorrowed: "" }))
    expect(stepsOf(direct)).toContain("No date closes it, but a new Direct loan or a consolidation does.")
    expect(stepsOf(direct)).toContain("If you were on SAVE, choose within")
    expect(stepsOf({ type: "FFEL STAFFORD UNSUBSIDIZED" })).not.toContain("but a new Direct loan")
    const perkins = stepsOf({ type: "FEDERAL PERKINS" })
    expect(perkins).toContain("No date closes it, but a consolidation does.")
    expect(perkins).toContain(words.steps.school)
    expect(stepsOf({ type: "DIRECT PARENT PLUS CONSOLIDATED" })).toContain(words.steps.opensIbr)
  })

  it("calls no plan the only one open while others may have forgiven the loans", () => {
    const done = { ...direct, balance: "30000", rate: "6.5", pslf: "120" }
    const html = htmlOf(borrowerOf([done], { service: "yes" }))
    expect(html).toContain(words.cards.ifNotDoneBy)
    expect(html).not.toContain(words.cards.onlyPlan)
  })

  it.each([
    "Only if you owed nothing on July 1, 2014, or nothing when you took a loan after that day.",
    "Apply soon: it closes on July 1, 2028 at the latest.",
    "Those who don't are moved, the first since October 1, 2026, to Standard",
    "You can still choose",
    "An unemployment or hardship deferment can pause loans made before July 2027",
    "A month on RAP may count for Income-Based if its payment was at least the 10-year Standard amount."
  ])("says of the law: %s", (sentence) => {
    const html = htmlOf(borrowerOf([direct], { firstBorrowed: "" })).replaceAll("&#39;", "'")
    const answers = globSync("docs/answers/*.md").map((file) => readFileSync(file, "utf8").replaceAll(/\s+/g, " "))
    expect([html, ...answers].join("\n")).toContain(sentence)
  })

  it("asks for the date of the loans where only that decides", () => {
    const { dependsHelp, loansHelp } = words.groups
    const asks = (firstBorrowed: "" | "2007") => htmlOf(borrowerOf([direct], { firstBorrowed }))
    expect(asks("2007")).toContain(loansHelp)
    expect(asks("2007")).not.toContain(dependsHelp)
    expect(asks("")).toContain(dependsHelp)
  })

  it("says for how long a Parent PLUS consolidation can reach Income-Based", () => {
    expect(htmlOf(borrowerOf([parentsConsolidation]))).toContain(words.window)
    expect(htmlOf(borrowerOf([direct]))).not.toContain(words.window)
  })

  it("calls a tax federal where that of the state is not counted", () => {
    const large = { ...direct, balance: "150000", rate: "7" }
    expect(htmlOf(borrowerOf([large], { state: "CA" }))).toContain("in federal tax")
    expect(htmlOf(borrowerOf([large], { state: "TX" }))).not.toContain("in federal tax")
    expect(htmlOf(borrowerOf([large], { state: "TX" }))).not.toContain(words.territoryTax)
    const inTerritory = htmlOf(borrowerOf([large], { state: "GU" }))
    expect(inTerritory).toContain(words.territoryTax)
    expect(inTerritory).toContain("in federal tax")
    expect(inTerritory).not.toContain("state tax on top")
  })

  it("gives a cause of the lowest cost only where it is one", () => {
    const only = borrowerOf([{ type: "DIRECT PLUS PARENT", madeOn: "2026-09-01" }])
    expect(htmlOf(only)).toContain(words.cards.onlyPlan)
    expect(htmlOf(only)).not.toContain("It costs least because")
  })
})

describe("the list", () => {
  const state = firstState(couple)

  it("has every plan once, sorted by the better of its returns", () => {
    const { lines } = answerTo(couple)
    const rows = rowsOf(lines, { ...state, goal: "first" })
    expect(new Set(rows.map(({ planType }) => planType)).size).toBe(rows.length)
    expect(rows.flatMap(({ lines: own }) => own)).toHaveLength(lines.length)
    const lowest = rows.map(({ lines: own }) =>
      Math.min(...own.map(({ figures }) => Math.round(figures.firstMonthPayment)))
    )
    expect(lowest).toEqual([...lowest].sort((one, other) => one - other))
  })

  it("keeps its order when a return is chosen", () => {
    const { lines } = answerTo(couple)
    const order = (returns: typeof state.returns) =>
      rowsOf(lines, { ...state, returns }).map(({ planType }) => planType)
    expect(order({ "REPAYMENT ASSISTANCE": "MarriedFilingSeparately" })).toEqual(order({}))
  })

  it("leaves out a forgiveness that is zero", () => {
    const html = htmlOf(drawn)
    expect(html).not.toContain(`<dt>${texts.answer.figures.tax}</dt>`)
  })
})

describe("paying more", () => {
  it("ends sooner and costs less, next to figures that do not hold it", () => {
    const start = startMonthOf(NOW)
    const reading = readDraft(drawn, start)
    if (reading._tag !== "Book") throw new Error(reading._tag)
    const { book } = reading
    const household = { ...book.household, extraMonthlyPayment: 50 }
    const without = answerOf(book, start).lines
    for (const [index, line] of answerOf({ ...book, household }, start).lines.entries()) {
      expect([line.cost, line.months]).toEqual([without[index]!.cost, without[index]!.months])
      expect(line.withExtra!.figures.totalOutOfPocket).toBeLessThan(line.figures.totalOutOfPocket)
      expect(line.withExtra!.figures.monthsToFinish).toBeLessThan(line.figures.monthsToFinish!)
    }
    expect(without.every(({ withExtra }) => withExtra === undefined)).toBe(true)
  })

  it("says that it may help less on RAP, also after July 2028, and on no other plan", () => {
    const draft = borrowerOf([{ ...direct, balance: "60000" }], { extra: "50" })
    const answer = answerTo(draft)
    const shown = { answer, state: firstState(draft), actions: NO_ACTIONS }
    const warned = answer.lines.filter((line) =>
      renderToString(h(Extra, { ...shown, line })).includes(texts.answer.extra.onRap)
    )
    expect(warned.map(({ planType }) => planType).sort()).toEqual([
      "INCOME CONTINGENT",
      "PAY AS YOU EARN",
      "REPAYMENT ASSISTANCE"
    ])
  })
})

describe("words in a plot", () => {
  it("cover no other word", () => {
    const labels = new Labels({ left: 0, right: 200, top: 0, bottom: 100 })
    const spot = { x: 10, y: 50, anchor: "start" } as const
    expect(labels.place("Standard", [spot])).toEqual(spot)
    expect(labels.place("Graduated", [spot])).toBeUndefined()
    expect(labels.place("Graduated", [spot, { ...spot, y: 80 }])).toEqual({ ...spot, y: 80 })
  })
})

describe("the questions", () => {
  it.each(texts.questions.list)("$asks leads to a rule of the ledger", ({ rule }) => {
    expect(ruleById(rule).id).toBe(rule)
  })
})

it("names the return where a plan has two", () => {
  const two = answerTo(couple).lines.filter(({ planType }) => planType === "REPAYMENT ASSISTANCE")
  expect(two.map(nameOf)).toEqual([
    "Repayment Assistance (RAP), joint return",
    "Repayment Assistance (RAP), separate returns"
  ])
})
