/**
 * Tests of the oracle itself: decimals, rounding, conservation of money, and the comparison with an
 * answer in doubles. The engine is not involved.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { newSeedOr, runs } from "../../test/support/random.ts"
import { requestsAcrossJuly2028 } from "../generators/july-2028.ts"
import { projectionRequests, started } from "../generators/requests.ts"
import { indexOfMonth } from "./calendar.ts"
import { decimal, distance, fromNumber, ONE, power, root, ZERO } from "./decimal.ts"
import {
  oracleEligibility,
  oracleProject,
  projectionDifferences,
  type Start,
  showsCents,
  type WireProjection
} from "./oracle.ts"
import { toCents, toDollars, toMillionths } from "./rounding.ts"
import { projected, start, sumOf } from "./worked/asking.ts"

/** The number of cases in each tier, and the seed. */
const drawn = (few: number, many: number) => ({ numRuns: runs(few, many), seed: newSeedOr(20261130) })

describe("the oracle's arithmetic", () => {
  it("reads a number as the decimal that was sent", () => {
    expect([fromNumber(0.1), fromNumber(1e-7), fromNumber(1e21)]).toEqual([
      ONE / 10n,
      ONE / 10n ** 7n,
      ONE * 10n ** 21n
    ])
  })

  it("computes roots to the last digit", () => {
    for (let k = 1; k <= 14; k++) expect(distance(power(root(decimal("3"), k), k), decimal("3"))).toBeLessThan(1_000n)
  })

  it("rounds a value just below a half like the half", () => {
    expect([toCents(decimal("33.3349999")), toCents(decimal("33.3349998"))]).toEqual([3334n, 3333n])
    expect([toDollars(decimal("0.4999999")), toDollars(decimal("0.4999"))]).toEqual([1n, 0n])
    expect([toCents(decimal("1000000000.0049996")), toMillionths(decimal("0.0543215"))]).toEqual([
      100_000_000_001n,
      54_322n
    ])
  })
})

describe("a projection of the oracle", () => {
  const cases = drawn(50, 150)
  const requests = started((from) => projectionRequests({ start: from }))
  const SMALLEST = decimal("0.000000000001")

  const conserves = ([request, from]: readonly [WireProjection, Start]) => {
    const answer = oracleProject({ ...request, includeYearly: true }, from)
    if (answer.kind !== "projection") return
    const { months } = answer.exact
    const opening = answer.yearly![0]!.exact
    const total = (part: "accrued" | "paid" | "waived" | "matched" | "pslf" | "timeBased" | "dust") =>
      sumOf(months.map((month) => month[part]))
    const inflow = opening.principalBalance + opening.interestBalance + total("accrued")
    const outflow =
      total("paid") + total("waived") + total("matched") + total("pslf") + total("timeBased") + total("dust")
    const nothingOwed = months.length === 0
    if (!nothingOwed)
      expect(distance(inflow, outflow)).toBeLessThanOrEqual(SMALLEST + decimal("0.005") * BigInt(request.loans.length))
    expect(answer.monthsToFinish).not.toBeNull()
    expect(answer.monthsToFinish).toBeLessThan(360)
    expect(sumOf(answer.yearly!.map((point) => point.paymentsThisYear))).toBe(answer.totalOutOfPocket)
    expect(sumOf(answer.yearly!.map((point) => point.forgivenThisYear))).toBe(answer.amountForgiven)
    expect(answer.yearly!.at(-1)!.date).toBe(answer.payoffOrForgivenessDate)
    if (!nothingOwed) expect(answer.yearly!.at(-1)!.exact.principalBalance).toBe(ZERO)
  }

  it("conserves money, closes every book, and has years that add up", () => {
    fc.assert(fc.property(requests, conserves), cases)
  })

  it("does so with dates, price growth, changes by year and extra payments", () => {
    fc.assert(
      fc.property(
        started((from) => projectionRequests({ start: from, additions: true })),
        conserves
      ),
      drawn(80, 250)
    )
  })

  it("takes null, 0 and an empty list as left out", () => {
    const nothing = { firstBorrowedOn: null, annualPriceGrowth: 0, changes: [], extraMonthlyPayment: 0 }
    const nulls = { firstBorrowedOn: null, annualPriceGrowth: null, changes: null, extraMonthlyPayment: null }
    const property = fc.property(requests, ([request, from]) => {
      const answer = oracleProject(request, from)
      for (const sent of [nothing, nulls]) {
        const loans = request.loans.map((loan) => ({ ...loan, madeOn: null }))
        expect(oracleProject({ ...request, scenario: { ...request.scenario, ...sent }, loans }, from)).toEqual(answer)
      }
    })
    fc.assert(property, drawn(20, 60))
  })

  it("does not depend on the order of the loans", () => {
    fc.assert(
      fc.property(requests, ([request, from]) => {
        const forward = oracleProject(request, from)
        const backward = oracleProject({ ...request, loans: request.loans.toReversed() }, from)
        expect(forward.kind).toBe(backward.kind)
        if (forward.kind !== "projection" || backward.kind !== "projection") return
        expect(distance(forward.exact.totalOutOfPocket, backward.exact.totalOutOfPocket)).toBeLessThan(SMALLEST)
        expect(forward.monthsToFinish).toBe(backward.monthsToFinish)
      }),
      cases
    )
  })
})

describe("the end of two plans in July 2028 in the oracle", () => {
  const cases = drawn(50, 150)
  const across = started((from) => requestsAcrossJuly2028({}, from))
  const LONG_BEFORE: Start = { year: 1900, month: 1 }

  const monthsOf = (request: WireProjection, from: Start) => {
    const answer = oracleProject(request, from)
    return answer.kind === "projection" ? answer.exact.months : null
  }

  it("changes no month before it, and no book repaid before it", () => {
    const property = fc.property(across, ([request, from]) => {
      const endless = monthsOf(request, LONG_BEFORE)
      const months = monthsOf(request, from)
      const end = indexOfMonth({ year: 2028, month: 7 }, from)
      expect(months?.slice(0, end)).toEqual(endless?.slice(0, end))
      if (endless !== null && endless.length <= end) expect(months).toEqual(endless)
    })
    fc.assert(property, cases)
  })

  it("has the same effect for every start in July 2028 or later", () => {
    const property = fc.property(across, ([request]) => {
      const late = monthsOf(request, { year: 2028, month: 7 })
      expect(monthsOf(request, { year: 2031, month: 2 })).toEqual(late)
    })
    fc.assert(property, cases)
  })

  it("makes PAY AS YOU EARN equal REPAYMENT ASSISTANCE for a start then, unless either is refused", () => {
    const property = fc.property(across, ([request]) => {
      const under = (planType: string) =>
        monthsOf({ ...request, scenario: { ...request.scenario, planType } }, { year: 2028, month: 7 })
      const [earlier, later] = [under("PAY AS YOU EARN"), under("REPAYMENT ASSISTANCE")]
      if (earlier !== null && later !== null) expect(earlier).toEqual(later)
    })
    fc.assert(property, cases)
  })
})

describe("eligibility in the oracle", () => {
  it("returns only plans that take the loan in the same book and may be refused only for other loans", () => {
    const either = fc.oneof(projectionRequests({ maxLoans: 4 }), projectionRequests({ maxLoans: 4, additions: true }))
    const property = fc.property(either, ({ loans, scenario }) => {
      const { firstBorrowedOn = null } = scenario
      for (const [i, { eligiblePlanTypes }] of oracleEligibility({ loans, firstBorrowedOn }).loans.entries()) {
        if (loans[i]!.principalBalance + (loans[i]!.interestBalance ?? 0) < 0.006) continue
        for (const planType of eligiblePlanTypes) {
          const answer = oracleProject({ scenario: { ...scenario, planType, workingTowardsPslf: false }, loans }, start)
          if (answer.kind !== "projection") expect(answer.kind).toBe("artifact")
          if (answer.kind !== "projection") expect(answer.loans).not.toContain(i)
        }
      }
    })
    fc.assert(property, drawn(30, 100))
  })
})

describe("the comparison with an answer in doubles", () => {
  const oracle = projected({ planType: "STANDARD" }, [{ principalBalance: 30_000 }])
  const dollars = (cents: bigint) => Number(cents) / 100
  const shown = {
    ...oracle,
    year1MonthlyPayment: 333,
    totalOutOfPocket: 39_967.38,
    amountForgiven: 0,
    forgivenessTaxesOwed: 0,
    weightedAverageInterestRate: 0.06,
    presentValue: null,
    yearly: oracle.yearly!.map((point) => ({
      ...point,
      principalBalance: dollars(point.principalBalance),
      interestBalance: dollars(point.interestBalance),
      paymentsThisYear: dollars(point.paymentsThisYear),
      cumulativePaid: dollars(point.cumulativePaid),
      forgivenThisYear: dollars(point.forgivenThisYear)
    }))
  }

  it("finds no difference in a correct answer", () => {
    expect(projectionDifferences(shown, oracle, 0.06)).toEqual([])
  })

  it("finds a difference of one cent, one month, one missing point or one rate", () => {
    const wrong = [
      { ...shown, totalOutOfPocket: 39_967.39 },
      { ...shown, totalOutOfPocket: 39_967.384 },
      { ...shown, monthsToFinish: 120 },
      { ...shown, yearly: shown.yearly.slice(0, 10) },
      { ...shown, yearly: null },
      { ...shown, weightedAverageInterestRate: 0.060001 }
    ]
    expect(wrong.filter((answer) => projectionDifferences(answer, oracle, 0.06).length === 0)).toEqual([])
  })

  it("accepts either cent only just below a half cent", () => {
    const justBelow = decimal("10.00499995")
    expect([10, 10.01, 10.02].map((amount) => showsCents(amount, justBelow))).toEqual([true, true, false])
    expect([10, 10.01].map((amount) => showsCents(amount, decimal("10.005")))).toEqual([false, true])
    expect([10, 10.01].map((amount) => showsCents(amount, decimal("10.0049")))).toEqual([true, false])
  })
})
