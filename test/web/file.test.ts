/** A file of studentaid.gov on the start page: its loans as somebody would have typed them, and nothing else of it. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Loan } from "../../schema/loan.ts"
import { emptyDraft } from "../../src/web/book/draft.ts"
import { type FileReading, readFile } from "../../src/web/book/file.ts"
import { readDraft } from "../../src/web/book/reading.ts"

const SAMPLES = join(import.meta.dirname, "../myAidData/samples")
const samples = globSync(join(SAMPLES, "*.txt")).sort()

const read = (bytes: Uint8Array): Extract<FileReading, { _tag: "Read" }> => {
  const reading = readFile(bytes)
  if (reading._tag !== "Read") throw new Error(reading.sentence)
  return reading
}

describe("a file of studentaid.gov", () => {
  it.each(samples.map((file) => [basename(file), file]))("%s is typed as the loans that it holds", (_, file) => {
    const expected = JSON.parse(readFileSync(file.replace(/txt$/, "json"), "utf8")) as ReadonlyArray<Partial<Loan>>
    const { loans } = read(readFileSync(file))
    const isWhole = ({ interestRate, loanType, principalBalance }: Partial<Loan>) =>
      loanType !== undefined && interestRate !== undefined && principalBalance !== undefined
    // What is incomplete stays so, and is asked for.
    const whole = loans.filter((_, index) => isWhole(expected[index]!))
    const reading = readDraft({ loans: whole, household: { ...emptyDraft.household, income: "1", state: "TX" } })
    if (reading._tag !== "Book") throw new Error(JSON.stringify(reading))
    const none = { interestBalance: 0, disbursedAmount: 0, idrMonthsInRepayment: 0, pslfCount: 0 }
    expect(reading.book.loans).toEqual(expected.filter(isWhole).map((loan) => ({ ...none, ...loan })))
    expect(loans).toHaveLength(expected.length)
  })

  it("says when a loan closes the older plans", () =>
    expect(samples.map((file) => read(readFileSync(file)).hasLoanSince2026)).toEqual([false, false, false, true]))

  it.each([
    ["nothing", new Uint8Array()],
    ["a PDF", new TextEncoder().encode("%PDF-1.7\n")],
    ["another text", new TextEncoder().encode("Dear Sir or Madam")]
  ])("of %s is refused in a sentence", (_, bytes) =>
    expect(readFile(bytes)).toEqual({ _tag: "Refused", sentence: expect.stringMatching(/^This file .+\.$/) })
  )
})
