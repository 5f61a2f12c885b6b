/**
 * The best path: worked cases, ties and refusals, and what holds for every request. property-tests/
 * compares it with the oracle.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { projectionRequests } from "../../property-tests/generators/requests.ts"
import { PathsRequest } from "../../schema/paths.ts"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import { type BestPath, bestPath, type Path } from "../../src/engine/bestPath.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { costCents, type Projection, project } from "../../src/engine/projection.ts"
import { dateOfMonth, indexOfMonth, type StartMonth } from "../../src/engine/schedule/calendar.ts"
import { toCents } from "../../src/engine/schedule/rounding.ts"
import { runs, seedOr } from "../support/random.ts"
import { household, loan } from "../support/requests.ts"

const START = { year: 2026, month: 12 }
const ELECTABLE = PLAN_TYPES.filter((plan) => plan !== "SAVE" && plan !== "REVISED PAY AS YOU EARN")

interface Asked {
  readonly scenario?: object
  readonly loans?: ReadonlyArray<object>
  readonly currentPlan?: PlanType
}

const decode = Schema.decodeUnknownSync(PathsRequest)
/** The plan of the request is one that is never the best. */
const ask = ({ loans = [loan], scenario, ...more }: Asked) =>
  decode({ scenario: { ...household, planType: "EXTENDED", ...scenario }, loans, ...more })

const found = (request: typeof PathsRequest.Type, start: StartMonth = START): BestPath => {
  const outcome = bestPath(currentLaw, request, start)
  if (outcome._tag === "Refusal") throw new Error(`refused: ${JSON.stringify(outcome)}`)
  return outcome
}
const refused = (asked: Asked) => {
  const outcome = bestPath(currentLaw, ask(asked), START)
  return outcome._tag === "Refusal" ? outcome : undefined
}

/** The answer to the request with the plans of a path; undefined if it is refused. */
const answered = (
  { includeYearly, loans, scenario }: typeof PathsRequest.Type,
  { planChanges, planType }: Pick<Path, "planChanges" | "planType">,
  start: StartMonth = START
): Projection | undefined => {
  const request = { scenario: { ...scenario, planType, planChanges }, loans, includeYearly }
  const outcome = project(currentLaw, request, start)
  return outcome._tag === "Refusal" ? undefined : outcome
}

const costOf = (projection: Projection): number =>
  projection.presentValue === undefined ? costCents(projection) : toCents(projection.presentValue)

const plansOf = ({ planChanges, planType }: Path) => [planType, ...planChanges.map((change) => change.planType)]

/** 90,000 dollars at 6.6 percent, with five years counted. */
const PAYE = {
  scenario: { adjustedGrossIncome: 62_000 },
  loans: [{ ...loan, principalBalance: 90_000, interestRate: 0.066, idrMonthsInRepayment: 60 }]
}
const PAY = "PAY AS YOU EARN"

describe("the best path", () => {
  it("of a borrower in PAY AS YOU EARN changes to INCOME BASED and is forgiven ten years earlier", () => {
    const request = ask({ ...PAYE, currentPlan: PAY })
    const stays = { planType: PAY, planChanges: [] } as const
    const changes = { planType: PAY, planChanges: [{ from: "2028-06", planType: "INCOME BASED" }] } as const
    const figures = { totalOutOfPocket: 57_090, forgivenessTaxesOwed: 27_636.4 }
    expect(answered(request, stays)).toMatchObject({ totalOutOfPocket: 93_136.17, forgivenessTaxesOwed: 17_392.92 })
    expect(answered(request, changes)).toMatchObject(figures)

    const { best, bestWithoutChange, paths, projected } = found(request)
    // The first month in which a change is tried; the other months until July 2028 cost the same.
    expect(best).toMatchObject({ planType: PAY, planChanges: [{ from: "2027-01", planType: "INCOME BASED" }] })
    expect(best).toMatchObject({
      cost: 84_726.4,
      paymentAfterChange: 317.17,
      latestFrom: "2028-07",
      projection: figures
    })
    expect(bestWithoutChange).toMatchObject({ ...stays, cost: 110_529.09 })
    expect([projected, paths.length]).toEqual([98, 8])
    expect(paths[0]).toBe(best)
  })

  it("has no change if a plan alone costs as little", () => {
    const { best, bestWithoutChange } = found(ask(PAYE))
    expect(best).toBe(bestWithoutChange)
    expect(best).toMatchObject({ planType: "INCOME BASED", planChanges: [], cost: 84_726.4, paymentAfterChange: null })
  })

  it("is the same whatever plan and changes of plan the request has", () => {
    const scenario = {
      ...PAYE.scenario,
      planType: "STANDARD",
      planChanges: [{ from: "2027-06", planType: "EXTENDED" }]
    }
    expect(found(ask({ ...PAYE, scenario }))).toEqual(found(ask(PAYE)))
  })

  it("is that of the lowest value of today with a discount rate", () => {
    const { best, paths } = found(ask({ ...PAYE, scenario: { discountRate: 0.05 } }))
    for (const { cost, projection } of paths) expect(cost).toBe(projection.presentValue)
    expect(best.cost).toBe(Math.min(...paths.map(({ cost }) => cost)))
  })

  it("leaves SAVE after a month if the borrower is in it, and begins with no closed plan otherwise", () => {
    const { best, bestWithoutChange, paths } = found(ask({ currentPlan: "SAVE" }))
    for (const path of paths) expect([plansOf(path).indexOf("SAVE"), path.planChanges[0]?.from]).toEqual([0, "2027-01"])
    expect(bestWithoutChange.planChanges).toEqual([{ from: "2027-01", planType: "STANDARD" }])
    expect(best.cost).toBeLessThanOrEqual(bestWithoutChange.cost)
    for (const path of found(ask({})).paths) expect(plansOf(path)).not.toContain("SAVE")
  })

  it("says where a borrower may not go from Income-Based, unless the plan is known", () => {
    const told = ({ paths }: BestPath) =>
      paths.some(({ projection }) => projection.omissions.includes("omission-leaving-ibr"))
    expect(told(found(ask(PAYE)))).toBe(true)
    expect(told(found(ask({ ...PAYE, currentPlan: PAY })))).toBe(false)
  })
})

describe("months of change", () => {
  const monthsIn = (asked: Asked, start: StartMonth) => {
    const { paths } = found(ask(asked), start)
    return paths.flatMap(({ planChanges }) => planChanges.map(({ from }) => indexOfMonth(start, from)))
  }

  it("are the ends of years, and June and July 2028 while they lie ahead", () => {
    const before = monthsIn(PAYE, START)
    expect(before.filter((month) => month % 12 !== 0 && month !== 18 && month !== 19)).toEqual([])
    const after = monthsIn(PAYE, { year: 2028, month: 8 })
    expect(after.length).toBeGreaterThan(0)
    expect(after.filter((month) => month % 12 !== 0)).toEqual([])
  })

  it("begin with the second month where the current plan is known", () => {
    expect(monthsIn({ ...PAYE, currentPlan: PAY }, START)).toContain(1)
    expect(monthsIn(PAYE, START)).not.toContain(1)
  })
})

describe("paths of equal cost", () => {
  it("come by fewer changes, then by the earlier month, then by the order of the plan types", () => {
    // Without interest, and with more than 50 dollars due: every plan costs what is owed.
    const { best, paths } = found(ask({ loans: [{ ...loan, principalBalance: 9000, interestRate: 0 }] }))
    expect(new Set(paths.map(({ cost }) => cost))).toEqual(new Set([9000]))
    expect(best.planType).toBe("STANDARD")
    const order = paths.map((path) => {
      const months = path.planChanges.map(({ from }) => indexOfMonth(START, from))
      return [months.length, months[0] ?? 0, ...plansOf(path).map((plan) => PLAN_TYPES.indexOf(plan))]
    })
    const sorted = order.toSorted((one, other) => {
      const at = one.findIndex((value, index) => value !== other[index])
      return one[at]! - other[at]!
    })
    expect(order).toEqual(sorted)
    expect(paths.length).toBeGreaterThan(20)
  })

  it("are all of STANDARD alone if nothing is owed", () => {
    const { best, paths } = found(ask({ loans: [{ ...loan, principalBalance: 0 }] }))
    expect(best).toMatchObject({ planType: "STANDARD", planChanges: [], cost: 0 })
    expect(paths.every(({ planChanges }) => planChanges.length === 0)).toBe(true)
  })
})

describe("a refusal", () => {
  it("is that of the current plan", () => {
    const parents = [{ ...loan, loanType: "DIRECT PLUS PARENT" }]
    expect(refused({ loans: parents, currentPlan: PAY })).toMatchObject({ kind: "ineligible", planType: PAY })
    expect(refused({ loans: parents })).toBeUndefined()
  })

  it("is that of the first plan if no plan has an answer", () => {
    const served = [{ ...loan, principalBalance: 9000, idrMonthsInRepayment: 360 }]
    expect(refused({ loans: served })).toMatchObject({ kind: "artifact", planType: "STANDARD" })
  })

  it("names what contradicts itself", () => {
    const scenario = { firstBorrowedOn: "2015-01-01" }
    const loans = [{ ...loan, madeOn: "2010-01-01" }]
    expect(refused({ scenario, loans })).toMatchObject({ kind: "contradiction" })
  })
})

/** Every path that is tried, in the order of preference. */
const everyPath = (start: StartMonth): ReadonlyArray<Pick<Path, "planChanges" | "planType">> => {
  const ends = [indexOfMonth(start, "2028-06"), indexOfMonth(start, "2028-07")]
  const months = [...new Set([...Array.from({ length: 25 }, (_, year) => 12 * (year + 1)), ...ends])]
  return [
    ...ELECTABLE.map((planType) => ({ planType, planChanges: [] })),
    ...months
      .filter((month) => month > 0)
      .sort((one, other) => one - other)
      .flatMap((month) =>
        ELECTABLE.flatMap((planType) =>
          ELECTABLE.map((next) => ({
            planType,
            planChanges: [{ from: dateOfMonth(start, month).slice(0, 7), planType: next }]
          }))
        )
      )
  ]
}

describe("for every request, the best path", () => {
  const requests = fc
    .tuple(projectionRequests({ maxLoans: 3 }), fc.constantFrom({}, { discountRate: 0 }, { discountRate: 0.04 }))
    .map(([{ scenario, ...rest }, discount]) => decode({ ...rest, scenario: { ...scenario, ...discount } }))

  it("is the first of the cheapest, and its figures are those of a projection", () => {
    const counts = { found: 0, changed: 0 }
    const check = fc.property(requests, (request) => {
      const outcome = bestPath(currentLaw, request, START)
      const tried = everyPath(START).flatMap((plans) => {
        const projection = answered(request, plans)
        if (projection === undefined || projection.monthsToFinish === null) return []
        const [change] = plans.planChanges
        const isVoid = change !== undefined && projection.monthsToFinish < indexOfMonth(START, change.from)
        return isVoid ? [] : [{ ...plans, projection, cents: costOf(projection) }]
      })
      if (outcome._tag === "Refusal") {
        expect(tried).toEqual([])
        return
      }
      const cheapest = Math.min(...tried.map(({ cents }) => cents))
      const { best, bestWithoutChange, paths, projected } = outcome
      counts.found++
      if (best !== bestWithoutChange) counts.changed++
      const { cents, ...expected } = tried.find((path) => path.cents === cheapest)!
      expect(best).toMatchObject(expected)
      expect(toCents(best.cost)).toBe(cents)
      expect(projected).toBe(tried.length)
      const alone = tried.filter(({ planChanges }) => planChanges.length === 0)
      expect(toCents(bestWithoutChange.cost)).toBe(Math.min(...alone.map((path) => path.cents)))
      for (const path of paths) {
        const projection = answered(request, path)!
        expect(path.projection).toEqual(projection)
        expect(toCents(path.cost)).toBe(costOf(projection))
      }
      expect(new Set(paths.map((path) => plansOf(path).join())).size).toBe(paths.length)
    })
    fc.assert(check, { seed: seedOr(20_261_128), numRuns: runs(8, 20) })
    expect(counts.found).toBeGreaterThan(4)
    expect(counts.changed).toBeGreaterThan(0)
  })
})
