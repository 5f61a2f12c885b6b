/** The answer for two with loans: sums of both returns, each one's own plans, and the fields of the spouse. */
import { describe, expect, it } from "vitest"
import { currentLaw, splitsIncome, TIERED_STANDARD, toCents } from "../../src/engine/index.ts"
import { compute } from "../../src/web/book/compute.ts"
import type { OnReturn, ReturnRow } from "../../src/web/book/couple.ts"
import {
  type Draft,
  draftOf,
  emptyChange,
  emptyDraft,
  emptyLoan,
  fieldsOf,
  type HouseholdDraft
} from "../../src/web/book/draft.ts"
import { draftFor, type Whose } from "../../src/web/book/spouse.ts"
import { isSure } from "../../src/web/book/sure.ts"
import { labelOfField } from "../../src/web/components/fieldWords.ts"
import { answered as answeredAt, answeredCouples, appHtml } from "../support/books.ts"
import { runs, seedOr } from "../support/random.ts"
import { draftWith } from "./drafts.ts"

const NOW = new Date("2026-11-25T12:00:00Z")
const answered = (draft: Draft) => answeredAt(draft, NOW)
const coupleOf = (draft: Draft) => answered(draft).couple!

const loan = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED" }
const MARRIED = { filing: "Married", firstBorrowed: "2014" }

/** A resident and a teacher with 44 counted payments. */
const resident = { ...loan, balance: "180000", rate: "6.8" }
const teacher: Draft = {
  ...draftWith([{ ...loan, balance: "45000", rate: "5.5", months: "44", pslf: "44" }], {}),
  household: { ...emptyDraft.household, service: "yes", firstBorrowed: "2014" }
}
const inWisconsin = (more: Partial<HouseholdDraft> = {}): Draft => ({
  ...draftWith([resident], {
    ...MARRIED,
    income: "210000",
    spouseIncome: "31000",
    state: "WI",
    dependents: "1",
    ...more
  }),
  spouse: teacher
})

const waysOf = (rows: ReadonlyArray<ReturnRow>) => rows.map(({ way }) => way)
const textOf = (draft: Draft) =>
  appHtml(draft, compute(draft, NOW))
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")

describe("a resident and a teacher in Wisconsin", () => {
  it("see a joint return and separate ones in both ways, the cheapest first", () => {
    const { rows, splits } = coupleOf(inWisconsin())
    expect(splits).toBe(true)
    expect(waysOf(rows)).toEqual(["joint", "half", "own"])
    // Worked by hand: the brackets of 2026 on 241,000 jointly, and on 210,000 and 31,000 apart.
    expect(rows.map(({ cost, incomeTax }) => [cost, incomeTax])).toEqual([
      [273_909.38, 0],
      [285_689.5, 0],
      [306_184.84, 53_140]
    ])
    const text = textOf(inWisconsin())
    expect(text).toContain("A joint return costs $11,781 to $32,276 less, whichever way your income is counted.")
    expect(text).toContain("At least $53,140 more federal income tax than jointly")
    expect(text).toContain("$120,500 and $120,500")
    expect(text).toContain("$248,573.51 + $4,471.33 + $53,140.00 income tax = $306,184.84.")
  })

  it("see one way once it is chosen, and their own plans follow it", () => {
    for (const [split, income] of [
      ["half", 120_500],
      ["own", 31_000]
    ] as const) {
      const { rows, spouse } = coupleOf(inWisconsin({ split }))
      expect(waysOf(rows)).toEqual(["joint", split])
      expect(rows[1]!.incomes.spouse).toBe(income)
      const { spouse: apart } = rows[1]!.plans as Record<Whose, OnReturn>
      const line = spouse.answer.lines.find(
        ({ filing, planType }) => planType === apart.planType && filing !== "MarriedFilingJointly"
      )!
      expect(line.cost).toBe(apart.cost)
    }
  })

  it("may have the child on the other's separate return, as if the other had typed it", () => {
    const { household, loans } = inWisconsin()
    const turned: Draft = {
      ...teacher,
      household: {
        ...teacher.household,
        ...MARRIED,
        income: "31000",
        spouseIncome: "210000",
        state: "WI",
        dependents: "1"
      },
      spouse: { ...emptyDraft, loans, household: { ...emptyDraft.household, firstBorrowed: household.firstBorrowed } }
    }
    const costsOf = (draft: Draft) => coupleOf(draft).rows.map(({ cost, way }) => [way, cost])
    expect(costsOf(inWisconsin({ claims: "spouse" }))).toEqual(costsOf(turned))
    expect(costsOf(turned)).not.toEqual(costsOf(inWisconsin()))
  })

  it("have no such choice in a state that does not split", () => {
    const { rows, splits } = coupleOf(inWisconsin({ state: "OH", split: "half" }))
    expect([splits, waysOf(rows)]).toEqual([false, ["joint", "own"]])
  })

  it("are told what their sums leave out", () => {
    const draft = inWisconsin({ dependents: "2" })
    const later = { ...draft, changes: [{ ...emptyChange, year: "3", income: "250000" }] }
    const text = textOf(later)
    expect(text).toContain("Your later changes are not in these sums")
    expect(text).toContain("On separate returns, 2 dependents are on yours.")
  })
})

describe("any couple", () => {
  const couples = answeredCouples(runs(40, 300), seedOr(2026), NOW)
  const centsOf = (row: ReturnRow) =>
    "without" in row.plans ? 0 : toCents(row.plans.own.cost) + toCents(row.plans.spouse.cost)

  it("has returns that are the sums of their lines and of the income tax, the cheapest first", () => {
    for (const { couple } of couples) {
      for (const row of couple.rows) {
        expect(toCents(row.cost)).toBe("without" in row.plans ? 0 : centsOf(row) + toCents(row.incomeTax))
        if (row.way === "joint") expect(row.incomeTax).toBe(0)
      }
      const costs = couple.rows.flatMap(({ cost, plans }) => ("without" in plans ? [] : [cost]))
      expect(costs).toEqual(costs.toSorted((one, other) => one - other))
    }
  })

  it("has each one's cheapest plan that is surely open on the return", () => {
    for (const { couple, draft, own } of couples) {
      const isHalf = splitsIncome(currentLaw, draft.household.state) && draft.household.split !== "own"
      const answers = { own: own.lines, spouse: couple.spouse.answer.lines }
      for (const row of couple.rows.filter(({ way }) => way !== (isHalf ? "own" : "half"))) {
        if ("without" in row.plans) continue
        const filing = row.way === "joint" ? "MarriedFilingJointly" : "MarriedFilingSeparately"
        for (const whose of ["own", "spouse"] as const) {
          const lines = answers[whose].filter((line) => line.filing === null || line.filing === filing)
          const sure = lines.some(isSure) ? lines.filter(isSure) : lines
          const costs = sure.filter(({ figures }) => figures.monthsToFinish !== null).map(({ cost }) => cost)
          // Beside loans of other kinds, the page's Tiered Standard begins a term of its own.
          if (sure.every(({ planType }) => planType !== TIERED_STANDARD))
            expect(row.plans[whose].cost).toBe(Math.min(...costs))
        }
      }
    }
  })

  const isAsAlone = ({ draft: { household } }: (typeof couples)[number]) =>
    household.claims === "" && (household.split === "own" || !splitsIncome(currentLaw, household.state))

  it("gives the reader the figures of a page where only the spouse's debt is typed", () => {
    for (const { draft, own } of couples.filter(isAsAlone)) {
      const { spouse: _, ...alone } = draftFor(draft, "own")
      expect(own.lines.map(({ cost }) => cost)).toEqual(answered(alone).answer.lines.map(({ cost }) => cost))
    }
  })

  it("survives a link", () => {
    for (const { draft } of couples) expect(fieldsOf(draftOf(fieldsOf(draft)))).toEqual(fieldsOf(draft))
  })
})

describe("the spouse's fields", () => {
  it("are asked for by their names while they are empty, and nothing of the household twice", () => {
    const draft = { ...inWisconsin({ spouseIncome: "" }), spouse: emptyDraft }
    const outcome = compute(draft, NOW)
    const fields = ["spouseIncome", "spouse.loan1.type", "spouse.loan1.balance", "spouse.loan1.rate"]
    expect(outcome).toEqual({ _tag: "Missing", fields })
    expect(labelOfField("spouse.loan1.type")).toBe("Your spouse's loans, Loan 1: Kind of loan")
    expect(labelOfField("spouse.service")).toBe("My spouse works for the government or a nonprofit")
  })

  it("have their own problems", () => {
    const wrong = { ...teacher, loans: [{ ...resident, rate: "six" }] }
    const outcome = compute({ ...inWisconsin({ income: "much" }), spouse: wrong }, NOW)
    expect(outcome._tag === "Wrong" && outcome.problems.map(({ field }) => field)).toEqual([
      "income",
      "spouse.loan1.rate"
    ])
  })

  it("are wrong together if their sum is beyond a request's bounds", () => {
    const large = { ...resident, balance: "60000000" }
    const outcome = compute({ ...inWisconsin(), spouse: { ...teacher, loans: [large, large] } }, NOW)
    expect(outcome).toMatchObject({ _tag: "Wrong", problems: [{ field: "spouseLoans" }] })
  })

  it("are left alone unless the reader is married, and while the spouse owes nothing", () => {
    expect(answered(inWisconsin({ filing: "Single" })).couple).toBe(undefined)
    const paid = { ...teacher, loans: [{ ...resident, balance: "0" }] }
    expect(answered({ ...inWisconsin(), spouse: paid }).couple).toBe(undefined)
  })

  it("of a spouse's spouse in a link are left out", () => {
    const draft = draftOf([
      ["spouse.loan1.type", "DIRECT STAFFORD SUBSIDIZED"],
      ["spouse.spouse.loan1.type", "DIRECT STAFFORD SUBSIDIZED"]
    ])
    expect(fieldsOf(draft)).toEqual([["spouse.loan1.type", "DIRECT STAFFORD SUBSIDIZED"]])
  })
})
