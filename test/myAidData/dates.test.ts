/**
 * Dates of a My Aid Data file: the day on which each loan was made, and the day since which the
 * borrower has owed Direct or FFEL loans without a break.
 */
import { describe, expect, it } from "vitest"
import { readMyAidDataText } from "../../src/myAidData/readMyAidData.ts"

interface Given {
  readonly type?: string
  /** The loan's date, and the only one of a disbursement unless `disbursed` is given. */
  readonly made?: string
  readonly disbursed?: ReadonlyArray<readonly [date: string, amount: string]>
  readonly amount?: string
  /** The status history, newest first; the first is the current one. */
  readonly history?: ReadonlyArray<readonly [code: string, date: string]>
  readonly principal?: string
}

const STAFFORD = "DIRECT STAFFORD UNSUBSIDIZED"
const CONSOLIDATION = "DIRECT CONSOLIDATED UNSUBSIDIZED"
const AMOUNT = "$1,000.00"

const loan = ({ amount = AMOUNT, made = "", type = STAFFORD, ...given }: Given): string => {
  const { disbursed = made === "" ? [] : [[made, amount]], history = [["RP", "01/01/2022"]] } = given
  const isClosed = /^(P|D[NIS]|C)/.test(history[0]![0])
  return [
    "Loan Type Code:",
    `Loan Type Description:${type}`,
    `Loan Date:${made}`,
    `Loan Disbursed Amount:${amount}`,
    `Loan Outstanding Principal Balance:${given.principal ?? (isClosed ? "$0.00" : "$900.00")}`,
    "Loan Outstanding Interest Balance:$0.00",
    "Loan Interest Rate:5.00%",
    `Current Loan Status:${history[0]![0]}`,
    "Parent Plus Consolidation Indicator:No",
    ...history.flatMap(([code, date]) => [`Loan Status:${code}`, `Loan Status Effective Date:${date}`]),
    ...disbursed.flatMap(([date, part]) => [`Loan Disbursement Date:${date}`, `Loan Disbursement Amount:${part}`])
  ].join("\n")
}

const read = (...loans: ReadonlyArray<Given | string>) => {
  const aid = readMyAidDataText(loans.map((each) => (typeof each === "string" ? each : loan(each))).join("\n"))
  if (aid._tag === "Refused") throw new Error(aid.id)
  return aid
}

/** The history of a loan that was closed under a code. */
const closedAs = (code: string) => (date: string) => {
  const history = [[code, date] as const, ["RP", "01/01/2001"] as const]
  return { history }
}
const [paid, consolidated] = [closedAs("PF"), closedAs("PN")]

describe("the day on which a loan was made", () => {
  const madeOn = (given: Given) => {
    const { loans, warnings } = read(given)
    const ids = warnings.map(({ id }) => id)
    return ids.includes("no-date") ? "no-date" : loans[0]!.loan.madeOn
  }

  it("is that of its first disbursement, else its date", () => {
    expect(madeOn({ made: "08/24/2019" })).toBe("2019-08-24")
    expect(madeOn({ made: "08/24/2019", disbursed: [] })).toBe("2019-08-24")
    const parts = [
      ["01/10/2020", "$400.00"],
      ["08/26/2019", "$600.00"]
    ] as const
    expect(madeOn({ made: "08/24/2019", disbursed: parts })).toBe("2019-08-26")
  })

  it("is not that of a disbursement of $0, and left out if one is negative", () => {
    const zero = ["06/30/2026", "$0.00"] as const
    expect(madeOn({ made: "06/30/2026", disbursed: [["07/02/2026", AMOUNT], zero] })).toBe("2026-07-02")
    expect(madeOn({ made: "06/30/2026", amount: "$0.00", disbursed: [zero] })).toBe("no-date")
    const reversed = [
      ["07/02/2026", AMOUNT],
      ["07/01/2026", "($50.00)"],
      ["06/30/2026", "$50.00"]
    ] as const
    expect(madeOn({ made: "06/30/2026", disbursed: reversed })).toBe("no-date")
  })

  it("is the date of a consolidation, not of a disbursement", () => {
    const disbursed = [["06/20/2019", AMOUNT]] as const
    expect(madeOn({ type: CONSOLIDATION, made: "06/12/2019", disbursed })).toBe("2019-06-12")
  })

  it("is left out if these differ and the type is unknown, for it may be a consolidation", () => {
    const parts = [["08/26/2019", AMOUNT]] as const
    expect(madeOn({ type: "PERHAPS CONSOLIDATED", made: "08/24/2019", disbursed: parts })).toBe("no-date")
    expect(madeOn({ type: "PERHAPS CONSOLIDATED", made: "08/26/2019", disbursed: parts })).toBe("2019-08-26")
    expect(madeOn({ type: "PERHAPS CONSOLIDATED", made: "08/24/2019" })).toBe("2019-08-24")
  })

  it("is left out, with a warning, if the file does not say it, or lost a disbursement", () => {
    expect(madeOn({})).toBe("no-date")
    for (const made of ["2026-07-01", "7/1/2026", "13/01/2026", "02/30/2019", "07/00/2026", "07/01/26"])
      expect({ made, madeOn: madeOn({ made, disbursed: [] }) }).toEqual({ made, madeOn: "no-date" })
    expect(madeOn({ made: "08/24/2019", disbursed: [["01/10/2020", "$400.00"]] })).toBe("no-date")
    const unread = [
      ["01/10/2020", "$400.00"],
      ["soon", "$600.00"]
    ] as const
    expect(madeOn({ made: "08/24/2019", disbursed: unread })).toBe("no-date")
  })
})

describe("a day that the file leaves open", () => {
  const read1 = (given: Given) => {
    const { loans, warnings } = read(given)
    const ids = warnings.map(({ id }) => id).filter((id) => id === "no-date" || id === "date-not-exact")
    return [loans[0]!.loan.madeOn, ...ids]
  }
  const later = [
    ["01/10/2027", "$400.00"],
    ["08/26/2026", "$500.00"]
  ] as const

  it("is the first possible one, with a warning, if all are since 1 July 2026", () => {
    // A disbursement of $100 is missing from the list, and is not before the loan's date.
    expect(read1({ made: "08/24/2026", disbursed: later })).toEqual(["2026-08-24", "date-not-exact"])
    // A part was returned: all that was disbursed is listed.
    const returned = [["08/20/2026", "$600.00"], ...later] as const
    expect(read1({ made: "06/24/2026", disbursed: returned })).toEqual(["2026-08-20", "date-not-exact"])
    const minus = [["09/01/2026", "($400.00)"], ...returned, ["08/25/2026", "-$100.00"]] as const
    expect(read1({ made: "06/24/2026", disbursed: minus })).toEqual(["2026-08-20", "date-not-exact"])
    const unknown = { type: "PERHAPS CONSOLIDATED", made: "07/01/2026", disbursed: [["07/02/2026", AMOUNT]] } as const
    expect(read1(unknown)).toEqual(["2026-07-01", "date-not-exact"])
  })

  it("is left out if one may be before, or cannot be read", () => {
    expect(read1({ made: "06/30/2026", disbursed: later })).toEqual([undefined, "no-date"])
    expect(read1({ made: "", disbursed: later })).toEqual([undefined, "no-date"])
    expect(read1({ made: "08/24/2026", disbursed: [...later, ["soon", "$100.00"]] })).toEqual([undefined, "no-date"])
    const unknown = { type: "PERHAPS CONSOLIDATED", made: "06/30/2026", disbursed: [["07/02/2026", AMOUNT]] } as const
    expect(read1(unknown)).toEqual([undefined, "no-date"])
  })
})

describe("the day since which the borrower has owed", () => {
  const first = (...loans: ReadonlyArray<Given | string>) => {
    const { firstBorrowedOn, warnings } = read(...loans)
    expect(warnings.some(({ id }) => id === "no-first-borrowed")).toBe(firstBorrowedOn === null)
    return firstBorrowedOn
  }
  const OPEN = { made: "08/24/2019" }

  it("is that of the oldest open loan", () => {
    expect(first(OPEN, { made: "08/24/2017", type: "FFEL PLUS GRADUATE" })).toBe("2017-08-24")
  })

  it("is that of a repaid loan that was open when another was taken, and of the one before it", () => {
    const second = { made: "08/24/2012", ...paid("09/01/2020") }
    expect(first(OPEN, second)).toBe("2012-08-24")
    expect(first({ made: "08/24/2009", ...paid("08/25/2012") }, OPEN, second)).toBe("2009-08-24")
  })

  it("does not count a loan that was repaid before the next was taken", () => {
    expect(first(OPEN, { made: "08/24/2012", ...paid("08/23/2019") })).toBe("2019-08-24")
  })

  it("does not count loans of other programs, or never disbursed", () => {
    expect(first(OPEN, { made: "08/24/2005", type: "FEDERAL PERKINS" })).toBe("2019-08-24")
    expect(first(OPEN, { made: "08/24/2005", amount: "$0.00", disbursed: [], history: [["CA", "08/24/2020"]] })).toBe(
      "2019-08-24"
    )
  })

  it("goes back through a consolidation to the loans that it repaid", () => {
    const consolidation = { type: CONSOLIDATION, made: "06/12/2012" }
    const old = { made: "08/28/2002" }
    expect(first(consolidation, { ...old, ...consolidated("06/12/2012") })).toBe("2002-08-28")
    expect(first(consolidation, { ...old, ...consolidated("05/20/2012") })).toBe("2002-08-28")
    expect(first(consolidation, { ...old, ...consolidated("07/20/2012") })).toBe("2002-08-28")
    expect(first({ ...consolidation, ...paid("01/01/2015") }, OPEN, { ...old, ...consolidated("06/12/2012") })).toBe(
      "2019-08-24"
    )
    const further = { type: CONSOLIDATION, made: "03/03/2016" }
    expect(
      first({ ...consolidation, ...consolidated("03/03/2016") }, further, { ...old, ...consolidated("06/12/2012") })
    ).toBe("2002-08-28")
  })

  it("is not known if what a consolidation repaid is not in the file", () => {
    const consolidation = { type: CONSOLIDATION, made: "06/12/2012" }
    expect(first(consolidation)).toBe(null)
    expect(first(consolidation, { made: "08/28/2002" })).toBe(null)
    expect(first(consolidation, { made: "08/28/2002", ...consolidated("01/05/2012") })).toBe(null)
    expect(first(OPEN, { made: "08/28/2002", ...consolidated("06/12/2012") })).toBe(null)
  })

  it("is not known if an older loan may have been open", () => {
    const old = { made: "08/28/2002" }
    expect(first(OPEN, { ...old, ...paid("") })).toBe(null)
    expect(first(OPEN, { ...old, ...paid("08/24/2019") })).toBe(null)
    expect(first(OPEN, { ...old, history: [["PF", "09/01/2012"]], principal: "$5.00" })).toBe(null)
    expect(first(OPEN, { ...old, principal: "$0.00" })).toBe(null)
    expect(first(OPEN, { ...paid("09/01/2020") })).toBe(null)
    expect(first(OPEN, { ...paid("09/01/2012") })).toBe("2019-08-24")
    expect(first(OPEN, {})).toBe(null)
    expect(first(OPEN, { ...old, type: "?", ...paid("09/01/2020") })).toBe(null)
    expect(first(OPEN, { ...old, type: "?", ...paid("09/01/2012") })).toBe("2019-08-24")
  })

  it("is the end of a debt that counts where a loan was closed twice", () => {
    const history = [
      ["PF", "09/01/2020"],
      ["DI", "09/01/2012"],
      ["RP", "01/01/2004"]
    ] as const
    expect(first(OPEN, { made: "08/28/2002", history })).toBe("2019-08-24")
  })

  it("is not known in a file of more loans than anyone has", () => {
    const closed = (count: number) =>
      Array.from({ length: count }, () => loan({ made: "08/24/2005", ...paid("08/24/2006") }))
    expect(first(OPEN, ...closed(199))).toBe("2019-08-24")
    expect(first(OPEN, ...closed(200))).toBe(null)
  })

  it("is not known if the file is incomplete, or has no such loan", () => {
    expect(
      first(
        "Student Total All Loans Outstanding Principal:$5.00\nStudent Total All Loans Outstanding Interest:$5.00",
        OPEN
      )
    ).toBe(null)
    expect(read({ made: "08/24/2005", type: "FEDERAL PERKINS" })).toMatchObject({
      firstBorrowedOn: null,
      warnings: [{ id: "no-idr-count" }]
    })
  })
})
