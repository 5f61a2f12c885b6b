/**
 * Laws of lives that bend, which hold for anything that projects a request: the oracle or the
 * engine. A caller gives its projection in the form of a Life.
 */
import fc from "fast-check"
import { expect, it } from "vitest"
import type { RequestOptions } from "./generators/books.ts"
import { projectionRequests, started } from "./generators/requests.ts"
import { indexOfMonth, monthsFrom, monthText, readMonth } from "./oracle/calendar.ts"
import { CONTINGENT_PLANS_ENDED } from "./oracle/law.ts"
import type { Start, WireLoan, WirePause, WirePlanChange, WireProjection, WireScenario } from "./oracle/oracle.ts"

/** A projection, in dollars. */
export interface Life {
  readonly accrued: number
  readonly paid: number
  readonly waived: number
  readonly matched: number
  readonly forgiven: number
  /** What is closed as dust, or left after the last month. */
  readonly left: number
  readonly firstPayment: number
  /** All that is paid in each month. */
  readonly payments: ReadonlyArray<number>
  readonly tax: number
  readonly presentValue: number | null
  readonly monthsToFinish: number | null
  /** Everything that the answer shows, in a form that can be compared, without the present value. */
  readonly figures: unknown
}

/** Null if the request is refused, or too close to a threshold to be compared. */
export type Live = (request: WireProjection, start: Start) => Life | null

interface Runs {
  readonly numRuns: number
  readonly seed?: number
}

const ORDINARY: RequestOptions = { highestRate: 0.3, maxLoans: 6, highestBalance: 1_000_000 }
const FIXED: RequestOptions = { ...ORDINARY, plans: ["STANDARD", "EXTENDED", "GRADUATED"] }

const withScenario = (request: WireProjection, part: Partial<WireScenario>): WireProjection => ({
  ...request,
  scenario: { ...request.scenario, ...part }
})

const requests = (options: RequestOptions) =>
  started((start) =>
    fc.oneof(
      projectionRequests({ ...options, start, lives: true }),
      projectionRequests({ ...options, start, lives: true, additions: true })
    )
  )

const owedAtStart = ({ loans }: WireProjection): number =>
  loans.reduce((sum, loan) => sum + loan.principalBalance + (loan.interestBalance ?? 0), 0)

const toleranceOf = (request: WireProjection): number => 0.01 + 0.005 * request.loans.length

function conserves(request: WireProjection, life: Life): void {
  const inflow = owedAtStart(request) + life.accrued
  const outflow = life.paid + life.waived + life.matched + life.forgiven + life.left
  expect(Math.abs(inflow - outflow)).toBeLessThanOrEqual(Math.max(toleranceOf(request), 1e-12 * inflow))
}

const forbearanceFor = (months: number, start: Start): WirePause => ({
  kind: "Forbearance",
  until: monthText(start, months)
})

type Law = (request: WireProjection, start: Start) => void

const checksOf = (live: Live, runs: Runs) => ({
  holds: (options: RequestOptions, law: Law) =>
    fc.assert(
      fc.property(requests(options), ([request, start]) => law(request, start)),
      runs
    ),

  lifeOf: (request: WireProjection, start: Start): Life => {
    const life = live(request, start)
    fc.pre(life !== null)
    return life!
  }
})

/** Declares the laws as tests. */
export function lawsOfLives(live: Live, runs: Runs): void {
  const { holds, lifeOf } = checksOf(live, runs)

  /** The request has the same figures with `part` as without it. */
  const unchangedBy = (
    options: RequestOptions,
    partOf: (request: WireProjection, start: Start) => Partial<WireScenario>
  ) =>
    holds(options, (request, start) => {
      const part = partOf(request, start)
      const without = withScenario(request, Object.fromEntries(Object.keys(part).map((key) => [key, undefined])))
      expect(lifeOf(withScenario(request, part), start).figures).toEqual(lifeOf(without, start).figures)
    })

  it("money is conserved", () => {
    holds(ORDINARY, (request, start) => {
      conserves(request, lifeOf(request, start))
    })
  })

  it("null, 0 and empty lists are as left out", () => {
    unchangedBy(ORDINARY, () => ({
      familySize: null,
      pauses: null,
      monthlyBudget: null,
      lumpSums: null,
      discountRate: null
    }))
    unchangedBy(ORDINARY, () => ({ pauses: [], monthlyBudget: 0, lumpSums: [] }))
  })

  it("a pause that is over, or a lump sum before month 0 or after the end, changes nothing", () => {
    unchangedBy(ORDINARY, (_, start) => ({
      pauses: [forbearanceFor(0, start), { kind: "Deferment", from: "1958-09", until: monthText(start, -7) }],
      lumpSums: [
        { on: monthText(start, -1), amount: 5_000 },
        { on: monthText(start, 600), amount: 5_000 }
      ]
    }))
  })

  it("the order of pauses and positions, and that all are named, is of no account", () => {
    holds(ORDINARY, (request, start) => {
      const pauses = (request.scenario.pauses ?? []).map((pause) => ({
        ...pause,
        kind: ` ${pause.kind.toUpperCase()}`,
        loans: (pause.loans ?? request.loans.map((_, position) => position)).toReversed()
      }))
      const other = withScenario(request, { pauses: pauses.toReversed() })
      expect(lifeOf(other, start).figures).toEqual(lifeOf(request, start).figures)
    })
  })

  it("forbearance of k months at the start moves forgiveness under REPAYMENT ASSISTANCE by k months", () => {
    const options: RequestOptions = {
      ...ORDINARY,
      plans: ["REPAYMENT ASSISTANCE"],
      loanTypes: ["DIRECT STAFFORD UNSUBSIDIZED", "DIRECT STAFFORD SUBSIDIZED", "DIRECT PLUS GRADUATE"]
    }
    const property = fc.property(
      started((start) => projectionRequests({ ...options, start })),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 119 }),
      ([drawn, start], k, counted) => {
        const loans = drawn.loans.map((loan) => ({
          ...loan,
          interestBalance: 0,
          idrMonthsInRepayment: counted,
          pslfCount: counted
        }))
        const request = withScenario({ ...drawn, loans }, { annualIncomeGrowth: 0 })
        const plain = lifeOf(request, start)
        fc.pre(plain.forgiven > 0.01)
        const paused = lifeOf(withScenario(request, { pauses: [forbearanceFor(k, start)] }), start)
        expect(paused.monthsToFinish).toBe(plain.monthsToFinish! + k)
        expect(Math.abs(paused.paid - plain.paid)).toBeLessThanOrEqual(0.01)
        expect(paused.forgiven).toBeGreaterThanOrEqual(plain.forgiven - 0.01)
      }
    )
    fc.assert(property, runs)
  })

  it("a budget below what is due in every month changes nothing", () => {
    const withoutExtra = { pauses: null, extraMonthlyPayment: 0, monthlyBudget: 0, lumpSums: null, changes: null }
    holds(ORDINARY, (drawn, start) => {
      const request = withScenario(drawn, withoutExtra)
      const plain = lifeOf(request, start)
      // What pays off a book in its last month is all that is owed.
      const payments = plain.forgiven > 0 ? plain.payments : plain.payments.slice(0, -1)
      const least = Math.min(1_000_000, ...payments) - 0.01
      fc.pre(least > 0)
      const monthlyBudget = Math.floor(least * 100) / 100
      expect(lifeOf(withScenario(request, { monthlyBudget }), start).figures).toEqual(plain.figures)
    })
  })

  // With a pause it may: what it pays of unpaid interest, which bears none, lowers the amount that is set after it.
  it("a larger budget never costs more under a fixed plan where nothing is paused or forgiven", () => {
    const property = fc.property(
      requests(FIXED),
      fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 1_500 })),
      ([drawn, start], [less, more]) => {
        const part = { extraMonthlyPayment: 0, changes: null, workingTowardsPslf: false, pauses: null }
        const request = withScenario(drawn, part)
        const costOf = (monthlyBudget: number) => lifeOf(withScenario(request, { monthlyBudget }), start).paid
        expect(costOf(less + more)).toBeLessThanOrEqual(costOf(less) + toleranceOf(request))
      }
    )
    fc.assert(property, runs)
  })

  it("a larger family never raises the first payment, and that of the table changes nothing", () => {
    holds(ORDINARY, (drawn, start) => {
      const request = withScenario(drawn, { familySize: null, changes: null })
      const { dependents, filingStatus } = request.scenario
      const joint = ["MFJ", "MARRIEDFILINGJOINTLY"].includes(filingStatus.trim().toUpperCase())
      const table = 1 + dependents + (joint ? 1 : 0)
      const plain = lifeOf(request, start)
      const of = (familySize: number) => lifeOf(withScenario(request, { familySize }), start)
      expect(of(table).figures).toEqual(plain.figures)
      expect(of(Math.min(32, table + 2)).firstPayment).toBeLessThanOrEqual(plain.firstPayment)
    })
  })

  it("a discount rate changes no other figure, and at 0 the present value is what is paid and taxed", () => {
    holds(ORDINARY, (request, start) => {
      const at = (discountRate: number | null) => lifeOf(withScenario(request, { discountRate }), start)
      const [none, zero, high] = [at(null), at(0), at(0.07)]
      expect([zero.figures, high.figures]).toEqual([none.figures, none.figures])
      expect(none.presentValue).toBeNull()
      expect(Math.abs(zero.presentValue! - zero.paid - zero.tax)).toBeLessThanOrEqual(0.02)
      expect(high.presentValue).toBeLessThanOrEqual(zero.presentValue!)
    })
  })

  it("lump sums of one month add up", () => {
    holds(ORDINARY, (request, start) => {
      const lumpSums = request.scenario.lumpSums ?? []
      fc.pre(lumpSums.length > 0 && lumpSums.length <= 10)
      const halves = lumpSums.flatMap(({ amount, on }) => {
        const first = Math.floor(amount * 50) / 100
        return [
          { on, amount: first },
          { on, amount: Number((amount - first).toFixed(2)) }
        ]
      })
      fc.pre(halves.every(({ amount }) => amount >= 0.01))
      expect(lifeOf(withScenario(request, { lumpSums: halves }), start).figures).toEqual(lifeOf(request, start).figures)
    })
  })
}

const withChanges = (request: WireProjection, ...changes: ReadonlyArray<WirePlanChange>): WireProjection =>
  withScenario(request, { planChanges: [...(request.scenario.planChanges ?? []), ...changes] })

const planned = (request: WireProjection, planType: string): WireProjection => withScenario(request, { planType })

const studentLoans = ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED", "DIRECT PLUS GRADUATE"]

/** A change asks for a counted month of a consolidation of PLUS loans, the end of a plan does not. */
const withCountedMonth = (loan: WireLoan): WireLoan => ({
  ...loan,
  idrMonthsInRepayment: Math.max(1, loan.idrMonthsInRepayment ?? 0)
})

/** A request whose open loans have one successor in July 2028. */
const ofOneSuccessor = (start: Start) =>
  fc
    .constantFrom(
      { planType: "PAY AS YOU EARN", loanTypes: studentLoans, successor: "REPAYMENT ASSISTANCE" },
      { planType: "INCOME CONTINGENT", loanTypes: studentLoans, successor: "REPAYMENT ASSISTANCE" },
      {
        planType: "INCOME CONTINGENT",
        loanTypes: ["DIRECT PARENT PLUS CONSOLIDATED"],
        successor: "INCOME BASED (OLD)"
      }
    )
    .chain(({ loanTypes, planType, successor }) =>
      fc.tuple(
        projectionRequests({ ...ORDINARY, start, loanTypes, lives: true }).map((request) =>
          planned({ ...request, loans: request.loans.map(withCountedMonth) }, planType)
        ),
        fc.constant(successor)
      )
    )

/** Declares the laws of changes of plan as tests. */
export function lawsOfPlanChanges(live: Live, runs: Runs): void {
  const ORDINARY_CHANGES: RequestOptions = { ...ORDINARY, changesOfPlan: true }

  const checks = checksOf(live, runs)
  const { lifeOf } = checks

  const holds = (law: Law, options = ORDINARY_CHANGES) => checks.holds(options, law)

  it("money is conserved", () => holds((request, start) => conserves(request, lifeOf(request, start))))

  it("null and an empty list are as left out", () => {
    holds((request, start) => {
      const plain = lifeOf(request, start)
      for (const planChanges of [null, []]) {
        expect(lifeOf(withScenario(request, { planChanges }), start).figures).toEqual(plain.figures)
      }
    }, ORDINARY)
  })

  it("one that has happened is as the plan sent, and an earlier one nothing", () => {
    holds((request, start) => {
      const changes = [
        { from: monthText(start, -9), planType: "GRADUATED" },
        { from: monthText(start, 0), planType: request.scenario.planType }
      ]
      const happened = withScenario(planned(request, "SAVE"), { planChanges: changes })
      expect(live(happened, start)?.figures).toEqual(live(request, start)?.figures)
    }, ORDINARY)
  })

  it("changes no month before its own", () => {
    holds((request, start) => {
      const life = lifeOf(request, start)
      const changes = request.scenario.planChanges ?? []
      fc.pre(changes.length > 0)
      const last = changes.at(-1)!
      const month = monthsFrom(start, readMonth(last.from))
      const without = lifeOf(withScenario(request, { planChanges: changes.slice(0, -1) }), start)
      expect(life.payments.slice(0, Math.max(0, month))).toEqual(without.payments.slice(0, Math.max(0, month)))
    })
  })

  it("after the last month changes nothing", () => {
    const property = fc.property(
      requests(ORDINARY_CHANGES),
      fc.constantFrom("REPAYMENT ASSISTANCE", "STANDARD", "EXTENDED", "GRADUATED"),
      ([request, start], planType) => {
        const plain = lifeOf(request, start)
        const after = plain.monthsToFinish === null ? 600 : plain.monthsToFinish + 1
        const planChanges = (request.scenario.planChanges ?? []).filter(
          ({ from }) => monthsFrom(start, readMonth(from)) < after
        )
        const before = withScenario(request, { planChanges })
        const later = withChanges(before, { from: monthText(start, after), planType })
        fc.pre(planChanges.length < 5)
        expect(lifeOf(later, start).figures).toEqual(lifeOf(before, start).figures)
      }
    )
    fc.assert(property, runs)
  })

  it("in July 2028 to the successor of all open loans gives what the end of a plan gives", () => {
    const property = fc.property(started(ofOneSuccessor), ([[request, planType], start]) => {
      fc.pre(indexOfMonth(CONTINGENT_PLANS_ENDED, start) > 0)
      const chosen = withChanges(request, { from: "2028-07", planType })
      expect(lifeOf(chosen, start).figures).toEqual(lifeOf(request, start).figures)
    })
    fc.assert(property, runs)
  })
}
