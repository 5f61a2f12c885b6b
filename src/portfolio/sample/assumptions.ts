/**
 * The assumptions about synthetic borrowers for which no publication was found, each with its
 * reason. They make files plausible for tests and benchmarks, and say nothing about real borrowers.
 */

interface Assumed<V> {
  readonly reason: string
  readonly value: V
}

/** Shares of borrowers in each debt class with consolidated loans, and with Parent PLUS loans. */
export const kindsByDebt: Assumed<{
  readonly consolidated: ReadonlyArray<number>
  readonly parent: ReadonlyArray<number>
}> = {
  reason:
    "Chosen so that, over all classes, consolidation and Parent PLUS loans come to their published dollars; who has consolidated is assumed to owe nothing else.",
  value: {
    consolidated: [0.12, 0.15, 0.22, 0.29, 0.34, 0.36, 0.36, 0.38, 0.4],
    parent: [0.04, 0.06, 0.08, 0.1, 0.1, 0.08, 0.07, 0.05, 0.03]
  }
}

/** Index of the lowest debt class in which students have borrowed for graduate study. */
export const graduatesFrom: Assumed<number> = {
  reason:
    "An undergraduate cannot borrow more than 57,500 dollars in all (34 CFR 685.203(e)); the next class begins at 60,000.",
  value: 5
}

export const graduateBook: Assumed<{
  /** Share of the debt in each kind of undergraduate loan, up to `undergraduateMost` dollars. */
  readonly undergraduateShare: number
  readonly undergraduateMost: number
  readonly withPlus: number
  readonly plusShare: number
}> = {
  reason: "Chosen so that graduate PLUS and subsidized loans come to about their published dollars.",
  value: { undergraduateShare: 0.2, undergraduateMost: 17_000, withPlus: 0.45, plusShare: 0.42 }
}

/** Dollars borrowed per undergraduate year, in one subsidized and one unsubsidized loan. */
export const borrowedYearly: Assumed<{ readonly dollars: number; readonly maxYears: number }> = {
  reason:
    "Between the yearly limits of a dependent student, 5,500 to 7,500 dollars, and interest since (34 CFR 685.203). How many loans a borrower has is not published.",
  value: { dollars: 7_500, maxYears: 4 }
}

export const subsidizedShare: Assumed<number> = {
  reason: "Subsidized and unsubsidized yearly limits are about even; chosen so that the published dollars come out.",
  value: 0.52
}

/** Share of unconsolidated students with a Perkins loan, and its maximum in dollars. */
export const perkins: Assumed<{ readonly share: number; readonly dollars: number; readonly percent: number }> = {
  reason:
    "1.4 of 43 million recipients had one; about 3,000 dollars each (Portfolio by Loan Type). Its rate is 5 % by law (20 U.S.C. 1087dd(c)(1)(D)).",
  value: { share: 0.045, dollars: 3_000, percent: 5 }
}

/** Ranges of first award years of Direct and FFEL loans. */
export const firstYears: Assumed<{
  readonly direct: readonly [number, number]
  readonly ffel: readonly [number, number]
}> = {
  reason:
    "The portfolio is not published by year of disbursement. FFEL ended in June 2010; rates before July 2006 vary.",
  value: { direct: [2008, 2025], ffel: [2006, 2009] }
}

export const unpaidInterest: Assumed<{ readonly share: number; readonly maxShareOfDebt: number }> = {
  reason: "Published debts are principal and interest in one.",
  value: { share: 0.35, maxShareOfDebt: 0.08 }
}

/** Maximum of the disbursed amount divided by the remaining principal. */
export const disbursedOverPrincipal: Assumed<number> = {
  reason: "Not published; most balances are near what was borrowed.",
  value: 1.3
}

/** Degrees by debt class: shares of none, associate, bachelor, master and professional. */
export const degreesByDebt: Assumed<ReadonlyArray<readonly [number, number, number, number, number]>> = {
  reason:
    "Between the published means at completion: 14,700 dollars for a certificate, 20,400 for an associate's, 27,800 for a bachelor's degree (NCES Fast Facts 900, 2017-18).",
  value: [
    [0.7, 0.15, 0.15, 0, 0],
    [0.6, 0.2, 0.2, 0, 0],
    [0.4, 0.3, 0.3, 0, 0],
    [0.2, 0.2, 0.6, 0, 0],
    [0.15, 0.1, 0.6, 0.15, 0],
    [0, 0, 0.35, 0.55, 0.1],
    [0, 0, 0.25, 0.6, 0.15],
    [0, 0, 0.1, 0.55, 0.35],
    [0, 0, 0, 0.3, 0.7]
  ]
}

export const income: Assumed<{
  /** Standard deviation of the logarithm. */
  readonly spread: number
  readonly withoutAny: number
  readonly maxDollars: number
  readonly growth: ReadonlyArray<number>
}> = {
  reason:
    "The adjusted gross incomes of borrowers are not published. A lognormal around published medians of full-time earnings; some have none.",
  value: { spread: 0.6, withoutAny: 0.08, maxDollars: 2_000_000, growth: [0.02, 0.03, 0.04] }
}

export const spouse: Assumed<{ readonly withIncome: number; readonly withLoans: number; readonly maxLoans: number }> = {
  reason: "Not published of borrowers.",
  value: { withIncome: 0.75, withLoans: 0.2, maxLoans: 80_000 }
}

/** Shares of families with one, two, three and four children, among those with any. */
export const children: Assumed<readonly [number, number, number, number]> = {
  reason: "About as in the Census tables on families, which were not read in full.",
  value: [0.42, 0.37, 0.15, 0.06]
}

export const publicService: Assumed<number> = {
  reason: "GAO-15-663 has 24.7 % of workers in public service; fewer ask for the discharge.",
  value: 0.1
}

/** Maximum months counted toward income-driven forgiveness, on such a plan and on others. */
export const countedMonths: Assumed<{
  readonly incomeDriven: number
  readonly others: number
  /** Maximum payments counted toward public-service forgiveness. */
  readonly maxPslf: number
}> = {
  reason: "Not published. Fewer than what forgives the loans at once.",
  value: { incomeDriven: 200, others: 60, maxPslf: 115 }
}

/** The year in which the sample is taken; months are counted up to it. */
export const sampledIn: Assumed<number> = { reason: "So that a sample does not change with the clock.", value: 2026 }

/** Borrowers on the EXTENDED plan owe more than this many dollars. */
export const extendedOver: Assumed<number> = {
  reason: "The law's own bound, which counts each program by itself (34 CFR 685.208(b)(4)).",
  value: 30_000
}
