/** Input files that are refused before anything is computed, with a message for each reason. */
import { readFileSync } from "node:fs"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { withDuckDB } from "../../../src/portfolio/read/duckdb.ts"
import { PortfolioProblem } from "../../../src/portfolio/read/problem.ts"
import { differenceOfResults } from "../../../src/portfolio/results/diff.ts"
import { resultFormatOf } from "../../../src/portfolio/results/outputPaths.ts"
import { csvRowsOf, madeBorrowers, ndjsonOf, nestedParquet, portfolioFolder } from "../../support/portfolios.ts"

const { path, run, write } = portfolioFolder()

const BORROWERS = madeBorrowers(1500)
const [HEADER = "", ...ROWS] = csvRowsOf(BORROWERS)

const tableOf = (rows: ReadonlyArray<string>): string => `${[HEADER, ...rows].join("\n")}\n`

const lines = (name: string, content: string | Uint8Array, options = {}): Promise<ReadonlyArray<string>> =>
  run([write(name, content)], options).then(
    ({ summary }) => [`${summary.borrowers} borrowers`],
    ({ lines: messages }) => messages.map((line: string) => line.replace(/^\S*\//, ""))
  )

describe("an input file is refused", () => {
  it("for wrong columns, each with a suggestion", async () => {
    const table = (from: string, to: string) => tableOf(ROWS.slice(0, 3)).replace(from, to)
    expect(await lines("misspelt.csv", table("adjustedGrossIncome", "adjusted_gross_incom"))).toEqual([
      "misspelt.csv: its columns do not match those of borrowers and loans.",
      "Column adjusted_gross_incom is not known: name it adjustedGrossIncome, or --ignore it.",
      "Column adjustedGrossIncome is required: send annual US dollars, 0 for no income."
    ])
    expect(await lines("plan.csv", table("currentPlan", "plan"))).toContain(
      "Column plan is not known: name it currentPlan, or --ignore it."
    )
    expect(await lines("unknown.csv", table("currentPlan", "note"))).toContain(
      "Column note is not known: remove it, or name it in --ignore."
    )
    expect(await lines("ignored.csv", table("currentPlan", "note"), { ignore: ["note"] })).toEqual(["1 borrowers"])
    expect(await lines("needed.csv", tableOf(ROWS.slice(0, 3)), { ignore: ["borrowerId"] })).toContain(
      "Column borrowerId is required: send text that names the borrower."
    )
    expect(await lines("twice.csv", table("interestBalance", "interestRate"))).toEqual([
      "twice.csv: its columns do not match those of borrowers and loans.",
      "Column interestRate occurs more than once: remove the others."
    ])
  })

  it("for a first line without column names", async () => {
    expect(await lines("no-names.csv", `${ROWS.slice(0, 3).join("\n")}\n`)).toEqual([
      "no-names.csv: has none of the columns of borrowers and loans, such as borrowerId. The first line of CSV names them."
    ])
    expect(await lines("empty.csv", "")).toEqual(["empty.csv: is empty: the first line names the columns"])
    expect(await lines("header.csv", `${HEADER}\n`)).toEqual(["0 borrowers"])
    expect(await lines("cut-header.csv", HEADER)).toEqual(["cut-header.csv: ends within its first line"])
    const utf16 = Buffer.from(`\uFEFF${tableOf(ROWS)}`, "utf16le")
    expect(await lines("utf16.csv", utf16)).toEqual([
      "utf16.csv: does not begin with a line of UTF-8 text that names the columns"
    ])
  })

  it("for a column without a name, which --ignore may name", async () => {
    const indexed = [HEADER, ...ROWS.slice(0, 3)]
      .map((row, index) => `${index === 0 ? "" : index - 1},${row}\n`)
      .join("")
    expect(await lines("indexed.csv", indexed)).toEqual([
      "indexed.csv: its columns do not match those of borrowers and loans.",
      'Column 1 has no name, as an index that pandas writes: add --ignore "", or write the table with to_csv(index=False).'
    ])
    expect(await lines("indexed.csv", indexed, { ignore: [""] })).toEqual(["1 borrowers"])
  })

  it("for content that is not what the name says, with the way to read it", async () => {
    const text = tableOf(ROWS)
    const ndjson = ndjsonOf(BORROWERS.slice(0, 5))
    const array = `[${ndjson.trim().replaceAll("\n", ",\n")}]`
    const returns =
      "has lines that end with a carriage return alone: tr '\\r' '\\n' < FILE > NEW makes a file that can be read"
    const objects =
      "is one JSON array, and a line should be an object: jq -c '.[]' FILE > NEW.ndjson makes a file that can be read"
    const CASES: ReadonlyArray<readonly [name: string, content: string | Uint8Array, cause: string]> = [
      ["returns.csv", text.replaceAll("\n", "\r"), returns],
      ["returns.csv.gz", gzipSync(text.replaceAll("\n", "\r")), returns],
      ["returns.ndjson", ndjson.replaceAll("\n", "\r"), returns],
      ["array.ndjson", array, objects],
      ["spaced.jsonl", `\uFEFF\n ${array}`, objects],
      ["array.ndjson.zst", zstdCompressSync(JSON.stringify(JSON.parse(array))), objects],
      ["packed.ndjson", gzipSync(ndjson), "is packed by gzip: add .gz to its name"],
      ["packed.csv", gzipSync(text), "is packed by gzip: add .gz to its name"],
      ["packed.jsonl", zstdCompressSync(ndjson), "is packed by zstd: add .zst to its name"],
      ["sheet.csv", "PK\u0003\u0004...", "is a workbook or another archive: save the table as CSV in UTF-8"],
      ["table.csv", "PAR1...", "is a parquet file: its name should end in .parquet"]
    ]
    for (const [name, content, cause] of CASES) expect(await lines(name, content)).toEqual([`${name}: ${cause}`])
  })

  it("for incomplete parquet", async () => {
    const file = write("whole.parquet", "")
    await nestedParquet(write("some.ndjson", ndjsonOf(BORROWERS.slice(0, 300))), file)
    const bytes = readFileSync(file)
    const NOT_WHOLE = /^[a-z]+\.parquet: is not a whole parquet file: [^\n]+$/
    for (const [name, content] of [
      ["cut", bytes.subarray(0, bytes.length / 2)],
      ["text", tableOf(ROWS)],
      ["empty", ""],
      ["short", "PAR1"]
    ] as const) {
      const messages = await lines(`${name}.parquet`, content)
      expect(messages).toHaveLength(1)
      expect(messages[0]).toMatch(NOT_WHOLE)
    }
  })

  it("if it does not exist or is named twice", async () => {
    const messages = (names: ReadonlyArray<string>) =>
      run(names).then(
        () => [],
        ({ lines: found }) => found
      )
    const file = write("there.csv", tableOf(ROWS))
    expect(await messages(["none.csv"])).toEqual(["none.csv: there is no such file"])
    expect(await messages(["none*.csv"])).toEqual(["none*.csv: there is no such file"])
    expect(await messages([file, file])).toEqual([`${file}: is named more than once`])
  })

  it("if it is compressed and truncated", async () => {
    expect(await lines("cut.csv.gz", gzipSync(tableOf(ROWS)).subarray(0, 9000))).toEqual([
      "cut.csv.gz: cannot be unpacked (unexpected end of file)"
    ])
  })

  it.each(["https://example.org/b.csv", "s3://bucket/part-*.parquet", "file:///b.ndjson.gz"])(
    "for a URL, in one line: %s",
    async (url) => {
      const message = `${url}: is a URL, but only files on this machine can be read and written: copy the file first`
      const results = url.replace(/\.\w+(\.gz)?$/, ".csv")
      const diff = {
        before: path("before.csv"),
        after: path("after.csv"),
        out: undefined,
        overwrite: false,
        scratch: ""
      }
      await expect(run([url])).rejects.toMatchObject({ lines: [message] })
      for (const name of ["before", "after", "out"]) {
        const difference = Effect.runPromise(differenceOfResults({ ...diff, [name]: url }))
        await expect(difference).rejects.toMatchObject({ lines: [message] })
      }
      expect(() => resultFormatOf(results)).toThrow(PortfolioProblem)
    }
  )
})

describe("DuckDB", () => {
  it("loads and installs no extension", async () => {
    const query = (sql: string) => withDuckDB((duck) => duck.all(sql))
    await expect(query("FROM read_csv('https://127.0.0.1:1/b.csv')")).rejects.toThrow(
      "requires the extension httpfs to be loaded"
    )
    await expect(query("SET autoload_known_extensions = true")).rejects.toThrow("the configuration has been locked")
    const names = "SELECT extension_name FROM duckdb_extensions() WHERE loaded AND install_mode <> 'STATICALLY_LINKED'"
    expect((await query(names)).flat()).toEqual([])
  })
})
