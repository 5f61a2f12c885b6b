/**
 * "What if I consolidated?": decision 0037 worked by hand, and random books. The new book of each is written out here
 * from the decision alone, and the page's figures are those of the API for it.
 */
import { describe, expect, it } from "vitest"
import type { Loan } from "../../schema/loan.ts"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { type EngineRequest, project } from "../../src/engine/projection.ts"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import type { WhatIf } from "../../src/web/book/consolidation.ts"
import { type Draft, emptyLoan, exampleDraft, type LoanDraft } from "../../src/web/book/draft.ts"
import { type Choice, consolidatedRate } from "../../src/web/book/newLoan.ts"
import { type ReadBook, readDraft } from "../../src/web/book/reading.ts"
import { texts } from "../../src/web/texts.ts"
import { answered as answeredAt, answeredBooks, appHtml } from "../support/books.ts"
import { figuresOf } from "../support/figures.ts"
import { newSeedOr, runs } from "../support/random.ts"
import { useService } from "../support/runningService.ts"
import { draftWith } from "./drafts.ts"

const NOW = new Date("2026-11-22T12:00:00Z")
/** The last day before the first payment. */
const MADE_ON = "2026-11-30"

const direct = { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "30000", rate: "6" }
const parent = { ...direct, type: "DIRECT PLUS PARENT" }
const answered = (draft: Draft, now = NOW) => answeredAt(draft, now)
const whatIfsOf = (...loans: ReadonlyArray<LoanDraft>) => answered(draftWith(loans)).consolidations
const choicesOf = (...loans: ReadonlyArray<LoanDraft>) => whatIfsOf(...loans).map(({ choice }) => choice)
/** The counted months and payments of each part of the new loan. */
const counts = (...loans: ReadonlyArray<LoanDraft>) =>
  whatIfsOf(...loans)[0]!.made.map(({ idrMonthsInRepayment, pslfCount }) => [idrMonthsInRepayment, pslfCount])
const lossesOf = ({ losses }: WhatIf) => losses.map(({ _tag }) => _tag)
const sentencesOf = ({ gains, losses }: WhatIf) => [
  ...losses.map(texts.consolidation.loss),
  ...gains.map(texts.consolidation.gain)
]

const loanAt = (principalBalance: number, interestRate: number, interestBalance = 0): Loan => ({
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance,
  interestBalance,
  interestRate,
  disbursedAmount: 0,
  idrMonthsInRepayment: 0,
  pslfCount: 0,
  madeOn: null
})

describe("the rate", () => {
  it.each([
    // (10,000 x 4.9902 + 10,000 x 5.67) / 20,000 = 5.3301
    ["5.3301 is rounded up", [loanAt(10_000, 0.049902), loanAt(10_000, 0.0567)], 0.05375],
    // (10,000 x 4.5 + 20,000 x 5.625) / 30,000 = 5.25
    ["5.25 stays", [loanAt(10_000, 0.045), loanAt(20_000, 0.05625)], 0.0525],
    // Three thirds of 5.25 add up to a little more than 5.25 in doubles.
    ["5.25 of three loans stays", [loanAt(1000.01, 0.0525), loanAt(2000.02, 0.0525), loanAt(3000.03, 0.0525)], 0.0525],
    ["a ten-thousandth more is rounded up", [loanAt(10_000, 0.052501)], 0.05375],
    ["0 stays", [loanAt(10_000, 0)], 0],
    // Weights have the interest: (10,000 x 4 + (10,000 + 10,000) x 7) / 30,000 = 6. By principal it would be 5.5.
    ["interest weighs too", [loanAt(10_000, 0.04), loanAt(10_000, 0.07, 10_000)], 0.06]
  ])("%s", (_, loans, rate) => expect(consolidatedRate(loans).rate).toBe(rate))
})

describe("the new loan", () => {
  it("owes principal and unpaid interest, in a subsidized and an unsubsidized part", () =>
    // (19,000 x 4.53 + 32,350 x 6.08) / 51,350 = 5.5065, and 30 months on both.
    expect(answered(exampleDraft).consolidations[0]!.made).toEqual(
      [
        { loanType: "DIRECT CONSOLIDATED SUBSIDIZED", principalBalance: 19_000 },
        { loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", principalBalance: 32_350 }
      ].map((part) => ({
        ...part,
        interestBalance: 0,
        interestRate: 0.05625,
        disbursedAmount: 0,
        idrMonthsInRepayment: 30,
        pslfCount: 0,
        madeOn: MADE_ON
      }))
    ))

  it("has counts weighted by balance, to the nearest whole number", () => {
    const old = { ...direct, balance: "10000", months: "100", pslf: "60" }
    // (10,000 x 100 + 30,000 x 0) / 40,000 = 25, and (10,000 x 60) / 40,000 = 15.
    expect(counts(old, direct)).toEqual([[25, 15]])
    // 50 and 50.5, which is rounded half up; 101 / 3 = 33.67.
    expect(counts({ ...old, months: "101" }, { ...direct, balance: "10000" })).toEqual([[51, 30]])
    expect(counts({ ...old, months: "101" }, { ...direct, balance: "20000" })).toEqual([[34, 20]])
  })

  it("counts no public-service payments on FFEL loans, and no months on Perkins loans", () => {
    const half = { ...direct, balance: "10000", months: "40", pslf: "40" }
    expect(counts(half, { ...half, type: "FFEL STAFFORD UNSUBSIDIZED" })).toEqual([[40, 20]])
    expect(counts(half, { ...half, type: "FEDERAL PERKINS" })).toEqual([[20, 20]])
  })
})

describe("the loans that go in", () => {
  const consolidation = { ...direct, type: "DIRECT CONSOLIDATED UNSUBSIDIZED" }

  it.each<readonly [string, ReadonlyArray<LoanDraft>, ReadonlyArray<Choice>]>([
    ["a loan alone", [direct], ["students"]],
    ["a parent's loan alone", [parent], ["parents"]],
    ["both", [direct, parent], ["students", "both"]],
    ["a Direct consolidation alone", [consolidation], []],
    ["its two parts", [consolidation, { ...consolidation, type: "DIRECT CONSOLIDATED SUBSIDIZED" }], []],
    ["a Direct consolidation and another loan", [consolidation, direct], ["students"]],
    ["an FFEL consolidation alone", [{ ...direct, type: "FFEL CONSOLIDATED" }], ["students"]],
    ["a loan of the Income Contingent program", [{ ...direct, type: "INCOME CONTINGENT (ICL)" }], []],
    ["a loan without a balance", [{ ...direct, balance: "0" }, parent], ["parents"]],
    ["more than a request may say", Array(2).fill({ ...direct, balance: "60000000" }), []]
  ])("%s", (_, loans, choices) => expect(choicesOf(...loans)).toEqual(choices))

  it("do not include a Parent PLUS loan, which would close RAP to all of them", () => {
    const [students, both] = whatIfsOf(direct, parent)
    const types = [students, both].map((whatIf) => whatIf!.loans.map(({ loanType }) => loanType))
    expect(types).toEqual([
      ["DIRECT CONSOLIDATED UNSUBSIDIZED", "DIRECT PLUS PARENT"],
      ["DIRECT CONSOLIDATED UNSUBSIDIZED", "DIRECT PARENT PLUS CONSOLIDATED"]
    ])
    expect(students!.lines.map(({ planType }) => planType)).toEqual(["TIERED STANDARD", "REPAYMENT ASSISTANCE"])
    expect(whatIfsOf(parent)[0]!.lines.map(({ planType }) => planType)).toEqual(["TIERED STANDARD"])
  })
})

describe("what would change", () => {
  it("says what is lost before what is gained, without advice", () => {
    const [whatIf] = answered(exampleDraft).consolidations
    expect(sentencesOf(whatIf!)).toEqual([
      expect.stringMatching(/^A consolidation can't be undone/),
      expect.stringMatching(
        /^These plans would close to the loans that go in, for good: .* Only .*RAP.* and Tiered Standard would be left\.$/
      ),
      // 51,350 x 5.625 % is 2,888.44, and 19,000 x 4.53 % + 31,500 x 6.08 % is 2,775.90, so 112.54 more.
      expect.stringContaining(
        "5.5065%, rounded up to an eighth of a percent: 5.625%. Unpaid interest of $850.00 becomes principal. That adds $112.54 to"
      ),
      expect.stringContaining("up to 6 months"),
      expect.stringContaining("grace period"),
      expect.stringMatching(/^2 loans would become one/)
    ])
    const page = appHtml(exampleDraft, answered(exampleDraft))
    const { gains, losses, plans, title } = texts.consolidation
    const places = [title, losses, gains, plans].map((text) => page.indexOf(text))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(page.slice(places[0])).not.toMatch(/\b(?:should|recommend|better|best)\b/i)
  })

  it("adds nothing to the interest of one loan with a rate in eighths, and nothing unpaid", () => {
    const [only] = whatIfsOf(direct)
    expect(sentencesOf(only!)).toContain(
      "The new rate is the average of your rates, 6%, rounded up to an eighth of a percent: 6%."
    )
    expect(lossesOf(only!)).not.toContain("Months")
  })

  it("names counts that are diluted, and what public service loses", () => {
    const loans = [{ ...direct, balance: "10000", months: "100", pslf: "60" }, direct]
    const [whatIf] = answered(draftWith(loans, { service: "yes" })).consolidations
    expect(whatIf!.losses).toEqual(
      expect.arrayContaining([
        { _tag: "Months", of: null, highest: 100, average: 25 },
        { _tag: "Payments", of: null, highest: 60, average: 15 },
        { _tag: "TieredPayments", hasOther: true }
      ])
    )
    expect(whatIf!.gains).toEqual(
      expect.arrayContaining([
        { _tag: "Months", of: null, lowest: 0, average: 25 },
        { _tag: "Payments", of: null, lowest: 0, average: 15 }
      ])
    )
  })

  it("names what Perkins, Health Professions and Parent PLUS loans lose, and what FFEL loans gain", () => {
    const perkins = { ...direct, type: "FEDERAL PERKINS" }
    const health = { ...direct, type: "HEALTH PROFESSIONS STUDENT LOAN (HPSL)" }
    expect(lossesOf(whatIfsOf(perkins, health)[0]!)).toEqual(
      expect.arrayContaining(["PerkinsCancellation", "HealthProfessions"])
    )
    expect(lossesOf(whatIfsOf(direct, parent)[0]!)).toContain("ParentsLeft")
    expect(lossesOf(whatIfsOf({ ...parent, months: "12" })[0]!)).toContain("ParentsCounts")
    const [ffel] = answered(
      draftWith([{ ...direct, type: "FFEL STAFFORD SUBSIDIZED" }], { service: "yes" })
    ).consolidations
    expect(ffel!.gains).toEqual([{ _tag: "OpensRap", forService: true }])
  })

  it("closes no plan to a borrower who has a newer loan already", () =>
    expect(lossesOf(answered(draftWith([direct], { firstBorrowed: "2026" })).consolidations[0]!)).not.toContain(
      "Plans"
    ))

  it("is offered only while a consolidation would be a newer loan", () =>
    expect(answered(draftWith([direct]), new Date("2026-05-15T12:00:00Z")).consolidations).toEqual([]))
})

// From here on: decision 0037 written a second time.

const PARENTS = [
  "DIRECT PARENT PLUS",
  "DIRECT PARENT PLUS CONSOLIDATED",
  "DIRECT PLUS CONSOLIDATED",
  "DIRECT PLUS PARENT",
  "FFEL PARENT PLUS",
  "FFEL PARENT PLUS CONSOLIDATED",
  "FFEL PLUS PARENT"
]
const SUBSIDIZED = [
  "DIRECT CONSOLIDATED SUBSIDIZED",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)",
  "FFEL STAFFORD SUBSIDIZED"
]
/** Loans without counted months: of no program that has a plan by income. */
const UNCOUNTED = [
  "FEDERAL PERKINS",
  "FEDERALLY INSURED (FISL)",
  "HEALTH PROFESSIONS STUDENT LOAN (HPSL)",
  "NATIONAL DEFENSE LOAN (PERKINS)",
  "NATIONAL DIRECT STUDENT LOAN (PERKINS)",
  "PERKINS EXPANDED LENDING"
]
const isParents = ({ loanType }: Loan) => PARENTS.includes(loanType)
const isDirect = ({ loanType }: Loan) => loanType.startsWith("DIRECT ")
const isOldConsolidation = ({ loanType }: Loan) => isDirect({ loanType } as Loan) && loanType.includes("CONSOLIDATED")
const goesIn = (loan: Loan) =>
  loan.loanType !== "INCOME CONTINGENT (ICL)" && loan.principalBalance + loan.interestBalance >= 0.005
const cents = ({ interestBalance, principalBalance }: Loan) =>
  Math.round(principalBalance * 100) + Math.round(interestBalance * 100)
const total = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0)

/** Rates of these books have three decimals of a percent: whole thousandths, of which an eighth has 125. */
const eighthsOf = (loans: ReadonlyArray<Loan>): number => {
  const weighted = total(loans.map((loan) => Math.round(loan.interestRate * 100_000) * cents(loan)))
  const eighth = 125 * total(loans.map(cents))
  return Math.floor(weighted / eighth) + (weighted % eighth === 0 ? 0 : 1)
}
const average = (loans: ReadonlyArray<Loan>, count: (loan: Loan) => number) =>
  Math.round(total(loans.map((loan) => count(loan) * cents(loan))) / total(loans.map(cents)))

const written = (loans: ReadonlyArray<Loan>, madeOn: string): ReadonlyArray<Loan> => {
  const part = (loanType: Loan["loanType"], repaid: ReadonlyArray<Loan>): ReadonlyArray<Loan> =>
    repaid.length === 0
      ? []
      : [
          {
            loanType,
            principalBalance: total(repaid.map(cents)) / 100,
            interestBalance: 0,
            interestRate: (eighthsOf(loans) * 125) / 100_000,
            disbursedAmount: 0,
            idrMonthsInRepayment: average(loans, (loan) =>
              UNCOUNTED.includes(loan.loanType) ? 0 : loan.idrMonthsInRepayment
            ),
            pslfCount: average(loans, (loan) => (isDirect(loan) ? loan.pslfCount : 0)),
            madeOn
          }
        ]
  if (loans.some(isParents)) return part("DIRECT PARENT PLUS CONSOLIDATED", loans)
  const isSubsidized = ({ loanType }: Loan) => SUBSIDIZED.includes(loanType)
  const isUnsubsidized = (loan: Loan) => !isSubsidized(loan)
  return [
    ...part("DIRECT CONSOLIDATED SUBSIDIZED", loans.filter(isSubsidized)),
    ...part("DIRECT CONSOLIDATED UNSUBSIDIZED", loans.filter(isUnsubsidized))
  ]
}

/** Each choice with the loans that are made and the book of all loans. */
const writtenBooks = (loans: ReadonlyArray<Loan>, madeOn: string) => {
  const students = loans.filter((loan) => goesIn(loan) && !isParents(loan))
  const parents = loans.filter((loan) => goesIn(loan) && isParents(loan))
  const isPossible = (some: ReadonlyArray<Loan>) => some.some((loan) => !isOldConsolidation(loan))
  const book = (choice: Choice, ...groups: ReadonlyArray<ReadonlyArray<Loan>>) => {
    const made = groups.flatMap((group) => written(group, madeOn))
    return { choice, made, loans: [...made, ...loans.filter((loan) => !groups.some((group) => group.includes(loan)))] }
  }
  if (!isPossible(students)) return isPossible(parents) ? [book("parents", parents)] : []
  return isPossible(parents)
    ? [book("students", students), book("both", students, parents)]
    : [book("students", students)]
}

/** The loans that stay out go on with their pauses; the new ones are due. */
const writtenPauses = ({ household, loans }: ReadBook, after: ReadonlyArray<Loan>) =>
  (household.pauses ?? []).flatMap((pause) => {
    const paused = (pause.loans ?? [...loans.keys()]).map((position) => after.indexOf(loans[position]!))
    const left = paused.filter((position) => position >= 0)
    return left.length === 0 ? [] : [{ ...pause, loans: left }]
  })

/** The loans as a plan takes them over: who leaves Income-Based has its unpaid interest in the principal. */
const takenOver = (
  { currentPlan }: { readonly currentPlan: string | null },
  planType: string,
  loans: ReadonlyArray<Loan>
): ReadonlyArray<Loan> =>
  !currentPlan?.startsWith("INCOME BASED") || planType.startsWith("INCOME BASED")
    ? loans
    : loans.map(({ interestBalance, principalBalance, ...loan }) =>
        currentLaw.traitsOf[loan.loanType].eligibility["INCOME BASED"] === "closed"
          ? { ...loan, interestBalance, principalBalance }
          : { ...loan, interestBalance: 0, principalBalance: Number((principalBalance + interestBalance).toFixed(2)) }
      )

/** Random books that can be consolidated, with what the page says of that. */
const draw = (books: number, now: Date, seed: number) => {
  const drawn = answeredBooks(books, seed, now).map(({ answered: { consolidations }, draft }) => {
    const reading = readDraft(draft, startMonthOf(now))
    if (reading._tag !== "Book") throw new Error(reading._tag)
    const { household, loans } = reading.book
    const offered = writtenBooks(loans, MADE_ON).map(({ choice }) => choice)
    expect(consolidations.map(({ choice }) => choice)).toEqual(offered)
    // Figures do not hold what is paid beyond what is due.
    const own = { ...household, extraMonthlyPayment: 0, lumpSums: null }
    return { book: { ...reading.book, household: own }, consolidations }
  })
  const possible = drawn.filter(({ consolidations }) => consolidations.length > 0)
  expect(possible.length).toBeGreaterThan(books / 2)
  return possible
}

const CLOSED = ["REVISED PAY AS YOU EARN", "SAVE"]
const WIRE = PLAN_TYPES.filter((plan) => !CLOSED.includes(plan))
describe("of random books", () => {
  it("every new book and every figure of it is the API's, of the book that is written out here", () => {
    const start = startMonthOf(NOW)
    for (const { book, consolidations } of draw(runs(150, 300), NOW, newSeedOr(40))) {
      for (const [index, { choice, loans, made }] of writtenBooks(book.loans, MADE_ON).entries()) {
        const whatIf = consolidations[index]!
        expect([whatIf.choice, whatIf.made, whatIf.loans]).toEqual([choice, made, loans])
        const answerOf = (planType: string, filingStatus: string) => {
          const scenario = { ...book.household, planType, filingStatus, pauses: writtenPauses(book, loans) }
          const request = { scenario, loans: takenOver(book, planType, loans), includeYearly: true }
          return project(currentLaw, request as EngineRequest, start)
        }
        for (const { figures, key, planType } of whatIf.lines)
          expect(figures).toEqual(answerOf(planType, key.slice(key.lastIndexOf("/") + 1)))
        // Plans that are not shown are those that the API refuses, or that take none of the new loans.
        const shown: ReadonlyArray<string> = whatIf.lines.map(({ planType }) => planType)
        const open = [...WIRE.filter((plan) => plan !== "STANDARD"), "TIERED STANDARD"].filter((plan) => {
          const answer = answerOf(plan, book.filings[0])
          return answer._tag === "Projection" && made.some((_, position) => !answer.outside?.loans.includes(position))
        })
        expect([...new Set(shown)].sort()).toEqual([...open].sort())
        expect(open.filter((plan) => !["REPAYMENT ASSISTANCE", "TIERED STANDARD"].includes(plan))).toEqual([])
      }
    }
  })
})

describe("over HTTP", () => {
  const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })

  it("the answer to the written book is what the page shows", async () => {
    const now = new Date()
    const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
    for (const { book, consolidations } of draw(runs(8, 100), now, newSeedOr(41))) {
      const key = await service().mint()
      for (const [index, { loans }] of writtenBooks(book.loans, lastDay).entries()) {
        for (const line of consolidations[index]!.lines) {
          // A request names Tiered Standard as STANDARD of Direct loans; others are on the ten-year plan with it.
          const isTiered = line.planType === "TIERED STANDARD"
          if (isTiered && !loans.every(isDirect)) continue
          const planType = isTiered ? "STANDARD" : line.planType
          const filingStatus = line.filing ?? book.filings[0]
          const scenario = { ...book.household, planType, filingStatus, pauses: writtenPauses(book, loans) }
          const json = { scenario, loans: takenOver(book, planType, loans), includeYearly: true }
          const response = await service().call("POST", "/v1/projection", { json, key })
          const body = (await response.json()) as object
          expect([response.status, figuresOf(body)]).toEqual([200, figuresOf(line.figures)])
        }
      }
    }
  })
})
