/** Tables with unreadable rows: the others are computed, and no borrower from only some loans. */
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

let intact: ReadonlyMap<string, string>

beforeAll(async () => {
  intact = rowsById((await run([write("whole.ndjson", ndjsonOf(BORROWERS))])).bytes.toString())
  expect(intact.size).toBe(BORROWERS.length)
})

/** The line of the first row, counted from 1: the header is line 1. */
const HEADER_AND_FIRST = 2

const tableOf = (rows: ReadonlyArray<string>): string => `${[HEADER, ...rows].join("\n")}\n`

/** Kinds of damage to a row, each with the reported reason. */
const DAMAGES: ReadonlyArray<readonly [damage: (row: string) => string, reason: RegExp]> = [
  [(row) => row.replace(",", ""), /^has 11 cells where the first line names 12 columns$/],
  [(row) => `${row},`, /^has 13 cells where the first line names 12 columns$/],
  [(row) => row.slice(0, row.length / 2), /^has \d+ cells where/],
  [(row) => row.replace(",", ',"'), /^a quoted cell does not end in its line/],
  [(row) => row.replace("DIRECT", '"DIRECT"').replace("FFEL", '"FFEL"'), /^text follows a closing quote/],
  [(row) => row.replace("STAFFORD", 'STAF"FORD'), /^a cell contains a quote/],
  [(row) => row.replace("STAFFORD", "STAFF\u0000\xd6RD"), /^is not UTF-8/],
  [(row) => row.replace(/^[^,]*/, " "), /^has no borrowerId/]
]

/** Latin-1 writes one byte per character; except for the damage, the bytes are valid UTF-8. */
const bytesOf = (text: string) => Buffer.from(text, "latin1")

describe("a table with one bad row in twenty", () => {
  const lost = new Map(
    ROWS.flatMap((_, row) => (row % 20 === 7 ? [[row, DAMAGES[((row - 7) / 20) % DAMAGES.length]!] as const] : []))
  )
  const mistyped = new Set(ROWS.flatMap((_, row) => (row % 20 === 17 ? [row] : [])))
  const isLost = (row: number) => lost.has(row)
  const damagedRow = (row: string, index: number): string => {
    if (mistyped.has(index)) return row.replace("STAFFORD", "STAFFROD")
    return lost.get(index)?.[0](row) ?? row
  }

  /** Owners of rows in doubt near a lost one: one row before and two after. */
  const inDoubt = new Set(
    [...lost.keys()].flatMap((row) => [row - 1, row, row + 1, row + 2].map((neighbor) => OWNERS[neighbor]))
  )
  const mistypedOwners = new Set([...mistyped].map((row) => OWNERS[row]))

  it("yields correct figures for every other borrower, and a reason for each rejected row", async () => {
    const { bytes, rejected, summary } = await run([write("twentieth.csv", bytesOf(tableOf(ROWS.map(damagedRow))))])
    const answered = rowsById(bytes.toString())
    const refused = new Set([...inDoubt, ...mistypedOwners])
    expect([...answered.keys()]).toEqual([...intact.keys()].filter((id) => !refused.has(id)))
    for (const [id, rows] of answered) expect(rows).toBe(intact.get(id))

    const rejectionAt = new Map(rejected.map((one) => [one.row - HEADER_AND_FIRST, one]))
    expect(rejectionAt.size).toBe(rejected.length)
    for (const [row, [damage, reason]] of lost) {
      expect(rejectionAt.get(row)?.problems["row"]?.[0]).toMatch(reason)
      if (!/UTF-8/.test(reason.source)) expect(rejectionAt.get(row)?.text).toBe(damage(ROWS[row]!))
    }
    const starts = ROWS.flatMap((_, row) =>
      !isLost(row) && refused.has(OWNERS[row]) && (isLost(row - 1) || OWNERS[row - 1] !== OWNERS[row]) ? [row] : []
    )
    expect(rejected.map(({ row }) => row - HEADER_AND_FIRST)).toEqual([...lost.keys(), ...starts].sort((a, b) => a - b))
    expect(summary.rejected).toBe(lost.size + starts.length)
    expect(lost.size + mistyped.size).toBe(Math.round(ROWS.length / 10))
  })
})

describe("a truncated table", () => {
  it("rejects its last borrower, whose row may end within a figure", async () => {
    const cut = tableOf(ROWS.slice(0, 40)).slice(0, -2)
    const { bytes, rejected } = await run([write("cut.csv", cut)])
    expect(rowsById(bytes.toString()).has(OWNERS[39]!)).toBe(false)
    expect(rejected).toHaveLength(1)
    expect(rejected[0]?.problems["row"]?.[0]).toMatch(/^is the last row, and its line does not end/)
  })

  it("rejects the borrower before a row truncated within its id", async () => {
    const { bytes, rejected } = await run([write("cut-id.csv", `${tableOf(ROWS.slice(0, 40))}b`)])
    expect(rowsById(bytes.toString()).has(OWNERS[39]!)).toBe(false)
    expect(rejected.map(({ row }) => row)).toEqual([OWNERS.indexOf(OWNERS[39]!) + HEADER_AND_FIRST, 42])
  })
})

describe("a line break within an id", () => {
  it("yields no figures from only the other loans of the borrower", async () => {
    const at = OWNERS.findIndex((id, row) => row > 50 && id !== OWNERS[row - 1] && id === OWNERS[row + 1])
    const broken = ROWS.slice(0, at + 20).map((row, index) => (index === at ? `b\n${row.slice(1)}` : row))
    const { bytes } = await run([write("broken-id.csv", tableOf(broken))])
    const answered = rowsById(bytes.toString())
    expect([OWNERS[at]!, OWNERS[at]!.slice(1)].filter((id) => answered.has(id))).toEqual([])
    expect(answered.get("b1")).toBe(intact.get("b1"))
  })
})

describe("an id that looks like another one", () => {
  const [first, second] = ["b0", "b1"].map((id) => ROWS.find((row) => idOf(row) === id)!) as [string, string]
  const others = ROWS.slice(9, 30)
  const linesFor = (...ids: ReadonlyArray<string>): string => {
    const { loans, own } = BORROWERS[0]!
    return ndjsonOf(ids.map((borrowerId) => ({ own: { ...own, borrowerId }, loans })))
  }
  const UNPLAIN = ["b0\u00a0", " b0", "b0\t", "\u3000b0", "b0\u0000", "b\u00850", "b0\ufeff"]
  /** Invisible by definition or in most fonts. */
  const INVISIBLE = ["b0\u200b", "b\u200d0", "b\u00ad0", "\u202eb0", "b0\ufe0f", "b\u034f0", "b0\u3164", "b0\u2800"]

  /** Other forms of the same letters and digits: fullwidth, mathematical, superscript. */
  const FORMS = ["\uff420", "b\uff10", "\u{1d41b}0", "b\u2070"]
  /** A spreadsheet may take them for formulas, but --escape-formulas never meets them. */
  const FULLWIDTH_SIGNS = ["\uff1db0", "\uff0bb0", "\uff0db0", "\uff20b0"]

  it.each([...UNPLAIN, ...INVISIBLE, ...FORMS])("is rejected, and so is the id that it looks like: %j", async (id) => {
    const table = tableOf([first, ...others, first.replace("b0", id), ...others.map((row) => `o${row}`), second])
    const parquet = path("unplain.parquet")
    await flatParquet(write("unplain.csv", table), parquet)
    for (const [file, firstRow] of [
      [path("unplain.csv"), HEADER_AND_FIRST],
      [parquet, 1]
    ] as const) {
      const { bytes, rejected } = await run([file])
      const answered = rowsById(bytes.toString())
      expect([...answered.keys()].filter((one) => one.includes("b0"))).toEqual([])
      expect(answered.get("b1")).toBe(intact.get("b1"))
      const reason = rejected.find(({ row }) => row === others.length + 1 + firstRow)?.problems["row"]?.[0]
      expect(reason).toMatch(/^has a borrowerId that must be text without white space at its ends/)
    }
  })

  it.each([...UNPLAIN, ...INVISIBLE, ...FORMS, ...FULLWIDTH_SIGNS, "b0\ud800", "b0\ud801"])(
    "is rejected in JSON too: %j",
    async (id) => {
      const { bytes, rejected } = await run([write("unplain.ndjson", linesFor("b0", id))])
      expect([...rowsById(bytes.toString()).keys()]).toEqual(["b0"])
      expect(rejected).toMatchObject([
        { row: 2, problems: { borrowerId: [expect.stringMatching(/^must be text without white space at its ends/)] } }
      ])
    }
  )

  it("is rejected with decomposed accents, and so is the composed id in a table", async () => {
    const [composed, apart] = ["b\u00e9", "be\u0301"] as const
    const table = tableOf([first.replace("b0", composed), ...others, first.replace("b0", apart), ...ROWS.slice(30, 40)])
    const tableResult = await run([write("accents.csv", table)])
    const ids = [...rowsById(tableResult.bytes.toString()).keys()]
    expect(ids.filter((id) => id.normalize("NFC") === composed)).toEqual([])
    const linesResult = await run([write("accents.ndjson", linesFor(composed, apart))])
    expect([...rowsById(linesResult.bytes.toString()).keys()]).toEqual([composed])
    expect(linesResult.rejected).toMatchObject([
      { row: 2, problems: { borrowerId: [expect.stringContaining("NFKC")] } }
    ])
  })

  it("is accepted as a different id if it is plain", async () => {
    const ids = ["b0", "B0", "b 0", "\u0412\u0030", "\u03920", "b\u0301", "b\u00e9"]
    const { bytes } = await run([write("plain.ndjson", linesFor(...ids))])
    expect([...rowsById(bytes.toString()).keys()]).toEqual(ids)
  })
})

describe("the row of a rejection", () => {
  const broken = ["b\n2", ...ROWS.slice(9, 12), "", `"${ROWS[12]}`, ...ROWS.slice(13, 16), `${ROWS[16]},`]
  it("is the line of the file in CSV, also after quoted line breaks and empty lines", async () => {
    const text = tableOf([`"x\ny",${ROWS[0]}`, ...broken])
    const { rejected } = await run([write("lines.csv", text)])
    const lines = text.split("\n")
    expect(rejected.length).toBeGreaterThan(4)
    for (const { row, text: reported } of rejected)
      expect(lines[row - 1]).toBe(reported.startsWith("[") ? lines[row - 1] : reported)
    expect(rejected.at(-1)?.row).toBe(lines.length - 1)
  })
})

describe("an id that a spreadsheet may have shortened", () => {
  const [row] = ROWS.filter((one) => idOf(one) === "b0") as [string]
  const of = (id: string) => row.replace("b0", id)

  it.each(["1.23457E+11", "1,23457E+11", "9e15"])("is computed with a warning that names both rows: %s", async (id) => {
    const table = tableOf([of("a"), of(`"${id}"`), of(`"${id}"`), of("b"), of("b"), of("2E+5")])
    const { rejected, summary, warnings } = await run([write("short.csv", table)])
    expect(rejected).toEqual([])
    expect(summary.borrowers).toBe(4)
    expect(warnings).toEqual([
      `${path("short.csv")}: rows 3 and 4 count as one borrower, but their borrowerId looks like a number that a spreadsheet has shortened. If they are two borrowers, export the ids as text.`
    ])
  })

  it("is named up to three times", async () => {
    const ids = Array.from({ length: 5 }, (_, index) => `1.2345${index}E+11`)
    const { warnings } = await run([write("many.csv", tableOf(ids.flatMap((id) => [of(id), of(id)])))])
    expect(warnings).toHaveLength(4)
    expect(warnings[3]).toBe("The same is true of 2 more.")
  })
})

describe("rows of a borrower that are not consecutive", () => {
  it("are all rejected, even if one of them is invalid or lost", async () => {
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

  it("are rejected if they are in two files", async () => {
    const at = OWNERS.indexOf("b5") + 1
    expect(OWNERS[at]).toBe("b5")
    const files = [write("one.csv", tableOf(ROWS.slice(0, at))), write("two.csv", tableOf(ROWS.slice(at, 60)))]
    const { bytes, rejected } = await run(files)
    expect(rowsById(bytes.toString()).has("b5")).toBe(false)
    expect(rejected.map(({ problems, row }) => [row, Object.keys(problems)])).toEqual([
      [at + 1, ["borrowerId"]],
      [2, ["borrowerId"]]
    ])
  })

  it("are rejected if the next file begins with an unreadable row", async () => {
    const at = OWNERS.indexOf("b5") + 1
    const next = [`${ROWS[at]},`, ...ROWS.slice(at + 1, 60)]
    const { bytes } = await run([write("one.csv", tableOf(ROWS.slice(0, at))), write("two.csv", tableOf(next))])
    expect(rowsById(bytes.toString()).has("b5")).toBe(false)
  })

  it("are rejected in groups if there are thousands", async () => {
    const { rejected, summary } = await run([
      write("one-id.csv", tableOf(ROWS.slice(0, 900).map((row) => row.replace(/^[^,]*/, "same"))))
    ])
    expect(summary.borrowers).toBe(0)
    expect(rejected.map(({ row }) => row)).toEqual([2, 202, 402, 602, 802])
  })
})
