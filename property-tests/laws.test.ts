/**
 * Tests of invariants that law and arithmetic promise for every answer. They need no oracle, so
 * they can also find an error that the engine and the oracle share.
 */

import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import { compare } from "../src/engine/comparison.ts"
import { eligiblePlans } from "../src/engine/eligibility.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { monthlyPayments } from "../src/engine/months.ts"
import { type EngineRequest, type Projection, project, runUntil, type UnroundedRun } from "../src/engine/projection.ts"
import type { StartMonth } from "../src/engine/schedule/calendar.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { START } from "./agreement.ts"
import { projectionRequests, type RequestOptions } from "./generators/requests.ts"
import { type Life, lawsOfLives, lawsOfPlanChanges } from "./lives.ts"
import { oracleProject, type Start, type WireProjection } from "./oracle/oracle.ts"

const seed = seedOr(20261121)
const RUNS = runs(40, 200)
const INCOME_DRIVEN = PLAN_TYPES.filter((plan) => !["STANDARD", "EXTENDED", "GRADUATED"].includes(plan))
const ORDINARY: RequestOptions = { highestRate: 0.3, maxLoans: 6 }
/** Loan types that every plan takes (EXTENDED only above $30,000). */
const DIRECT_STUDENT = ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED", "DIRECT PLUS GRADUATE"]

const decode = Schema.decodeUnknownSync(ProjectionRequest)
type Request = typeof ProjectionRequest.Type
type Scenario = Request["scenario"]

const added = (options: RequestOptions = ORDINARY): fc.Arbitrary<Request> =>
  projectionRequests({ ...options, additions: true }).map((wire) => decode(wire))

/** The members of a change, not sent. */
const UNSENT = {
  adjustedGrossIncome: null,
  spouseAdjustedGrossIncome: null,
  spouseFederalLoanBalance: null,
  filingStatus: null,
  dependents: null,
  workingTowardsPslf: null,
  familySize: null,
  extraMonthlyPayment: null,
  monthlyBudget: null
}

/** Requests with and without dates, price growth, changes and extra payments. */
const requests = (options: RequestOptions = ORDINARY): fc.Arbitrary<Request> =>
  fc.oneof(
    projectionRequests(options).map((wire) => decode(wire)),
    added(options)
  )

const answerOf = (request: Request): Projection => {
  const outcome = project(currentLaw, request, START)
  fc.pre(outcome._tag === "Projection")
  return outcome as Projection
}

const traceOf = (request: Request, start: StartMonth = START): UnroundedRun => {
  const outcome = runUntil(currentLaw, request, start)
  fc.pre(outcome._tag === "UnroundedRun")
  return outcome as UnroundedRun
}

const withScenario = (request: Request, change: Partial<Scenario>): Request => ({
  ...request,
  scenario: { ...request.scenario, ...change }
})

/** The request without its dates, whose bound is the start. */
const undated = (request: Request): Request => ({
  ...withScenario(request, { firstBorrowedOn: null }),
  loans: request.loans.map((loan) => ({ ...loan, madeOn: null }))
})

const figuresOf = ({ citations: _c, omissions: _o, label: _l, yearly: _y, ...figures }: Projection) => figures

const holds = <A>(arbitrary: fc.Arbitrary<A>, law: (value: A) => void) =>
  fc.assert(fc.property(arbitrary, law), { numRuns: RUNS, seed })

const isJointInSomeYear = ({ scenario: { changes, filingStatus } }: Request): boolean =>
  [filingStatus, ...(changes ?? []).map((change) => change.filingStatus)].includes("MarriedFilingJointly")

const cents = (dollars: number): number => Math.round(dollars * 100)

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((a, b) => a + b, 0)

const owedOn = (loans: Request["loans"]): number =>
  sum(loans.map((loan) => loan.principalBalance + loan.interestBalance))

const expectConserved = ({ loans }: Request, run: UnroundedRun): void => {
  const owed = owedOn(loans) + run.accrued
  const ends = run.paid + run.waived + run.matched + run.forgivenTimeBased + run.forgivenPslf
  const left = run.principalLeft + run.interestLeft
  expect(Math.abs(owed - ends - left)).toBeLessThanOrEqual(Math.max(0.01 + 0.005 * loans.length, 1e-12 * owed))
}

describe("for any book and plan [F32]", () => {
  it("money is conserved: debt plus interest equals paid, waived, matched, forgiven and left", () => {
    holds(requests({ maxLoans: 10 }), (request) => expectConserved(request, traceOf(request)))
  })

  it("the order of the loans changes at most a rounding tie", () => {
    // An extra payment goes to the earlier of two loans with the same rate.
    const withoutExtra = requests().map((request) => withScenario(request, { extraMonthlyPayment: 0 }))
    holds(withoutExtra, (request) => {
      const there = answerOf(request)
      const back = answerOf({ ...request, loans: request.loans.toReversed() })
      expect(back.monthsToFinish).toBe(there.monthsToFinish)
      expect(back.forgivenessType).toBe(there.forgivenessType)
      for (const field of ["totalOutOfPocket", "amountForgiven", "firstMonthPayment"] as const) {
        expect(Math.abs(cents(back[field]) - cents(there[field]))).toBeLessThanOrEqual(1)
      }
    })
  })

  it("splitting every loan into equal halves changes totals at most by rounding and closed dust", () => {
    holds(requests({ ...ORDINARY, maxLoans: 3 }), (drawn) => {
      // An extra payment closes one half after the other.
      const request = withScenario(drawn, { extraMonthlyPayment: 0 })
      const whole = answerOf(request)
      fc.pre(request.loans.every((loan) => loan.principalBalance + loan.interestBalance >= 1))
      const halves = request.loans.flatMap((loan) => {
        const half = {
          ...loan,
          principalBalance: loan.principalBalance / 2,
          interestBalance: loan.interestBalance / 2,
          disbursedAmount: (loan.disbursedAmount === 0 ? loan.principalBalance : loan.disbursedAmount) / 2
        }
        return [half, half]
      })
      const split = answerOf({ ...request, loans: halves })
      const dust = 0.02 + 0.01 * halves.length + 1e-9 * whole.totalOutOfPocket
      expect(Math.abs(split.totalOutOfPocket - whole.totalOutOfPocket)).toBeLessThanOrEqual(dust)
      expect(Math.abs(split.amountForgiven - whole.amountForgiven)).toBeLessThanOrEqual(dust)
    })
  })

  it("the yearly series adds up to the totals to the cent and ends in the last month", () => {
    holds(requests(), (request) => {
      const answer = answerOf({ ...request, includeYearly: true })
      const years = answer.yearly ?? []
      const last = years[years.length - 1]!
      expect(sum(years.map((year) => cents(year.paymentsThisYear)))).toBe(cents(answer.totalOutOfPocket))
      expect(sum(years.map((year) => cents(year.forgivenThisYear)))).toBe(cents(answer.amountForgiven))
      expect(last.cumulativePaid).toBe(answer.totalOutOfPocket)
      expect(last.date).toBe(answer.payoffOrForgivenessDate)
      expect(years.map(({ year }) => year)).toEqual(years.map((_, index) => index))
      if (years.length > 1) expect([last.principalBalance, last.interestBalance]).toEqual([0, 0])
    })
  })

  it("year 0 is the book as sent", () => {
    holds(requests(), (request) => {
      const opening = answerOf({ ...request, includeYearly: true }).yearly![0]!
      const owed = sum(request.loans.map((loan) => loan.principalBalance))
      expect(Math.abs(opening.principalBalance - owed)).toBeLessThanOrEqual(0.005 + 1e-7 + 1e-15 * owed)
      expect([opening.paymentsThisYear, opening.cumulativePaid, opening.forgivenThisYear]).toEqual([0, 0, 0])
    })
  })

  it("label and includeYearly change no figure, and the same request twice gives the same figures", () => {
    holds(requests(), (request) => {
      const once = figuresOf(answerOf(request))
      const other = withScenario({ ...request, includeYearly: !request.includeYearly }, { label: "another label" })
      expect(figuresOf(answerOf(other))).toEqual(once)
      expect(figuresOf(answerOf(request))).toEqual(once)
    })
  })

  it("a comparison equals its projections run one by one", () => {
    holds(fc.tuple(requests(), requests()), ([left, right]) => {
      const singly = [answerOf(left), answerOf({ ...right, includeYearly: left.includeYearly })]
      const together = compare(currentLaw, { arms: [left, right], includeYearly: left.includeYearly }, START)
      expect(together).toMatchObject({ _tag: "Comparison", projections: singly })
    })
  })

  it("no amount is negative, and forgiveness is at most the debt plus interest", () => {
    holds(requests(), (request) => {
      const run = traceOf(request)
      const owed = owedOn(request.loans) + run.accrued
      for (const amount of Object.values(run)) if (typeof amount === "number") expect(amount).toBeGreaterThan(-1e-9)
      expect(run.forgivenTimeBased + run.forgivenPslf).toBeLessThanOrEqual(owed * (1 + 1e-12) + 0.01)
    })
  })

  it("spouse fields change nothing without a joint return", () => {
    holds(requests(), (request) => {
      fc.pre(!isJointInSomeYear(request))
      const alone = withScenario(request, { spouseAdjustedGrossIncome: null, spouseFederalLoanBalance: null })
      expect(figuresOf(answerOf(request))).toEqual(figuresOf(answerOf(alone)))
    })
  })

  it("PSLF is never taxed", () => {
    holds(requests({ ...ORDINARY, plans: INCOME_DRIVEN }), (request) => {
      const serving = withScenario(request, { workingTowardsPslf: true })
      if (traceOf(serving).forgivenTimeBased === 0) expect(answerOf(serving).forgivenessTaxesOwed).toBe(0)
    })
  })
})

describe("an income-driven payment [F32]", () => {
  const firstPayment = (request: Request, change: Partial<Scenario>) =>
    traceOf(withScenario(request, change)).firstPayment
  const driven = { ...ORDINARY, plans: INCOME_DRIVEN }

  it("never falls when income rises", () => {
    holds(fc.tuple(requests(driven), fc.double({ min: 0, max: 200_000, noNaN: true })), ([request, more]) => {
      const income = request.scenario.adjustedGrossIncome
      expect(firstPayment(request, { adjustedGrossIncome: income + more })).toBeGreaterThanOrEqual(
        firstPayment(request, {}) - 1e-9
      )
    })
  })

  it("never rises with one more dependent", () => {
    holds(requests(driven), (request) => {
      const dependents = request.scenario.dependents + 1
      expect(firstPayment(request, { dependents })).toBeLessThanOrEqual(firstPayment(request, {}) + 1e-9)
    })
  })

  it("is at most the debt after the month's accrual", () => {
    holds(requests(driven), (request) => {
      const interest = sum(request.loans.map((loan) => (loan.principalBalance * loan.interestRate) / 12))
      const owed = owedOn(request.loans) + interest
      expect(traceOf(request).firstPayment).toBeLessThanOrEqual(owed * (1 + 1e-12))
    })
  })

  it("leads to forgiveness no later with more prior months", () => {
    const one = { ...driven, maxLoans: 1, loanTypes: DIRECT_STUDENT }
    holds(fc.tuple(requests(one), fc.integer({ min: 1, max: 120 })), ([request, more]) => {
      const [loan] = request.loans
      const idrMonthsInRepayment = Math.min(600, loan!.idrMonthsInRepayment + more)
      const before = answerOf(request)
      const after = answerOf({ ...request, loans: [{ ...loan!, idrMonthsInRepayment }] })
      fc.pre(before.forgivenessType !== "None" && after.forgivenessType !== "None")
      expect(after.monthsToFinish!).toBeLessThanOrEqual(before.monthsToFinish!)
    })
  })
})

describe("the end of INCOME CONTINGENT and PAY AS YOU EARN in July 2028 [F32]", () => {
  const ending = { ...ORDINARY, plans: ["INCOME CONTINGENT", "PAY AS YOU EARN"], maxLoans: 6 } as const
  const LONG_BEFORE: StartMonth = { year: 1978, month: 7 }
  const started = fc.tuple(requests(ending).map(undated), fc.integer({ min: 1, max: 40 }))
  /** The first month of a repayment that starts this many months before July 2028. */
  const startingBefore = (months: number): StartMonth => ({
    year: 2028 - Math.ceil((months - 6) / 12),
    month: ((((6 - months) % 12) + 12) % 12) + 1
  })

  it("conserves money", () => {
    holds(started, ([request, months]) => expectConserved(request, traceOf(request, startingBefore(months))))
  })

  it("changes no month before it", () => {
    holds(started, ([request, months]) => {
      const until = (start: StartMonth) => runUntil(currentLaw, request, start, months)
      expect(until(startingBefore(months))).toEqual(until(LONG_BEFORE))
    })
  })

  it("does not change a book that is repaid before it", () => {
    holds(started, ([request, months]) => {
      const untouched = project(currentLaw, request, LONG_BEFORE)
      fc.pre(untouched._tag === "Projection" && untouched.monthsToFinish! < months)
      const { payoffOrForgivenessDate: _, ...expected } = figuresOf(untouched as Projection)
      const answer = project(currentLaw, request, startingBefore(months))
      expect(answer).toMatchObject(expected)
      expect((answer as Projection).citations).toEqual((untouched as Projection).citations)
    })
  })

  it("gives every start in that month or later the same run", () => {
    holds(requests(ending).map(undated), (request) => {
      const then = runUntil(currentLaw, request, { year: 2028, month: 7 })
      expect(runUntil(currentLaw, request, { year: 2031, month: 2 })).toEqual(then)
    })
  })
})

const borrowed = ({ loans, scenario }: EngineRequest) => ({ loans, firstBorrowedOn: scenario.firstBorrowedOn })

describe("eligibility [F32]", () => {
  it("returns only plans that a projection of the book accepts, unless it refuses another loan", () => {
    holds(requests({ highestRate: 0.3, maxLoans: 4 }), (request) => {
      eligiblePlans(currentLaw, borrowed(request)).forEach(({ balance, eligiblePlanTypes }, index) => {
        if (balance === 0) return
        for (const planType of eligiblePlanTypes) {
          const outcome = project(currentLaw, withScenario(request, { planType, workingTowardsPslf: false }), START)
          if (outcome._tag !== "Refusal") continue
          expect(outcome.kind).toBe("artifact")
          expect(outcome.loans.map(({ position }) => position)).not.toContain(index)
        }
      })
    })
  })

  it("omits only plans closed by law or by prior months", () => {
    holds(requests({ highestRate: 0.3, maxLoans: 1, loanTypes: DIRECT_STUDENT }).map(undated), (request) => {
      const [loan] = eligiblePlans(currentLaw, borrowed(request))
      for (const planType of ["STANDARD", "GRADUATED", ...INCOME_DRIVEN] as const) {
        const alone = project(currentLaw, withScenario(request, { planType, workingTowardsPslf: false }), START)
        const closed = planType === "SAVE" || planType === "REVISED PAY AS YOU EARN"
        const listed = loan!.eligiblePlanTypes.includes(planType)
        expect(listed).toBe(!closed && alone._tag === "Projection")
        if (alone._tag === "Refusal") expect(alone.kind).toBe("artifact")
      }
    })
  })
})

describe("at zero [F32]", () => {
  it("an empty book costs nothing under any plan", () => {
    holds(requests(), (request) => {
      const empty = request.loans.map((loan) => ({ ...loan, principalBalance: 0, interestBalance: 0 }))
      const answer = answerOf({ ...request, loans: empty, includeYearly: true })
      const nothing = { totalOutOfPocket: 0, amountForgiven: 0, monthsToFinish: 0, forgivenessType: "None" }
      expect(answer).toMatchObject(nothing)
      expect(answer.yearly).toHaveLength(1)
    })
  })

  it("a rate of 0 accrues and waives no interest", () => {
    holds(requests(), (request) => {
      const run = traceOf({ ...request, loans: request.loans.map((loan) => ({ ...loan, interestRate: 0 })) })
      expect(run.accrued).toBe(0)
      expect(run.waived).toBe(0)
    })
  })

  it("an income of 0 pays the minimum: $10 under REPAYMENT ASSISTANCE, nothing under other plans", () => {
    holds(requests({ ...ORDINARY, plans: INCOME_DRIVEN, loanTypes: DIRECT_STUDENT, maxLoans: 2 }), (request) => {
      const poor = withScenario(request, { adjustedGrossIncome: 0, spouseAdjustedGrossIncome: 0 })
      fc.pre(owedOn(poor.loans) > 100)
      const least = poor.scenario.planType === "REPAYMENT ASSISTANCE" ? 10 : 0
      expect(traceOf(poor).firstPayment).toBeCloseTo(least, 9)
    })
  })
})

describe("what a request adds [F32]", () => {
  const FIXED = { ...ORDINARY, plans: ["STANDARD", "EXTENDED", "GRADUATED"] } as const

  it("more extra under a fixed plan never costs more in all, and never ends later", () => {
    holds(fc.tuple(added(FIXED), fc.double({ min: 0, max: 2_000, noNaN: true })), ([request, more]) => {
      const fixed = withScenario(request, { workingTowardsPslf: false, changes: [] })
      const less = answerOf(fixed)
      const extraMonthlyPayment = Math.min(1_000_000, (fixed.scenario.extraMonthlyPayment ?? 0) + more)
      const answer = answerOf(withScenario(fixed, { extraMonthlyPayment }))
      expect(less.amountForgiven).toBe(0)
      expect(cents(answer.totalOutOfPocket)).toBeLessThanOrEqual(cents(less.totalOutOfPocket) + 1)
      expect(answer.monthsToFinish).toBeLessThanOrEqual(less.monthsToFinish!)
      expect(answer.firstMonthPayment).toBe(less.firstMonthPayment)
    })
  })

  it("changes that change nothing change no figure", () => {
    holds(fc.tuple(added(), fc.integer({ min: 2, max: 40 })), ([request, fromYear]) => {
      const { dependents, filingStatus, spouseFederalLoanBalance, workingTowardsPslf } = request.scenario
      const same = { filingStatus, dependents, workingTowardsPslf, spouseFederalLoanBalance }
      const nothing = { ...UNSENT, ...same, fromYear }
      const without = withScenario(request, { changes: [] })
      expect(figuresOf(answerOf(withScenario(request, { changes: [nothing] })))).toEqual(figuresOf(answerOf(without)))
    })
  })

  it("a date that crosses no day of the law changes no figure and no open plan", () => {
    const DAYS = ["1998-10-07", "2006-07-01", "2007-10-01", "2010-07-01", "2011-10-01", "2014-07-01", "2026-07-01"]
    const END = "2026-12-01"
    /** The last day before the next day of the law. */
    const latest = (date: string): string => {
      const next = [...DAYS, END].find((day) => day > date)!
      return new Date(Date.parse(next) - 86_400_000).toISOString().slice(0, 10)
    }
    let moved = 0
    holds(added(), (request) => {
      const answer = project(currentLaw, request, START)
      const loans = request.loans.map((loan) =>
        loan.madeOn === null ? loan : { ...loan, madeOn: latest(loan.madeOn) }
      )
      const { firstBorrowedOn } = request.scenario
      const later = { ...request, loans }
      // Moved in the same way, it stays before every loan.
      const all = withScenario(later, { firstBorrowedOn: firstBorrowedOn === null ? null : latest(firstBorrowedOn) })
      const again = project(currentLaw, all, START)
      if (JSON.stringify(all) !== JSON.stringify(request)) moved++
      expect(again._tag).toBe(answer._tag)
      if (answer._tag === "Projection") expect(figuresOf(again as Projection)).toEqual(figuresOf(answer))
      expect(eligiblePlans(currentLaw, borrowed(all))).toEqual(eligiblePlans(currentLaw, borrowed(request)))
    })
    expect(moved).toBeGreaterThan(RUNS / 4)
  })

  it("a change of a later year changes nothing in the years before it", () => {
    holds(fc.tuple(added(), fc.integer({ min: 2, max: 25 }), fc.integer({ min: 0, max: 200_000 })), (drawn) => {
      const [request, fromYear, adjustedGrossIncome] = drawn
      const others = (request.scenario.changes ?? []).filter((change) => change.fromYear < fromYear)
      const change = { ...UNSENT, fromYear, adjustedGrossIncome, filingStatus: "Single" as const, dependents: 1 }
      const yearsOf = (changes: Scenario["changes"]) =>
        answerOf({ ...withScenario(request, { changes }), includeYearly: true }).yearly!.slice(0, fromYear)
      const before = yearsOf(others)
      expect(yearsOf([...others, change]).slice(0, before.length)).toEqual(before)
    })
  })
})

/** The engine's projection of a request; null if it is refused, or near a threshold by the oracle. */
const engineLife = (wire: WireProjection, start: Start): Life | null => {
  // JSON leaves out what is undefined.
  const [request, exact] = [decode(JSON.parse(JSON.stringify(wire))), oracleProject(wire, start)]
  if (exact.kind !== "projection" || exact.edges.length > 0) return null
  const answer = project(currentLaw, { ...request, includeYearly: true }, start)
  const run = runUntil(currentLaw, request, start)
  const payments = monthlyPayments(currentLaw, request, start, (exact.monthsToFinish ?? 599) + 1)
  if (answer._tag === "Refusal" || run._tag === "Refusal" || "_tag" in payments) return null
  const { citations: _c, omissions: _o, presentValue = null, remarks: _r, ...figures } = answer
  const owed = sum(request.loans.map((loan) => loan.principalBalance + loan.interestBalance))
  const forgiven = run.forgivenTimeBased + run.forgivenPslf
  return {
    ...{ accrued: run.accrued, paid: run.paid, waived: run.waived, matched: run.matched, forgiven },
    // The engine does not add up what is closed as dust.
    left: run.principalLeft + run.interestLeft,
    firstPayment: run.firstPayment,
    payments: owed > 0 ? [...payments] : [],
    tax: answer.forgivenessTaxesOwed,
    presentValue,
    monthsToFinish: answer.monthsToFinish,
    figures
  }
}

describe("lives that bend, of the engine [F32]", () => {
  lawsOfLives(engineLife, { numRuns: runs(15, 150), seed })
  lawsOfPlanChanges(engineLife, { numRuns: runs(15, 150), seed })
})
