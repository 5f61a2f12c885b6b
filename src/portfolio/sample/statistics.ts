/**
 * The published statistics about federal student-loan borrowers, each with its source. What is not
 * published is assumed in assumptions.ts.
 */
import { AREAS } from "./areas.ts"

interface Published {
  readonly publisher: string
  readonly title: string
  /** Date of the figures, or of publication. */
  readonly date: string
  readonly url: string
  /** How the source was read, and which part is used. */
  readonly note: string
}

interface Statistic<V> {
  readonly source: Published
  readonly value: V
}

const FEDERAL_STUDENT_AID = "U.S. Department of Education, Federal Student Aid"
const DATA_CENTER = "https://studentaid.gov/data-center/student/portfolio"

/** Thousands of borrowers by state and total debt, in the classes of `debtClasses`. */
export const borrowersByStateAndDebt: Statistic<typeof AREAS> = {
  source: {
    publisher: FEDERAL_STUDENT_AID,
    title: "Federal Student Loan Portfolio by Borrower Location and Debt Size",
    date: "2023-09-30",
    url: DATA_CENTER,
    note: "Spreadsheet read in a copy. Direct, FFEL and Perkins loans, principal and interest. Locations that are 'Other' or 'Not Reported' are left out, and so are the four territories that stand among the others."
  },
  value: AREAS
}

/**
 * Classes of total debt in dollars, each with its lower bound and its mean. A class ends where the
 * next begins.
 */
export const debtClasses: Statistic<ReadonlyArray<{ readonly from: number; readonly mean: number }>> = {
  source: {
    ...borrowersByStateAndDebt.source,
    note: "The same spreadsheet: dollars over borrowers, of all locations, those that are not reported too."
  },
  value: [
    { from: 0, mean: 2_706 },
    { from: 5_000, mean: 7_343 },
    { from: 10_000, mean: 14_501 },
    { from: 20_000, mean: 28_392 },
    { from: 40_000, mean: 49_114 },
    { from: 60_000, mean: 68_890 },
    { from: 80_000, mean: 89_018 },
    { from: 100_000, mean: 138_139 },
    { from: 200_000, mean: 293_755 }
  ]
}

/** Billions of dollars outstanding by type of loan. */
export const dollarsByLoanType: Statistic<{
  readonly subsidized: number
  readonly unsubsidized: number
  readonly graduatePlus: number
  readonly parentPlus: number
  readonly perkins: number
  readonly consolidation: number
}> = {
  source: {
    publisher: FEDERAL_STUDENT_AID,
    title: "Portfolio by Loan Type",
    date: "2022-03-31",
    url: DATA_CENTER,
    note: "Spreadsheet read in a copy, the row of the second quarter of fiscal year 2022."
  },
  value: {
    subsidized: 293.1,
    unsubsidized: 571.9,
    graduatePlus: 94,
    parentPlus: 107.3,
    perkins: 4.2,
    consolidation: 549.2
  }
}

/** Share of the outstanding dollars in the FFEL program. */
export const ffelShare: Statistic<number> = {
  source: {
    publisher: FEDERAL_STUDENT_AID,
    title: "Updated FSA Data Center Reports: Data through June 30, 2025",
    date: "2025-06-30",
    url: "https://www.collegeaidservices.net/2025/08/22/updated-fsa-data-center-reports-data-through-june-30-2025",
    note: "Announcement, as reprinted: Direct Loans are 90 % of the portfolio, FFEL less than 10 %, Perkins less than a fifth of one per cent."
  },
  value: 0.1
}

/** Millions of recipients by repayment plan. */
export const recipientsByPlan = {
  source: {
    publisher: FEDERAL_STUDENT_AID,
    title: "Federally Managed Portfolio by Repayment Plan",
    date: "2022-03-31",
    url: DATA_CENTER,
    note: "Spreadsheet read in a copy, the row of the second quarter of fiscal year 2022, while payments were paused. Borrowers of REPAYE then are those of SAVE since. Alternative and income-sensitive plans, which no request names, are left out."
  },
  value: {
    STANDARD: 11.17,
    EXTENDED: 1.83 + 0.34,
    GRADUATED: 3.22,
    "INCOME CONTINGENT": 0.79,
    "INCOME BASED": 3.47,
    "PAY AS YOU EARN": 1.52,
    SAVE: 3.36
  }
} as const satisfies Statistic<Readonly<Record<string, number>>>

/**
 * Fixed rates in percent by the year in which the award year begins in July: undergraduate
 * subsidized, undergraduate unsubsidized, graduate, PLUS.
 */
export const directLoanRates: Statistic<ReadonlyMap<number, readonly [number, number, number, number]>> = {
  source: {
    publisher: FEDERAL_STUDENT_AID,
    title: "Annual Notice of Interest Rates for Fixed-Rate Federal Student Loans, chart 2 (FR Doc. 2024-19309)",
    date: "2024-08-28",
    url: "https://www.federalregister.gov/d/2024-19309",
    note: "Read in a copy: 2013-14 to 2024-25. Earlier years: 20 U.S.C. 1087e(b)(7), as the Department's page on interest rates had them in 2009. 2025-26: the ledger's entry direct-loan-interest-rate-2025-26."
  },
  value: new Map([
    [2006, [6.8, 6.8, 6.8, 7.9]],
    [2007, [6.8, 6.8, 6.8, 7.9]],
    [2008, [6, 6.8, 6.8, 7.9]],
    [2009, [5.6, 6.8, 6.8, 7.9]],
    [2010, [4.5, 6.8, 6.8, 7.9]],
    [2011, [3.4, 6.8, 6.8, 7.9]],
    [2012, [3.4, 6.8, 6.8, 7.9]],
    [2013, [3.86, 3.86, 5.41, 6.41]],
    [2014, [4.66, 4.66, 6.21, 7.21]],
    [2015, [4.29, 4.29, 5.84, 6.84]],
    [2016, [3.76, 3.76, 5.31, 6.31]],
    [2017, [4.45, 4.45, 6, 7]],
    [2018, [5.05, 5.05, 6.6, 7.6]],
    [2019, [4.53, 4.53, 6.08, 7.08]],
    [2020, [2.75, 2.75, 4.3, 5.3]],
    [2021, [3.73, 3.73, 5.28, 6.28]],
    [2022, [4.99, 4.99, 6.54, 7.54]],
    [2023, [5.5, 5.5, 7.05, 8.05]],
    [2024, [6.53, 6.53, 8.08, 9.08]],
    [2025, [6.39, 6.39, 7.94, 8.94]]
  ])
}

/** Fixed rate of FFEL PLUS loans since July 2006, in percent. */
export const ffelPlusRate: Statistic<number> = {
  source: {
    publisher: "U.S. Department of Education",
    title: "Annual notice of interest rates of the FFEL program, 71 FR 52778",
    date: "2006-09-07",
    url: "https://www.federalregister.gov/citation/71-FR-52778",
    note: "Read in a copy."
  },
  value: 8.5
}

/** Share of all returns by filing status. */
export const returnsByStatus = {
  source: {
    publisher: "Tax Policy Center, from Internal Revenue Service, Statistics of Income",
    title: "Types of Tax Filing Status",
    date: "2019-12-09",
    url: "https://www.taxpolicycenter.org/fiscal-fact/tax-filing-status-ff12092019",
    note: "Tax year 2017. Surviving spouses are counted with joint returns."
  },
  value: { Single: 0.48, MarriedFilingJointly: 0.36, HeadOfHousehold: 0.14, MarriedFilingSeparately: 0.02 }
} as const satisfies Statistic<Readonly<Record<string, number>>>

/** Source of the first figure of each of `AREAS`: median household income in dollars a year. */
export const householdIncomeByState: Published = {
  publisher: "U.S. Census Bureau",
  title: "American Community Survey, 5-year estimates 2020-2024, table B19013, median household income",
  date: "2024",
  url: "https://data.census.gov/table/ACSDT5Y2024.B19013",
  note: "Table read in a copy. Only how a state differs from the others is used."
}

/** Median earnings of full-time workers, in dollars a week. */
export const weeklyEarnings: Statistic<number> = {
  source: {
    publisher: "U.S. Bureau of Labor Statistics",
    title: "Usual Weekly Earnings of Wage and Salary Workers, second quarter 2024 (USDL-24-1410)",
    date: "2024-07-17",
    url: "https://www.bls.gov/news.release/wkyeng.htm",
    note: "Read in a copy."
  },
  value: 1_143
}

/** Median earnings by degree, relative to those of all workers. */
export const earningsByDegree = {
  source: {
    publisher: "U.S. Bureau of Labor Statistics",
    title: "Measuring the value of education, Career Outlook",
    date: "2018-04",
    url: "https://www.bls.gov/careeroutlook/2018/data-on-display/education-pays.htm",
    note: "Read in a copy: median weekly earnings of 2017 over the 907 dollars of all workers."
  },
  value: {
    none: 774 / 907,
    associate: 836 / 907,
    bachelor: 1_173 / 907,
    master: 1_401 / 907,
    professional: 1_836 / 907
  }
} as const satisfies Statistic<Readonly<Record<string, number>>>

/** Share of families living with their own children under 18. */
export const familiesWithChildren: Statistic<number> = {
  source: {
    publisher: "U.S. Census Bureau",
    title: "America's Families and Living Arrangements: 2023 (CB23-TPS.116)",
    date: "2023-11-21",
    url: "https://www.census.gov/newsroom/press-releases/2023/children-families-living-arrangements.html",
    note: "Read in a copy."
  },
  value: 0.39
}
