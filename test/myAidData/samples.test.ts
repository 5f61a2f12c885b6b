/** Tests of four complete files of invented borrowers, in the layouts of 2018, 2023 and 2026. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readMyAidData } from "../../src/myAidData/readMyAidData.ts"

const SAMPLES = join(import.meta.dirname, "samples")

interface Expected {
  readonly asOf: string
  readonly firstBorrowedOn: string | null
  readonly numbers: ReadonlyArray<number>
  readonly leftOut: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Excluded loans as "loan reason". Warnings as "loan id", or only the id for the file. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  "01-direct-loans": {
    asOf: "2024-02-14",
    firstBorrowedOn: "2017-08-22",
    numbers: [1, 2, 3, 4],
    leftOut: ["5 cancelled", "6 paid"],
    warnings: ["no-idr-count"]
  },
  "02-consolidation-and-pslf": {
    asOf: "2023-11-28",
    firstBorrowedOn: "2005-08-27",
    numbers: [1, 2, 3],
    leftOut: ["4 consolidated", "5 consolidated", "6 consolidated", "7 consolidated", "8 cancelled"],
    warnings: ["no-idr-count", "pslf-not-official"]
  },
  "03-layout-of-2018": {
    asOf: "2018-10-04",
    firstBorrowedOn: "2003-09-04",
    numbers: [1, 2, 3, 4, 5],
    leftOut: ["6 consolidated"],
    warnings: ["no-idr-count", "2 variable-rate", "3 no-interest-balance", "4 in-default", "5 parent-plus-unknown"]
  },
  "04-parent-plus-keys-of-2026": {
    asOf: "2026-09-30",
    firstBorrowedOn: null,
    numbers: [1, 2, 3, 4, 5, 6, 7],
    leftOut: [],
    warnings: [
      "no-idr-count",
      "pslf-not-official",
      "no-first-borrowed",
      "2 parent-plus-consolidation",
      "2 rate-from-statutory",
      "4 type-from-code",
      "6 unknown-loan-type",
      "7 in-default"
    ]
  }
}

describe("a complete file", () => {
  it.each(Object.entries(EXPECTED))("%s has the expected loans and warnings", (name, expected) => {
    const loans = JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), "utf8"))
    const read = readMyAidData(readFileSync(join(SAMPLES, `${name}.txt`)))
    if (read._tag === "Refused") throw new Error(read.id)
    expect(read.loans.map(({ loan }) => loan)).toStrictEqual(loans)
    expect({
      asOf: read.asOf,
      firstBorrowedOn: read.firstBorrowedOn,
      numbers: read.loans.map(({ number }) => number),
      leftOut: read.leftOut.map(({ number, why }) => `${number} ${why}`),
      warnings: read.warnings.map(({ id, loan }) => (loan === null ? id : `${loan} ${id}`))
    }).toEqual(expected)
  })

  it("is read as plain JSON data", () => {
    const read = readMyAidData(readFileSync(join(SAMPLES, "04-parent-plus-keys-of-2026.txt")))
    expect(JSON.parse(JSON.stringify(read))).toStrictEqual(read)
  })
})
