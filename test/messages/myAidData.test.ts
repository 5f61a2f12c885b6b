/** Tests of the texts about a My Aid Data file: summary, warnings by loan number, and refusals. */
import { describe, expect, it } from "vitest"
import { pausedLine, refusalSentence, understood, warningLines } from "../../src/messages/myAidData.ts"
import type { MyAidData, Refused, Warning } from "../../src/myAidData/result.ts"

const aid = (changes: Partial<MyAidData> = {}): MyAidData => ({
  _tag: "MyAidData",
  loans: [
    { number: 1, loan: { principalBalance: 41_000 } },
    { number: 3, loan: { principalBalance: 234.56 } },
    { number: 4, loan: {} }
  ],
  leftOut: [],
  pauses: [],
  warnings: [],
  asOf: "2024-02-14",
  firstBorrowedOn: null,
  ...changes
})

const refused = (id: Refused["id"], seems: Refused["seems"] = null): Refused => ({ _tag: "Refused", id, seems })

describe("the summary of a file", () => {
  it("is one line with loans, principal, loans left out with reasons, and the date", () => {
    expect(understood(aid())).toBe(
      "Read: 3 loans, $41,234.56 of principal; none left out, as downloaded on 14 February 2024; balances may be older."
    )
    const leftOut = [
      { number: 2, why: "paid" },
      { number: 5, why: "duplicate" },
      { number: 6, why: "paid" }
    ] as const
    expect(understood(aid({ loans: aid().loans.slice(0, 1), leftOut, asOf: null }))).toBe(
      "Read: 1 loan, $41,000.00 of principal; 3 left out (2 paid, 1 listed twice)."
    )
    expect(understood(aid({ asOf: null, firstBorrowedOn: "2017-08-22" }))).toMatch(
      / none left out\. You have owed Direct or FFEL loans without a break since 22 August 2017, by the dates of the file\.$/
    )
  })
})

describe("warnings", () => {
  const of = (id: Warning["id"], ...loans: ReadonlyArray<number>): ReadonlyArray<Warning> =>
    loans.map((loan) => ({ id, loan }))

  it("are one line per kind, with the numbers of the loans concerned", () => {
    const lines = warningLines([
      { id: "no-idr-count", loan: null },
      ...of("in-default", 2),
      ...of("zero-rate", 3),
      ...of("in-default", 4, 7)
    ])
    expect(lines.map((line) => line.split(/[.:]/)[0])).toEqual([
      "The file does not count the months toward income-driven forgiveness, so 0 is used",
      "Loans 2, 4 and 7",
      "Loan 3"
    ])
  })

  it("name at most 20 loans and count the rest", () => {
    const [line] = warningLines(of("zero-rate", ...Array.from({ length: 100 }, (_, index) => index + 1)))
    expect(line).toMatch(/^Loans 1, 2, .*, 19, 20 and 80 more: /)
  })
})

describe("a pause", () => {
  it("is one line, with the numbers of its loans in the file", () =>
    expect(pausedLine(aid(), { kind: "InSchool", until: "2027-05", loans: [0, 2] })).toBe(
      "Loans 1 and 4: Now in school or grace, and repayment begins in May 2027, by the file. The request has a pause until then."
    ))

  it("whose end is unknown says what to add", () =>
    expect(pausedLine(aid(), { kind: "Forbearance", until: null, loans: [1] }, "--pause x")).toBe(
      "Loan 3: Now in forbearance, but not paused in the request, because the file does not show the end. Add --pause x, with the first month that is due again for YYYY-MM."
    ))
})

describe("a refusal", () => {
  it("of a wrong file describes it, and explains where to get the right one", () => {
    const where = /Log in at studentaid\.gov, .*MyStudentData\.txt as it was saved\.$/
    for (const seems of [null, "empty", "pdf", "zip", "web-page"] as const)
      expect(refusalSentence(refused("not-my-aid-data", seems))).toMatch(where)
    expect(refusalSentence(refused("too-large"))).toMatch(where)
    expect(refusalSentence(refused("not-my-aid-data", "pdf"))).toMatch(/^This file is a PDF; /)
  })

  it("of a My Aid Data file names the problem", () => {
    expect(refusalSentence(refused("two-borrowers"))).toMatch(/more than one download/)
    expect(refusalSentence(refused("no-open-loans"))).toMatch(/No loan .* anything left to repay/)
    expect(refusalSentence(refused("too-many-loans"))).toMatch(/more than 100 open loans/)
  })
})
