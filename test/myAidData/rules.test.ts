/**
 * Tests of each rule of the My Aid Data reader, on files of a few lines. The layout is that of late
 * 2023 unless a test says otherwise.
 */

import { describe, expect, it } from "vitest"
import { MAX_LOANS } from "../../schema/bounds.ts"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { readMyAidData, readMyAidDataText } from "../../src/myAidData/readMyAidData.ts"
import type { LoanMembers, MyAidData } from "../../src/myAidData/result.ts"

type Lines = Readonly<Record<string, string | null>>

const LOAN: Lines = {
  "Loan Type Code": "D2",
  "Loan Type Description": "DIRECT STAFFORD UNSUBSIDIZED",
  "Loan Award ID": "",
  "Loan Date": "08/24/2019",
  "Loan Disbursed Amount": "$2,000.00",
  "Loan Outstanding Principal Balance": "$1,900.00",
  "Loan Outstanding Interest Balance": "$10.00",
  "Loan Interest Rate": "4.99%",
  "Current Loan Status": "RP"
}

const READ: LoanMembers = {
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: 1900,
  interestBalance: 10,
  interestRate: 0.0499,
  disbursedAmount: 2000,
  madeOn: "2019-08-24"
}

const linesOf = (lines: Lines): ReadonlyArray<string> =>
  Object.entries(lines).flatMap(([key, value]) => (value === null ? [] : [`${key}:${value}`]))

/** The lines of a loan, followed by `more`. A null removes a line. */
const loan = (changes: Lines = {}, ...more: ReadonlyArray<string>): string =>
  [...linesOf({ ...LOAN, ...changes }), ...more].join("\n")

const understood = (text: string): MyAidData => {
  const read = readMyAidDataText(text)
  if (read._tag === "Refused") throw new Error(read.id)
  return read
}

const refusal = (text: string): string => {
  const read = readMyAidDataText(text)
  return read._tag === "Refused" ? read.id : "read"
}

/**
 * Warnings as "loan id", or only the id for the file. Left out are the one that every file has, and
 * the one about the first day, which dates.test.ts tests.
 */
const warned = ({ warnings }: MyAidData): ReadonlyArray<string> =>
  warnings
    .filter(({ id }) => id !== "no-idr-count" && id !== "no-first-borrowed")
    .map(({ id, loan: at }) => (at === null ? id : `${at} ${id}`))

/** The result for one loan in its own file: the loan, and the ids of all warnings. */
const only = (changes: Lines, ...more: ReadonlyArray<string>) => {
  const read = understood(loan(changes, ...more))
  return { loan: read.loans[0]!.loan, warnings: warned(read).map((each) => each.replace("1 ", "")) }
}

const warningsFor = (changes: Lines, ...more: ReadonlyArray<string>) => only(changes, ...more).warnings

const readAs = (changes: object, ...warnings: ReadonlyArray<string>) => ({ loan: { ...READ, ...changes }, warnings })

/** The result for a loan that stays out of a file with another loan. */
const leftOut = (changes: Lines, ...more: ReadonlyArray<string>) => {
  const read = understood([loan(changes, ...more), loan()].join("\n"))
  expect(read.loans.map(({ number }) => number)).toEqual([2])
  return { why: read.leftOut.map(({ why }) => why), warnings: warned(read) }
}

describe("the text", () => {
  const text = `${loan().replace("Interest Rate", "Interest\u00a0Rate")}\n\nStudent Last Name:Peña`
  const utf16 = (mark: ReadonlyArray<number>, order: (unit: number) => ReadonlyArray<number>) =>
    Uint8Array.from([...mark, ...[...text].flatMap((character) => order(character.charCodeAt(0)))])

  it.each([
    ["UTF-8", new TextEncoder().encode(text)],
    ["UTF-8 with a mark", new TextEncoder().encode(`\ufeff${text}`)],
    ["UTF-16 of a small machine", utf16([0xff, 0xfe], (unit) => [unit & 0xff, unit >> 8])],
    ["UTF-16 of a big one", utf16([0xfe, 0xff], (unit) => [unit >> 8, unit & 0xff])],
    ["Windows-1252", Uint8Array.from([...text].map((character) => character.charCodeAt(0)))]
  ])("is read as %s", (_name, bytes) => {
    expect(readMyAidData(bytes)).toMatchObject({ loans: [{ number: 1, loan: READ }] })
  })

  it.each(["\n", "\r\n", "\r", "\n\n", " \r\n\t\r\n"])("may have lines that end in %j", (end) => {
    expect(understood(loan().replaceAll("\n", end)).loans).toEqual([{ number: 1, loan: READ }])
  })

  it("is split at the first colon, ignoring brackets, extra spaces and the case of keys", () => {
    const spaced = loan().replaceAll("Loan Outstanding", " loan \t\u00a0 OUTSTANDING").replaceAll(":", " \u00a0: ")
    expect(understood(spaced).loans).toEqual([{ number: 1, loan: READ }])
    expect(understood(loan().replaceAll(/^.*$/gm, "[$&]")).loans).toEqual([{ number: 1, loan: READ }])
    expect(understood(`File Request Date:2024-02-14 09:12:44\n${loan()}\nno colon here`).asOf).toBe("2024-02-14")
  })

  it.each(["", "N/A", "n/a", "NA", "Not Available", "NULL", "  "])("counts the value %j as missing", (value) => {
    const expected = readAs({ interestBalance: undefined }, "no-interest-balance")
    expect(only({ "Loan Outstanding Interest Balance": value })).toEqual(expected)
  })
})

describe("the loans of a file", () => {
  const HEAD = [
    "Student Total All Grants:$1.00",
    "Type Code:D2",
    "Type Description:DIRECT STAFFORD UNSUBSIDIZED",
    "Total <D2> Outstanding Principal:$1,900.00"
  ]

  it("begin at their type code, and totals of a type are not loans", () => {
    expect(understood([...HEAD, loan(), loan()].join("\n")).loans.map(({ number }) => number)).toEqual([1, 2])
  })

  it("begin at their type if there is no code", () => {
    const old = (type: string) =>
      loan({ "Loan Type Code": null, "Loan Type Description": null }).replace(/^/, `Loan Type:${type}\n`)
    const { loans } = understood([old("FFEL STAFFORD SUBSIDIZED"), old("FEDERAL PERKINS")].join("\n"))
    expect(loans.map(({ loan: { loanType } }) => loanType)).toEqual(["FFEL STAFFORD SUBSIDIZED", "FEDERAL PERKINS"])
  })

  const types = (code: string, description: string) => [
    `Loan Type Code:${code}`,
    `Loan Type Description:${description}`
  ]
  const byId = (id: string, ...more: ReadonlyArray<string>) =>
    `Loan Award ID:${id}\n${loan({ "Loan Type Code": null, "Loan Type Description": null, "Loan Award ID": null }, ...more)}`

  it("begin at their id if that comes first", () => {
    const names = ["DIRECT STAFFORD SUBSIDIZED", "DIRECT PLUS GRADUATE"] as const
    const { loans } = understood(`${byId("A1", ...types("D1", names[0]))}\n${byId("A2", ...types("D3", names[1]))}`)
    expect(loans.map(({ loan: { loanType } }) => loanType)).toEqual(names)
  })

  it("have no type if each may have the type of another", () => {
    const [first, second] = [types("D1", "DIRECT STAFFORD SUBSIDIZED"), types("D3", "DIRECT PLUS GRADUATE")]
    for (const cut of [
      [byId("A1", ...second), byId("A2")],
      [...first, byId("A2", ...second), byId("A3", ...second)]
    ]) {
      const read = understood(cut.join("\n"))
      expect(read.loans.map(({ loan: { loanType } }) => loanType)).toEqual(read.loans.map(() => undefined))
      expect(warned(read)).toContain("1 unknown-loan-type")
    }
  })

  it.each(["Grant Type Code", "Program School Name", "Award School Name", "Enrolled School Name"])(
    "end before %s",
    (key) => {
      const after = [`${key}:X`, "Loan Interest Rate:9.00%", "Loan Outstanding Interest Balance:$9.00"]
      expect(only({ "Loan Interest Rate": null }, ...after).loan).toEqual({ ...READ, interestRate: undefined })
    }
  )

  it("continue after the award year", () => {
    expect(only({ "Loan Interest Rate": null }, "Award Year:2019", "Loan Interest Rate:4.99%").loan).toEqual(READ)
  })

  it("are read by complete keys, and the first value of a repeated key counts", () => {
    const longer = [
      "Loan Outstanding Principal Balance as of Date:01/31/2024",
      "Loan Interest Rate Type Code:F",
      "Loan Status Description:DEFAULTED",
      "Loan Special Contact Reason:X"
    ]
    const principal = "Loan Outstanding Principal Balance"
    const text = [...linesOf({ ...LOAN, [principal]: null }), ...longer].join("\n")
    expect(understood(`${text}\n${principal}:\n${principal}:$1,900.00`).loans).toEqual([{ number: 1, loan: READ }])
    expect(only({}, "Loan Interest Rate:9.99%").loan).toEqual(READ)
  })

  it("may have several contacts, and stay one loan each", () => {
    const contacts = ["Current ED Servicer", "Current Lender", "Current Guaranty Agency"].flatMap((type) => [
      `Loan Contact Type:${type}`,
      "Loan Contact Name:EXAMPLE",
      "Most Relevant:Yes",
      "Loan Special Contact:"
    ])
    expect(understood(loan({}, ...contacts)).loans).toEqual([{ number: 1, loan: READ }])
  })

  it("are refused in any other file, and for two borrowers", () => {
    expect(refusal("A file about something else\nLoan: none")).toBe("not-my-aid-data")
    expect(refusal(loan({ "Loan Outstanding Principal Balance": null }))).toBe("not-my-aid-data")
    expect(refusal('"Loan Type Code","D2"\n"Loan Outstanding Principal Balance","$1.00"')).toBe("not-my-aid-data")
    expect(refusal(`Student First Name:A\n${loan()}\nStudent First Name:A`)).toBe("two-borrowers")
    expect(refusal(`Student First Name:A\n${loan()}`)).toBe("read")
  })
})

describe("the value", () => {
  it.each([
    ["$1,234.56", 1234.56],
    ["$1,750", 1750],
    ["1234.5", 1234.5],
    ["$ 2 000.10", 2000.1],
    ["$100,000,000.00", 100_000_000],
    ["$100,000,000.01", undefined],
    ["$1,23", undefined],
    ["1.234,56", undefined],
    ["$12.", undefined],
    ["$1.2.3", undefined],
    ["12 dollars", undefined],
    ["$1e3", undefined],
    ["-", undefined],
    [`${"0".repeat(200)}7`, undefined],
    ["١٢", undefined]
  ])("%j of an amount is read as %j", (text, amount) => {
    expect(only({ "Loan Outstanding Principal Balance": text }).loan.principalBalance).toBe(amount)
  })

  it.each([
    ["6.80%", 0.068],
    ["6.8", 0.068],
    ["5.88 %", 0.0588],
    ["0.5%", 0.005],
    ["100%", 1],
    ["100.01%", undefined],
    ["-6.8%", undefined],
    ["6,8%", undefined],
    ["6.8.0%", undefined],
    ["1e1%", undefined],
    ["six", undefined]
  ])("%j of a rate is read as %j", (text, fraction) => {
    expect(only({ "Loan Interest Rate": text }).loan.interestRate).toBe(fraction)
  })

  it("of a percentage becomes exactly the fraction with the same digits", () => {
    for (let hundredths = 1; hundredths <= 3000; hundredths++) {
      const digits = String(hundredths).padStart(4, "0")
      const text = `${Number(digits.slice(0, 2))}.${digits.slice(2)}%`
      expect(only({ "Loan Interest Rate": text }).loan.interestRate).toBe(Number(`0.${digits}`))
    }
  })

  it.each(["2024-02-14", "02/14/2024", "2024-13-14 00:00:00", ""])("%j is not the time of a download", (text) => {
    expect(understood(`File Request Date:${text}\n${loan()}`).asOf).toBe(null)
  })
})

const history = (...entries: ReadonlyArray<readonly [code: string, date: string]>) =>
  entries.flatMap(([code, date]) => [
    `Loan Status:${code}`,
    "Loan Status Description:X",
    `Loan Status Effective Date:${date}`
  ])

describe("the status", () => {
  it("is the current one, else the newest of the history, or the first of those with equal or no dates", () => {
    const none = { "Current Loan Status": null }
    expect(warningsFor(none, ...history(["DF", "01/01/2020"], ["RP", "02/01/2020"]))).toEqual([])
    expect(warningsFor(none, ...history(["RP", "02/01/2020"], ["DF", "02/01/2020"]))).toEqual([])
    expect(warningsFor(none, ...history(["RP", ""], ["DF", "soon"]))).toEqual([])
    expect(warningsFor(none, ...history(["DF", ""], ["RP", "02/01/2020"]))).toEqual([])
    expect(
      warningsFor(none, ...history(["RP", "02/01/2020"], ["DF", "01/01/2020"]), "Loan Status Effective Date:03/01/2020")
    ).toEqual([])
    expect(warningsFor({ "Current Loan Status": "" }, ...history(["BK", "02/01/2020"]))).toEqual(["in-bankruptcy"])
    expect(warningsFor({ "Current Loan Status": "rp" }, ...history(["RP", "02/01/2020"]))).toEqual([])
  })

  it("causes a warning if the newest of the history is another", () => {
    expect(warningsFor({}, ...history(["DF", "02/01/2020"], ["RP", "01/01/2020"]))).toEqual(["status-disagrees"])
    expect(warningsFor({}, ...history(["DF", ""]))).toEqual([])
  })

  it.each([
    ["RP FB DA IA ID IG IM IP", []],
    ["DF DU DL DT DX XD DZ", ["in-default"]],
    ["BK DB DO", ["in-bankruptcy"]],
    ["AL UA UB UC UD UI FR FX", ["check-status"]],
    ["QQ R 1 CLOSED", ["unknown-status"]]
  ])("%s includes the loan", (codes, warnings) => {
    for (const code of codes.split(" ")) expect(only({ "Current Loan Status": code })).toEqual({ loan: READ, warnings })
    expect(warningsFor({ "Current Loan Status": null })).toEqual(["unknown-status"])
  })

  it.each([
    ["PF DP PM PX CP", "paid"],
    ["PC PN DN RF DR AE RH", "consolidated"],
    ["CA BC DK OD CS FC DE DD DI DS PD VA PZ DC DW", "cancelled"]
  ])("%s excludes the loan as %s", (codes, why) => {
    const nothing = { "Loan Outstanding Principal Balance": "$0.00", "Loan Outstanding Interest Balance": "" }
    for (const code of codes.split(" ")) {
      const status = { "Current Loan Status": code }
      expect(leftOut({ ...nothing, ...status })).toEqual({ why: [why], warnings: [] })
      expect(leftOut(status)).toEqual({ why: [why], warnings: ["1 closed-with-balance"] })
      const interestAlone = { ...status, "Loan Outstanding Principal Balance": "$0.00" }
      expect(leftOut(interestAlone)).toEqual({ why: [why], warnings: ["1 closed-with-balance"] })
    }
  })
})

describe("a pause", () => {
  const DAY = "File Request Date:2026-11-20 12:00:00"
  const pausesIn = (...loans: ReadonlyArray<Lines>) =>
    understood([DAY, ...loans.map((lines) => loan(lines))].join("\n")).pauses
  const status = (code: string, begins = "") => ({ "Current Loan Status": code, "Loan Repayment Begin Date": begins })

  it.each([
    ["ID IG IM", "InSchool"],
    ["DA IP", "Deferment"],
    ["FB", "Forbearance"]
  ] as const)("is read from the status, without an end: %s", (codes, kind) => {
    for (const code of codes.split(" "))
      expect(pausesIn(status("RP"), status(code))).toEqual([{ kind, until: null, loans: [1] }])
  })

  it("is none of a loan that is due, in default, in bankruptcy or doubtful, or that stays out", () =>
    expect(pausesIn(...["RP", "IA", "DF", "BK", "AL", "QQ", "PF", "CA"].map((code) => status(code)))).toEqual([]))

  it("is shared by loans of one kind and one end, by their position among the loans that go in", () =>
    expect(pausesIn(status("PF"), status("FB"), status("DA"), status("FB"))).toEqual([
      { kind: "Forbearance", until: null, loans: [0, 2] },
      { kind: "Deferment", until: null, loans: [1] }
    ]))

  it("of school or grace ends with the day on which repayment begins, if that is ahead", () => {
    expect(pausesIn(status("IG", "05/16/2027"), status("ID", "05/01/2027"), status("ID"))).toEqual([
      { kind: "InSchool", until: "2027-05", loans: [0, 1] },
      { kind: "InSchool", until: null, loans: [2] }
    ])
    for (const day of ["11/30/2026", "05/16/2019", "12/01/2036", "2027-05-16"])
      expect(pausesIn(status("IG", day))).toEqual([{ kind: "InSchool", until: null, loans: [0] }])
    expect(pausesIn(status("FB", "05/16/2027"))).toEqual([{ kind: "Forbearance", until: null, loans: [0] }])
    expect(understood(loan(status("IG", "05/16/2027"))).pauses[0]!.until).toBeNull()
  })
})

describe("a balance", () => {
  const balances = (principal: string, interest: string) => ({
    "Loan Outstanding Principal Balance": principal,
    "Loan Outstanding Interest Balance": interest
  })

  it("is included if it is interest only, or if the principal cannot be read", () => {
    expect(only(balances("$0.00", "$10.00"))).toEqual(readAs({ principalBalance: 0 }))
    const unread = { principalBalance: undefined, interestBalance: undefined }
    expect(only(balances("?", "$0.00"))).toEqual(readAs(unread, "no-principal"))
  })

  it("counts as zero if it is negative", () => {
    expect(only(balances("-$5.00", "$10.00"))).toEqual(readAs({ principalBalance: 0 }, "negative-balance"))
    const noInterest = readAs({ interestBalance: undefined }, "negative-balance")
    expect(only(balances("$1,900.00", "($10.00)"))).toEqual(noInterest)
    const warnings = ["1 negative-balance", "1 zero-balance"]
    expect(leftOut(balances("($5.00)", ""))).toEqual({ why: ["zero-balance"], warnings })
  })

  it.each(["$0.00", ""])("excludes the loan if the principal is zero and the interest %j", (interest) => {
    expect(leftOut(balances("$0.00", interest))).toEqual({ why: ["zero-balance"], warnings: ["1 zero-balance"] })
  })

  it("is included only above zero, like the disbursed amount or the sum of its parts", () => {
    const parts = (...amounts: ReadonlyArray<string>) =>
      only({ "Loan Disbursed Amount": "" }, ...amounts.map((amount) => `Loan Disbursement Amount:${amount}`)).loan
    expect(only(balances("$1,900.00", "$0.00")).loan).toEqual({ ...READ, interestBalance: undefined })
    expect(parts("$1,000.10", "$1,000.20").disbursedAmount).toBe(2000.3)
    expect(parts("$1,000.10", "?").disbursedAmount).toBe(undefined)
    expect(parts()).toEqual({ ...READ, disbursedAmount: undefined })
    expect(parts("$60,000,000.00", "$60,000,000.00").disbursedAmount).toBe(undefined)
    expect(only({ "Loan Disbursed Amount": "$0.00" }, "Loan Disbursement Amount:$7.00").loan.disbursedAmount).toBe(7)
    expect(only({ "Loan Disbursed Amount": "$1.00" }).loan.disbursedAmount).toBe(1)
  })
})

describe("a loan that is listed twice", () => {
  const same = { "Loan Award ID": "A1" }
  const numbersOf = (...loans: ReadonlyArray<Lines>) => {
    const read = understood(loans.map((each) => loan(each)).join("\n"))
    return [read.loans.map(({ number }) => number), read.leftOut.map(({ why }) => why), warned(read)]
  }

  it("is excluded if everything is equal", () => {
    expect(numbersOf(same, LOAN, same)).toEqual([[1, 2], ["duplicate"], ["3 duplicate-loan"]])
    expect(numbersOf(LOAN, LOAN)).toEqual([[1, 2], [], []])
  })

  it.each([
    ["Loan Type Description", "DIRECT PLUS GRADUATE"],
    ["Loan Date", "08/25/2019"],
    ["Loan Disbursed Amount", "$2,000.01"],
    ["Loan Outstanding Principal Balance", "$1,900.01"],
    ["Loan Outstanding Interest Balance", "$10.01"]
  ])("is kept if its %s differs", (key, value) => {
    const code = key === "Loan Type Description" ? { "Loan Type Code": "D3" } : {}
    expect(numbersOf(same, { ...same, ...code, [key]: value })).toEqual([[1, 2], [], ["2 same-award-id"]])
  })

  it("is compared only with loans that are included", () => {
    const cancelled = numbersOf({ ...same, "Current Loan Status": "CA" }, same)
    expect(cancelled).toEqual([[2], ["cancelled"], ["1 closed-with-balance"]])
  })
})

describe("the loan type", () => {
  const typed = (description: string | null, code: string | null = null, ...more: ReadonlyArray<string>) => {
    const given = { "Loan Type Code": code ?? "", "Loan Type Description": description }
    const { loan: read, warnings } = only(given, ...more)
    return [read.loanType, ...warnings.filter((id) => id !== "parent-plus-unknown")]
  }

  it("is any of the 29 descriptions, ignoring case and extra spaces", () => {
    for (const type of LOAN_TYPES) expect(typed(type)).toEqual([type])
    expect(typed("direct  Plus\tgraduate")).toEqual(["DIRECT PLUS GRADUATE"])
    expect(typed("FEDERAL INSURED (FISL)")).toEqual(["FEDERALLY INSURED (FISL)"])
  })

  it("is the description, with a warning if the code is of another type", () => {
    expect(typed("DIRECT PLUS GRADUATE", "D2")).toEqual(["DIRECT PLUS GRADUATE", "type-disagrees"])
    expect(typed("DIRECT PARENT PLUS", "D4")).toEqual(["DIRECT PARENT PLUS"])
    expect(typed("FFEL PARENT PLUS", "PL")).toEqual(["FFEL PARENT PLUS"])
    expect(typed("DIRECT PLUS GRADUATE", "ZZ")).toEqual(["DIRECT PLUS GRADUATE"])
  })

  it.each([
    ["D0", "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)"],
    ["D1", "DIRECT STAFFORD SUBSIDIZED"],
    ["d2", "DIRECT STAFFORD UNSUBSIDIZED"],
    ["D3", "DIRECT PLUS GRADUATE"],
    ["D4", "DIRECT PLUS PARENT"],
    ["D5", "DIRECT CONSOLIDATED UNSUBSIDIZED"],
    ["D6", "DIRECT CONSOLIDATED SUBSIDIZED"],
    ["D7", "DIRECT PLUS CONSOLIDATED"],
    ["D8", "DIRECT UNSUBSIDIZED (TEACH)"],
    ["D9", "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)"],
    ["CL", "FFEL CONSOLIDATED"],
    ["DU", "NATIONAL DEFENSE LOAN (PERKINS)"],
    ["EU", "PERKINS EXPANDED LENDING"],
    ["FI", "FEDERALLY INSURED (FISL)"],
    ["F1", "FEDERALLY INSURED (FISL)"],
    ["GB", "FFEL PLUS GRADUATE"],
    ["IC", "INCOME CONTINGENT (ICL)"],
    ["NU", "NATIONAL DIRECT STUDENT LOAN (PERKINS)"],
    ["PL", "FFEL PLUS PARENT"],
    ["PU", "FEDERAL PERKINS"],
    ["RF", "FFEL REFINANCED"],
    ["SF", "FFEL STAFFORD SUBSIDIZED"],
    ["SL", "FFEL SUPPLEMENTAL LOAN (SLS)"],
    ["SN", "FFEL STAFFORD NON-SUBSIDIZED"],
    ["SU", "FFEL STAFFORD UNSUBSIDIZED"]
  ])("is that of the code %s if the description is unknown", (code, type) => {
    expect(typed("SOME LOAN", code)).toEqual([type, "type-from-code"])
  })

  it.each([
    [null, ""],
    ["GUARANTEED STUDENT LOAN (GSL)", ""],
    ["NURSING STUDENT LOAN (NSL)", "NS"],
    ["HEALTH EDUCATION ASSISTANCE LOAN (HEAL)", "constructor"],
    ["DIRECT", "CH"],
    ["__proto__", "CO"],
    ["DIRECT STAFFORD", "CS"],
    ["PARENT PLUS", "CU"]
  ])("is unknown for %j with the code %j", (description, code) => {
    expect(typed(description, code)).toEqual([undefined, "unknown-loan-type"])
  })
})

describe("a consolidation", () => {
  const PLUS = "Parent Plus Consolidation Indicator"
  const FIRST = "Parent Plus First Level Consolidation Indicator"
  const ANY = "Consolidation Loan With Any Parent Plus Indicator"
  const read = (type: string, ...lines: ReadonlyArray<string>) => {
    const { loan: of, warnings } = only({ "Loan Type Code": "", "Loan Type Description": type }, ...lines)
    return [of.loanType, ...warnings]
  }
  const DIRECT = "DIRECT CONSOLIDATED UNSUBSIDIZED"
  const PARENTAL = "DIRECT PARENT PLUS CONSOLIDATED"

  it.each([
    ["DIRECT CONSOLIDATED SUBSIDIZED", PARENTAL],
    ["DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)", PARENTAL],
    [DIRECT, PARENTAL],
    ["DIRECT PLUS CONSOLIDATED", PARENTAL],
    ["FFEL CONSOLIDATED", "FFEL PARENT PLUS CONSOLIDATED"]
  ])("of type %s that repaid a parent PLUS loan has the type %s", (type, parental) => {
    for (const yes of ["Y", "yes", "True", "1"]) {
      for (const key of [PLUS, FIRST, ANY])
        expect(read(type, `${key}:${yes}`)).toEqual([parental, "parent-plus-consolidation"])
    }
    for (const no of ["N", "no", "False", "0"]) {
      for (const key of [PLUS, ANY]) expect(read(type, `${key}:${no}`)).toEqual([type])
    }
    for (const neither of ["", "Maybe", "valueOf"])
      expect(read(type, `${PLUS}:${neither}`)).toEqual([type, "parent-plus-unknown"])
  })

  it("of a parent PLUS consolidation has its own warning, and a first-level 'no' alone proves nothing", () => {
    const secondLevel = [PARENTAL, "parent-plus-consolidation", "parent-plus-second-level"]
    expect(read(DIRECT, `${FIRST}:N`, `${ANY}:Y`)).toEqual(secondLevel)
    expect(read(DIRECT, `${FIRST}:N`)).toEqual([DIRECT, "parent-plus-unknown"])
    expect(read(DIRECT, `${PLUS}:No`, `${ANY}:Y`)).toEqual([PARENTAL, "parent-plus-consolidation"])
  })

  it("is the only kind of loan that uses these keys, and may be joint", () => {
    expect(read("DIRECT PLUS PARENT", `${ANY}:Y`)).toEqual(["DIRECT PLUS PARENT"])
    expect(read(DIRECT, `${PLUS}:No`, "Joint Consolidation Loan Indicator:Y")).toEqual([DIRECT, "joint-consolidation"])
    expect(read(DIRECT, `${PLUS}:No`, "Joint Consolidation Loan Indicator:N")).toEqual([DIRECT])
  })
})

describe("the interest rate", () => {
  const rated = (rate: string, statutory: string, actual: string, ...more: ReadonlyArray<string>) => {
    const lines = [`Loan Statutory Interest Rate:${statutory}`, `Loan Actual Interest Rate:${actual}`, ...more]
    const { loan: read, warnings } = only({ "Loan Interest Rate": rate }, ...lines)
    return [read.interestRate, ...warnings]
  }

  it("is the first of the three rates above zero", () => {
    expect(rated("6.80%", "7.00%", "5.00%")).toEqual([0.068])
    expect(rated("", "7.00%", "5.00%")).toEqual([0.07, "rate-from-statutory"])
    expect(rated("0.00%", "?", "5.00%")).toEqual([0.05, "rate-from-actual"])
    expect(rated("0.00%", "", "0.00%")).toEqual([0, "zero-rate"])
    expect(rated("", "", "0%")).toEqual([0, "zero-rate"])
    expect(rated("", "?", "120%")).toEqual([undefined, "no-interest-rate"])
  })

  it("is a fraction, with a warning, if it is below 1 and has no percent sign", () => {
    expect(rated(".068", "", "")).toEqual([0.068, "rate-from-fraction"])
    expect(rated("0.0553", "", "")).toEqual([0.0553, "rate-from-fraction"])
    expect(rated("", "0.14", "")).toEqual([0.14, "rate-from-statutory", "rate-from-fraction"])
    expect(rated("0.15", "", "6.8")).toEqual([0.068, "rate-from-actual"])
    expect(rated("1", "", "")).toEqual([0.01])
    expect(rated("0", "", "0.0")).toEqual([0, "zero-rate"])
  })

  it.each([
    "Loan Interest Rate Type Code:V",
    "Loan Interest Rate Type Description:Variable",
    "Loan Interest Rate Type:VARIABLE"
  ])("is variable, with a warning, if the file has %s", (line) =>
    expect(rated("6.80%", "", "", line)).toEqual([0.068, "variable-rate"])
  )

  it("is fixed otherwise", () => {
    expect(rated("6.80%", "", "", "Loan Interest Rate Type Code:F", "Loan Interest Rate Type:FIXED")).toEqual([0.068])
  })
})

describe("the count of PSLF payments", () => {
  const counted = (months: string) => {
    const { loan: read, warnings } = only({}, `Loan PSLF Cumulative Matched Months:${months}`)
    return [read.pslfCount, ...warnings]
  }

  it("is a whole number up to 120, with a warning that it is not official", () => {
    expect(counted("37")).toEqual([37, "pslf-not-official"])
    expect(counted("120")).toEqual([120, "pslf-not-official"])
    expect(counted("121")).toEqual([120, "pslf-not-official", "pslf-capped"])
    expect(counted("0")).toEqual([undefined])
    expect(counted("")).toEqual([undefined])
    for (const text of ["-1", "3.5", "many", "1e2"]) expect(counted(text)).toEqual([undefined, "pslf-unreadable"])
  })
})

describe("the count of income-driven months", () => {
  it("is in no file, and is not derived from other values", () => {
    const read = understood(loan({}, "Loan IDR Cumulative Months:200", ...history(["RP", "01/01/2000"])))
    expect(read.loans).toEqual([{ number: 1, loan: READ }])
    expect(read.warnings).toEqual([{ id: "no-idr-count", loan: null }])
  })
})

describe("the file as a whole", () => {
  const totals = (principal: string, interest: string) => [
    `Student Total All Loans Outstanding Principal:${principal}`,
    `Student Total All Loans Outstanding Interest:${interest}`
  ]
  const closed = loan({ "Current Loan Status": "PF" })
  const warningsWith = (lines: ReadonlyArray<string>, ...loans: ReadonlyArray<string>) =>
    warned(understood([...lines, loan(), ...loans].join("\n"))).filter((id) => id !== "2 closed-with-balance")

  it("keeps the order of its loans, up to 100 of them", () => {
    const book = (count: number) => new Array<string>(count).fill(loan()).join("\n")
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(understood(book(100)).loans.map(({ number }) => number)).toEqual(numbers)
    expect(refusal(book(MAX_LOANS + 1))).toBe("too-many-loans")
    expect(understood([book(100), closed].join("\n")).loans.length).toBe(100)
    expect(refusal(closed)).toBe("no-open-loans")
  })

  it("has loans that add up to its totals to the cent, including closed ones", () => {
    expect(warningsWith(totals("$1,900.00", "$10.00"))).toEqual([])
    expect(warningsWith(totals("$1,900.01", "$9.99"))).toEqual([])
    expect(warningsWith(totals("$3,800.00", "$20.00"), closed)).toEqual([])
    expect(warningsWith(totals("$1,900.02", "$10.00"))).toEqual(["total-mismatch"])
    expect(warningsWith(totals("$1,900.00", "$9.98"))).toEqual(["total-mismatch"])
    expect(warningsWith(totals("$1,900.00", "$10.00"), closed)).toEqual(["total-mismatch"])
  })

  it("has no warning because of unreadable totals or balances", () => {
    expect(warningsWith(totals("", "$10.00"))).toEqual([])
    expect(warningsWith(totals("$1.00", "?"))).toEqual([])
    expect(warningsWith(totals("$1.00", "$1.00"), loan({ "Loan Outstanding Interest Balance": "" }))).toEqual([
      "2 no-interest-balance"
    ])
  })

  it("has exactly one balance per loan", () => {
    const balance = "Loan Outstanding Principal Balance:$5.00"
    expect(warningsWith([balance])).toEqual(["balance-count-mismatch"])
    expect(warningsWith([], balance)).toEqual(["balance-count-mismatch"])
    expect(warningsWith([], "Grant Type Code:PE", balance)).toEqual(["balance-count-mismatch"])
  })

  it("has its own warnings first, then those of each loan, and few for an excluded loan", () => {
    const strange = { "Loan Type Description": "?", "Loan Type Code": "", "Loan Interest Rate": "" }
    const pslf = "Loan PSLF Cumulative Matched Months:12"
    const text = [loan({ ...strange, "Current Loan Status": "PF" }), loan({}, pslf), loan(strange)].join("\n")
    expect(understood(text).warnings).toEqual([
      { id: "no-idr-count", loan: null },
      { id: "pslf-not-official", loan: null },
      { id: "closed-with-balance", loan: 1 },
      { id: "unknown-loan-type", loan: 3 },
      { id: "no-interest-rate", loan: 3 }
    ])
  })
})
