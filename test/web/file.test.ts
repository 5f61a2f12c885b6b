/** A studentaid.gov file on the start page: its loans as if typed, and nothing else from it. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Loan } from "../../schema/loan.ts"
import { emptyDraft } from "../../src/web/book/draft.ts"
import { type FileReading, readFile, withFile } from "../../src/web/book/file.ts"
import { readDraft } from "../../src/web/book/reading.ts"

const SAMPLES = join(import.meta.dirname, "../myAidData/samples")
const samples = globSync(join(SAMPLES, "*.txt")).sort()

const read = (bytes: Uint8Array): Extract<FileReading, { _tag: "Read" }> => {
  const reading = readFile(bytes)
  if (reading._tag !== "Read") throw new Error(reading.sentence)
  return reading
}

describe("a file of studentaid.gov", () => {
  it.each(samples.map((file) => [basename(file), file]))("is read as the loans that it contains: %s", (_, file) => {
    const expected = JSON.parse(readFileSync(file.replace(/txt$/, "json"), "utf8")) as ReadonlyArray<Partial<Loan>>
    const { loans } = read(readFileSync(file))
    const isWhole = ({ interestRate, loanType, principalBalance }: Partial<Loan>) =>
      loanType !== undefined && interestRate !== undefined && principalBalance !== undefined
    // Incomplete loans stay incomplete, and the form requests the rest.
    const whole = loans.filter((_, index) => isWhole(expected[index]!))
    const reading = readDraft({
      loans: whole,
      household: { ...emptyDraft.household, income: "1", state: "TX" },
      changes: []
    })
    if (reading._tag !== "Book") throw new Error(JSON.stringify(reading))
    const madeOn = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    const none = { madeOn, interestBalance: 0, disbursedAmount: 0, idrMonthsInRepayment: 0, pslfCount: 0 }
    expect(reading.book.loans).toEqual(expected.filter(isWhole).map((loan) => ({ ...none, ...loan })))
    expect(loans).toHaveLength(expected.length)
  })

  it("has warnings numbered like the loans on the page, and for omitted loans like those in the file", () => {
    const block = (lines: string) => `Loan Type Code:D2\nLoan Type Description:DIRECT STAFFORD UNSUBSIDIZED\n${lines}\n`
    const owing = "Loan Outstanding Principal Balance:$9,000.00\nLoan Outstanding Interest Balance:$0.00"
    const text = [
      "File Source:U.S. DEPARTMENT OF EDUCATION, NATIONAL STUDENT LOAN DATA SYSTEM (NSLDS)\n",
      block(`Current Loan Status:PF\n${owing}\nLoan Interest Rate:5.00%`),
      block(`Current Loan Status:RP\n${owing}`),
      block(`Current Loan Status:DF\n${owing}\nLoan Interest Rate:6.00%`)
    ].join("")
    const { loans, ofLeftOut, warnings } = read(new TextEncoder().encode(text))
    expect(loans).toHaveLength(2)
    expect(warnings.filter((line) => line.startsWith("Loan "))).toEqual([
      expect.stringMatching(/^Loan 1: The rate is missing/),
      expect.stringMatching(/^Loan 2: In default/)
    ])
    expect(ofLeftOut).toEqual([expect.stringMatching(/^Loan 1: Marked as paid/)])
  })

  it("gives each loan its date", () =>
    expect(samples.map((file) => read(readFileSync(file)).loans.map(({ madeOn }) => madeOn))).toEqual([
      ["2020-08-25", "2020-08-25", "2019-08-24", "2019-08-24"],
      ["2019-06-12", "2019-06-12", "2020-08-30"],
      ["2007-09-03", "2005-09-04", "2005-09-04", "2008-08-30", "2006-07-19"],
      ["2023-08-26", "2021-03-02", "2016-02-11", "2026-08-24", "2015-09-01", "2015-09-01", "2011-08-29"]
    ]))

  it("proposes the day of the first loan, unless the borrower has answered that", () => {
    const reading = read(readFileSync(samples[0]!))
    const used = withFile(emptyDraft, reading)
    expect(used.loans).toEqual(reading.loans)
    expect([used.household.firstBorrowed, used.household.firstBorrowedOn]).toEqual(["exact", "2017-08-22"])
    const answered = { ...emptyDraft, household: { ...emptyDraft.household, firstBorrowed: "2007" } }
    expect(withFile(answered, reading).household).toEqual(answered.household)
    expect(withFile(emptyDraft, read(readFileSync(samples[3]!))).household).toEqual(emptyDraft.household)
  })

  it("says of a loan what needs a look, in a sentence", () => {
    const { looks, loans } = read(readFileSync(samples[3]!))
    expect(looks).toHaveLength(loans.length)
    expect(looks[6]).toMatch(/^In default: .+[.]$/)
    expect(looks[4]).toBe(null)
  })

  it.each([
    ["nothing", new Uint8Array()],
    ["a PDF", new TextEncoder().encode("%PDF-1.7\n")],
    ["another text", new TextEncoder().encode("Dear Sir or Madam")]
  ])("of %s is refused in a sentence", (_, bytes) =>
    expect(readFile(bytes)).toEqual({ _tag: "Refused", sentence: expect.stringMatching(/^This file .+\.$/) })
  )
})
