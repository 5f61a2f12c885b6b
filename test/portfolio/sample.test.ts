/**
 * The synthetic borrowers: each is valid under the contract, together they match the published
 * statistics, and a seed reproduces them to the byte.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { SAMPLE_PAGE, samplePage } from "../../scripts/generate/sample.ts"
import { BORROWER_COLUMNS, Borrower, LOAN_COLUMNS } from "../../src/portfolio/read/borrower.ts"
import { borrowerOfRows } from "../../src/portfolio/read/tableRows.ts"
import { kindsByDebt } from "../../src/portfolio/sample/assumptions.ts"
import { type SampleOptions, sampleBorrowers } from "../../src/portfolio/sample/sampleBorrowers.ts"
import * as statistics from "../../src/portfolio/sample/statistics.ts"
import { decodeStrictly } from "../../src/request/decode.ts"

const SEED = 20261122
const COUNT = 50_000

/** Columns that came later, without which a request has the same answer. */
const LEFT_OUT = ["firstBorrowedOn", "annualPriceGrowth", "changes", "extraMonthlyPayment", "madeOn"]

const decode = decodeStrictly(Borrower)
const borrowersOf = (options: SampleOptions): ReadonlyArray<Borrower> =>
  Array.from(sampleBorrowers(options), (line) => Effect.runSync(decode(JSON.parse(line))))

/** Decoding fails for an invalid borrower, so all of these are valid. */
const borrowers = borrowersOf({ seed: SEED, count: COUNT })
const loans = borrowers.flatMap((borrower) => borrower.loans)

const debtOf = ({ loans: book }: Borrower): number =>
  book.reduce((sum, { interestBalance, principalBalance }) => sum + principalBalance + interestBalance, 0)

const shareOf = (counts: (borrower: Borrower) => boolean): number => borrowers.filter(counts).length / COUNT
const sum = (values: ReadonlyArray<number>): number => values.reduce((all, value) => all + value, 0)

/** Share of all dollars owed on loans of the given types. */
const dollarsOn = (counts: (loanType: string) => boolean): number =>
  sum(loans.filter(({ loanType }) => counts(loanType)).map((loan) => loan.principalBalance + loan.interestBalance)) /
  sum(borrowers.map(debtOf))

const CLASSES = statistics.debtClasses.value
const AREAS = Object.entries(statistics.borrowersByStateAndDebt.value)
const PUBLISHED = sum(AREAS.flatMap(([, [, ...counts]]) => counts))
const classOf = (borrower: Borrower): number => CLASSES.findLastIndex(({ from }) => debtOf(borrower) >= from)

describe("a sample has", () => {
  it("the published debts: each class within a point, its mean within three percent", () => {
    const byClass = Map.groupBy(borrowers, classOf)
    CLASSES.forEach(({ mean }, index) => {
      const published = sum(AREAS.map(([, [, ...counts]]) => counts[index]!)) / PUBLISHED
      const own = byClass.get(index)!
      expect(Math.abs(own.length / COUNT - published), `class ${index}`).toBeLessThan(0.01)
      expect(Math.abs(sum(own.map(debtOf)) / own.length / mean - 1), `mean of class ${index}`).toBeLessThan(0.03)
    })
  })

  it("the published states: each within half a point, with large debts in the right ones", () => {
    for (const [state, [, ...counts]] of AREAS) {
      expect(Math.abs(shareOf((one) => one.state === state) - sum(counts) / PUBLISHED), state).toBeLessThan(0.005)
    }
    const large = (state: string) => {
      const here = borrowers.filter((one) => one.state === state)
      return here.filter((one) => debtOf(one) >= 100_000).length / here.length
    }
    expect(large("GA")).toBeGreaterThan(large("TX"))
  })

  it("the published dollars by loan type and program, within two and a half points", () => {
    const { value } = statistics.dollarsByLoanType
    const all = sum(Object.values(value))
    const own = {
      subsidized: dollarsOn((type) => /STAFFORD SUBSIDIZED/.test(type)),
      unsubsidized: dollarsOn((type) => /STAFFORD UNSUBSIDIZED/.test(type)),
      graduatePlus: dollarsOn((type) => /PLUS GRADUATE/.test(type)),
      parentPlus: dollarsOn((type) => /PLUS PARENT/.test(type)),
      perkins: dollarsOn((type) => /PERKINS/.test(type)),
      consolidation: dollarsOn((type) => /CONSOLIDATED/.test(type))
    }
    expect(Object.keys(own)).toEqual(Object.keys(value))
    for (const [type, dollars] of Object.entries(value)) {
      expect(Math.abs(own[type as keyof typeof own] - dollars / all), type).toBeLessThan(0.025)
    }
    expect(Math.abs(dollarsOn((type) => type.startsWith("FFEL")) - statistics.ffelShare.value)).toBeLessThan(0.025)
  })

  it("the published plans, each within a point and a half", () => {
    const { value } = statistics.recipientsByPlan
    const all = sum(Object.values(value))
    for (const [plan, recipients] of Object.entries(value)) {
      const own = shareOf(({ currentPlan }) => currentPlan?.replace(" (OLD)", "") === plan)
      expect(Math.abs(own - recipients / all), plan).toBeLessThan(0.015)
    }
    expect(borrowers.every(({ currentPlan }) => currentPlan !== null && PLAN_TYPES.includes(currentPlan))).toBe(true)
  })

  it("only published rates on Direct student loans", () => {
    const published = new Set([...statistics.directLoanRates.value.values()].flat())
    const own = loans.filter(({ loanType }) => /^DIRECT (?:STAFFORD|PLUS)/.test(loanType))
    expect(own.length).toBeGreaterThan(COUNT)
    expect(own.filter(({ interestRate }) => !published.has(Number((interestRate * 100).toFixed(4))))).toEqual([])
    const eighths = loans.filter(({ loanType }) => /CONSOLIDATED/.test(loanType)).map((loan) => loan.interestRate * 800)
    expect(eighths.every((eighth) => Math.abs(eighth - Math.round(eighth)) < 1e-9)).toBe(true)
  })

  it("the published filing statuses within a point, families with children, and incomes by state", () => {
    for (const [status, share] of Object.entries(statistics.returnsByStatus.value)) {
      expect(Math.abs(shareOf(({ filingStatus }) => filingStatus === status) - share), status).toBeLessThan(0.01)
    }
    const couples = borrowers.filter(({ filingStatus }) => filingStatus === "MarriedFilingJointly")
    const families = couples.filter(({ dependents }) => dependents > 0).length / couples.length
    expect(Math.abs(families - statistics.familiesWithChildren.value)).toBeLessThan(0.015)
    const medianIn = (states: ReadonlyArray<string>) => {
      const incomes = borrowers.filter(({ state }) => states.includes(state)).map((one) => one.adjustedGrossIncome)
      return incomes.toSorted((a, b) => a - b)[incomes.length >> 1]!
    }
    expect(medianIn(["MA", "MD", "NJ"]) / medianIn(["MS", "LA", "AR"])).toBeGreaterThan(1.4)
  })

  it("1 to 9 loans for each borrower, and the assumed share of consolidated loans", () => {
    const counts = borrowers.map(({ loans: book }) => book.length)
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([1, 9])
    const assumed = sum(
      CLASSES.map((_, index) => kindsByDebt.value.consolidated[index]! * shareOf((one) => classOf(one) === index))
    )
    const own = shareOf(({ loans: book }) => book.every(({ loanType }) => /CONSOLIDATED/.test(loanType)))
    expect(Math.abs(own - assumed)).toBeLessThan(0.01)
  })
})

/** Benchmarks depend on reproducible samples: a change of the generator goes into the CHANGELOG. */
const BYTES_OF_SEED_7 = "14101f43ff56ab35bea294286830c70b242219459b88a67f70b0a3d9e204a7e8"

const textOf = (options: SampleOptions): string => [...sampleBorrowers(options)].join("\n")

describe("a sample", () => {
  it("is identical to the byte for the same seed on any machine", () => {
    const options = { seed: 7, count: 2000 }
    expect(textOf(options)).toBe(textOf(options))
    expect(createHash("sha256").update(textOf(options)).digest("hex")).toBe(BYTES_OF_SEED_7)
  })

  it("has borrowers that do not depend on the count but on the seed", () => {
    const [few, many] = [textOf({ seed: 7, count: 10 }), textOf({ seed: 7, count: 1000 })]
    expect(many.startsWith(`${few}\n`)).toBe(true)
    const other = textOf({ seed: 8, count: 10 }).split("\n")
    expect(few.split("\n").filter((line) => other.includes(line))).toEqual([])
  })

  it("contains every id once", () => {
    expect(new Set(borrowers.map(({ borrowerId }) => borrowerId)).size).toBe(COUNT)
  })

  it.each([1, 3, 100])("gives every borrower %i loans on request, and keeps the debt class", (count) => {
    const fixed = borrowersOf({ seed: SEED, count: 500, loans: count })
    expect(fixed.filter(({ loans: book }) => book.length !== count)).toEqual([])
    expect(fixed.map(classOf)).toEqual(borrowers.slice(0, 500).map(classOf))
  })

  it("has the same borrowers in CSV, with a row for each loan", () => {
    const [head, ...rows] = textOf({ seed: SEED, count: 500, format: "csv" }).split("\n")
    const columns = [...BORROWER_COLUMNS, ...LOAN_COLUMNS].filter((name) => !LEFT_OUT.includes(name))
    expect(head!.split(",")).toEqual(columns)
    const cells = rows.map((row) =>
      Object.fromEntries(row.split(",").map((cell, index) => [head!.split(",")[index]!, cell]))
    )
    const read = [...Map.groupBy(cells, ({ borrowerId }) => borrowerId).values()].map((own) => {
      const result = borrowerOfRows(own)
      return "borrower" in result ? Effect.runSync(decode(result.borrower)) : result
    })
    expect(read).toEqual(borrowers.slice(0, 500))
  })
})

describe("every statistic", () => {
  it("is in docs/generated/portfolio-sample.md with every assumption, as `npm run x -- generate sample` writes it", () =>
    expect(readFileSync(SAMPLE_PAGE, "utf8")).toBe(samplePage()))

  it("has a publisher, title, date and URL", () => {
    const sources = Object.values(statistics).map((one) => ("source" in one ? one.source : one))
    expect(sources.length).toBeGreaterThan(10)
    for (const { date, note, publisher, title, url } of sources) {
      expect([publisher, title, note].every((text) => text.length > 5)).toBe(true)
      expect(date).toMatch(/^\d{4}(-\d{2}){0,2}$/)
      expect(URL.canParse(url) && url.startsWith("https://")).toBe(true)
    }
  })
})
