/**
 * The numbers of the law for 2026, typed by hand a second time for the oracle. A slip in the rules
 * ledger then shows as a disagreement. Nothing is imported from the ledger or the engine. matrix.ts
 * has the table of loan types and plans.
 */
import { type Decimal, decimal } from "./decimal.ts"

export type FilingStatus = "Single" | "MarriedFilingJointly" | "MarriedFilingSeparately" | "HeadOfHousehold"

const row = (...texts: ReadonlyArray<string>): ReadonlyArray<Decimal> => texts.map(decimal)

export interface Guideline {
  readonly first: Decimal
  readonly each: Decimal
}

/** HHS poverty guidelines, 91 FR 1797 (January 15, 2026). */
export const guidelines = {
  contiguous: { first: decimal("15960"), each: decimal("5680") },
  alaska: { first: decimal("19950"), each: decimal("7100") },
  hawaii: { first: decimal("18360"), each: decimal("6530") }
} satisfies Record<string, Guideline>

/** 34 CFR 685.209(f), (k): rate, multiple of the guideline, counted months to forgiveness. */
export const discretionary = {
  "INCOME BASED": { rate: decimal("0.10"), multiple: decimal("1.5"), months: 240 },
  "INCOME BASED (OLD)": { rate: decimal("0.15"), multiple: decimal("1.5"), months: 300 },
  "PAY AS YOU EARN": { rate: decimal("0.10"), multiple: decimal("1.5"), months: 240 },
  "INCOME CONTINGENT": { rate: decimal("0.20"), multiple: decimal("1"), months: 300 },
  "REVISED PAY AS YOU EARN": { rate: decimal("0.10"), multiple: decimal("1.5"), months: 240 }
} as const

/** 80 FR 67203: months under REVISED PAY AS YOU EARN with a graduate loan. */
export const REPAYE_GRADUATE_MONTHS = 300

/** 88 FR 43820, vacated on March 10, 2026. */
export const save = {
  undergraduateRate: decimal("0.05"),
  graduateRate: decimal("0.10"),
  multiple: decimal("2.25"),
  undergraduateMonths: 240,
  graduateMonths: 300,
  earlyOriginal: decimal("12000"),
  earlyMonths: 120,
  stepOriginal: decimal("1000"),
  stepMonths: 12
}

/** 20 U.S.C. 1087e(q); 34 CFR 685.209(b)(2)-(3), (f)(5), (g)(3), (h)(4), (k)(7). */
export const repaymentAssistance = {
  lowIncome: decimal("10000"),
  lowIncomeAnnual: decimal("120"),
  bandWidth: decimal("10000"),
  highestPercent: 10,
  perDependent: decimal("50"),
  minimum: decimal("10"),
  matchMax: decimal("50"),
  months: 360
}

/** 34 CFR 685.209(g)(1)-(2). */
export const smallPayment = { nothingBelow: decimal("5"), lifted: decimal("10"), contingentMin: decimal("5") }

/** 34 CFR 685.208(b): the minimum of a level payment, and of the ten-year amount as a cap. */
export const MIN_LEVEL_PAYMENT = decimal("50")
export const TEN_YEARS = 120
export const TWELVE_YEARS = 144
export const EXTENDED_MONTHS = 300
export const EXTENDED_OVER = decimal("30000")
export const GRADUATED_STEP_MONTHS = 24
export const GRADUATED_RATIO = decimal("3")
/** 34 CFR 685.208(f)(3) as of 2023: bounds of a payment, as parts of the ten-year amount. */
export const olderGraduated = { lowest: decimal("0.5"), highest: decimal("1.5") }
export const PSLF_PAYMENTS = 120
export const SUBSIDIZED_MONTHS = 36

export interface Tier {
  readonly below: Decimal | null
  readonly months: number
}

const tiers = (...rows: ReadonlyArray<readonly [string | null, number]>): ReadonlyArray<Tier> =>
  rows.map(([below, months]) => ({ below: below === null ? null : decimal(below), months }))

/** 34 CFR 685.208: terms of consolidation loans made before July 1, 2026. */
export const consolidationTerms = tiers(
  ["7500", 120],
  ["10000", 144],
  ["20000", 180],
  ["40000", 240],
  ["60000", 300],
  [null, 360]
)

/**
 * 34 CFR 685.208 as of 2023, (d), (f), (i): terms of a DIRECT PLUS CONSOLIDATED on EXTENDED and
 * GRADUATED, by the balance of all Direct loans.
 */
export const plusConsolidationTerms = tiers(["10000", 144], ["20000", 180], ["40000", 240], ["60000", 300], [null, 360])

/** 20 U.S.C. 1087e(d)(7)(A)(i): terms of Tiered Standard, by the principal of all Direct loans. */
export const tieredStandardTerms = tiers(["25000", 120], ["50000", 180], ["100000", 240], [null, 300])

/**
 * The days on which a borrower must owe nothing, or from which a loan must be made, to be new.
 * - EXTENDED: 20 U.S.C. 1078(b)(9)(A)(iv); 34 CFR 685.208(b)(4)(i)
 * - PAY AS YOU EARN: 34 CFR 685.209(a)(1)(iii) of 2023, with a disbursement from October 2011
 * - INCOME BASED: 20 U.S.C. 1098e(e)
 * - new loans: 20 U.S.C. 1087e(d)(1), (d)(7)
 */
export const newBorrowerFrom = {
  extended: "1998-10-07",
  payAsYouEarn: "2007-10-01",
  incomeBased: "2014-07-01",
  newLoans: "2026-07-01"
} as const
export const PAY_AS_YOU_EARN_DISBURSED_FROM = "2011-10-01"

/** A day on which every loan of a program or type existed: the last day on which one was made. */
export const LAST_FFEL_DAY = "2010-06-30"
export const LAST_PLUS_CONSOLIDATION_DAY = "2006-06-30"

interface FactorRow {
  readonly income: Decimal
  readonly percent: Decimal
}

const factors = (...rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<FactorRow> =>
  rows.map(([income, percent]) => ({ income: decimal(income), percent: decimal(percent) }))

/** Pub. L. 119-21, section 82001(a)(3): first month without INCOME CONTINGENT, PAY AS YOU EARN. */
export const CONTINGENT_PLANS_ENDED = { year: 2028, month: 7 }

/** Income percentage factors from July 1, 2026: FR Doc. 2026-11540. */
export const contingentFactors = {
  single: factors(
    ["13717", "55.00"],
    ["18873", "57.79"],
    ["24285", "60.57"],
    ["29819", "66.23"],
    ["35104", "71.89"],
    ["41769", "80.33"],
    ["52462", "88.77"],
    ["65798", "100.00"],
    ["79138", "100.00"],
    ["95112", "111.80"],
    ["121787", "123.50"],
    ["172492", "141.20"],
    ["197779", "150.00"],
    ["352277", "200.00"]
  ),
  marriedOrHeadOfHousehold: factors(
    ["13717", "50.52"],
    ["21641", "56.68"],
    ["25790", "59.56"],
    ["33717", "67.79"],
    ["41769", "75.22"],
    ["52462", "87.61"],
    ["65797", "100.00"],
    ["79138", "100.00"],
    ["99146", "109.40"],
    ["132481", "125.00"],
    ["179158", "140.60"],
    ["250560", "150.00"],
    ["409433", "200.00"]
  )
}

type ByStatus<A> = Readonly<Record<FilingStatus, A>>

const byStatus = <A>(single: A, joint: A, separate: A, headOfHousehold: A): ByStatus<A> => ({
  Single: single,
  MarriedFilingJointly: joint,
  MarriedFilingSeparately: separate,
  HeadOfHousehold: headOfHousehold
})

/** Rev. Proc. 2025-32: seven rates, upper ends of the first six brackets, deduction. */
export const federalTax = {
  rates: row("0.10", "0.12", "0.22", "0.24", "0.32", "0.35", "0.37"),
  ends: byStatus(
    row("12400", "50400", "105700", "201775", "256225", "640600"),
    row("24800", "100800", "211400", "403550", "512450", "768700"),
    row("12400", "50400", "105700", "201775", "256225", "384350"),
    row("17700", "67450", "105700", "201750", "256200", "640600")
  ),
  deduction: byStatus(decimal("16100"), decimal("32200"), decimal("16100"), decimal("24150"))
}

/** 26 CFR 1.66-1: where separate returns of spouses may each carry half of their income. */
export const communityPropertyStates: ReadonlyArray<string> = ["AZ", "CA", "ID", "LA", "NV", "NM", "TX", "WA", "WI"]

/**
 * A.C.A. 26-51-201(a)(4) as amended on May 6, 2026: rate * net income - subtract, by the last row
 * at or below the net income. The higher-income table starts at 94,701 with 369.90, which falls by
 * 10 per 100 to 79.90 at 97,601.
 */
export const arkansas = {
  deduction: byStatus(decimal("2470"), decimal("4940"), decimal("2470"), decimal("2470")),
  lowRows: [
    { from: decimal("0"), rate: decimal("0"), subtract: decimal("0") },
    { from: decimal("5600"), rate: decimal("0.02"), subtract: decimal("112") },
    { from: decimal("11200"), rate: decimal("0.03"), subtract: decimal("224") },
    { from: decimal("16000"), rate: decimal("0.034"), subtract: decimal("288") },
    { from: decimal("26400"), rate: decimal("0.037"), subtract: decimal("367.20") }
  ],
  high: {
    rate: decimal("0.037"),
    from: decimal("94701"),
    subtract: decimal("369.90"),
    stepIncome: decimal("100"),
    stepSubtract: decimal("10"),
    lastFrom: decimal("97601")
  }
}

/** IC 6-3-2-1. */
export const indiana = { rate: decimal("0.0295"), perPerson: decimal("1000") }

/** Miss. Code 27-7-5. */
export const mississippi = {
  rate: decimal("0.04"),
  untaxed: decimal("10000"),
  deduction: byStatus(decimal("2300"), decimal("4600"), decimal("2300"), decimal("3400")),
  exemption: byStatus(decimal("6000"), decimal("12000"), decimal("6000"), decimal("8000")),
  perDependent: decimal("1500")
}

/** G.S. 105-153.7. */
export const northCarolina = {
  rate: decimal("0.0399"),
  deduction: byStatus(decimal("12750"), decimal("25500"), decimal("12750"), decimal("19125"))
}

/** Wisconsin Form 1-ES 2026. */
export const wisconsin = {
  rates: row("0.035", "0.044", "0.053", "0.0765"),
  ends: byStatus(
    row("15110", "51950", "332720"),
    row("20150", "69260", "443630"),
    row("10080", "34630", "221820"),
    row("15110", "51950", "332720")
  ),
  deduction: byStatus(
    { maximum: decimal("13960"), above: decimal("20120"), rate: decimal("0.12") },
    { maximum: decimal("25840"), above: decimal("29040"), rate: decimal("0.19778") },
    { maximum: decimal("12280"), above: decimal("13780"), rate: decimal("0.19778") },
    { maximum: decimal("18030"), above: decimal("20120"), rate: decimal("0.22515") }
  ),
  perPerson: decimal("700")
}
