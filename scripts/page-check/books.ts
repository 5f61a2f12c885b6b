/**
 * The check of random loan books, typed as people type them: the page's own worker in the browser
 * and the service's API must agree. Every figure of every plan must be the same to the cent, and
 * the service must refuse the plans that the page shows as closed, except those that counts close.
 */
import fc from "fast-check"
import type { Page } from "playwright-core"
import { LOAN_TYPES } from "../../schema/loan.ts"
import type { PlansResult } from "../../schema/plans.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import { currentLaw, dateOfMonth, startMonthOf } from "../../src/engine/index.ts"
import {
  type BookAnswer,
  type ChangeDraft,
  ERA_BEGINS,
  ERAS,
  EXACT_DAY,
  emptyChange,
  emptyDraft,
  emptyLoan,
  type HouseholdDraft,
  LOAN_PAYS,
  type LoanDraft,
  type Reason,
  type ReturnRow,
  type Told
} from "../../src/web/index.ts"
import { type Call, callerOf } from "../../test/support/calls.ts"
import { fewAtOnce } from "../../test/support/fewAtOnce.ts"
import { figuresOf } from "../../test/support/figures.ts"
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

const DAY_MILLIS = 86_400_000

/** A day as a request has it, and as a user might type it: a month stands for its first day. */
const days = (first: string, last: string) =>
  fc
    .tuple(
      fc.integer({ min: Date.parse(first) / DAY_MILLIS, max: Date.parse(last) / DAY_MILLIS }),
      fc.constantFrom("day", "slashes", "month")
    )
    .map(([day, style]) => {
      const value = new Date(day * DAY_MILLIS).toISOString().slice(0, "YYYY-MM-DD".length)
      const [year, month, date] = value.split("-").map(Number)
      return style === "month"
        ? { value: `${value.slice(0, "YYYY-MM".length)}-01`, typed: `${month}/${year}` }
        : { value, typed: style === "day" ? value : `${month}/${date}/${year}` }
    })

const loans = fc.array(
  fc.record({
    type: fc.constantFrom(...LOAN_TYPES),
    balance: money(120_000),
    rate: percent(12),
    interest: money(9_000),
    months: fc.oneof(fc.constant(0), whole(330)),
    pslf: fc.oneof(fc.constant(0), whole(120)),
    made: fc.oneof(
      { arbitrary: fc.constant(null), weight: 5 },
      { arbitrary: days("2006-01-01", "2026-10-31"), weight: 1 }
    ),
    pays: fc.constantFrom("", "", "", ...LOAN_PAYS),
    until: whole(40)
  }),
  { minLength: 1, maxLength: 6 }
)

const changes = fc.uniqueArray(
  fc.record({
    year: fc.integer({ min: 2, max: 50 }),
    // It changes something, whatever else is drawn.
    income: money(240_000),
    spouseIncome: money(150_000),
    spouseLoans: fc.option(money(90_000)),
    filing: fc.option(fc.constantFrom(...FILING_STATUSES)),
    dependents: fc.option(whole(5)),
    service: fc.option(fc.boolean())
  }),
  { maxLength: 4, selector: ({ year }) => year }
)

const households = fc.record({
  income: money(240_000),
  filing: fc.constantFrom("Single", "HeadOfHousehold", "Married"),
  spouseIncome: money(150_000),
  spouseLoans: money(90_000),
  dependents: whole(5),
  state: fc.constantFrom(...STATES),
  growth: percent(6),
  prices: percent(6),
  extra: fc.oneof(fc.constant({ value: 0, typed: "0" }), money(900)),
  budget: fc.option(money(2_000)),
  once: fc.option(fc.record({ amount: money(20_000), on: whole(150) })),
  family: fc.option(fc.integer({ min: 1, max: 8 })),
  pays: fc.constantFrom("", "", "school", "paused"),
  /** The month after the last one of the pause, counted from the first one of the figures. */
  until: whole(40),
  pause: fc.constantFrom("", "Deferment", "Forbearance", "save"),
  plan: fc.constantFrom("", ...PLAN_TYPES),
  service: fc.boolean(),
  firstBorrowed: fc.constantFrom("", ...ERAS, EXACT_DAY),
  firstDay: days("2005-01-01", "2026-10-31"),
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
const NEW_LOANS_FROM = "2026-07-01"

const books = fc.record({ loans, household: households, changes })
type Book = typeof books extends fc.Arbitrary<infer B> ? B : never

const loanDraft = ({
  balance,
  interest,
  made,
  months,
  pays,
  pslf,
  rate,
  type,
  until
}: Book["loans"][number]): LoanDraft => ({
  ...emptyLoan,
  type,
  balance: balance.typed,
  rate: rate.typed,
  interest: interest.typed,
  months: String(months),
  pslf: String(pslf),
  madeOn: made?.typed ?? "",
  pays,
  until: monthAfterFirst(until - 1)
})

const changeDraft = (change: Book["changes"][number]): ChangeDraft => ({
  ...emptyChange,
  year: String(change.year),
  income: change.income.typed,
  spouseIncome: change.spouseIncome.typed,
  spouseLoans: change.spouseLoans?.typed ?? "",
  filing: change.filing ?? "",
  dependents: String(change.dependents ?? ""),
  service: change.service === null ? "" : change.service ? "begins" : "ends"
})

const changeOf = (change: Book["changes"][number]) => ({
  fromYear: change.year,
  adjustedGrossIncome: change.income.value,
  spouseAdjustedGrossIncome: change.spouseIncome.value,
  spouseFederalLoanBalance: change.spouseLoans?.value ?? null,
  filingStatus: change.filing,
  dependents: change.dependents,
  workingTowardsPslf: change.service
})

/** A month as YYYY-MM, so many months after the first one of the figures. */
const monthAfterFirst = (months: number): string =>
  dateOfMonth(startMonthOf(new Date()), months).slice(0, "YYYY-MM".length)

/** An amount in all takes the place of an extra amount. */
const beyondOf = ({ budget, extra }: Book["household"]) =>
  budget === null ? { extra, budget: { value: 0, typed: "" } } : { extra: { value: 0, typed: "0" }, budget }

/** A pause of each loan by itself: its own, or that of all. */
const pausesOf = ({ household: { pause, pays, until }, loans: all }: Book) => {
  const ofAll = pays === "paused" && pause !== "Deferment" ? "Forbearance" : pays === "paused" ? pause : pays
  return all.flatMap((loan, position) => {
    const own = loan.pays === "" ? { pays: ofAll, until } : loan
    if (own.pays === "" || own.pays === "now") return []
    const kind = own.pays === "school" ? "InSchool" : own.pays
    return [{ kind, until: monthAfterFirst(own.until), loans: [position] }]
  })
}

const householdDraft = ({ household }: Book): HouseholdDraft => ({
  ...emptyDraft.household,
  income: household.income.typed,
  filing: household.filing,
  spouseIncome: household.spouseIncome.typed,
  spouseLoans: household.spouseLoans.typed,
  dependents: String(household.dependents),
  state: household.state,
  growth: household.growth.typed,
  prices: household.prices.typed,
  extra: beyondOf(household).extra.typed,
  budget: beyondOf(household).budget.typed,
  once: household.once?.amount.typed ?? "",
  onceOn: household.once === null ? "" : monthAfterFirst(household.once.on),
  family: household.family === null ? "" : String(household.family),
  pays: household.pays,
  until: monthAfterFirst(household.until - 1),
  pause: household.pause,
  plan: household.plan,
  service: household.service ? "yes" : "",
  firstBorrowed: household.firstBorrowed,
  firstBorrowedOn: household.firstBorrowed === EXACT_DAY ? household.firstDay.typed : "",
  madeSince2026: household.hasNewLoan ? "yes" : ""
})

/** A day of the time that was chosen, and not after a loan of that time. */
const firstBorrowedOn = (household: Book["household"], all: Book["loans"]): string | null => {
  if (household.firstBorrowed === EXACT_DAY) return household.firstDay.value
  const era = ERAS.find((one) => one === household.firstBorrowed)
  if (era === undefined) return null
  const within = all.flatMap(({ made }) => (made !== null && made.value >= ERA_BEGINS[era] ? [made.value] : []))
  return [...within, DAY_OF[era]!].sort()[0]!
}

/** The principal and the unpaid interest of a loan as a plan takes it over. */
const owedOf = ({ balance, interest, type }: Book["loans"][number], isLeaving: boolean) => {
  if (!isLeaving || currentLaw.traitsOf[type].eligibility["INCOME BASED"] === "closed")
    return { principalBalance: balance.value, interestBalance: interest.value }
  return { principalBalance: Number((balance.value + interest.value).toFixed(2)), interestBalance: 0 }
}

/** @param isLeaving whether the borrower leaves Income-Based, which makes unpaid interest principal */
const requestOf = (book: Book, filing: string | null, isLeaving = false) => {
  const { changes: later, household, loans: all } = book
  const isMarried = household.filing === "Married"
  const scenario = {
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
    annualPriceGrowth: household.prices.value,
    extraMonthlyPayment: beyondOf(household).extra.value,
    monthlyBudget: beyondOf(household).budget.value,
    familySize: household.family,
    lumpSums: household.once?.amount.value
      ? [{ on: monthAfterFirst(household.once.on), amount: household.once.amount.value }]
      : null,
    pauses: pausesOf(book),
    changes: later.map(changeOf).sort((one, other) => one.fromYear - other.fromYear),
    firstBorrowedOn: firstBorrowedOn(household, all)
  }
  const isOwed = ({ balance, interest, type }: Book["loans"][number]): boolean =>
    /^DIRECT (?!PLUS CONSOLIDATED)/.test(type) && balance.value + interest.value > 0
  const isAskedFor =
    household.hasNewLoan && !all.some((loan) => isOwed(loan) && loan.made !== null && loan.made.value >= NEW_LOANS_FROM)
  const newLoan = isAskedFor ? all.findIndex((loan) => isOwed(loan) && loan.made === null) : -1
  const loans = all.map((loan, position) => ({
    loanType: loan.type,
    madeOn: position === newLoan ? NEW_LOAN_DAY : (loan.made?.value ?? null),
    ...owedOf(loan, isLeaving),
    interestRate: loan.rate.value,
    idrMonthsInRepayment: loan.months,
    pslfCount: loan.pslf
  }))
  return { scenario, loans }
}

/** Problems of what is drawn for the dates: an older loan, none that is new, or a kind that was not made any more. */
const OF_DATES: ReadonlyArray<string> = ["tooLate", "noNewLoan", "endedType"]

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

/** Whether the page alone closes a plan: more months are counted than there were since the day for new borrowers. */
const isClosedByCounts = (reason: Reason, { household, loans }: Book): boolean => {
  if (reason._tag !== "OwedBefore" || reason.by !== null || firstBorrowedOn(household, loans) !== null) return false
  const [year, month] = reason.day.split("-").map(Number)
  const now = new Date()
  const since = (now.getUTCFullYear() - year!) * 12 + now.getUTCMonth() + 2 - month!
  return loans.some(({ months, pslf }) => Math.max(months, pslf) > since)
}

/** Whether the page alone closes an Income-Based plan: the borrower is on the other one. */
const isClosedByPlan = (planType: string, { household }: Book): boolean =>
  household.plan.startsWith("INCOME BASED") && planType.startsWith("INCOME BASED") && planType !== household.plan

/** Whether the plan would end Income-Based for who is on it. */
const isLeft = (planType: string, { household }: Book): boolean =>
  household.plan.startsWith("INCOME BASED") && !planType.startsWith("INCOME BASED")

/** Plans for which the answers of POST /v1/calculators/plans and the page differ. */
const differencesOf = async (call: Call, book: Book, answer: BookAnswer): Promise<ReadonlyArray<string>> => {
  const answers = new Map<string, Promise<PlansResult>>()
  const answerOn = (filing: string | null, isLeaving = false): Promise<PlansResult> => {
    const json = requestOf(book, filing, isLeaving)
    const asked =
      answers.get(JSON.stringify(json)) ?? call("POST", "/v1/calculators/plans", { json }).then((one) => one.json())
    answers.set(JSON.stringify(json), asked)
    return asked
  }
  const found: Array<string> = []
  const areDirect = book.loans.every(({ type }) => type.startsWith("DIRECT"))
  for (const { figures, filing, planType, withExtra } of answer.lines) {
    // In a request it is STANDARD of Direct loans. Others are then on STANDARD with their counted months.
    const isTiered = planType === "TIERED STANDARD"
    if (isTiered && !areDirect) continue
    const { plans } = await answerOn(filing, isLeft(planType, book))
    const plan = plans.find((one) => one.planType === (isTiered ? "STANDARD" : planType))
    if (
      plan === undefined ||
      JSON.stringify(figuresOf(plan)) !==
        JSON.stringify(figuresOf({ ...(withExtra?.figures ?? figures), yearly: undefined }))
    )
      found.push(`${planType} of ${JSON.stringify(book)}`)
  }
  for (const { planType, reasons } of answer.closed) {
    // The page has STANDARD of new loans as a plan of its own.
    if (planType === "STANDARD" || planType === "TIERED STANDARD") continue
    if (reasons[0]!._tag === "EndsFirst" || isClosedByCounts(reasons[0]!, book) || isClosedByPlan(planType, book))
      continue
    const { excludedPlans } = await answerOn(null)
    if (!excludedPlans.some((one) => one.planType === planType))
      found.push(`${planType} to be excluded of ${JSON.stringify(book)}`)
  }
  return found
}

const draftOf = (book: Book) => ({
  loans: book.loans.map(loanDraft),
  household: householdDraft(book),
  changes: book.changes.map(changeDraft)
})

const COUPLES = Math.ceil(BOOKS * 0.15)
/** Of so many drawn couples, one has no dates that contradict each other, and a plan for both. */
const DRAWN_FOR_ONE = 5
const couples = fc.record({ own: books, spouse: books, split: fc.constantFrom("", "half", "own") })
type Drawn = typeof couples extends fc.Arbitrary<infer C> ? C : never

const debtOf = ({ loans }: Book) =>
  loans.reduce((sum, { balance, interest }) => sum + balance.value + interest.value, 0)

/** The book of one of the two on a return: the household is the reader's, and so are the dependents if it is separate. */
const onReturn = ({ own, spouse }: Drawn, isOwn: boolean, { incomes, way }: ReturnRow): Book => {
  const [one, other] = isOwn ? [own, spouse] : [spouse, own]
  const { dependents, growth, prices, state } = own.household
  const typed = (value: number) => ({ value, typed: "" })
  const shared = {
    dependents: isOwn || way === "joint" ? dependents : 0,
    growth,
    prices,
    state,
    filing: "Married" as const
  }
  const amounts = {
    income: typed(isOwn ? incomes.own : incomes.spouse),
    spouseIncome: typed(isOwn ? incomes.spouse : incomes.own),
    spouseLoans: typed(Number(debtOf(other).toFixed(2)))
  }
  const without = { budget: null, extra: { value: 0, typed: "0" }, once: null, family: null }
  return { loans: one.loans, changes: [], household: { ...one.household, ...shared, ...amounts, ...without } }
}

/** Both spouses on each return must have the figures of POST /v1/calculators/plans. */
export const checkCouples = async (page: Page, base: string): Promise<void> => {
  const all = fc.sample(couples, { seed, numRuns: DRAWN_FOR_ONE * COUPLES })
  const drafts = all.map(({ own, spouse, split }) => {
    const draft = draftOf(own)
    const household = { ...draft.household, filing: "Married", family: "", split }
    return { ...draft, household, changes: [], spouse: draftOf({ ...spouse, changes: [] }) }
  })
  await page.goto(`${base}/`)
  const answers = await answersOf(page, drafts, Date.now())
  const call = callerOf(base)
  const differences: Array<string> = []
  const answered = answers.flatMap(({ outcome }, index) =>
    outcome._tag === "Answered" && outcome.couple !== undefined
      ? [{ couple: all[index]!, rows: outcome.couple.rows }]
      : []
  )
  expect(answered.length >= COUPLES, `${answered.length} random couples to have an answer, at least ${COUPLES}`)
  await fewAtOnce(AT_ONCE, answered.slice(0, COUPLES), async ({ couple, rows }) => {
    for (const row of rows) {
      if ("without" in row.plans) continue
      const filing = row.way === "joint" ? "MarriedFilingJointly" : "MarriedFilingSeparately"
      for (const whose of ["own", "spouse"] as const) {
        const book = onReturn(couple, whose === "own", row)
        const { figures, planType } = row.plans[whose]
        const json = requestOf(book, filing, isLeft(planType, book))
        const asked = await call("POST", "/v1/calculators/plans", { json })
        const { plans } = (await asked.json()) as PlansResult
        const plan = plans.find((one) => one.planType === (planType === "TIERED STANDARD" ? "STANDARD" : planType))
        if (
          plan === undefined ||
          JSON.stringify(figuresOf(plan)) !== JSON.stringify(figuresOf({ ...figures, yearly: undefined }))
        )
          differences.push(`${row.way} of ${whose}: ${planType} of ${JSON.stringify(couple)}`)
      }
    }
  })
  expect(differences.length === 0, `each figure of a couple to be that of the service${but(differences)}`)
}

export const checkBooks = async (page: Page, base: string): Promise<void> => {
  const all = fc.sample(books, { seed, numRuns: BOOKS })
  const drafts = all.map(draftOf)
  await page.goto(`${base}/`)
  const answers = await answersOf(page, drafts, Date.now())
  const call = callerOf(base)
  const differences: Array<string> = []
  let lines = 0
  await fewAtOnce(AT_ONCE, [...all.entries()], async ([index, book]) => {
    const { outcome } = answers[index]!
    if (outcome._tag === "NothingOwed") return
    if (outcome._tag !== "Answered") {
      const isOfDates = outcome._tag === "Wrong" && outcome.problems.every(({ problem }) => OF_DATES.includes(problem))
      if (!isOfDates) throw new Error(`a book was not answered: ${JSON.stringify([outcome, book])}`)
      return
    }
    lines += outcome.answer.lines.length
    differences.push(...(await differencesOf(call, book, outcome.answer)))
  })
  expect(lines > BOOKS, `${BOOKS} random books to have ${lines} lines`)
  expect(
    differences.length === 0,
    `each figure of the page to be that of POST /v1/calculators/plans${but(differences)}`
  )
}
