/**
 * Random damage to a table: every borrower gets the correct figures or is rejected. Damage that
 * leaves a complete row with another figure or id, or removes complete rows, is undetectable and
 * excluded. So is a row moved away from its borrower's others if all of those lose their id.
 */
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import {
  csvRowsOf,
  type MadeBorrower,
  madeBorrowers,
  ndjsonOf,
  portfolioFolder,
  rowsById
} from "../../support/portfolios.ts"
import { newSeedOr, runs } from "../../support/random.ts"

const { run, write } = portfolioFolder()

const RUNS = runs(40, 150)
const SEED = newSeedOr(20_261_122)
const MILLISECONDS_A_RUN = 500

/** Many ids are a prefix or suffix of another one. */
const BORROWERS: ReadonlyArray<MadeBorrower> = madeBorrowers(124).map(({ loans, own }, index) => ({
  loans,
  own: { ...own, borrowerId: String(index) }
}))

let intact: ReadonlyMap<string, string>

beforeAll(async () => {
  intact = rowsById((await run([write("alone.ndjson", ndjsonOf(BORROWERS))])).bytes.toString())
})

type Damage = (row: string, at: number) => string

const inserted =
  (text: string): Damage =>
  (row, at) =>
    row.slice(0, at) + text + row.slice(at)

/** Position of the n-th separator of a row, counted cyclically. */
const separator = (row: string, at: number): number => {
  const found = [...row.matchAll(/,/g)].map(({ index }) => index)
  return found[at % found.length]!
}

/** In Latin-1, `\xd6\0` is two bytes of invalid UTF-8. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  "a line break": inserted("\n"),
  "two line breaks": (row, at) => inserted("\n")(inserted("\n")(row, at), at >> 1),
  "one more separator": (row, at) => inserted(",")(row, row.includes('"') ? separator(row, at) : at),
  "a quote": inserted('"'),
  "a byte that is not UTF-8": inserted("\xd6\0"),
  "a separator gone": (row, at) => row.slice(0, separator(row, at)) + row.slice(separator(row, at) + 1),
  "an end gone": (row, at) => row.slice(0, separator(row, at)),
  "an id gone": (row) => row.replace(/^[^,]*/, ""),
  "a word for a number": (row, at) => row.replace(/0\.\d+/, at % 2 === 0 ? "n/a" : "6.5 %")
}

/** A position within the id, or anywhere. */
const place = fc.oneof(fc.nat(3), fc.nat(200))

const damaged = fc.record({
  from: fc.nat(BORROWERS.length - 1),
  count: fc.integer({ min: 1, max: 9 }),
  isQuoted: fc.boolean(),
  blows: fc.uniqueArray(fc.record({ row: fc.nat(40), at: place, how: fc.constantFrom(...Object.keys(DAMAGES)) }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ row }) => row
  }),
  displacement: fc.option(fc.record({ row: fc.nat(40), isJoined: fc.boolean() })),
  cut: fc.option(fc.integer({ min: 1, max: 60 }))
})

type Damaged = typeof damaged extends fc.Arbitrary<infer A> ? A : never

/** Joins two rows in one line, or moves a row to the end, away from those of its borrower. */
const displaced = (lines: ReadonlyArray<string>, at: number, isJoined: boolean): ReadonlyArray<string> => {
  const line = lines[at]!
  const [before, after] = [lines.slice(0, at), lines.slice(at + 1)]
  return isJoined && after.length > 0 ? [...before, line.slice(0, -1), ...after] : [...before, ...after, line]
}

/**
 * Damaging a row twice may leave a valid-looking one, so only intact rows are displaced or cut. A
 * row is displaced only if another intact one tells that the borrower has more.
 */
const tableOf = ({ blows, count, cut, displacement, from, isQuoted }: Damaged): string => {
  const borrowers = BORROWERS.slice(from, from + count)
  const owners = borrowers.flatMap((borrower) => borrower.loans.map(() => borrower))
  const [header = "", ...rows] = csvRowsOf(borrowers, { isQuoted })
  const hit = new Map(blows.map(({ at, how, row }) => [row % rows.length, { at, how }]))
  const lines = rows.map((row, index) => {
    const blow = hit.get(index)
    return `${blow === undefined ? row : DAMAGES[blow.how]!(row, blow.at % row.length)}\n`
  })
  const at = (displacement?.row ?? 0) % lines.length
  const isWhole = !hit.has(at) && !hit.has(at + 1)
  const others = [...owners.keys()].filter((index) => index !== at && owners[index] === owners[at])
  const isMissed = others.length === 0 || others.some((index) => !hit.has(index))
  const placed = displacement !== null && isWhole && isMissed ? displaced(lines, at, displacement.isJoined) : lines
  const whole = `${header}\n${placed.join("")}`
  if (cut === null || !rows.includes(placed.at(-1)!.slice(0, -1))) return whole
  const shorter = whole.slice(0, Math.max(header.length + 2, whole.length - cut))
  return shorter.endsWith("\n") ? whole : shorter
}

describe("a table with random damage", () => {
  it("never yields a wrong figure", { timeout: RUNS * MILLISECONDS_A_RUN }, async () => {
    let answers = 0
    await fc.assert(
      fc.asyncProperty(damaged, async (drawn) => {
        const table = tableOf(drawn)
        const { bytes, summary } = await run([write("damaged.csv", Buffer.from(table, "latin1"))])
        const answered = rowsById(bytes.toString())
        answers += answered.size
        for (const [id, rows] of answered) expect(`${id}\n${rows}`).toBe(`${id}\n${intact.get(id)}`)
        expect(summary.borrowers).toBe(answered.size)
      }),
      { numRuns: RUNS, seed: SEED }
    )
    expect(answers).toBeGreaterThan(RUNS / 3)
  })
})
