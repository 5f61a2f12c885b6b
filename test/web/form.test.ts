/** What the form of the start page adds to a scenario: later years, prices, a little more a month, and days. */
import { describe, expect, it } from "vitest"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import { compute } from "../../src/web/book/compute.ts"
import { type ReadDay, readDay } from "../../src/web/book/days.ts"
import {
  type ChangeDraft,
  type Draft,
  draftOf,
  emptyDraft,
  emptyLoan,
  fieldsOf,
  type HouseholdDraft,
  type LoanDraft
} from "../../src/web/book/draft.ts"
import { readDraft } from "../../src/web/book/reading.ts"
import { labelOfField, wordsOfProblem } from "../../src/web/components/fieldWords.ts"
import { texts } from "../../src/web/texts.ts"
import { ANSWERED, outcomeIn, outcomeOf, requestOf } from "../cases/additions.ts"
import { answered, appHtml } from "../support/books.ts"
import { bookOf, draftWith as borrowerWith } from "./drafts.ts"

const NOW = new Date("2026-11-22T12:00:00Z")

const loan: LoanDraft = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "30000", rate: "6.53" }

const draftWith = (
  household: Partial<HouseholdDraft>,
  changes: ReadonlyArray<Partial<ChangeDraft>> = [],
  loans = [loan]
): Draft => borrowerWith(loans, household, changes)

const readingOf = (changes: ReadonlyArray<Partial<ChangeDraft>>, household: Partial<HouseholdDraft> = {}) =>
  readDraft(draftWith(household, changes))

const wrong = (field: string, problem: string) => ({ _tag: "Wrong", problems: [{ field, problem }] })

const throughLink = (draft: Draft): Draft => draftOf(new URLSearchParams(String(new URLSearchParams(fieldsOf(draft)))))

describe("a day as people write it", () => {
  it.each([
    ["2019-08-26", "2019-08-26"],
    ["2019-08", "2019-08-01"],
    ["8/26/2019", "2019-08-26"],
    [" 08/2019 ", "2019-08-01"],
    ["August 26, 2019", "2019-08-26"],
    ["Aug. 2019", "2019-08-01"],
    ["Sept 2019", "2019-09-01"],
    ["26 august 2019", "2019-08-26"],
    ["7/2014", "2014-07-01"]
  ])("%s is %s", (text, day) => expect(readDay(text)).toEqual({ _tag: "Day", day } satisfies ReadDay))

  it.each(["", "20191", "13/2019", "26/8/2019", "August", "Foo 2019", "8/19", "0/2019"])("%j is none", (text) =>
    expect(readDay(text)._tag).toBe("Unreadable")
  )

  it("takes a year alone, unless the law treats its days differently", () => {
    expect(readDay("2019")).toEqual({ _tag: "Day", day: "2019-01-01" })
    for (const year of ["1958", "1998", "2006", "2007", "2010", "2011", "2014", "2026"])
      expect(readDay(year)).toEqual({ _tag: "NeedsMonth", year })
  })

  it("asks for the month of such a year, by the field that lacks it, and answers without it", () => {
    const draft = draftWith({ firstBorrowed: "exact", firstBorrowedOn: "2007" }, [], [{ ...loan, madeOn: "2014" }])
    const fields = ["loan1.madeOn", "firstBorrowedOn"]
    const reading = readDraft(draft)
    if (reading._tag !== "Book") throw new Error(reading._tag)
    expect(reading.book.open.map(({ field }) => field)).toEqual(fields)
    expect(reading.book.open.map(wordsOfProblem)).toEqual([
      "Enter the month too, such as 8/2014.",
      "Enter the month too, such as 8/2007."
    ])
    expect([reading.book.loans[0]!.madeOn, reading.book.household.firstBorrowedOn]).toEqual([null, null])
    const html = appHtml(draft, compute(draft, NOW))
    for (const field of fields)
      expect(html).toContain(`<p class="problem" id="${field.replace(".", "-")}-problem">Enter the month too`)
    expect(html).toContain("Your answer")
  })

  it("of a month in which the law draws a line has to be typed", () =>
    expect(readDay("10/1998")).toEqual({ _tag: "NeedsDay", day: "1998-10-07" }))
})

describe("the fields of what may change", () => {
  it.each(ANSWERED.filter(({ page }) => page !== undefined))("have the library's outcome: $name", (row) => {
    const { changes, household, loan: typed } = row.page!
    const draft = draftWith({ ...household }, changes, [{ ...loan, balance: "60000", rate: "6", ...typed }])
    expect(throughLink(draft)).toEqual(draft)
    const { planType } = requestOf(row).scenario
    // STANDARD of a borrower with a new loan is the line of TIERED STANDARD.
    const line = answered(draft, NOW).answer.lines.find((one) => one.planType.endsWith(planType))!
    expect(outcomeIn((line.withExtra ?? line).figures)).toEqual(outcomeOf(row, startMonthOf(NOW)))
  })

  it("are nothing while they are empty, and in links of before", () => {
    const before = draftOf([...new URLSearchParams("loan1.balance=1&loan1.original=2&income=3")])
    expect(before.loans[0]).toEqual({ ...emptyLoan, balance: "1", original: "2" })
    expect([before.household.prices, before.household.extra, before.changes]).toEqual(["0", "0", []])
    const { household } = bookOf(draftWith({}, [{}]))
    expect([household.annualPriceGrowth, household.extraMonthlyPayment, household.changes]).toEqual([0, 0, []])
  })

  it("are at most twenty changes", () =>
    expect(draftOf([...Array(25).keys()].map((at) => [`change${at + 1}.year`, "2"])).changes).toHaveLength(20))

  it.each([
    ["a change of year 1", [{ year: "1", income: "5" }], wrong("change1.year", "range")],
    ["a change after year 50", [{ year: "51", income: "5" }], wrong("change1.year", "range")],
    ["half a year", [{ year: "2.5", income: "5" }], wrong("change1.year", "range")],
    ["no number as a year", [{ year: "next", income: "5" }], wrong("change1.year", "number")],
    [
      "two changes of a year",
      [
        { year: "4", income: "5" },
        { year: "3", income: "5" },
        { year: "4", dependents: "1" }
      ],
      wrong("change3.year", "sameYear")
    ],
    ["a change with nothing but its year", [{}, { year: "4" }], wrong("change2.year", "changesNothing")],
    ["too many dependents", [{ year: "4", dependents: "31" }], wrong("change1.dependents", "range")],
    ["another filing", [{ year: "4", filing: "Widowed" }], wrong("change1.filing", "choice")],
    ["another word for service", [{ year: "4", service: "maybe" }], wrong("change1.service", "choice")]
  ])("refuses %s at its field", (_, changes, reading) => expect(readingOf(changes)).toEqual(reading))

  it("names fields of changes as they stand in the form, not in their order of years", () =>
    expect(
      readingOf([
        { year: "9", dependents: "31" },
        { year: "2", income: "5" }
      ])
    ).toEqual(wrong("change1.dependents", "range")))

  it("asks for the year, and for the income of a spouse who was not there before", () => {
    const marriage = { year: "3", filing: "MarriedFilingJointly" }
    expect(readingOf([{ income: "5" }])).toEqual({ _tag: "Missing", fields: ["change1.year"] })
    expect(readingOf([marriage])).toEqual({ _tag: "Missing", fields: ["change1.spouseIncome"] })
    expect(readingOf([{ ...marriage, spouseIncome: "0" }])._tag).toBe("Book")
    expect(readingOf([marriage], { filing: "Married", spouseIncome: "1" })._tag).toBe("Book")
    expect(readingOf([{ ...marriage, filing: "MarriedFilingSeparately" }])._tag).toBe("Book")
  })

  it("change the figures of their year on", () => {
    const lineOf = (draft: Draft) =>
      answered(draft, NOW).answer.lines.find(({ planType }) => planType === "REPAYMENT ASSISTANCE")!
    const { months: now } = lineOf(draftWith({}))
    const { months: later } = lineOf(draftWith({}, [{ year: "3", income: "20000" }]))
    expect(later.slice(0, 24)).toEqual(now.slice(0, 24))
    expect(later[24]).toBeLessThan(now[24]!)
    expect(lineOf(draftWith({ extra: "50" })).withExtra?.figures.monthsToFinish).toBeLessThan(now.length - 1)
  })

  it.each([
    [{ prices: "11" }, wrong("prices", "percent")],
    [{ growth: "51" }, wrong("growth", "percent")],
    [{ extra: "1000001" }, wrong("extra", "range")],
    [{ extra: "a lot" }, wrong("extra", "number")]
  ])("refuses %j", (household, reading) => expect(readDraft(draftWith(household))).toEqual(reading))
})

describe("days", () => {
  it("may be typed for the first loan and for each loan", () => {
    const { history, household, loans } = bookOf(
      draftWith({ firstBorrowed: "exact", firstBorrowedOn: "8/2017" }, [], [{ ...loan, madeOn: "August 26, 2019" }])
    )
    expect([household.firstBorrowedOn, loans[0]!.madeOn, history?.firstBorrowedOn]).toEqual([
      "2017-08-01",
      "2019-08-26",
      "2017-08-01"
    ])
  })

  it("are asked for if they are said to be known, and yield to a time that is chosen", () => {
    expect(readDraft(draftWith({ firstBorrowed: "exact" }))).toEqual({ _tag: "Missing", fields: ["firstBorrowedOn"] })
    const book = bookOf(draftWith({ firstBorrowed: "2014", firstBorrowedOn: "gone" }))
    expect(book.household.firstBorrowedOn).toBe("2014-07-01")
    expect(bookOf(draftWith({ firstBorrowedOn: "2017-08-26" })).household.firstBorrowedOn).toBe("2017-08-26")
  })

  it("have a problem at their field", () => {
    const exact = (firstBorrowedOn: string, madeOn = "") => {
      const outcome = compute(draftWith({ firstBorrowed: "exact", firstBorrowedOn }, [], [{ ...loan, madeOn }]), NOW)
      return outcome._tag === "Wrong" ? outcome.problems : outcome._tag
    }
    expect(exact("soon")).toEqual([{ field: "firstBorrowedOn", problem: "unreadableDay" }])
    expect(exact("2/30/2017")).toEqual([{ field: "firstBorrowedOn", problem: "date" }])
    expect(exact("12/2026")).toEqual([{ field: "firstBorrowedOn", problem: "date" }])
    expect(exact("10/1998")).toBe("Answered")
    expect(exact("8/2017", "8/2016")).toEqual([
      { field: "firstBorrowedOn", problem: "tooLate", loan: 1, date: "2016-08-01" }
    ])
    expect(exact("8/2017", "2027-01")).toEqual([{ field: "loan1.madeOn", problem: "date" }])
    expect(exact("8/2017", "8/2019")).toBe("Answered")
  })
})

describe("a balance of 0", () => {
  it("owes nothing", () => {
    expect(readDraft(draftWith({}, [], [{ ...loan, balance: "0" }]))).toEqual({ _tag: "NothingOwed" })
    expect(readDraft(draftWith({}, [], [{ ...loan, balance: "0", interest: "5" }]))._tag).toBe("Book")
    expect(readDraft(draftWith({}, [], [{ ...loan, balance: "0" }, loan]))._tag).toBe("Book")
  })
})

describe("the words of a problem", () => {
  it.each([
    ["income", "number", /^Enter your yearly income in dollars, for example 52,000/],
    ["loan2.rate", "percent", /^Enter the interest rate in percent a year, from 0 to 100/],
    ["change1.year", "range", /^Enter a year of repayment from 2 to 50/],
    ["loan1.madeOn", "unreadableDay", /^Enter a year, month or day/],
    ["state", "choice", /^Choose the state/],
    ["change3.year", "sameYear", /^Another change begins in this year/]
  ] as const)("of %s, %s, say what the field wants", (field, problem, words) =>
    expect(wordsOfProblem({ field, problem })).toMatch(words)
  )

  it("give an example of the day that is needed", () =>
    expect(wordsOfProblem({ field: "firstBorrowedOn", problem: "dayNeeded", day: "1998-10-07" })).toContain(
      "such as 10/07/1998"
    ))

  it("name a field with its loan or change", () =>
    expect(["income", "loan2.rate", "change1.year"].map(labelOfField)).toEqual([
      "Your income",
      "Loan 2: Interest rate",
      "Change 1: From"
    ]))
})

describe("the form", () => {
  const page = (draft: Draft) => appHtml(draft, compute(draft, NOW))
  const opened = (html: string): number => (html.match(/<details class="loan" open>/g) ?? []).length

  it("opens a new loan, and closes one that is typed", () => {
    expect(opened(appHtml(emptyDraft, undefined))).toBe(1)
    expect(opened(page(draftWith({})))).toBe(0)
  })

  it("folds a long list after five lines", () => {
    const all = (count: number) => page(draftWith({}, [], Array(count).fill(loan)))
    expect(all(100)).toContain(texts.book.all(100))
    expect(all(6)).not.toContain(texts.book.all(6))
    expect(all(100).indexOf(texts.book.all(100))).toBeLessThan(all(100).indexOf('id="loan6"'))
  })

  it("says on the line of a loan that it has a problem, or no rate", () => {
    expect(page(draftWith({}, [], [loan, { ...loan, rate: "" }]))).toContain(texts.book.looks.rate)
    expect(page(draftWith({}, [], [{ ...loan, rate: "101" }]))).toContain(texts.book.fields.rate.wants)
    expect(page(draftWith({}, [], [{ ...loan, rate: "40" }]))).toContain(texts.book.looks.odd)
    expect(page(draftWith({}, [], [loan, { ...loan, balance: "0" }]))).toContain(texts.book.looks.nothing)
  })

  it("says that nothing is owed, in place of plans", () => {
    const html = page(draftWith({}, [], [{ ...loan, balance: "0" }]))
    expect([html.includes(texts.nothingOwed), html.includes("<data")]).toEqual([true, false])
  })

  it("says a change on its line", () => {
    const draft = draftWith({ prices: "2.5" }, [
      { year: "4", income: "260000", filing: "MarriedFilingJointly", spouseIncome: "0", dependents: "1" }
    ])
    const html = page(draft)
    expect(html).toContain(
      "income $260,000 · married, joint return · spouse&#39;s income $0 · 1 dependent".replace("&#39;", "'")
    )
    expect(html).toContain("prices up 2.5% a year, 1 later change")
  })
})
