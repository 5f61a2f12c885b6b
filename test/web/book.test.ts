/** Drafts of the start page: read as people write, refused by field, computed under every plan. */
import { describe, expect, it } from "vitest"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { STATES } from "../../schema/scenario.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import type { BookAnswer } from "../../src/web/book/answer.ts"
import { compute, explainFigure } from "../../src/web/book/compute.ts"
import {
  type Draft,
  draftOf,
  emptyDraft,
  emptyLoan,
  exampleDraft,
  fieldsOf,
  type HouseholdDraft
} from "../../src/web/book/draft.ts"
import { bareOf } from "../../src/web/book/numbers.ts"
import { readDraft } from "../../src/web/book/reading.ts"
import { cardsOf } from "../../src/web/components/goals.ts"
import { texts } from "../../src/web/texts.ts"
import { answered as answeredAt, appHtml } from "../support/books.ts"
import { bookOf, draftWith as borrowerWith } from "./drafts.ts"

const NOW = new Date("2026-11-22T12:00:00Z")

const loan = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "30000", rate: "6.53" }
const draftWith = (household: Partial<HouseholdDraft>, loans = [loan]): Draft => borrowerWith(loans, household)

const answered = (draft: Draft): BookAnswer => answeredAt(draft, NOW).answer

const whyClosed = ({ closed }: BookAnswer, planType: string) =>
  closed.find((plan) => plan.planType === planType)?.reasons.map(({ _tag }) => _tag)

describe("a draft", () => {
  it("is the same after a round trip through a link", () =>
    expect(draftOf(new URLSearchParams(String(new URLSearchParams(fieldsOf(exampleDraft)))))).toEqual(exampleDraft))

  it("adds nothing to a link while it is empty", () => expect(fieldsOf(emptyDraft)).toEqual([]))

  it("ignores unknown fields, and loans beyond the hundredth", () => {
    const draft = draftOf([
      ["loan1.balance", "1"],
      ["loan101.balance", "2"],
      ["loan0.balance", "3"],
      ["loan1.owner", "4"],
      ["__proto__", "5"],
      ["name", "6"]
    ])
    expect(draft).toEqual({ ...emptyDraft, loans: [{ ...emptyLoan, balance: "1" }] })
  })

  it("cuts values that are longer than any field", () =>
    expect(draftOf([["income", "9".repeat(500)]]).household.income).toHaveLength(80))
})

describe("reading", () => {
  it("accepts amounts as people write them", () => {
    const { household, loans } = bookOf(
      draftWith({ income: " $61,250.50 ", growth: "2.5 %" }, [{ ...loan, balance: "$31,500", rate: "6.53%" }])
    )
    expect([household.adjustedGrossIncome, household.annualIncomeGrowth]).toEqual([61_250.5, 0.025])
    expect([loans[0]!.principalBalance, loans[0]!.interestRate]).toEqual([31_500, 0.0653])
  })

  it.each(["1", "6.53", "6.8", "7.0525", "0.07", "12.345678"])(
    "moves the decimal point of %s percent exactly",
    (rate) => expect(bookOf(draftWith({}, [{ ...loan, rate }])).loans[0]!.interestRate).toBe(Number(`${rate}e-2`))
  )

  it("takes the comma of a percentage for its point, as some keypads have no other, and shows what it reads", () => {
    const { household, loans } = bookOf(draftWith({ growth: "2,5 %" }, [{ ...loan, rate: "6,875" }]))
    expect([household.annualIncomeGrowth, loans[0]!.interestRate]).toEqual([0.025, 0.06875])
    expect(["6,5", ",5%", "6,5,5", "1,234.5"].map(bareOf)).toEqual(["6.5", ".5", "6,5,5", "1,234.5"])
  })

  it.each([
    "a lot",
    "1e5",
    "-5",
    "1.2.3",
    "0x10",
    "Infinity",
    "١٢",
    "45.000,00",
    "58.000",
    "1,23",
    "31,50",
    "12,3456",
    ",5",
    "."
  ])("refuses %s as a number, at its field", (income) =>
    expect(readDraft(draftWith({ income }))).toEqual({
      _tag: "Wrong",
      problems: [{ field: "income", problem: "number" }]
    })
  )

  it("refuses values out of the contract's bounds at their fields", () =>
    expect(
      readDraft(draftWith({ dependents: "31" }, [loan, emptyLoan, { ...loan, rate: "101", pslf: "121" }]))
    ).toEqual({
      _tag: "Wrong",
      problems: expect.arrayContaining([
        { field: "dependents", problem: "range" },
        { field: "loan3.rate", problem: "percent" },
        { field: "loan3.pslf", problem: "range" }
      ])
    }))

  it("requests missing fields, and at least one loan", () => {
    expect(readDraft(emptyDraft)).toEqual({
      _tag: "Missing",
      fields: ["loan1.type", "loan1.balance", "loan1.rate", "income", "state"]
    })
    expect(readDraft(draftWith({}, [loan, { ...emptyLoan, months: "12" }]))).toEqual({
      _tag: "Missing",
      fields: ["loan2.type", "loan2.balance", "loan2.rate"]
    })
  })

  it("requests the spouse's income of a married borrower, and does not assume zero", () =>
    expect(readDraft(draftWith({ filing: "Married" }))).toEqual({ _tag: "Missing", fields: ["spouseIncome"] }))

  it("ignores fields that are hidden", () =>
    expect(readDraft(draftWith({ filing: "Single", spouseIncome: "about 40k" }))._tag).toBe("Book"))

  it("drops the spouse's figures if the borrower is single", () => {
    const { filings, household } = bookOf(draftWith({ filing: "Single", spouseIncome: "50000", spouseLoans: "9" }))
    expect([filings, household.spouseAdjustedGrossIncome, household.spouseFederalLoanBalance]).toEqual([
      ["Single"],
      null,
      null
    ])
  })

  it("refuses an unknown tax return", () =>
    expect(readDraft(draftWith({ filing: "Widowed" }))).toEqual({
      _tag: "Wrong",
      problems: [{ field: "filing", problem: "choice" }]
    }))
})

describe("the answer", () => {
  it("has the figures of the engine", () => {
    const book = bookOf(exampleDraft)
    const start = startMonthOf(NOW)
    for (const { figures, planType } of answered(exampleDraft).lines) {
      const scenario = { ...book.household, planType, filingStatus: book.filings[0] }
      expect(figures).toEqual(project(currentLaw, { scenario, loans: book.loans, includeYearly: true }, start))
    }
  })

  it("compares both returns of a married borrower, where they matter", () => {
    const { lines } = answered(draftWith({ filing: "Married", spouseIncome: "45000" }))
    const filings = (plan: string) => lines.filter(({ planType }) => planType === plan).map(({ filing }) => filing)
    expect(filings("REPAYMENT ASSISTANCE")).toEqual(["MarriedFilingJointly", "MarriedFilingSeparately"])
    expect(filings("STANDARD")).toEqual([null])
  })

  it("remarks on a rate that no federal loan has", () => {
    const [low, high] = ["0.065", "40"].map((rate) => answered(draftWith({}, [loan, { ...loan, rate }])).remarks)
    expect(low).toEqual([{ _tag: "OddRate", loan: 2, rate: 0.00065 }])
    expect(high).toEqual([{ _tag: "OddRate", loan: 2, rate: 0.4 }])
  })

  it("lists plans that would forgive a loan now separately", () => {
    const { closed, done } = answered(draftWith({ service: "yes" }, [{ ...loan, pslf: "120" }]))
    expect(done.map(({ planType }) => planType)).toContain("INCOME BASED")
    expect(done.flatMap(({ reasons }) => reasons.map(({ _tag }) => _tag)).every((tag) => tag === "ServiceDone")).toBe(
      true
    )
    expect(closed.some(({ planType }) => planType === "INCOME BASED")).toBe(false)
  })

  it("marks all plans that are equally low", () => {
    const answer = answered(draftWith({ income: "0", firstBorrowed: "2014" }))
    const free = answer.lines.filter(({ figures }) => figures.firstMonthPayment === 0).map(({ key }) => key)
    expect(free.length).toBeGreaterThan(1)
    const { line, ties } = cardsOf(answer).find(({ goals }) => goals.includes("first"))!
    expect([line, ...ties.first].map(({ key }) => key).sort()).toEqual(free.sort())
  })

  it.each(["SAVE", "REVISED PAY AS YOU EARN"])("never opens %s, which a court has ended", (plan) =>
    expect(whyClosed(answered(exampleDraft), plan)).toEqual(["Vacated"])
  )

  it("states why a plan does not take a loan, once per loan type", () => {
    const parent = { ...loan, type: "DIRECT PLUS PARENT" }
    const answer = answered(draftWith({}, [parent, parent]))
    expect(whyClosed(answer, "REPAYMENT ASSISTANCE")).toEqual(["Closed"])
    expect(
      texts.answer.reason(
        "REPAYMENT ASSISTANCE",
        answer.closed.find(({ planType }) => planType === "REPAYMENT ASSISTANCE")!.reasons[0]!
      )
    ).toBe("It does not take this kind of loan: Direct PLUS, for a parent.")
  })

  it("notes the lines that end in 2028, and those that repay a loan outside the plan", () => {
    const { lines } = answered(draftWith({ firstBorrowed: "2007" }, [loan, { ...loan, type: "DIRECT PLUS PARENT" }]))
    const notes = (plan: string) => lines.find(({ planType }) => planType === plan)?.notes
    expect(notes("PAY AS YOU EARN")).toEqual(["recentLoan", "ends", "beside", "hardship"])
    expect(notes("STANDARD")).toEqual([])
  })

  it("finds the highest payment, and the lowest lines", () => {
    const answer = answered(exampleDraft)
    const graduated = answer.lines.find(({ planType }) => planType === "GRADUATED")!
    expect(graduated.highestPayment).toBe(Math.round(Math.max(...graduated.months) * 100) / 100)
    expect(graduated.months[graduated.highestMonth]).toBe(Math.max(...graduated.months))
    const costs = answer.lines.map(({ cost }) => cost)
    expect(cardsOf(answer).find(({ goals }) => goals.includes("cost"))!.line.cost).toBe(Math.min(...costs))
  })

  it("has a present value equal to its cost at a discount rate of 0, and a lower one above that", () => {
    const undiscounted = answered(draftWith({ discount: "0" })).lines
    for (const { cost, presentValue } of undiscounted) expect(Math.abs(presentValue - cost)).toBeLessThanOrEqual(0.01)
    const [standard] = answered(draftWith({ discount: "5" })).lines
    // 120 level payments, the first of them at once.
    const month = 1.05 ** (-1 / 12)
    const expected = (standard!.months[0]! * (1 - month ** 120)) / (1 - month)
    expect(Math.abs(standard!.presentValue - expected)).toBeLessThan(0.05)
  })

  it.each([
    ["an example", exampleDraft],
    ["new loans", draftWith({ firstBorrowed: "2026" })],
    ["a couple", draftWith({ filing: "Married", spouseIncome: "45000", spouseLoans: "20000" })]
  ])("explains each payment that it shows for %s", (_, draft) => {
    for (const line of answered(draft).lines) {
      const { figures, highestMonth, highestPayment } = line
      const explained = (month: number) => explainFigure(draft, { line, figure: "first", month }, NOW)?.steps?.payment
      expect([explained(0), explained(highestMonth)]).toEqual([figures.firstMonthPayment, highestPayment])
    }
  })

  it("has no line if no plan takes the loans", () => {
    const spent = draftWith({}, [{ ...loan, type: "DIRECT PLUS PARENT", months: "600" }])
    expect(answered(spent).lines).toEqual([])
    expect(appHtml(spent, compute(spent, NOW))).toContain(texts.answer.none)
  })
})

describe("the texts", () => {
  it("name every loan type and every state", () => {
    expect(Object.keys(texts.book.types).sort()).toEqual([...LOAN_TYPES].sort())
    expect(Object.keys(texts.household.states).sort()).toEqual([...STATES].sort())
  })
})
