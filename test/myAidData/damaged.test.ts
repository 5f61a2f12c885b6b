/**
 * Tests of damaged and foreign files: every balance that is read is in the file, and every loss of
 * data causes a warning.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { MAX_BYTES, MAX_LINES } from "../../src/myAidData/layout.ts"
import { readMyAidData, readMyAidDataText } from "../../src/myAidData/readMyAidData.ts"
import type { LoanMembers, MyAidData, Refused } from "../../src/myAidData/result.ts"

const bytesOf = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, "samples", `${name}.txt`))
const OLD = bytesOf("03-layout-of-2018")
const NEW = bytesOf("04-parent-plus-keys-of-2026")

const linesOf = (bytes: Uint8Array): ReadonlyArray<string> => new TextDecoder().decode(bytes).split(/\r?\n/)

const readUndamaged = (bytes: Uint8Array): MyAidData => {
  const read = readMyAidData(bytes)
  if (read._tag === "Refused") throw new Error(read.id)
  return read
}

/** Principal balances in the lines of a text, found without the reader. */
const written = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/loan[ \t\u00a0]+outstanding[ \t\u00a0]+principal[ \t\u00a0]+balance[ \t\u00a0]*:(.*)/gi)].map(
    ([, value]) => Number(value!.replace(/[^\d.]/g, ""))
  )

const isSubset = (part: LoanMembers, all: LoanMembers): boolean =>
  Object.entries(part).every(([member, value]) => all[member as keyof LoanMembers] === value)

const warningsOf = ({ warnings }: MyAidData, number?: number): ReadonlyArray<string> =>
  warnings.filter(({ loan }) => number === undefined || loan === number).map(({ id, loan }) => `${loan} ${id}`)

/** Whether a file has a warning that the undamaged one does not have: for one loan, or for any. */
const hasNewWarning = (read: MyAidData, all: MyAidData, number?: number): boolean =>
  warningsOf(read, number).some((warning) => !warningsOf(all).includes(warning))

const samples = [
  ["2018", OLD],
  ["2026", NEW]
] as const

/** Masks that change one letter or digit into another, or ASCII into other bytes. */
const MASKS = [0x01, 0x10, 0x80]

describe.each(samples)("a file of %s that", (_year, bytes) => {
  const lines = linesOf(bytes)
  const all = readUndamaged(bytes)

  it("is cut after any line is read up to there, with a warning about every doubtful loan", () => {
    for (let count = 0; count < lines.length; count++) {
      const read = readMyAidDataText(lines.slice(0, count).join("\n"))
      if (read._tag === "Refused") continue
      for (const { loan, number } of read.loans) {
        const same = all.loans.find((each) => each.number === number)
        const isSure = same !== undefined && isSubset(loan, same.loan)
        expect({ count, number, isExplained: isSure || hasNewWarning(read, all, number) }).toEqual({
          count,
          number,
          isExplained: true
        })
      }
    }
  })

  it("lacks any one line has the same loans and first day, or more warnings than the complete file", () => {
    for (let lost = 0; lost < lines.length; lost++) {
      const read = readMyAidDataText(lines.toSpliced(lost, 1).join("\n"))
      if (read._tag === "Refused" || hasNewWarning(read, all)) continue
      expect([all.firstBorrowedOn, null]).toContain(read.firstBorrowedOn)
      const same = read.loans.map(({ loan, number }, index) => {
        const before = all.loans[index]
        return number === before?.number && isSubset(loan, before.loan)
      })
      expect({ lost, same }).toEqual({ lost, same: all.loans.map(() => true) })
    }
  })

  it("has any one byte changed never fails, invents no balance, and loses no loan without a warning", () => {
    const count = all.loans.length + all.leftOut.length
    const changed = Uint8Array.from(bytes)
    const step = bytes === OLD ? 1 : 7
    for (let at = 0; at < bytes.length; at += step) {
      changed[at] = bytes[at]! ^ MASKS[at % MASKS.length]!
      const read = readMyAidData(changed)
      if (read._tag === "MyAidData") {
        const balances = written(new TextDecoder("windows-1252").decode(changed))
        const unwritten = read.loans.filter(({ loan }) => !balances.includes(loan.principalBalance ?? balances[0]!))
        expect({ at, unwritten }).toEqual({ at, unwritten: [] })
        const isWhole = read.loans.length + read.leftOut.length === count
        expect({ at, isExplained: isWhole || warningsOf(read).includes("null balance-count-mismatch") }).toEqual({
          at,
          isExplained: true
        })
      }
      changed[at] = bytes[at]!
    }
  })
})

const refusalOf = (read: MyAidData | Refused) => (read._tag === "Refused" ? `${read.id} ${read.seems}` : "read")

describe("another file", () => {
  it.each([
    ["", "not-my-aid-data empty"],
    [" \r\n\t\n", "not-my-aid-data empty"],
    ["%PDF-1.7\n%âãÏÓ", "not-my-aid-data pdf"],
    ["PK\u0003\u0004\u0014", "not-my-aid-data zip"],
    ["<!DOCTYPE html><title>My Aid</title>", "not-my-aid-data web-page"],
    ["\n<!-- saved from url -->\n<HTML lang=en>", "not-my-aid-data web-page"],
    ["<svg></svg>", "not-my-aid-data null"],
    ['{"loans":[]}', "not-my-aid-data null"],
    ["Dear borrower:\nPDF, <html>", "not-my-aid-data null"]
  ])("%j is refused as %s", (text, refusal) => {
    expect(refusalOf(readMyAidDataText(text))).toBe(refusal)
    expect(refusalOf(readMyAidData(new TextEncoder().encode(text)))).toBe(refusal)
  })

  it("is refused as too large only beyond the limit of bytes or lines", () => {
    const text = new TextDecoder().decode(NEW)
    expect(refusalOf(readMyAidData(new Uint8Array(MAX_BYTES + 1)))).toBe("too-large null")
    expect(refusalOf(readMyAidDataText("x".repeat(MAX_BYTES + 1)))).toBe("too-large null")
    expect(refusalOf(readMyAidDataText(text + "\n".repeat(MAX_LINES)))).toBe("too-large null")
    expect(readMyAidDataText(text + "\n".repeat(MAX_LINES - 1000))._tag).toBe("MyAidData")
  })

  const MILLISECONDS = 15_000

  it.each([
    ["spaces", " "],
    ["colons", ":"],
    ["brackets", "["],
    ["digits", "Loan Type Code:\nLoan Outstanding Principal Balance:$1", "1"],
    ["commas", "Loan Type Code:\nLoan Outstanding Principal Balance:$1", ",111"],
    ["percent", "Loan Type Code:\nLoan Outstanding Principal Balance:$1\nLoan Interest Rate:1", "1 "],
    ["statuses", "Loan Type Code:\nLoan Outstanding Principal Balance:$1", "\nLoan Status:RP"],
    ["loans", "Loan Outstanding Principal Balance:$1", "\nLoan Type Code:D2"],
    ["loans of one id", "Loan Outstanding Principal Balance:$1", "\nLoan Type:D2\nLoan Award ID:1"],
    ["other bytes", "\u0000"]
  ])("of many %s gives a result in time, up to the size limit", (_name, start, more = start) => {
    const room = Math.min(
      Math.floor((MAX_BYTES - start.length) / more.length),
      more.includes("\n") ? MAX_LINES / 2 - 4 : MAX_BYTES
    )
    const bytes = new TextEncoder().encode(start + more.repeat(room))
    const started = performance.now()
    expect(refusalOf(readMyAidData(bytes))).not.toContain("too-large")
    expect(performance.now() - started).toBeLessThan(MILLISECONDS)
  })
})
