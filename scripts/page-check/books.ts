/**
 * The check of random loan books, typed as people type them: the page's own worker in the browser
 * and the service's API must agree. Every figure of every plan must be the same to the cent, and
 * the service must refuse the plans that the page shows as closed.
 */
import fc from "fast-check"
import type { Page } from "playwright-core"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { STATES } from "../../schema/scenario.ts"
import type { BookAnswer } from "../../src/web/book/answer.ts"
import { ERAS, emptyDraft, emptyLoan, type HouseholdDraft, type LoanDraft } from "../../src/web/book/draft.ts"
import type { Told } from "../../src/web/messages.ts"
import { type Call, callerOf, mintOver } from "../../test/support/calls.ts"
import { fewAtOnce } from "../../test/support/fewAtOnce.ts"
import { but, expect } from "./support.ts"

const BOOKS = Number(process.env["BOOKS"] ?? 2000)
const AT_ONCE = 6
const seed = Number(process.env["PROPERTY_SEED"] ?? 20261122)

/** A dollar amount as a request has it, and as a user might type it. */
const money = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most * 100 }), fc.constantFrom("plain", "commas", "sign"))
    .map(([cents, style]) => {
      const value = cents / 100
      const commas = value.toLocaleString("en-US", { minimumFractionDigits: 2 })
      return { value, typed: { plain: value.toFixed(2), commas, sign: `$ ${commas}` }[style]! }
    })

/** A percentage with two decimals. */
const percent = (most: number) =>
  fc.integer({ min: 0, max: most * 100 }).map((basis) => {
    const text = (basis / 100).toFixed(2)
    // Parsed from its decimal text, because 6.53 / 100 is not 0.0653.
    return { value: Number((basis / 10_000).toFixed(4)), typed: `${text}%` }
  })

const whole = (most: number) => fc.integer({ min: 0, max: most })

const loans = fc.array(
  fc.record({
    type: fc.constantFrom(...LOAN_TYPES),
    balance: money(120_000),
    rate: percent(12),
    interest: money(9_000),
    months: fc.oneof(fc.constant(0), whole(330)),
    pslf: fc.oneof(fc.constant(0), whole(120))
  }),
  { minLength: 1, maxLength: 6 }
)

const households = fc.record({
  income: money(240_000),
  filing: fc.constantFrom("Single", "HeadOfHousehold", "Married"),
  spouseIncome: money(150_000),
  spouseLoans: money(90_000),
  dependents: whole(5),
  state: fc.constantFrom(...STATES),
  growth: percent(6),
  service: fc.boolean(),
  firstBorrowed: fc.constantFrom("", ...ERAS),
  hasNewLoan: fc.nat(3).map((one) => one === 0)
})

/** A day of each time that the page offers. It computes with another day of it, and must agree. */
const DAY_OF: Readonly<Record<string, string>> = {
  before2007: "2005-08-25",
  "2007": "2010-08-25",
  "2014": "2018-08-25",
  "2026": "2026-08-25"
}
const NEW_LOAN_DAY = "2026-08-26"

const books = fc.record({ loans, household: households })
type Book = typeof books extends fc.Arbitrary<infer B> ? B : never

const loanDraft = ({ balance, interest, months, pslf, rate, type }: Book["loans"][number]): LoanDraft => ({
  ...emptyLoan,
  type,
  balance: balance.typed,
  rate: rate.typed,
  interest: interest.typed,
  months: String(months),
  pslf: String(pslf)
})

const householdDraft = ({ household }: Book): HouseholdDraft => ({
  ...emptyDraft.household,
  income: household.income.typed,
  filing: household.filing,
  spouseIncome: household.spouseIncome.typed,
  spouseLoans: household.spouseLoans.typed,
  dependents: String(household.dependents),
  state: household.state,
  growth: household.growth.typed,
  service: household.service ? "yes" : "",
  firstBorrowed: household.firstBorrowed,
  madeSince2026: household.hasNewLoan ? "yes" : ""
})

const requestOf = ({ household, loans: all }: Book, planType: string, filing: string | null) => {
  const isMarried = household.filing === "Married"
  const scenario = {
    planType,
    adjustedGrossIncome: household.income.value,
    ...(isMarried
      ? {
          spouseAdjustedGrossIncome: household.spouseIncome.value,
          spouseFederalLoanBalance: household.spouseLoans.value
        }
      : {}),
    filingStatus: filing ?? (isMarried ? "MarriedFilingJointly" : household.filing),
    dependents: household.dependents,
    state: household.state,
    workingTowardsPslf: household.service,
    annualIncomeGrowth: household.growth.value,
    firstBorrowedOn: DAY_OF[household.firstBorrowed] ?? null
  }
  const newLoan = all.findIndex(
    ({ balance, interest, type }) => /^DIRECT (?!PLUS CONSOLIDATED)/.test(type) && balance.value + interest.value > 0
  )
  const loans = all.map(({ balance, interest, months, pslf, rate, type }, position) => ({
    loanType: type,
    madeOn: household.hasNewLoan && position === newLoan ? NEW_LOAN_DAY : null,
    principalBalance: balance.value,
    interestBalance: interest.value,
    interestRate: rate.value,
    idrMonthsInRepayment: months,
    pslfCount: pslf
  }))
  return { scenario, loans, includeYearly: true }
}

/** Problems of what is drawn for the dates: an older loan, or none that is new. */
const OF_DATES: ReadonlyArray<string> = ["tooLate", "noNewLoan"]

type Computed = Extract<Told, { readonly kind: "compute" }>

/** Answers of the page's worker, which runs in the page. */
const answersOf = (page: Page, drafts: ReadonlyArray<object>, now: number): Promise<ReadonlyArray<Computed>> =>
  page.evaluate(
    ([all, instant]) =>
      new Promise<Array<Computed>>((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" })
        const answers: Array<Computed> = []
        worker.onerror = reject
        worker.onmessage = ({ data }) => {
          if (answers.push(data) === all.length) resolve(answers)
        }
        for (const [id, draft] of all.entries()) worker.postMessage({ kind: "compute", id, draft, now: instant })
      }),
    [drafts, now] as const
  )

const MEMBERS = [
  "year1MonthlyPayment",
  "payoffOrForgivenessDate",
  "monthsToFinish",
  "totalOutOfPocket",
  "amountForgiven",
  "forgivenessTaxesOwed",
  "forgivenessType",
  "yearly"
] as const
const figuresOf = (answer: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(MEMBERS.map((member) => answer[member]))

/** Plans for which the service and the page differ. */
const differencesOf = async (
  call: Call,
  key: string,
  book: Book,
  answer: BookAnswer
): Promise<ReadonlyArray<string>> => {
  const asked = async (planType: string, filing: string | null) => {
    const response = await call("POST", "/v1/projection", { json: requestOf(book, planType, filing), key })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const found: Array<string> = []
  const areDirect = book.loans.every(({ type }) => type.startsWith("DIRECT"))
  for (const { figures, filing, planType } of answer.lines) {
    // In a request it is STANDARD of Direct loans. Others are then on STANDARD with their counted months.
    const isTiered = planType === "TIERED STANDARD"
    if (isTiered && !areDirect) continue
    const { body, status } = await asked(isTiered ? "STANDARD" : planType, filing)
    if (status !== 200 || figuresOf(body) !== figuresOf({ ...figures }))
      found.push(`${planType} of ${JSON.stringify(book)}`)
  }
  for (const { planType, reasons } of answer.closed) {
    if (["Vacated", "OnlyNewLoans"].includes(reasons[0]!._tag) || planType === "STANDARD") continue
    const { status } = await asked(planType, null)
    if (status !== 400) found.push(`${planType} to be refused of ${JSON.stringify(book)}`)
  }
  return found
}

export const checkBooks = async (page: Page, base: string): Promise<void> => {
  const all = fc.sample(books, { seed, numRuns: BOOKS })
  const drafts = all.map((book) => ({ loans: book.loans.map(loanDraft), household: householdDraft(book) }))
  await page.goto(`${base}/`)
  const answers = await answersOf(page, drafts, Date.now())
  const call = callerOf(base)
  const { apiKey } = await mintOver(call)
  const differences: Array<string> = []
  let lines = 0
  await fewAtOnce(AT_ONCE, [...all.entries()], async ([index, book]) => {
    const { outcome } = answers[index]!
    if (outcome._tag !== "Answered") {
      const isOfDates = outcome._tag === "Wrong" && outcome.problems.every(({ problem }) => OF_DATES.includes(problem))
      if (!isOfDates) throw new Error(`a book was not answered: ${JSON.stringify([outcome, book])}`)
      return
    }
    lines += outcome.answer.lines.length
    differences.push(...(await differencesOf(call, apiKey, book, outcome.answer)))
  })
  expect(lines > BOOKS, `${BOOKS} random books to have ${lines} lines`)
  expect(differences.length === 0, `each figure of the page to be the service's${but(differences)}`)
}
