/** When a borrower pays, on which plan, what doing nothing means, and the change of plan that costs less. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { costCents, currentLaw, dateOfMonth, fromCents, project } from "../../src/engine/index.ts"
import { requestOf } from "../../src/web/book/asking.ts"
import { compute } from "../../src/web/book/compute.ts"
import { draftOf, emptyLoan, type HouseholdDraft } from "../../src/web/book/draft.ts"
import { readFile, withFile } from "../../src/web/book/file.ts"
import { withInterest } from "../../src/web/book/interest.ts"
import { cheaperPath } from "../../src/web/book/path.ts"
import { readDraft } from "../../src/web/book/reading.ts"
import { appHtml } from "../support/books.ts"
import { runs, seedOr } from "../support/random.ts"
import { bookOf, draftWith } from "./drafts.ts"

const NOW = new Date("2026-11-25T12:00:00Z")
const START = { year: 2026, month: 12 }
const loan = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "90000", rate: "6.6" }
const counted = { ...loan, months: "60" }

const asked = (household: Partial<HouseholdDraft>, own = loan) => {
  const draft = draftWith([own], household)
  const outcome = compute(draft, NOW)
  if (outcome._tag !== "Answered") throw new Error(JSON.stringify(outcome))
  const html = appHtml(draft, outcome)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
  return { ...outcome.answer, html }
}

describe("a borrower who pays later", () => {
  const student = { pays: "school", until: "2027-04", income: "30000" }

  it("pays first in the month after, and counts payments from then on", () => {
    const { html, lines, paused } = asked(student)
    const standard = lines.find(({ planType }) => planType === "STANDARD")!
    expect(paused).toBe(5)
    expect(standard.months.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(standard.months[5]).toBeCloseTo(standard.figures.firstMonthPayment, 2)
    expect(html).toContain("Nothing is due until May 2027. If you don't choose a plan by then, you start on Standard.")
    expect(html).toContain("The first payment is in May 2027.")
    expect(html).toContain("a month for 10 years.")
    expect(html).not.toContain("falls later, to $0")
  })

  it.each([
    [{ pays: "school", until: "2027-04" }, "InSchool", "2027-05"],
    [{ pays: "paused", until: "2026-12", pause: "Deferment" }, "Deferment", "2027-01"],
    [{ pays: "paused", until: "2027-01", pause: "save" }, "Forbearance", "2027-02"],
    [{ pays: "paused", until: "2027-01" }, "Forbearance", "2027-02"]
  ])("is paused in the request: %j", (household, kind, until) => {
    expect(bookOf(draftWith([loan], household)).household.pauses).toEqual([{ kind, until, from: null, loans: null }])
  })

  it.each(["2027-13", "2027-00", "9999-12", "0000-01", "2027-1"])("has no month %s, which a link may hold", (month) => {
    const names = ["until", "loan1.until", "spouse.until", "spouse.loan1.until", "switchFrom", "onceOn"]
    const { household, loans, spouse } = draftOf(names.map((name) => [name, month] as const))
    const months = [household.until, loans[0]!.until, spouse!.household.until, spouse!.loans[0]!.until]
    expect([...months, household.switchFrom, household.onceOn]).toEqual(names.map(() => ""))
  })

  it("may have any month of a link", () => {
    const bends = (until: string) => ({ pays: "school", until, switchFrom: until, switchTo: "STANDARD" })
    expect(asked(bends("2000-01")).paused).toBe(0)
    expect(asked({ once: "500", onceOn: "2000-01", ...bends("2027-04") }).paused).toBe(5)
    expect(compute(draftWith([loan], bends("2199-12")), NOW)._tag).toBe("Wrong")
  })

  it("is told that no plan is open in default, and gets the figures after it", () => {
    const { html, lines, paused } = asked({ pays: "default", plan: "SAVE" })
    expect(html).not.toContain("SAVE has ended.")
    expect(html).toContain("No plan is open while your loans are in default.")
    expect([paused, lines.length]).toEqual([0, asked({}).lines.length])
  })

  it("counts as paying now until a month is chosen", () => {
    expect(asked({ pays: "paused" }).paused).toBe(0)
    expect(bookOf(draftWith([loan], { pays: "", until: "2027-04" })).household.pauses).toBe(null)
  })

  it("can pay one loan and not the other", () => {
    const own = draftWith([loan, { ...loan, balance: "10000", pays: "school", until: "2027-04" }], { pays: "" })
    expect(bookOf(own).household.pauses).toEqual([{ kind: "InSchool", until: "2027-05", from: null, loans: [1] }])
    const outcome = compute(own, NOW)
    if (outcome._tag !== "Answered") throw new Error(outcome._tag)
    expect(outcome.answer).toMatchObject({ paused: 0, later: [{ loans: [2], month: 5 }] })
    expect(appHtml(own, outcome)).toContain("Loan 2: from May 2027 on.")
    const [now, ofAll] = [
      draftWith([loan, { ...loan, pays: "now" }], { pays: "school", until: "2027-04" }),
      draftWith([loan, loan], { pays: "school", until: "2027-04" })
    ]
    expect(bookOf(now).household.pauses).toMatchObject([{ loans: [0] }])
    expect(bookOf(ofAll).household.pauses).toMatchObject([{ loans: null }])
  })

  it("is told of a month too far ahead at its field", () => {
    const reading = readDraft(draftWith([loan], { pays: "school", until: "2050-04" }), START)
    expect(reading).toMatchObject({ _tag: "Wrong", problems: [{ field: "until" }] })
  })
})

describe("the plan that a borrower is in", () => {
  it("is marked, and SAVE's end names what Standard would ask", () => {
    const { html, nothing } = asked({ plan: "SAVE" }, counted)
    expect(nothing).toMatchObject({ reason: "vacated", plan: "STANDARD", counted: 60 })
    expect(html).toContain("SAVE has ended. If you don't choose a plan, you are moved to Standard.")
    const [least, most] = nothing!.payments
    // 495 / (1 - 1.0055 ** -120), and over the 60 months that are left
    expect([Math.round(least), Math.round(most)]).toEqual([1027, 1765])
    expect(html).toContain("It is $1,765 if your servicer takes the 60 months so far as part of the term, and $1,027")
    expect(asked({ plan: "GRADUATED" }, counted).html).toContain("Graduated your plan now")
  })

  it("is PAYE: its end and what it becomes are said, and the change that costs less", () => {
    const household = { income: "62000", firstBorrowed: "2014", plan: "PAY AS YOU EARN" }
    const { html, nothing, path } = asked(household, counted)
    expect(nothing).toMatchObject({
      reason: "ends",
      plan: "REPAYMENT ASSISTANCE",
      better: { plan: "INCOME BASED", payment: 317.17, saved: 25_802.69, latestMonth: 19 }
    })
    expect(cheaperPath(bookOf(draftWith([counted], household)), START)).toMatchObject({
      plans: ["PAY AS YOU EARN", "INCOME BASED"],
      month: 1,
      latestMonth: 19,
      cost: 84_726.4,
      saved: 25_802.69,
      against: "PAY AS YOU EARN",
      isStaying: true
    })
    // Income-Based alone costs the same, and is a card.
    expect(path).toBe(undefined)
    expect(html).toContain(
      "Income-Based, 10% instead would be $317 in Jan 2027, and costs $25,803 less in all, if it begins by Jul 2028."
    )
  })

  it("leaves out plans that depend on an answer from the paths", () => {
    const { path } = asked({ income: "62000" }, counted)
    expect(path?.plans ?? []).not.toContain("INCOME BASED")
  })
})

describe("a change of plan that costs less", () => {
  const books = fc.record({
    balance: fc.integer({ min: 1000, max: 200_000 }),
    rate: fc.integer({ min: 2, max: 9 }),
    months: fc.integer({ min: 0, max: 110 }),
    income: fc.integer({ min: 0, max: 150_000 }),
    firstBorrowed: fc.constantFrom("", "before2007", "2007", "2014"),
    filing: fc.constantFrom("Single", "Married"),
    plan: fc.constantFrom("", ...PLAN_TYPES),
    until: fc.constantFrom("", "2027-08")
  })

  it("has the figures of a request with this change, and saves what it says", () => {
    let found = 0
    const property = fc.property(books, ({ balance, income, months, rate, ...household }) => {
      const book = bookOf(
        draftWith([{ ...loan, balance: String(balance), rate: String(rate), months: String(months) }], {
          ...household,
          income: String(income),
          spouseIncome: "20000",
          pays: household.until === "" ? "" : "paused"
        })
      )
      const path = cheaperPath(book, START)
      if (path === undefined) return
      found++
      const costOf = (planType: (typeof path.plans)[number], filing: (typeof book.filings)[number], month?: number) => {
        const { scenario, ...request } = requestOf(book, planType, filing)
        const from = month === undefined ? "" : dateOfMonth(START, month).slice(0, "YYYY-MM".length)
        const planChanges = month === undefined ? [] : [{ from, planType: path.plans[1] as never }]
        const figures = project(currentLaw, { ...request, scenario: { ...scenario, planChanges } }, START)
        return figures._tag === "Refusal" ? Number.POSITIVE_INFINITY : fromCents(costCents(figures))
      }
      const filing = path.filing ?? book.filings[0]
      expect(costOf(path.plans[0], filing, path.month)).toBe(path.cost)
      expect(costOf(path.plans[0], filing, path.latestMonth)).toBe(path.cost)
      expect(path.stages.map(({ plan }) => plan).filter((plan) => path.plans.includes(plan))).toEqual(path.plans)
      const alone = Math.min(...book.filings.map((one) => costOf(path.against, one)))
      expect(path.saved).toBeCloseTo(alone - path.cost, 2)
      expect(path.saved).toBeGreaterThanOrEqual(500)
    })
    fc.assert(property, { numRuns: runs(60, 200), seed: seedOr(20261129) })
    expect(found).toBeGreaterThan(3)
  })

  it("says how far its payments rise", () => {
    const paye = { income: "45000", growth: "4", plan: "PAY AS YOU EARN", firstBorrowed: "2007" }
    const { html, path } = asked(paye, { ...loan, months: "130" })
    expect(path?.stages.map(({ payment }) => payment)).toEqual([175.5, 285.75])
    expect(html).toContain("Payments rise to $675.")
  })

  it("is not looked for in more than ten loans", () => {
    const book = bookOf(draftWith(Array.from({ length: 11 }, () => counted)))
    expect(cheaperPath(book, START)).toBe(undefined)
  })
})

describe("a change of plan that a borrower tries", () => {
  const household = { income: "62000", firstBorrowed: "2014" }
  const tried = (switchFrom: string, switchTo: string, planType: string) => {
    const { html, lines } = asked({ ...household, switchFrom, switchTo }, counted)
    return { html, ...lines.find((line) => line.planType === planType)!.withChange }
  }

  it("has the figures of the request with this change", () => {
    expect(tried("2028-06", "INCOME BASED", "PAY AS YOU EARN")).toMatchObject({ _tag: "Figures", cost: 84_726.4 })
    const { html } = tried("2028-06", "REPAYMENT ASSISTANCE", "INCOME BASED")
    expect(html).toContain("You begin on Income-Based, 10%.")
    expect(html).toMatch(/\$310 in Jun 2028, and \$[\d,]+ in all: \$[\d,]+ more than staying\. Done Nov 2051\./)
  })

  it.each([
    ["2028-06", "PAY AS YOU EARN", "FromIncomeBased", "From Income-Based you can only switch to Standard or RAP."],
    ["2030-01", "PAY AS YOU EARN", "HasEnded", "isn't offered from Jan 2030 on: it has ended by then."],
    ["2028-06", "SAVE", "NotElectable", "Nobody can switch to SAVE any more."],
    ["2028-06", "INCOME BASED", "InForce", "You would be on Income-Based, 10% already."]
  ])("is refused in a sentence: %s %s", (from, to, reason, sentence) => {
    const { html, ...refused } = tried(from, to, "INCOME BASED")
    expect(refused).toEqual({ _tag: "Refused", reason })
    expect(html).toContain(sentence)
  })

  it("says that the plan is over by then", () => {
    expect(tried("2045-01", "STANDARD", "INCOME BASED").html).toContain("Income-Based, 10% is over before Jan 2045.")
  })
})

describe("what a borrower can pay", () => {
  it("may be an amount in all, which costs more where part is forgiven", () => {
    const { html, lines } = asked({ income: "62000", firstBorrowed: "2014", budget: "600" }, counted)
    const ibr = lines.find(({ planType }) => planType === "INCOME BASED")!
    expect([ibr.cost, ibr.figures.firstMonthPayment]).toEqual([84_726.4, 317.17])
    expect(ibr.withExtra!.cost).toBeGreaterThan(ibr.cost)
    expect(html).toContain("$600 a month in all on")
    expect(html).toContain("it costs you")
  })
})

describe("figures on either side of a line", () => {
  it("are those of a step of RAP just above which the income lies", () => {
    const { html, lines } = asked({ income: "71000" })
    // 7 % of 71,000 is 414.17 a month, 6 % of 70,000 is 350.00.
    expect(lines.find(({ edge }) => edge !== undefined)!.edge).toEqual({ over: 70_000, less: expect.closeTo(64.17, 2) })
    expect(html).toContain("at $70,000 or less, it would be $64 a month lower.")
    expect(asked({ income: "71001" }).lines.filter(({ edge }) => edge !== undefined)).toEqual([])
  })

  it("are those of a term that counted months shorten, and of a new one", () => {
    const { html, lines } = asked({}, counted)
    const standard = lines.find(({ planType }) => planType === "STANDARD")!
    expect([Math.round(standard.figures.firstMonthPayment), Math.round(standard.ofNewTerm!)]).toEqual([1765, 1027])
    expect(html).toContain("It is $1,027 a month if your servicer counts none of the months so far.")
  })
})

describe("people in the family", () => {
  it("move Income-Based and leave RAP", () => {
    const firstOf = (household: Partial<HouseholdDraft>, plan: string) =>
      asked({ firstBorrowed: "2014", ...household }).lines.find(({ planType }) => planType === plan)!.figures
        .firstMonthPayment
    expect(firstOf({ family: "4" }, "INCOME BASED")).toBeLessThan(firstOf({}, "INCOME BASED"))
    expect(firstOf({ family: "4" }, "REPAYMENT ASSISTANCE")).toBe(firstOf({}, "REPAYMENT ASSISTANCE"))
  })
})

describe("a file with paused loans", () => {
  const ofLoan = (code: string, status: string) => [
    "Loan Type Code:D2",
    "Loan Type Description:DIRECT STAFFORD UNSUBSIDIZED",
    "Loan Outstanding Principal Balance:$9,500",
    "Loan Outstanding Interest Balance:$0",
    "Loan Interest Rate:5.5%",
    `Loan Status:${code}`,
    `Loan Status Description:${status}`
  ]
  const read = (...loans: ReadonlyArray<ReadonlyArray<string>>) => {
    const lines = [
      "File Source:U.S. DEPARTMENT OF EDUCATION, NATIONAL STUDENT LOAN DATA SYSTEM (NSLDS)",
      ...loans.flat()
    ]
    const reading = readFile(new TextEncoder().encode(lines.join("\r\n")))
    if (reading._tag !== "Read") throw new Error(reading.sentence)
    return reading
  }

  it("fills in the pause, and asks for its end", () => {
    const reading = read(ofLoan("FB", "FORBEARANCE"))
    expect(withFile(draftWith([]), reading).household).toMatchObject({
      pays: "paused",
      pause: "Forbearance",
      until: ""
    })
    expect(reading.warnings.join()).toContain("Loan 1: now in forbearance, and the file does not show until when.")
  })

  it("pauses each loan as it is, if they differ", () => {
    const reading = read(ofLoan("FB", "FORBEARANCE"), ofLoan("RP", "IN REPAYMENT"))
    expect(reading.pause).toBe(null)
    expect(reading.loans.map(({ pays }) => pays)).toEqual(["Forbearance", ""])
    expect(reading.warnings.join()).toContain(
      "Loan 1: now in forbearance, and the file does not show until when. Choose the month in its line."
    )
  })
})

describe("what is answered once for all loans", () => {
  it.each([
    ["by what is owed", ["30000", "10000"], 10_000, ["75", "25"]],
    ["to the cent", ["100", "100", "100"], 1000, ["3.33", "3.34", "3.33"]],
    ["equally, before balances are typed", ["", ""], 500, ["2.5", "2.5"]],
    ["nowhere, if there is none", ["30000", "10000"], 0, ["", ""]]
  ])("unpaid interest is split %s", (_, balances, cents, parts) => {
    const split = withInterest([...balances.map((balance) => ({ ...loan, balance })), emptyLoan], cents)
    expect(split.map(({ interest }) => interest)).toEqual([...parts, ""])
  })

  it("is the engine's sum, of any book", () => {
    const books = fc.tuple(fc.array(fc.nat(99_999), { minLength: 1, maxLength: 8 }), fc.nat(9_999_999))
    fc.assert(
      fc.property(books, ([balances, cents]) => {
        const loans = withInterest(
          balances.map((balance) => ({ ...loan, balance: String(balance) })),
          cents
        )
        const sum = loans.reduce((total, { interest }) => total + Math.round(Number(interest) * 100), 0)
        expect(sum).toBe(cents)
      }),
      { numRuns: runs(200, 2000), seed: seedOr(61) }
    )
  })
})

describe("a one-time payment", () => {
  const once = { income: "62000", firstBorrowed: "2014", once: "5,000", onceOn: "2027-03" }

  it("is shown beside what is due, with its month", () => {
    const { html, lines } = asked(once)
    const standard = lines.find(({ planType }) => planType === "STANDARD")!
    const alone = asked({ ...once, once: "" }).lines.find(({ planType }) => planType === "STANDARD")!
    expect(standard.figures).toEqual(alone.figures)
    expect(standard.withExtra!.cost).toBeLessThan(standard.cost)
    expect(html).toContain("$5,000 once, in Mar 2027, on")
    expect(html).toContain("with $5,000 once:")
  })

  it("waits for its month, and is told at its field what it can't be", () => {
    expect(bookOf(draftWith([loan], { ...once, onceOn: "" })).household.lumpSums).toBe(null)
    expect(readDraft(draftWith([loan], { ...once, once: "much" }), START)).toMatchObject({
      _tag: "Wrong",
      problems: [{ field: "once", problem: "number" }]
    })
    expect(readDraft(draftWith([loan], { ...once, once: "1e9" }), START)).toMatchObject({ _tag: "Wrong" })
  })
})

describe("a borrower who said the plan", () => {
  const notesOf = (plan: string, planType: string, own = counted, more = {}) =>
    asked({ income: "40000", plan, ...more }, own).lines.find((line) => line.planType === planType)?.notes

  it("is on it, whatever its tests would ask of who joins", () => {
    expect(notesOf("", "PAY AS YOU EARN")).toContain("hardship")
    expect(notesOf("PAY AS YOU EARN", "PAY AS YOU EARN")).not.toContain("hardship")
    expect(notesOf("", "INCOME BASED (OLD)")).toContain("ifBefore2014")
    expect(notesOf("INCOME BASED (OLD)", "INCOME BASED (OLD)")).not.toContain("ifBefore2014")
    expect(notesOf("INCOME BASED (OLD)", "INCOME BASED")).toBe(undefined)
    expect(notesOf("INCOME BASED", "INCOME BASED (OLD)")).toBe(undefined)
  })

  it("leaves Income-Based only for Standard or RAP, and no card shows another plan", () => {
    const { html, lines } = asked({ income: "40000", plan: "INCOME BASED (OLD)" }, counted)
    const barred = lines.flatMap(({ notes, planType }) => (notes.includes("fromIncomeBased") ? [planType] : []))
    expect(barred).not.toContain("STANDARD")
    expect(barred).not.toContain("REPAYMENT ASSISTANCE")
    expect(barred).toEqual(expect.arrayContaining(["GRADUATED", "PAY AS YOU EARN", "INCOME CONTINGENT"]))
    expect(html).toContain("You are on Income-Based: from there only Standard or RAP are open.")
  })

  it("is told what leaving Income-Based adds, where interest is unpaid", () => {
    const leaving = "Leaving Income-Based adds your unpaid interest to what you owe. These figures count that."
    const owing = { ...counted, interest: "3200" }
    expect(asked({ plan: "INCOME BASED (OLD)" }, owing).html).toContain(leaving)
    expect(asked({ plan: "INCOME BASED (OLD)" }, counted).html).not.toContain(leaving)
    expect(asked({ plan: "STANDARD" }, owing).html).not.toContain(leaving)
  })

  it("has unpaid interest in the principal under a plan for which Income-Based is left, from the first month on", () => {
    const older = { ...emptyLoan, rate: "6.8", months: "150" }
    const loans = [
      { ...older, type: "DIRECT STAFFORD SUBSIDIZED", balance: "18000", interest: "900" },
      { ...older, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "26000", interest: "2100" }
    ]
    const household = { income: "61000", state: "IL", plan: "INCOME BASED (OLD)", firstBorrowed: "before2007" }
    const costOf = (plan: string, more: Partial<HouseholdDraft> = {}) => {
      const outcome = compute(draftWith(loans, { ...household, ...more }), NOW)
      const lines = outcome._tag === "Answered" ? outcome.answer.lines : []
      return lines.find(({ planType }) => planType === plan)!
    }
    // Worked out by hand from 20 U.S.C. 1098e(b)(3)(B): 3,000 dollars join the principal.
    expect(Math.round(costOf("REPAYMENT ASSISTANCE").cost)).toBe(70_268)
    expect(costOf("INCOME BASED (OLD)").cost).toBeLessThan(70_000)
    const now = { switchFrom: "2026-12", switchTo: "REPAYMENT ASSISTANCE" }
    const { withChange } = costOf("INCOME BASED (OLD)", now)
    expect(withChange).toMatchObject({ _tag: "Figures", cost: costOf("REPAYMENT ASSISTANCE").cost })
  })

  it("is told of SAVE's letter only if it may be theirs", () => {
    const letter = "within your letter's 90 days"
    expect(asked({ plan: "STANDARD" }).html).not.toContain(letter)
    expect(asked({ plan: "" }).html).toContain(`If you were on SAVE, choose ${letter}`)
    expect(asked({ plan: "SAVE" }).html).toContain(`You are on SAVE: choose ${letter}`)
  })

  it("is told that a plan which began long ago begins anew here, and that a newer loan closed it", () => {
    expect(asked({ plan: "STANDARD" }).html).toContain("Here it begins anew, over its whole term.")
    expect(asked({ plan: "STANDARD" }, counted).html).not.toContain("Here it begins anew")
    const { currentPlan, html } = asked({ plan: "GRADUATED" }, { ...loan, madeOn: "8/2026" })
    expect(currentPlan).toBe("GRADUATED")
    expect(html).toContain("Graduated, your plan now, can't take your loans: You have a loan made on or after")
    expect(asked({ plan: "STANDARD" }, { ...loan, madeOn: "8/2026" }).currentPlan).toBe("TIERED STANDARD")
  })
})

describe("words that follow the figures", () => {
  it("say below which income a payment is nothing, and that a raise doesn't move it", () => {
    const { html } = asked({ income: "15000", firstBorrowed: "2014", growth: "3", prices: "2.5" })
    expect(html).toMatch(/You pay nothing while your income is \$[\d,]+ or less\./)
    expect(asked({ income: "0" }).html).toContain("They count no income of yours until the end.")
    expect(asked({ income: "5000" }).html).not.toContain("They count no income")
  })

  it("do not call a separate return cheaper that saves nothing but tax on what is forgiven", () => {
    const family = { filing: "Married", spouseIncome: "35000", dependents: "2", state: "GA" }
    const { html } = asked({ ...family, income: "0", firstBorrowed: "2014" })
    // Nothing is due on either return.
    const named = [...html.matchAll(/\$0 a month.{0,60}?(joint|separate) return/g)].map(([, filing]) => filing)
    expect([...new Set(named)]).toEqual(["joint"])
    // On separate returns alone Income-Contingent asks for nothing, too, and is taxed less than a joint return.
    const { html: old } = asked(
      { ...family, income: "0", plan: "STANDARD", firstBorrowed: "2014" },
      { ...counted, balance: "26000", rate: "5" }
    )
    expect(old).toMatch(/lowest total cost .{0,120}joint return/i)
    expect(old).toMatch(/On separate returns a plan would cost \$[\d,]+ less at the end, in tax\./)
  })

  it("say that a plan asks for more than the budget, and which one never does", () => {
    const { html, lines } = asked(
      { income: "62000", firstBorrowed: "2014", budget: "320" },
      { ...loan, balance: "30000" }
    )
    expect(html).toMatch(/asks for more than that, up to \$[\d,]+ a month\./)
    expect(html).toMatch(
      /The cheapest plan that never asks for more is [^:]+: \$[\d,]+ in all, \$[\d,]+ (?:more|less) than/
    )
    const enough = lines.filter(({ highestPayment }) => highestPayment <= 320)
    expect([enough.length, lines.length - enough.length].every((count) => count > 0)).toBe(true)
    // In all, and the end.
    expect(html.match(/with \$320 a month in all/g)?.length).toBe(2 * enough.length)
    expect(asked({ income: "150000", budget: "1" }).html).toContain("Every plan asks for more at some time.")
  })

  it("test PAYE in the first month in which its loans are due", () => {
    const plus = { ...loan, type: "DIRECT PLUS PARENT", balance: "60000", rate: "8.5" }
    const own = { ...loan, balance: "9000", rate: "5", pays: "Deferment", until: "2027-05" }
    const outcome = compute(draftWith([plus, own], { income: "88000", firstBorrowed: "2014" }), NOW)
    if (outcome._tag !== "Answered") throw new Error(outcome._tag)
    expect(outcome.answer.lines.find(({ planType }) => planType === "PAY AS YOU EARN")!.hasHardship).toBe(false)
  })

  it("count unpaid interest that a student has typed", () => {
    const school = { pays: "school", until: "2027-04" }
    expect(asked(school, { ...loan, interest: "900" }).html).not.toContain("No unpaid interest is counted")
    expect(asked(school).html).toContain("No unpaid interest is counted")
    expect(asked(school).html).not.toContain("If you were on SAVE")
  })

  it("say that a month is missing, and which date is open", () => {
    expect(asked({ pays: "school" }).html).toContain("the last month without a payment isn't chosen")
    expect(asked({}, { ...loan, madeOn: "2014" }).html).toContain("These figures don't know a date")
  })

  it("leave out PAYE where it ends before the first payment", () => {
    const later = { income: "62000", firstBorrowed: "2014", pays: "school", until: "2028-06" }
    const paye = asked(later).closed.find(({ planType }) => planType === "PAY AS YOU EARN")
    expect(paye?.reasons).toEqual([{ _tag: "EndsFirst" }])
    const { html, lines } = asked({ ...later, pays: "paused", pause: "Deferment", plan: "PAY AS YOU EARN" })
    expect(lines.find(({ planType }) => planType === "PAY AS YOU EARN")!.notes).toContain("endsFirst")
    expect(html).toMatch(/you are moved to Repayment Assistance \(RAP\)\. That would be \$[1-9]\d* a month then/)
  })
})
