/**
 * The optional fields of a request, as rows. A row is what it adds to the household and the loan of
 * test/support/requests.ts, and its spelling on the command line and the start page. Each surface
 * has a test that sends every row: it answers with the library's figures, or refuses the same field.
 */
import type { PlanType } from "../../schema/scenario.ts"
import { dateOfMonth, type StartMonth } from "../../src/engine/schedule/calendar.ts"
import * as library from "../../src/library/index.ts"
import type { ChangeDraft, HouseholdDraft, LoanDraft } from "../../src/web/book/draft.ts"
import { figuresOf } from "../support/figures.ts"
import { household, loan } from "../support/requests.ts"

type Members = Readonly<Record<string, unknown>>

export interface Addition {
  readonly name: string
  /** STANDARD if missing. */
  readonly planType?: PlanType | undefined
  readonly scenario?: Members
  /** The additions of each loan; one loan without any if missing. */
  readonly loans?: ReadonlyArray<Members>
  /** Missing if flags cannot say it. Of a refused row, the last flag is refused. */
  readonly flags?: ReadonlyArray<string>
  /** Missing if the start page cannot say it. */
  readonly page?: {
    readonly household?: Partial<HouseholdDraft>
    readonly loan?: Partial<LoanDraft>
    readonly changes?: ReadonlyArray<Partial<ChangeDraft>>
  }
  /** The field that is refused; missing if the row is answered. */
  readonly refused?: string
}

/** As if nothing was added. */
export const NOTHING: Addition = {
  name: "null, 0 and an empty list",
  scenario: {
    ...{ firstBorrowedOn: null, annualPriceGrowth: 0, changes: [], extraMonthlyPayment: 0, familySize: null },
    ...{ pauses: [], planChanges: [], monthlyBudget: 0, lumpSums: [], discountRate: null }
  },
  loans: [{ madeOn: null }],
  flags: ["--price-growth", "0", "--extra", "0", "--budget", "0"]
}

/** Each member of a row moves a figure (test/cases.test.ts), so a surface that drops one is noticed. */
export const ANSWERED: ReadonlyArray<Addition> = [
  {
    name: "growth of prices",
    planType: "INCOME BASED",
    scenario: { annualPriceGrowth: 0.025 },
    flags: ["--price-growth", "2.5"],
    page: { household: { prices: "2.5%" } }
  },
  {
    name: "an extra payment",
    scenario: { extraMonthlyPayment: 1100.5 },
    flags: ["--extra", "$1,100.50"],
    page: { household: { extra: "$1,100.50" } }
  },
  {
    name: "the day of the first loan",
    scenario: { firstBorrowedOn: "2026-07-01" },
    flags: ["--first-borrowed", "2026-07-01"],
    page: { household: { firstBorrowed: "exact", firstBorrowedOn: "7/1/2026" } }
  },
  {
    name: "the day of a loan",
    loans: [{ madeOn: "2026-08-20" }],
    flags: ["--made", "2026-08-20"],
    page: { loan: { madeOn: "August 20, 2026" } }
  },
  { name: "the day of the second of two loans", loans: [{}, { madeOn: "2026-08-20" }] },
  {
    name: "changes of the household",
    planType: "INCOME BASED",
    scenario: {
      annualIncomeGrowth: 0.03,
      changes: [
        { fromYear: 3, adjustedGrossIncome: 61_000.25, filingStatus: "MFJ", spouseAdjustedGrossIncome: 8_000 },
        { fromYear: 6, dependents: 2, spouseFederalLoanBalance: 20_000 }
      ]
    },
    flags: [
      ...["--growth", "3", "--change", "3:income=61,000.25,status=mfj,spouse-income=8000"],
      ...["--change", "6:dependents=2,spouse-balance=20000"]
    ],
    page: {
      household: { growth: "3" },
      changes: [
        { year: "6", dependents: "2", spouseLoans: "20000" },
        { year: "3", income: "$61,000.25", filing: "MarriedFilingJointly", spouseIncome: "8000" }
      ]
    }
  },
  {
    name: "public service that ends and begins again",
    planType: "INCOME BASED",
    scenario: {
      workingTowardsPslf: true,
      changes: [
        { fromYear: 3, workingTowardsPslf: false },
        { fromYear: 5, workingTowardsPslf: true }
      ]
    },
    flags: ["--pslf", "--change", "3:pslf=no", "--change", "5:pslf=yes"],
    page: {
      household: { service: "yes" },
      changes: [
        { year: "3", service: "ends" },
        { year: "5", service: "begins" }
      ]
    }
  },
  {
    name: "the size of the family",
    planType: "INCOME BASED",
    scenario: { familySize: 4 },
    flags: ["--family", "4"]
  },
  {
    name: "pauses of one loan after the other",
    loans: [{}, { principalBalance: 5000, interestRate: 0.04 }, { principalBalance: 9000 }],
    scenario: {
      pauses: [
        { kind: "InSchool", until: "2027-05", loans: [1] },
        { kind: "Deferment", from: "2027-02", until: "2027-06", loans: [0] },
        { kind: "Forbearance", from: "2027-06", until: "2027-12", loans: [2, 0] }
      ]
    },
    flags: [
      ...["--balance", "5000", "--rate", "4", "--balance", "9000", "--rate", "6"],
      ...["--pause", "school:..2027-05@2", "--pause", "deferment:2027-02..2027-06@1"],
      ...["--pause", "forbearance:2027-06..2027-12@3,1"]
    ]
  },
  {
    name: "a pause of all loans",
    planType: "INCOME BASED",
    scenario: { pauses: [{ kind: "Forbearance", from: "2027-06", until: "2028-06" }] },
    flags: ["--pause", "forbearance:2027-06..2028-06"]
  },
  {
    name: "a budget, and a change to an extra payment and another family",
    planType: "INCOME BASED",
    scenario: {
      familySize: 2,
      monthlyBudget: 900.5,
      changes: [{ fromYear: 3, familySize: 5, extraMonthlyPayment: 50, monthlyBudget: 0 }]
    },
    flags: ["--family", "2", "--budget", "900.50", "--change", "3:family=5,extra=50,budget=0"]
  },
  {
    name: "lump sums",
    scenario: {
      lumpSums: [
        { on: "2027-03", amount: 5000 },
        { on: "2028-01", amount: 250.5 }
      ]
    },
    flags: ["--lump", "2027-03=5,000", "--lump", "2028-01=$250.50"]
  },
  {
    name: "changes of plan",
    planType: "INCOME BASED",
    scenario: {
      planChanges: [
        { from: "2028-03", planType: "STANDARD" },
        { from: "2029-06", planType: "REPAYMENT ASSISTANCE" }
      ]
    },
    flags: ["--switch", "2029-06=RAP", "--switch", "2028-03=standard"]
  },
  { name: "the value of today", scenario: { discountRate: 0.03 }, flags: ["--discount", "3"] },
  NOTHING
]

/** A row that is refused at a field. */
const refusal = (refused: string, added: Pick<Addition, "loans" | "scenario">, ...flags: ReadonlyArray<string>) => ({
  name: `${refused} of ${JSON.stringify(added).slice(0, 95)}`,
  ...added,
  ...(flags.length === 0 ? {} : { flags }),
  refused
})
const madeOn = (day: string) => refusal("loans[0].madeOn", { loans: [{ madeOn: day }] }, "--made", day)
const firstBorrowedOn = (day: string) =>
  refusal("scenario.firstBorrowedOn", { scenario: { firstBorrowedOn: day } }, "--first-borrowed", day)
const extra = (amount: number) =>
  refusal("scenario.extraMonthlyPayment", { scenario: { extraMonthlyPayment: amount } }, "--extra", `${amount}`)
const changes = (path: string, sent: ReadonlyArray<Members>, ...flags: ReadonlyArray<string>) =>
  refusal(`scenario.changes${path}`, { scenario: { changes: sent } }, ...flags.flatMap((text) => ["--change", text]))

const familySize = (people: number) =>
  refusal("scenario.familySize", { scenario: { familySize: people } }, "--family", `${people}`)
const pauses = (path: string, sent: ReadonlyArray<Members>, ...flags: ReadonlyArray<string>) =>
  refusal(`scenario.pauses${path}`, { scenario: { pauses: sent } }, ...flags.flatMap((text) => ["--pause", text]))
const planChanges = (path: string, sent: ReadonlyArray<Members>, ...flags: ReadonlyArray<string>) =>
  refusal(
    `scenario.planChanges${path}`,
    { scenario: { planChanges: sent } },
    ...flags.flatMap((text) => ["--switch", text])
  )
const lumpSum = (member: string, on: string, amount: number) =>
  refusal(`scenario.lumpSums[0].${member}`, { scenario: { lumpSums: [{ on, amount }] } }, "--lump", `${on}=${amount}`)

/** The first day of the first month of repayment, from which on a date is refused. */
export const firstDayOf = (start: StartMonth): string => dateOfMonth(start, 0).slice(0, "YYYY-MM-DD".length)

/** The rows of months and amounts that are refused. */
const refusedMonths = (start: StartMonth): ReadonlyArray<Addition> => {
  const at = (month: number) => dateOfMonth(start, month).slice(0, "YYYY-MM".length)
  const kind = "Forbearance"
  return [
    ...[0, 33].map(familySize),
    pauses("[0].until", [{ kind, from: at(4), until: at(4) }], `forbearance:${at(4)}..${at(4)}`),
    pauses("[0].until", [{ kind, until: at(121) }], `forbearance:..${at(121)}`),
    pauses("[0].until", [{ kind }], "forbearance:.."),
    pauses("[0].from", [{ kind, from: "May 2027", until: at(9) }], `forbearance:May 2027..${at(9)}`),
    pauses("[0].kind", [{ kind: "Vacation", until: at(4) }], `vacation:..${at(4)}`),
    pauses(
      "[1].from",
      [
        { kind, from: at(2), until: at(6) },
        { kind: "Deferment", from: at(5), until: at(9), loans: [0] }
      ],
      ...[`forbearance:${at(2)}..${at(6)}`, `deferment:${at(5)}..${at(9)}@1`]
    ),
    pauses("[0].loans[0]", [{ kind, until: at(4), loans: [1] }], `forbearance:..${at(4)}@2`),
    pauses("[0].loans[1]", [{ kind, until: at(4), loans: [0, 0] }], `forbearance:..${at(4)}@1,1`),
    pauses("[0].loans", [{ kind, until: at(4), loans: [] }], `forbearance:..${at(4)}@`),
    pauses("", Array(11).fill({ kind, until: at(4) })),
    planChanges("[0].from", [{ from: at(601), planType: "INCOME BASED" }], `${at(601)}=IBR-NEW`),
    planChanges("[0].from", [{ from: "June 2028", planType: "INCOME BASED" }], "June 2028=IBR-NEW"),
    planChanges("[0].planType", [{ from: at(4), planType: "VACATION" }], `${at(4)}=vacation`),
    planChanges(
      "[1].from",
      ["INCOME BASED", "GRADUATED"].map((planType) => ({ from: at(4), planType })),
      ...[`${at(4)}=IBR-NEW`, `${at(4)}=graduated`]
    ),
    planChanges(
      "[1].from",
      [5, 4].map((month) => ({ from: at(month), planType: "INCOME BASED" }))
    ),
    planChanges(
      "",
      Array.from({ length: 6 }, (_, index) => ({ from: at(index + 1), planType: "EXTENDED" }))
    ),
    lumpSum("on", at(601), 5),
    lumpSum("on", "March 2027", 5),
    lumpSum("amount", at(4), 0),
    refusal("scenario.discountRate", { scenario: { discountRate: 0.3 } }, "--discount", "30"),
    refusal(
      "scenario.monthlyBudget",
      { scenario: { extraMonthlyPayment: 50, monthlyBudget: 600 } },
      ...["--extra", "50", "--budget", "600"]
    ),
    refusal(
      "scenario.changes[0].monthlyBudget",
      { scenario: { extraMonthlyPayment: 50, changes: [{ fromYear: 3, monthlyBudget: 600 }] } },
      ...["--extra", "50", "--change", "3:budget=600"]
    )
  ]
}

const CONSOLIDATION = { loanType: "DIRECT PLUS CONSOLIDATED", madeOn: "2006-07-01" }

/** The rows that are refused. */
export const refusedFrom = (start: StartMonth): ReadonlyArray<Addition> => [
  ...[firstDayOf(start), "2026-02-30", "8/26/2019"].map(madeOn),
  ...[firstDayOf(start), "1958-09-01"].map(firstBorrowedOn),
  refusal(
    "scenario.firstBorrowedOn",
    { scenario: { firstBorrowedOn: "2019-09-02" }, loans: [{ madeOn: "2019-09-01" }] },
    ...["--made", "2019-09-01", "--first-borrowed", "2019-09-02"]
  ),
  refusal("loans[0].madeOn", { loans: [CONSOLIDATION] }, "--type", "direct-plus-consolidated", "--made", "2006-07-01"),
  refusal("scenario.annualPriceGrowth", { scenario: { annualPriceGrowth: 3 } }, "--price-growth", "300"),
  ...[-1, 1_000_001].map(extra),
  changes("[1].fromYear", Array(2).fill({ fromYear: 4, dependents: 1 }), "4:dependents=1", "4:dependents=1"),
  changes("[0].fromYear", [{ fromYear: 1, dependents: 1 }], "1:dependents=1"),
  changes("[0].fromYear", [{ fromYear: 51, dependents: 1 }], "51:dependents=1"),
  changes("[0].fromYear", [{ dependents: 1 }], "dependents=1"),
  changes("[0].dependents", [{ fromYear: 3, dependents: 31 }], "3:dependents=31"),
  changes("[0].adjustedGrossIncome", [{ fromYear: 3, adjustedGrossIncome: "50,000" }]),
  changes("[0].workingTowardsPslf", [{ fromYear: 3, workingTowardsPslf: "yes" }], "3:pslf=maybe"),
  changes("[0].note", [{ fromYear: 3, dependents: 1, note: "x" }]),
  changes("[0]", [{ fromYear: 4, dependents: null }], "4:"),
  changes(
    "",
    Array.from({ length: 21 }, (_, index) => ({ fromYear: index + 2, dependents: 1 }))
  ),
  refusal("scenario.changes", { scenario: { changes: { fromYear: 3, dependents: 1 } } }),
  ...refusedMonths(start)
]

/** The request of a row. It has the library's type only if it is answered. */
export const requestOf = ({ loans = [{}], planType = "STANDARD", scenario }: Addition) =>
  ({
    scenario: { ...household, planType, ...scenario },
    loans: loans.map((own) => ({ ...loan, ...own })),
    includeYearly: true
  }) as library.ProjectionRequest

/** The figures of an answer, or each field of a problem with its messages. */
export const outcomeIn = (body: object): ReadonlyArray<unknown> =>
  "errors" in body
    ? Object.entries(body.errors as library.RequestErrors).map(([field, messages]) => `${field} ${messages.join(" ")}`)
    : figuresOf(body)

/** The library's outcome of a row. */
export const outcomeOf = (row: Addition, start: StartMonth): ReadonlyArray<unknown> => {
  try {
    const outcome = library.project(requestOf(row), { start })
    return outcome._tag === "Refusal" ? library.reasonsOf(outcome) : outcomeIn(outcome)
  } catch (error) {
    if (error instanceof library.RequestError) return outcomeIn(error)
    throw error
  }
}
