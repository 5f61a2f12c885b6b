/** Tables with rows that cannot be read: every other row is computed, and no borrower from fewer loans than he has. */
import { beforeAll, describe, expect, it } from "vitest"
import { csvRowsOf, flatParquet, madeBorrowers, ndjsonOf, portfolioFolder, rowsById } from "../../support/portfolios.ts"

const { path, run, write } = portfolioFolder()

const BORROWERS = madeBorrowers(600).map(({ loans, own }, index) => ({
  loans,
  own: { ...own, borrowerId: `b${index}` }
}))
const [HEADER = "", ...ROWS] = csvRowsOf(BORROWERS)
const idOf = (row: string): string => row.slice(0, row.indexOf(","))
const OWNERS = ROWS.map(idOf)

let whole: ReadonlyMap<string, string>

beforeAll(async () => {
  whole = rowsById((await run([write("whole.ndjson", ndjsonOf(BORROWERS))])).bytes.toString())
  expect(whole.size).toBe(BORROWERS.length)
})

const tableOf = (rows: ReadonlyArray<string>): string => `${[HEADER, ...rows].join("\n")}\n`

/** What an inch of damage does to a row, and what is said of it. */
const LOST: ReadonlyArray<readonly [damage: (row: string) => string, reason: RegExp]> = [
  [(row) => row.replace(",", ""), /^has 11 cells where the first line names 12 columns$/],
  [(row) => `${row},`, /^has 13 cells where the first line names 12 columns$/],
  [(row) => row.slice(0, row.length / 2), /^has \d+ cells where/],
  [(row) => row.replace(",", ',"'), /^a quoted cell does not end in its line/],
  [(row) => row.replace("DIRECT", '"DIRECT"').replace("FFEL", '"FFEL"'), /^text follows a closing quote/],
  [(row) => row.replace("STAFFORD", 'STAF"FORD'), /^a quote stands inside a cell/],
  [(row) => row.replace("STAFFORD", "STAFF\u0000\xd6RD"), /^is not UTF-8/],
  [(row) => row.replace(/^[^,]*/, " "), /^has no borrowerId/]
]

/** In Latin-1 a character is a byte; those of the table are the same in UTF-8, but for the damage. */
const bytesOf = (text: string) => Buffer.from(text, "latin1")

describe("a table with one bad row in twenty", () => {
  const lost = new Map(
    ROWS.flatMap((_, row) => (row % 20 === 7 ? [[row, LOST[((row - 7) / 20) % LOST.length]!] as const] : []))
  )
  const mistyped = new Set(ROWS.flatMap((_, row) => (row % 20 === 17 ? [row] : [])))
  const isLost = (row: number) => lost.has(row)
  const damagedRow = (row: string, index: number): string => {
    if (mistyped.has(index)) return row.replace("STAFFORD", "STAFFROD")
    return lost.get(index)?.[0](row) ?? row
  }

  /** The rows beside a lost one that are in doubt: one before and two after. */
  const inDoubt = new Set(
    [...lost.keys()].flatMap((row) => [row - 1, row, row + 1, row + 2].map((beside) => OWNERS[beside]))
  )
  const ofMistyped = new Set([...mistyped].map((row) => OWNERS[row]))

  it("gives every other borrower the figures that he has without it, and tells of each row why", async () => {
    const { bytes, rejected, summary } = await run([write("twentieth.csv", bytesOf(tableOf(ROWS.map(damagedRow))))])
    const answered = rowsById(bytes.toString())
    const refused = new Set([...inDoubt, ...ofMistyped])
    expect([...answered.keys()]).toEqual([...whole.keys()].filter((id) => !refused.has(id)))
    for (const [id, rows] of answered) expect(rows).toBe(whole.get(id))

    const ofRow = new Map(rejected.map((one) => [one.row - 1, one]))
    expect(ofRow.size).toBe(rejected.length)
    for (const [row, [damage, reason]] of lost) {
      expect(ofRow.get(row)?.problems["row"]?.[0]).toMatch(reason)
      if (!/UTF-8/.test(reason.source)) expect(ofRow.get(row)?.text).toBe(damage(ROWS[row]!))
    }
    const starts = ROWS.flatMap((_, row) =>
      !isLost(row) && refused.has(OWNERS[row]) && (isLost(row - 1) || OWNERS[row - 1] !== OWNERS[row]) ? [row] : []
    )
    expect(rejected.map(({ row }) => row - 1)).toEqual([...lost.keys(), ...starts].sort((a, b) => a - b))
    expect(summary.rejected).toBe(lost.size + starts.length)
    expect(lost.size + mistyped.size).toBe(Math.round(ROWS.length / 10))
  })
})

describe("a table that is cut", () => {
  it("refuses its last borrower, whose row may be cut within a figure", async () => {
    const cut = tableOf(ROWS.slice(0, 40)).slice(0, -2)
    const { bytes, rejected } = await run([write("cut.csv", cut)])
    expect(rowsById(bytes.toString()).has(OWNERS[39]!)).toBe(false)
    expect(rejected).toHaveLength(1)
    expect(rejected[0]?.problems["row"]?.[0]).toMatch(/^is the last row, and its line does not end/)
  })

  it("refuses the borrower before a row that is cut to a part of its id", async () => {
    const { bytes, rejected } = await run([write("cut-id.csv", `${tableOf(ROWS.slice(0, 40))}b`)])
    expect(rowsById(bytes.toString()).has(OWNERS[39]!)).toBe(false)
    expect(rejected.map(({ row }) => row)).toEqual([OWNERS.indexOf(OWNERS[39]!) + 1, 41])
  })
})

describe("a line break within an id", () => {
  it("gives the borrower no figures of his other loans alone", async () => {
    const at = OWNERS.findIndex((id, row) => row > 50 && id !== OWNERS[row - 1] && id === OWNERS[row + 1])
    const broken = ROWS.slice(0, at + 20).map((row, index) => (index === at ? `b\n${row.slice(1)}` : row))
    const { bytes } = await run([write("broken-id.csv", tableOf(broken))])
    const answered = rowsById(bytes.toString())
    expect([OWNERS[at]!, OWNERS[at]!.slice(1)].filter((id) => answered.has(id))).toEqual([])
    expect(answered.get("b1")).toBe(whole.get("b1"))
  })
})

describe("an id that looks like another one", () => {
  const [first, second] = ["b0", "b1"].map((id) => ROWS.find((row) => idOf(row) === id)!) as [string, string]
  const others = ROWS.slice(9, 30)
  const UNPLAIN = ["b0\u00a0", " b0", "b0\t", "\u3000b0", "b0\u0000", "b\u00850", "b0\ufeff"]
  /** Not shown, by nature or by most fonts. */
  const INVISIBLE = ["b0\u200b", "b\u200d0", "b\u00ad0", "\u202eb0", "b0\ufe0f", "b\u034f0", "b0\u3164"]

  it.each([...UNPLAIN, ...INVISIBLE])("is never taken for it, and refuses it: %j", async (id) => {
    const table = tableOf([first, ...others, first.replace("b0", id), ...others.map((row) => `o${row}`), second])
    const parquet = path("unplain.parquet")
    await flatParquet(write("unplain.csv", table), parquet)
    for (const file of [path("unplain.csv"), parquet]) {
      const { bytes, rejected } = await run([file])
      const answered = rowsById(bytes.toString())
      expect([...answered.keys()].filter((one) => one.includes("b0"))).toEqual([])
      expect(answered.get("b1")).toBe(whole.get("b1"))
      const reason = rejected.find(({ row }) => row === others.length + 2)?.problems["row"]?.[0]
      expect(reason).toMatch(/^has a borrowerId that must be text without white space at its ends/)
    }
  })

  it.each([...UNPLAIN, ...INVISIBLE, "b0\ud800", "b0\ud801"])("is refused in JSON too: %j", async (id) => {
    const { loans, own } = BORROWERS[0]!
    const lines = ["b0", id].map((borrowerId) => JSON.stringify({ ...own, borrowerId, loans }))
    const { bytes, rejected } = await run([write("unplain.ndjson", `${lines.join("\n")}\n`)])
    expect([...rowsById(bytes.toString()).keys()]).toEqual(["b0"])
    expect(rejected).toMatchObject([
      { row: 2, problems: { borrowerId: [expect.stringMatching(/^must be text without white space at its ends/)] } }
    ])
  })

  it("is refused where its accents are apart, and refuses the one whose accents are composed", async () => {
    const [composed, apart] = ["b\u00e9", "be\u0301"] as const
    const table = tableOf([first.replace("b0", composed), ...others, first.replace("b0", apart), ...ROWS.slice(30, 40)])
    const ofTable = await run([write("accents.csv", table)])
    expect([...rowsById(ofTable.bytes.toString()).keys()].filter((id) => id.normalize("NFC") === composed)).toEqual([])
    const { loans, own } = BORROWERS[0]!
    const lines = [composed, apart].map((borrowerId) => JSON.stringify({ ...own, borrowerId, loans }))
    const ofLines = await run([write("accents.ndjson", `${lines.join("\n")}\n`)])
    expect([...rowsById(ofLines.bytes.toString()).keys()]).toEqual([composed])
    expect(ofLines.rejected).toMatchObject([{ row: 2, problems: { borrowerId: [expect.stringContaining("NFC")] } }])
  })

  it("is another one where it is plain", async () => {
    const ids = ["b0", "B0", "b 0", "b\u00a00", "b\u0301", "b\u00e9"]
    const { loans, own } = BORROWERS[0]!
    const lines = ids.map((borrowerId) => JSON.stringify({ ...own, borrowerId, loans }))
    const { bytes } = await run([write("plain.ndjson", `${lines.join("\n")}\n`)])
    expect([...rowsById(bytes.toString()).keys()]).toEqual(ids)
  })
})

describe("rows of a borrower that are not together", () => {
  it("are all refused, also where one of them is wrong or lost", async () => {
    const first = ROWS.filter((row) => idOf(row) === "b0")
    const wrong = first[0]!.replace("STAFFORD", "STAFFROD")
    for (const [name, rows] of [
      ["apart", [...first, ...ROWS.slice(9, 30), first[0]!]],
      ["wrong", [wrong, ...ROWS.slice(9, 30), first[0]!]],
      ["away", [first[0]!, ...ROWS.slice(9, 30), `"${first[0]!}`]],
      ["lost", [first[0]!, `${first[0]!},`, ...ROWS.slice(9, 30), first[0]!]]
    ] as const) {
      const { bytes } = await run([write(`${name}.csv`, tableOf(rows))])
      expect(rowsById(bytes.toString()).has("b0")).toBe(false)
    }
  })

  it("are refused where they stand in two files", async () => {
    const at = OWNERS.indexOf("b5") + 1
    expect(OWNERS[at]).toBe("b5")
    const files = [write("one.csv", tableOf(ROWS.slice(0, at))), write("two.csv", tableOf(ROWS.slice(at, 60)))]
    const { bytes, rejected } = await run(files)
    expect(rowsById(bytes.toString()).has("b5")).toBe(false)
    expect(rejected.map(({ problems, row }) => [row, Object.keys(problems)])).toEqual([
      [at, ["borrowerId"]],
      [1, ["borrowerId"]]
    ])
  })

  it("are in doubt where the next file begins with a row that cannot be read", async () => {
    const at = OWNERS.indexOf("b5") + 1
    const next = [`${ROWS[at]},`, ...ROWS.slice(at + 1, 60)]
    const { bytes } = await run([write("one.csv", tableOf(ROWS.slice(0, at))), write("two.csv", tableOf(next))])
    expect(rowsById(bytes.toString()).has("b5")).toBe(false)
  })

  it("are refused in pieces where there are thousands", async () => {
    const { rejected, summary } = await run([
      write("one-id.csv", tableOf(ROWS.slice(0, 900).map((row) => row.replace(/^[^,]*/, "same"))))
    ])
    expect(summary.borrowers).toBe(0)
    expect(rejected.map(({ row }) => row)).toEqual([1, 201, 401, 601, 801])
  })
})
