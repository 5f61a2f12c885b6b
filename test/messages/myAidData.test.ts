/** What people are told of a My Aid Data file: one line for each warning, by the numbers of the loans, and nothing of who they are. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { refusalSentence, understood, warningLines } from "../../src/messages/myAidData.ts"
import {
  FILE_WARNING_IDS,
  LOAN_WARNING_IDS,
  type MyAidData,
  REFUSAL_IDS,
  type Refused,
  type Warning
} from "../../src/myAidData/result.ts"

const aid = (changes: Partial<MyAidData> = {}): MyAidData => ({
  _tag: "MyAidData",
  loans: [
    { number: 1, loan: { principalBalance: 41_000 } },
    { number: 3, loan: { principalBalance: 234.56 } },
    { number: 4, loan: {} }
  ],
  leftOut: [],
  warnings: [],
  asOf: "2024-02-14",
  ...changes
})

const refused = (id: Refused["id"], seems: Refused["seems"] = null): Refused => ({ _tag: "Refused", id, seems })

describe("what was understood", () => {
  it("is one line: loans, principal, what was left out and why, and the day", () => {
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
  })
})

describe("warnings", () => {
  const of = (id: Warning["id"], ...loans: ReadonlyArray<number>): ReadonlyArray<Warning> =>
    loans.map((loan) => ({ id, loan }))

  it("are one line each, with the loans that they are about", () => {
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

  it("name no more loans than can be read", () => {
    const [line] = warningLines(of("zero-rate", ...Array.from({ length: 100 }, (_, index) => index + 1)))
    expect(line).toMatch(/^Loans 1, 2, .*, 19, 20 and 80 more: /)
  })
})

describe("a refusal", () => {
  it("says what the file is, and where to get the right one", () => {
    const where = /Log in at studentaid\.gov, .*MyStudentData\.txt as it was saved\.$/
    for (const seems of [null, "empty", "pdf", "zip", "web-page"] as const)
      expect(refusalSentence(refused("not-my-aid-data", seems))).toMatch(where)
    expect(refusalSentence(refused("too-large"))).toMatch(where)
    expect(refusalSentence(refused("not-my-aid-data", "pdf"))).toMatch(/^This file is a PDF; /)
  })

  it("of a right file says what is the matter with it", () => {
    expect(refusalSentence(refused("two-borrowers"))).toMatch(/more than one download/)
    expect(refusalSentence(refused("no-open-loans"))).toMatch(/No loan .* anything left to repay/)
    expect(refusalSentence(refused("too-many-loans"))).toMatch(/more than 100 open loans/)
  })
})

describe("docs/my-aid-data.md", () => {
  it("says what each id means, in their order", () => {
    const rows = readFileSync("docs/my-aid-data.md", "utf8").matchAll(/^\| ((?:`[a-z0-9-]+`(?:, )?)+) \|/gm)
    const told = [...rows].flatMap(([, ids]) => ids!.replaceAll("`", "").split(", "))
    expect(told).toEqual([...REFUSAL_IDS, ...FILE_WARNING_IDS, ...LOAN_WARNING_IDS])
  })
})
