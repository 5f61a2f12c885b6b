/**
 * Tests of the oracle on the dates of loans and borrowers: which plans they close, one day before
 * each date of the law and on it, and the successor plan of July 2028. A single person with $60,000
 * pays $300.50 under INCOME BASED and $450.75 under INCOME BASED (OLD). No loan bears interest. The
 * engine is not involved.
 */
import { describe, expect, it } from "vitest"
import {
  direct,
  dollars,
  electable,
  ffel,
  free,
  type Loans,
  plusConsolidation,
  projected,
  refusalOf,
  shown
} from "./worked/asking.ts"

const madeOn = (day: string) => ({ madeOn: day })

const parentPlus = (day: string | null) => free("DIRECT PARENT PLUS", 10_000, { madeOn: day })

const consolidation = (day: string | null) => free("DIRECT CONSOLIDATED UNSUBSIDIZED", 10_000, { madeOn: day })

/** For each of the plans, whether the request is projected. */
const openAmong = (plans: ReadonlyArray<string>, loans: Loans, firstBorrowedOn: string | null = null) =>
  plans.filter((plan) => refusalOf(plan, loans, { firstBorrowedOn }) === null)

const incomeBased = ["INCOME BASED", "INCOME BASED (OLD)"]

describe("INCOME BASED and INCOME BASED (OLD)", () => {
  const cases: ReadonlyArray<readonly [string, Loans, string | null, ReadonlyArray<string>]> = [
    ["no date", [direct(10_000)], null, incomeBased],
    ["a first borrowing on June 30, 2014", [direct(10_000)], "2014-06-30", ["INCOME BASED (OLD)"]],
    ["a first borrowing on July 1, 2014", [direct(10_000)], "2014-07-01", ["INCOME BASED"]],
    ["one loan of June 30, 2014", [direct(10_000, madeOn("2014-06-30"))], null, ["INCOME BASED (OLD)"]],
    ["one loan of July 1, 2014", [direct(10_000, madeOn("2014-07-01"))], null, ["INCOME BASED"]],
    [
      "two loans, the earlier of June 30, 2014",
      [direct(10_000, madeOn("2019-09-01")), direct(10_000, madeOn("2014-06-30"))],
      null,
      ["INCOME BASED (OLD)"]
    ],
    [
      "a loan of 2019 and a first borrowing before",
      [direct(10_000, madeOn("2019-09-01"))],
      "2013-09-01",
      ["INCOME BASED (OLD)"]
    ],
    // F is unknown if one loan has no date, but an old loan still proves an old balance
    ["a loan of July 1, 2014 and one without a date", [direct(1, madeOn("2014-07-01")), direct(1)], null, incomeBased],
    [
      "a loan of June 30, 2014 and one without a date",
      [direct(1, madeOn("2014-06-30")), direct(1)],
      null,
      ["INCOME BASED (OLD)"]
    ],
    // a consolidation repaid older loans
    ["a consolidation of July 1, 2014", [consolidation("2014-07-01")], null, incomeBased],
    ["a consolidation of June 30, 2014", [consolidation("2014-06-30")], null, ["INCOME BASED (OLD)"]],
    [
      "a consolidation of 2020 and a first borrowing in 2015",
      [consolidation("2020-01-01")],
      "2015-01-01",
      ["INCOME BASED"]
    ],
    // FFEL ended in 2010, whatever is sent
    ["an FFEL loan and a first borrowing in 2015", [direct(1), ffel(1)], "2015-01-01", ["INCOME BASED (OLD)"]],
    [
      "an FFEL loan dated 2015",
      [direct(1, madeOn("2015-01-01")), ffel(1, madeOn("2015-01-01"))],
      null,
      ["INCOME BASED (OLD)"]
    ],
    [
      "a FISL loan and a first borrowing in 2015",
      [direct(1), free("FEDERALLY INSURED (FISL)", 1)],
      "2015-01-01",
      ["INCOME BASED (OLD)"]
    ],
    // only Direct, FFEL and FISL loans with a balance are looked at
    [
      "a Perkins loan of 2001",
      [direct(1, madeOn("2014-07-01")), free("FEDERAL PERKINS", 1, madeOn("2001-01-01"))],
      null,
      ["INCOME BASED"]
    ],
    [
      "an empty loan of 2001",
      [direct(1, madeOn("2014-07-01")), direct(0.004, madeOn("2001-01-01"))],
      null,
      ["INCOME BASED"]
    ],
    ["an empty FFEL loan", [direct(1, madeOn("2014-07-01")), ffel(0.004)], null, ["INCOME BASED"]]
  ]
  it.each(cases)("with %s", (_, loans, firstBorrowedOn, open) => {
    expect(openAmong(incomeBased, loans, firstBorrowedOn)).toEqual(open)
    const [first] = electable(loans, firstBorrowedOn)
    expect(incomeBased.filter((plan) => first!.some((each) => each === plan))).toEqual(open)
  })

  it("refuse for every loan with a balance", () => {
    const book = [direct(10, madeOn("2010-01-01")), direct(0.004), free("FEDERAL PERKINS", 10), direct(10)]
    expect(refusalOf("INCOME BASED", book)).toEqual({ kind: "ineligible", loans: [0, 2, 3] })
  })
})

describe("PAY AS YOU EARN", () => {
  const cases: ReadonlyArray<readonly [string, Loans, string | null, boolean]> = [
    ["a first borrowing on September 30, 2007", [direct(1)], "2007-09-30", false],
    ["a first borrowing on October 1, 2007", [direct(1)], "2007-10-01", true],
    [
      "a first loan of September 30, 2007",
      [direct(1, madeOn("2007-09-30")), direct(1, madeOn("2015-01-01"))],
      null,
      false
    ],
    ["a first loan of October 1, 2007", [direct(1, madeOn("2007-10-01")), direct(1, madeOn("2015-01-01"))], null, true],
    ["no loan since October 2011", [direct(1, madeOn("2011-09-30"))], null, false],
    ["a loan of October 1, 2011", [direct(1, madeOn("2011-10-01"))], null, true],
    ["a loan that may be later", [direct(1, madeOn("2011-09-30")), direct(1)], null, true],
    ["a later consolidation", [direct(1, madeOn("2011-09-30")), consolidation("2011-10-01")], null, true],
    ["only a parent's loan later", [direct(1, madeOn("2011-09-30")), parentPlus("2015-01-01")], null, false],
    ["a parent's loan without a date", [direct(1, madeOn("2011-09-30")), parentPlus(null)], null, false],
    ["only an FFEL loan later", [direct(1, madeOn("2011-09-30")), ffel(1, madeOn("2012-01-01"))], null, false],
    ["an empty loan later", [direct(1, madeOn("2011-09-30")), direct(0.004, madeOn("2012-01-01"))], null, false],
    // an FFEL loan proves 2010, not 2007
    ["an FFEL loan", [direct(1, madeOn("2015-01-01")), ffel(1)], "2010-01-01", true],
    ["a FISL loan", [direct(1, madeOn("2015-01-01")), free("FEDERALLY INSURED (FISL)", 1)], "2010-01-01", false],
    ["a consolidation of PLUS loans of before 2006", [direct(1), plusConsolidation(1)], "2010-01-01", false]
  ]
  it.each(cases)("with %s", (_, loans, firstBorrowedOn, open) => {
    expect(refusalOf("PAY AS YOU EARN", loans, { firstBorrowedOn }) === null).toBe(open)
    expect(electable(loans, firstBorrowedOn)[0]!.includes("PAY AS YOU EARN")).toBe(open)
    // the two closed plans never had these tests
    expect(openAmong(["REVISED PAY AS YOU EARN", "SAVE"], loans, firstBorrowedOn).length).toBe(2)
  })
})

describe("EXTENDED", () => {
  const paid = (loans: Loans) => shown(projected({ planType: "EXTENDED" }, loans).exact.firstPayment)

  it("is closed to the program of a loan made before October 7, 1998", () => {
    expect(refusalOf("EXTENDED", [direct(40_000, madeOn("1998-10-06"))])?.kind).toBe("ineligible")
    // 40,000 / 300
    expect(paid([direct(40_000, madeOn("1998-10-07"))])).toBe("133.33")
    // 40,000 / 300 + 40,000 / 120
    expect(paid([direct(40_000), ffel(40_000, madeOn("1998-10-06"))])).toBe("466.67")
    expect(paid([direct(40_000, madeOn("1998-10-06")), ffel(40_000)])).toBe("466.67")
    expect(refusalOf("EXTENDED", [direct(40_000), direct(0.01, madeOn("1998-10-06"))])?.kind).toBe("ineligible")
    expect(paid([direct(40_000), direct(0.004, madeOn("1998-10-06"))])).toBe("133.33")
  })

  it("stays open to a DIRECT PLUS CONSOLIDATED, which closes it to other Direct loans", () => {
    // the consolidation: 80,000 of Direct loans give 360 months: 111.11; the other: 40,000 / 120
    const book = [plusConsolidation(40_000, madeOn("1998-10-06")), direct(40_000)]
    expect(paid(book)).toBe("444.44")
    expect(electable(book).map((plans) => plans.includes("EXTENDED"))).toEqual([true, false])
    // 111.11 + 40,000 / 300
    expect(paid([plusConsolidation(40_000, madeOn("1998-10-07")), direct(40_000)])).toBe("244.44")
  })

  it("does not ask for the day of the first borrowing", () => {
    expect(refusalOf("EXTENDED", [direct(40_000)], { firstBorrowedOn: "1990-01-01" })).toBeNull()
  })
})

describe("the successor of INCOME CONTINGENT for a consolidation of PLUS loans", () => {
  const icr = { planType: "INCOME CONTINGENT" }
  const loan = (more = {}) => [free("DIRECT PARENT PLUS CONSOLIDATED", 100_000, more)]
  const born2014 = { ...icr, firstBorrowedOn: "2014-07-01" }

  it("is INCOME BASED of a borrower known to be new on July 1, 2014", () => {
    const paidAfter = (scenario: object, more = {}) =>
      shown(projected({ ...icr, ...scenario }, loan(more)).exact.months[19]!.paid)
    expect(paidAfter({})).toBe("450.75")
    expect(paidAfter({ firstBorrowedOn: "2014-06-30" })).toBe("450.75")
    expect(paidAfter({ firstBorrowedOn: "2014-07-01" })).toBe("300.50")
    // the date of a consolidation does not tell the first borrowing
    expect(paidAfter({}, madeOn("2015-01-01"))).toBe("450.75")
  })

  it("forgives after 240 months", () => {
    // 100,000 / 144 * 95.12 % = 660.5556, 19 times; 300.50 in months 19 to 239
    // 12,550.5556 + 221 * 300.50 = 78,961.0556
    const answer = projected(born2014, loan())
    expect([dollars(answer.totalOutOfPocket), dollars(answer.amountForgiven), answer.monthsToFinish]).toEqual([
      "78961.06",
      "21038.94",
      239
    ])
  })

  it.each([
    [219, 20, "13151.56"],
    [220, 19, "12851.06"],
    [221, 19, "12851.06"],
    [280, 19, "12851.06"],
    // 300 - 281 - 1 = 18, still under INCOME CONTINGENT
    [281, 18, "12550.56"]
  ])(
    "forgives a loan with %d counted months in month %d, not before July 2028",
    (idrMonthsInRepayment, month, paid) => {
      const answer = projected(born2014, loan({ idrMonthsInRepayment }))
      expect([answer.monthsToFinish, dollars(answer.totalOutOfPocket)]).toEqual([month, paid])
      expect(answer.forgivenessType).toBe("TimeBased")
    }
  )

  it.each([
    [100, "Pslf"],
    [99, "TimeBased"]
  ])("compares public service with the month of July 2028: %d counted payments, %s", (pslfCount, type) => {
    const servant = { ...born2014, workingTowardsPslf: true }
    const answer = projected(servant, loan({ idrMonthsInRepayment: 280, pslfCount }))
    expect([answer.monthsToFinish, answer.forgivenessType]).toEqual([19, type])
  })
})
