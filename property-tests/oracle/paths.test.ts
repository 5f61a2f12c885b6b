/**
 * Tests of the oracle's best path. Repayment starts in December 2026 unless a test says otherwise,
 * so June 2028 is month 18 and July 2028 month 19. The engine is not involved.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isThorough, runs, seedOr } from "../../test/support/random.ts"
import { projectionRequests, started } from "../generators/requests.ts"
import { monthText } from "./calendar.ts"
import { type PlanType, planTypes } from "./matrix.ts"
import {
  type OraclePath,
  type OraclePaths,
  oraclePaths,
  oracleProject,
  type PathsOptions,
  type Start,
  type WirePaths,
  type WireScenario
} from "./oracle.ts"
import { bestOf } from "./paths.ts"
import { direct, dollars, free, type Loans, loanOf, scenarioOf, start } from "./worked/asking.ts"

type Scenario = Partial<WireScenario>

const rap = "REPAYMENT ASSISTANCE"
const ibr = "INCOME BASED"
const paye = "PAY AS YOU EARN"
const electable = planTypes.filter((plan) => plan !== "REVISED PAY AS YOU EARN" && plan !== "SAVE")
const electableSince2028 = electable.filter((plan) => plan !== "INCOME CONTINGENT" && plan !== paye)
const electableFrom = ({ month, year }: Start) => (12 * year + month < 12 * 2028 + 7 ? electable : electableSince2028)

const requestOf = (loans: Loans, scenario: Scenario = {}): WirePaths => ({
  scenario: scenarioOf({ planType: "SAVE", ...scenario }),
  loans: loans.map(loanOf)
})

function searched(request: WirePaths, options: PathsOptions = {}, from: Start = start): OraclePaths {
  const answer = oraclePaths(request, from, options)
  if (answer.kind !== "paths") throw new Error(`refused: ${answer.kind} ${answer.planType}`)
  return answer
}

const routeOf = (path: OraclePath | null) =>
  path && [path.planType, ...path.planChanges.flatMap(({ from, planType }) => [from, planType])]

const figuresOf = (path: OraclePath | null) =>
  path && [path.totalOutOfPocket, path.forgivenessTaxesOwed, path.cost].map(dollars)

const triedBy = ({ others, projected }: OraclePaths): number =>
  projected + others.refused + others.stillOpen + others.voidChange

/** Sends a path as a request of its own. */
const projectedAlone = (request: WirePaths, { planChanges, planType }: OraclePath, from: Start) =>
  oracleProject({ ...request, scenario: { ...request.scenario, planType, planChanges } }, from)

describe("90,000 at 6.6 percent with 60 months counted", () => {
  const loan = { principalBalance: 90_000, interestRate: 0.066, idrMonthsInRepayment: 60 }
  const request = requestOf([loan], { adjustedGrossIncome: 62_000 })
  const incomeBased = ["57090.00", "27636.40", "84726.40"]
  const payAsYouEarn = ["93136.17", "17392.92", "110529.09"]

  it("is cheapest under INCOME BASED alone, among all plans", () => {
    // All 27 months take some seconds.
    const months = isThorough ? undefined : [12, 18, 120]
    const answer = searched(request, months === undefined ? {} : { months })
    expect([routeOf(answer.best), figuresOf(answer.best)]).toEqual([[ibr], incomeBased])
    expect(answer.bestWithoutChange).toEqual(answer.best)
    const of = (...route: ReadonlyArray<string>) =>
      figuresOf(answer.candidates.find((path) => String(routeOf(path)) === String(route)) ?? null)
    expect(of(paye)).toEqual(payAsYouEarn)
    expect(of(paye, "2028-06", ibr)).toEqual(incomeBased)
    // Eight plans, and with each first plan eight second ones in each month.
    expect(triedBy(answer)).toBe(8 + 8 * 8 * (months?.length ?? 27))
    if (isThorough) expect(answer.projected).toBe(472)
  })

  it("is cheapest with an early change to INCOME BASED, for a borrower on PAY AS YOU EARN", () => {
    const answer = searched(request, { currentPlan: paye })
    expect([routeOf(answer.best), figuresOf(answer.best)]).toEqual([[paye, "2027-01", ibr], incomeBased])
    expect([routeOf(answer.bestWithoutChange), figuresOf(answer.bestWithoutChange)]).toEqual([[paye], payAsYouEarn])
    const ties = answer.candidates.filter(({ cost }) => cost === answer.best!.cost)
    expect(ties.map(({ month }) => month)).toEqual([1, 12, 18, 19])
    expect([triedBy(answer), answer.projected]).toEqual([1 + 8 * 28, 98])
  })
})

describe("the months of change", () => {
  /** STANDARD alone takes the loan, so that a search is short. */
  const perkins = requestOf([free("FEDERAL PERKINS", 500)])
  const monthsTried = (from: Start) => {
    const plans = electableFrom(from).length
    return (triedBy(searched(perkins, {}, from)) - plans) / plans ** 2
  }
  const monthsTriedFromPlan = (from: Start) =>
    (triedBy(searched(perkins, { currentPlan: "STANDARD" }, from)) - 1) / electableFrom(from).length

  const cases: ReadonlyArray<readonly [string, Start, number, number]> = [
    ["two more in 2028", { year: 2026, month: 12 }, 27, 28],
    ["July 2028 once where it is a whole year", { year: 2027, month: 7 }, 26, 27],
    ["June 2028 once where it is a whole year", { year: 2027, month: 6 }, 26, 27],
    ["June 2028 once where it is month 1", { year: 2028, month: 5 }, 27, 27],
    ["July 2028 alone from June 2028 on, month 1 once", { year: 2028, month: 6 }, 26, 26],
    ["neither from July 2028 on", { year: 2028, month: 7 }, 25, 26]
  ]
  it.each(cases)("are 25 whole years, and %s: from %j", (_, from, months, monthsFromPlan) => {
    expect([monthsTried(from), monthsTriedFromPlan(from)]).toEqual([months, monthsFromPlan])
  })

  it("may be named by the caller, in any order", () => {
    const answer = searched(requestOf([direct(500_000)]), { currentPlan: "GRADUATED", months: [24, 1, 24, 0] })
    expect([...new Set(answer.candidates.map(({ month }) => month))]).toEqual([null, 1, 24])
    expect(triedBy(answer)).toBe(1 + 8 * 2)
  })
})

describe("the candidates", () => {
  it("are the paths that are allowed and whose change finds a loan open", () => {
    // Tiered Standard ends with month 299, so a change in month 300 is void. A change to it from
    // REPAYMENT ASSISTANCE in month 300 ends with month 599.
    const answer = searched(requestOf([direct(500_000, { madeOn: "2026-08-01" })]))
    const counts = (first: string) => answer.candidates.filter(({ planType }) => planType === first).length
    expect([counts("STANDARD"), counts(rap), answer.projected]).toEqual([1 + 26, 1 + 27, 55])
    expect(Math.max(...answer.candidates.map(({ monthsToFinish }) => monthsToFinish))).toBe(599)
  })

  it("may change in the last month, and not after it", () => {
    // 50 dollars in each of ten months
    const answer = searched(requestOf([direct(500)]), { currentPlan: "STANDARD", months: [8, 9, 10, 11] })
    const months = answer.candidates.filter(({ planChanges }) => planChanges[0]?.planType === rap)
    expect(months.map(({ month, monthsToFinish }) => [month, monthsToFinish])).toEqual([
      [8, 8],
      [9, 9]
    ])
    expect(routeOf(answer.best)).toEqual(["STANDARD"])
  })

  it("are closed after 600 months", () => {
    // REPAYMENT ASSISTANCE counts no month of GRADUATED: it ends with month 599 from month 240 on.
    const book = [free("DIRECT CONSOLIDATED UNSUBSIDIZED", 500_000)]
    const request = requestOf(book, { adjustedGrossIncome: 0 })
    const answer = searched(request, { currentPlan: "GRADUATED", months: [228, 240, 252] })
    expect(answer.others).toEqual({ refused: 9, stillOpen: 1, voidChange: 0 })
    expect(answer.projected).toBe(1 + 5 * 3 - 1)
    const toAssistance = answer.candidates.filter(({ planChanges }) => planChanges[0]?.planType === rap)
    expect(toAssistance.map(({ month, monthsToFinish }) => [month, monthsToFinish])).toEqual([
      [228, 587],
      [240, 599]
    ])
  })

  it("of an empty book are the plans alone, which cost nothing", () => {
    const answer = searched(requestOf([direct(0)]))
    expect([routeOf(answer.best), figuresOf(answer.best)]).toEqual([["STANDARD"], ["0.00", "0.00", "0.00"]])
    expect([answer.projected, answer.bestWithoutChange]).toEqual([8, answer.best])
  })

  it("are none where no plan is allowed", () => {
    const answer = searched(requestOf([free("FEDERAL PERKINS", 500, { idrMonthsInRepayment: 119 })]))
    expect([answer.projected, answer.best, answer.bestWithoutChange]).toEqual([0, null, null])
  })

  it("begin with INCOME CONTINGENT and PAY AS YOU EARN until June 2028, and later only for who is on them", () => {
    const request = requestOf([direct(500_000)])
    const firstPlans = (from: Start, currentPlan: string | null = null) => [
      ...new Set(searched(request, { months: [12], currentPlan }, from).candidates.map(({ planType }) => planType))
    ]
    expect(firstPlans({ year: 2028, month: 6 })).toEqual(electable)
    expect(firstPlans({ year: 2028, month: 7 })).toEqual(electableSince2028)
    expect(firstPlans({ year: 2028, month: 7 }, paye)).toEqual([paye])
  })
})

describe("the current plan", () => {
  const refusal = (currentPlan: string, loans: Loans) => {
    const answer = oraclePaths(requestOf(loans), start, { currentPlan })
    return answer.kind === "paths" ? null : [answer.kind, answer.planType, answer.change, ...answer.loans]
  }

  it("is refused as the plan of a request is, and then there is no path", () => {
    const perkins = free("FEDERAL PERKINS", 500)
    expect(refusal(paye, [perkins])).toEqual(["ineligible", paye, undefined, 0])
    expect(refusal("SAVE", [perkins])).toEqual(["ineligible", "SAVE", undefined, 0])
    expect(refusal("EXTENDED", [direct(500)])).toEqual(["ineligible", "EXTENDED", undefined, 0])
    const counted = direct(500, { idrMonthsInRepayment: 240 })
    expect(refusal(ibr, [direct(500), counted])).toEqual(["artifact", ibr, undefined, 1])
  })

  it("may be one that has ended, in any spelling, and is then left after a month", () => {
    for (const [currentPlan, named] of [
      [" save", "SAVE"],
      ["Revised Pay As You Earn ", "REVISED PAY AS YOU EARN"]
    ] as const) {
      const answer = searched(requestOf([direct(500_000)]), { currentPlan, months: [1, 12] })
      expect(new Set(answer.candidates.map(({ planType }) => planType))).toEqual(new Set([named]))
      expect(new Set(answer.candidates.map(({ month }) => month))).toEqual(new Set([1]))
      expect(routeOf(answer.bestWithoutChange)).toEqual([named, "2027-01", "STANDARD"])
    }
  })

  it("that has ended is left for the best plan, if STANDARD takes no loan", () => {
    const counted = requestOf([direct(50_000, { idrMonthsInRepayment: 130 })])
    const { best, bestWithoutChange } = searched(counted, { currentPlan: "SAVE" })
    expect([best!.month, bestWithoutChange]).toEqual([1, best])
  })

  it("that has ended stands alone, if nothing is open after a month", () => {
    const answer = searched(requestOf([direct(1)], { adjustedGrossIncome: 100_000 }), { currentPlan: "SAVE" })
    expect([answer.projected, routeOf(answer.best)]).toEqual([1, ["SAVE"]])
  })

  it("limits what may follow, and is otherwise left for any plan", () => {
    const seconds = (currentPlan: string) => {
      const { candidates } = searched(requestOf([direct(500_000)]), { currentPlan, months: [1] })
      return candidates.flatMap(({ planChanges }) => planChanges.map(({ planType }) => planType))
    }
    expect(seconds(ibr)).toEqual(["STANDARD", rap])
    expect(seconds("SAVE")).toEqual(electable)
    expect(seconds(rap)).toEqual(electable.filter((plan) => plan !== rap))
  })

  it("that is null is as left out", () => {
    const request = requestOf([direct(500_000)])
    expect(searched(request, { currentPlan: null, months: [12] })).toEqual(searched(request, { months: [12] }))
  })
})

describe("on a tie", () => {
  const noCost = { adjustedGrossIncome: 0, workingTowardsPslf: true }

  it("a plan alone comes before a change, and the order of the plans decides", () => {
    expect(routeOf(searched(requestOf([direct(500_000)], noCost), { months: [12] }).best)).toEqual([ibr])
    // 300 * 120 and 120 * 300
    const rich = requestOf([direct(36_000)], { adjustedGrossIncome: 1_000_000 })
    const { best } = searched(rich, { months: [12] })
    expect([routeOf(best), figuresOf(best)]).toEqual([["STANDARD"], ["36000.00", "0.00", "36000.00"]])
  })

  it("the earliest month comes before the order of the plans", () => {
    // Nothing is due for two years, and nothing is paid under either INCOME BASED.
    const pauses = [{ kind: "Forbearance", until: "2028-12" }]
    const request = requestOf([direct(500_000)], { ...noCost, pauses })
    const { best, candidates } = searched(request, { currentPlan: "STANDARD" })
    expect([routeOf(best), best!.cost]).toEqual([["STANDARD", "2027-01", ibr], 0n])
    const free = candidates.filter(({ cost }) => cost === 0n)
    expect(free.map(({ month, planChanges }) => [month, planChanges[0]!.planType])).toEqual(
      [ibr, "INCOME BASED (OLD)"].flatMap((plan) => [1, 12, 18, 19, 24].map((month) => [month, plan]))
    )
  })

  it("the whole order decides, wherever a path is in the list", () => {
    const path = (cost: number, planType: PlanType, month: number | null = null, second = ""): OraclePath => ({
      planType,
      planChanges: month === null ? [] : [{ from: monthText(start, month), planType: second }],
      month,
      cost: BigInt(cost),
      totalOutOfPocket: BigInt(cost),
      forgivenessTaxesOwed: 0n,
      presentValue: null,
      monthsToFinish: 359,
      edges: []
    })
    const ranked = [
      path(1, rap, 300, paye),
      path(2, "STANDARD"),
      path(2, "SAVE"),
      path(2, "STANDARD", 12, ibr),
      path(2, "EXTENDED", 12, "STANDARD"),
      path(2, "EXTENDED", 12, "GRADUATED"),
      path(2, "STANDARD", 18, "EXTENDED"),
      path(3, "STANDARD")
    ]
    for (let from = 0; from < ranked.length; from++) {
      const worse = ranked.slice(from)
      expect([bestOf(worse), bestOf(worse.toReversed())]).toEqual([ranked[from], ranked[from]])
    }
    expect(bestOf([])).toBeNull()
  })
})

describe("with a discount rate the cost is the present value", () => {
  const rich = { adjustedGrossIncome: 1_000_000 }

  it("so that paying later costs less", () => {
    const { best, bestWithoutChange } = searched(requestOf([direct(36_000)], { ...rich, discountRate: 0.05 }), {
      months: [1, 12, 60]
    })
    expect([routeOf(best), best!.totalOutOfPocket]).toEqual([["EXTENDED"], 3_600_000n])
    expect(best).toEqual(bestWithoutChange)
    // 120 dollars at the beginning of each of 300 months
    const worth = (120 * (1 - 1.05 ** -25)) / (1 - 1.05 ** (-1 / 12))
    expect(best!.cost).toBe(best!.presentValue)
    expect(Number(best!.cost)).toBe(Math.round(100 * worth))
  })

  it("and of rate 0 it is payments plus tax", () => {
    const request = requestOf([{ principalBalance: 90_000, idrMonthsInRepayment: 60 }])
    const plain = searched(request, { months: [12, 18] })
    const atZero = searched({ ...request, scenario: { ...request.scenario, discountRate: 0 } }, { months: [12, 18] })
    const shown = ({ best, bestWithoutChange, candidates }: OraclePaths) =>
      [best, bestWithoutChange, ...candidates].map((path) => [routeOf(path), figuresOf(path)])
    expect(shown(atZero)).toEqual(shown(plain))
    expect(atZero.best!.presentValue).toBe(atZero.best!.cost)
  })
})

describe("of any request", () => {
  const SOME = { highestRate: 0.3, maxLoans: 3, highestBalance: 1_000_000 }

  const requests = started((from) =>
    fc.oneof(
      projectionRequests({ ...SOME, start: from }),
      projectionRequests({ ...SOME, start: from, additions: true, lives: true, changesOfPlan: true })
    )
  )

  /** A few months in which a change of plan often matters. */
  const someMonths = fc.uniqueArray(fc.constantFrom(1, 12, 18, 19, 24, 60, 120, 300), { minLength: 1, maxLength: 2 })

  const drawn = fc.tuple(requests, someMonths)
  const RUNS = { numRuns: runs(6, 12), seed: seedOr(20261201) }

  it("no plan alone is cheaper than the best path, and the answer's paths are allowed alone", () => {
    const property = fc.property(drawn, ([[request, from], months]) => {
      const answer = searched(request, { months }, from)
      const alone = electableFrom(from).flatMap((planType) => {
        const scenario = { ...request.scenario, planType, planChanges: [] }
        const single = oracleProject({ ...request, scenario }, from)
        return single.kind === "projection" && single.monthsToFinish !== null ? [single] : []
      })
      const costs = alone.map((one) => one.presentValue ?? one.totalOutOfPocket + one.forgivenessTaxesOwed)
      expect(answer.candidates.filter(({ month }) => month === null).map(({ cost }) => cost)).toEqual(costs)
      for (const { month, planType } of answer.candidates) {
        const first = answer.candidates.find((path) => path.month === null && path.planType === planType)
        expect(month ?? 0).toBeLessThanOrEqual(first!.monthsToFinish)
      }
      const cheapest = alone[costs.findIndex((cost) => costs.every((other) => cost <= other))]
      expect(answer.bestWithoutChange?.planType).toBe(cheapest?.planType)
      for (const path of [answer.best, answer.bestWithoutChange]) {
        if (path === null) continue
        expect(costs.every((cost) => answer.best!.cost <= cost)).toBe(true)
        const single = projectedAlone(request, path, from)
        expect(single.kind).toBe("projection")
        expect(single).toMatchObject({
          totalOutOfPocket: path.totalOutOfPocket,
          forgivenessTaxesOwed: path.forgivenessTaxesOwed,
          monthsToFinish: path.monthsToFinish
        })
      }
    })
    fc.assert(property, RUNS)
  })

  it("its search is that of all plans that can be elected as the current one", () => {
    const property = fc.property(drawn, ([[request, from], months]) => {
      const whole = searched(request, { months }, from)
      const parts = electableFrom(from).flatMap((currentPlan) => {
        const part = oraclePaths(request, from, { currentPlan, months })
        return part.kind === "paths" ? part.candidates : []
      })
      expect(parts.length).toBe(whole.projected)
      expect(bestOf(parts)).toEqual(whole.best)
    })
    fc.assert(property, RUNS)
  })

  it("its own plan and changes of plan are replaced", () => {
    const property = fc.property(drawn, ([[request, from], months]) => {
      const { planChanges: _changes, planType: _plan, ...scenario } = request.scenario
      const without = oraclePaths({ scenario, loans: request.loans }, from, { currentPlan: "STANDARD", months })
      expect(oraclePaths(request, from, { currentPlan: "STANDARD", months })).toEqual(without)
    })
    fc.assert(property, RUNS)
  })
})
