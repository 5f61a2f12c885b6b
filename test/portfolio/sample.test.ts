/** The synthetic borrowers: each is valid under the contract, and a seed reproduces them to the byte. */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { BORROWER_COLUMNS, Borrower, LOAN_COLUMNS } from "../../src/portfolio/read/borrower.ts"
import { borrowerOfRows } from "../../src/portfolio/read/tableRows.ts"
import { type SampleOptions, sampleBorrowers } from "../../src/portfolio/sample.ts"
import { decodeStrictly } from "../../src/request/decode.ts"

const SEED = 20261122
const COUNT = 5000

const decode = decodeStrictly(Borrower)
const borrowersOf = (options: SampleOptions): ReadonlyArray<Borrower> =>
  Array.from(sampleBorrowers(options), (line) => Effect.runSync(decode(JSON.parse(line))))

/** Decoding fails for an invalid borrower, so all of these are valid. */
const borrowers = borrowersOf({ seed: SEED, count: COUNT })

const shareOf = (counts: (borrower: Borrower) => boolean): number => borrowers.filter(counts).length / COUNT

/** The different values of all borrowers. */
const valuesOf = <A>(of: (borrower: Borrower) => A | ReadonlyArray<A>) => new Set(borrowers.flatMap(of))

describe("a sample has", () => {
  it("every family of loan types, filing status, state, and number of loans from 1 to 9", () => {
    const families = Object.values(currentLaw.traitsOf).map(({ family }) => family)
    expect(valuesOf(({ loans }) => loans.map(({ loanType }) => currentLaw.traitsOf[loanType].family))).toEqual(
      new Set(families)
    )
    expect(valuesOf(({ filingStatus }) => filingStatus)).toEqual(new Set(FILING_STATUSES))
    expect(valuesOf(({ state }) => state)).toEqual(new Set(STATES))
    expect(valuesOf(({ loans }) => loans.length)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]))
  })

  it("every plan but REVISED PAY AS YOU EARN, each with loans that it takes", () => {
    const plans = new Set<string>(PLAN_TYPES)
    plans.delete("REVISED PAY AS YOU EARN")
    expect(valuesOf(({ currentPlan }) => currentPlan)).toEqual(plans)
    const closed = ({ currentPlan, loans }: Borrower) =>
      loans.filter(({ loanType }) => currentLaw.traitsOf[loanType].eligibility[currentPlan!] === "closed")
    expect(borrowers.flatMap(closed)).toEqual([])
  })

  it.each<readonly [string, (borrower: Borrower) => boolean]>([
    ["public service with counted payments", ({ loans }) => loans.some(({ pslfCount }) => pslfCount > 0)],
    ["counted months", ({ loans }) => loans.some(({ idrMonthsInRepayment }) => idrMonthsInRepayment > 0)],
    ["unpaid interest", ({ loans }) => loans.some(({ interestBalance }) => interestBalance > 0)],
    ["no income", ({ adjustedGrossIncome }) => adjustedGrossIncome === 0],
    ["a spouse with loans", ({ spouseFederalLoanBalance }) => spouseFederalLoanBalance !== null],
    ["dependents", ({ dependents }) => dependents > 0],
    ["growing incomes", ({ annualIncomeGrowth }) => annualIncomeGrowth > 0],
    ["growing prices", ({ annualPriceGrowth }) => annualPriceGrowth === 0.02],
    ["a change in a later year", ({ changes }) => changes?.length === 1]
  ])("some borrowers, not all, with %s", (_, has) => {
    expect(shareOf(has)).toBeGreaterThan(0.01)
    expect(shareOf(has)).toBeLessThan(0.99)
  })
})

/** Benchmarks depend on reproducible samples: a change of the generator goes into the CHANGELOG. */
const BYTES_OF_SEED_7 = "4aca959d60aa6eaf910a16f0ebb444ce39b0eb1863e9a93d723f559d403e4923"

/** The cells of a CSV row; only the one with changes is in quotes. */
const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .match(/"(?:[^"]|"")*"|[^,]+|(?<=^|,)(?=,|$)/g)!
    .map((cell) => cell.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'))

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

  it.each([1, 3, 100])("gives every borrower %i loans on request", (count) => {
    const fixed = borrowersOf({ seed: SEED, count: 500, loans: count })
    expect(fixed.filter(({ loans }) => loans.length !== count)).toEqual([])
  })

  it("has the same borrowers in CSV, with a row for each loan", () => {
    const [head, ...rows] = textOf({ seed: SEED, count: 500, format: "csv" }).split("\n")
    expect(head!.split(",")).toEqual([...BORROWER_COLUMNS, ...LOAN_COLUMNS])
    const cells = rows.map((row) =>
      Object.fromEntries(cellsOf(row).map((cell, index) => [head!.split(",")[index]!, cell]))
    )
    const read = [...Map.groupBy(cells, ({ borrowerId }) => borrowerId).values()].map((own) => {
      const result = borrowerOfRows(own)
      return "borrower" in result ? Effect.runSync(decode(result.borrower)) : result
    })
    expect(read).toEqual(borrowers.slice(0, 500))
  })
})
