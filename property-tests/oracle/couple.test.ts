/**
 * Tests of the oracle's couple against hand-worked taxes and first payments, and what holds for any
 * couple. Repayment starts in December 2026 unless a test says otherwise. The engine is not
 * involved.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs, seedOr } from "../../test/support/random.ts"
import { couples } from "../generators/couples.ts"
import { started } from "../generators/requests.ts"
import {
  addedTax,
  type OracleCouple,
  type OracleReturn,
  type OracleSpouse,
  oracleCouple,
  type WireCouple,
  type WireHousehold
} from "./oracle.ts"
import { direct, dollars, free, type Loans, loanOf, shown, start } from "./worked/asking.ts"
import { workedCouples } from "./worked/couples.ts"

const answered = (couple: WireCouple, from = start): OracleCouple => {
  const answer = oracleCouple(couple, from)
  if (answer.kind !== "couple") throw new Error(answer.kind)
  return answer
}

function returnOf(answer: OracleCouple, filing: "joint" | "separate"): OracleReturn {
  const found = answer[filing]
  if (found.kind !== "return") throw new Error(`no plan on the ${filing} return`)
  return found
}

const planOf = ({ projection }: OracleSpouse) =>
  projection && [projection.planType, shown(projection.exact.firstPayment), projection.monthsToFinish]

const figuresOf = ({ cost, first, incomeTax, second }: OracleReturn) => ({
  first: planOf(first),
  second: planOf(second),
  costs: [first.cost, second.cost, incomeTax, cost].map(dollars)
})

const bothReturns = (couple: WireCouple) => {
  const answer = answered(couple)
  return [figuresOf(returnOf(answer, "joint")), figuresOf(returnOf(answer, "separate"))]
}

const split = (couple: WireCouple): WireCouple => ({ ...couple, splitIncome: true })

const spouseOf = (loans: Loans) => ({ loans: loans.map(loanOf), workingTowardsPslf: false })

const coupleOf = (first: Loans, second: Loans, household: Partial<WireHousehold> = {}): WireCouple => ({
  household: {
    adjustedGrossIncome: 60_000,
    spouseAdjustedGrossIncome: 40_000,
    state: "OH",
    dependents: 0,
    ...household
  },
  first: spouseOf(first),
  second: spouseOf(second)
})

const ibr = "INCOME BASED"
const rap = "REPAYMENT ASSISTANCE"

describe("a physician and a teacher in Wisconsin", () => {
  const { physicianAndTeacher } = workedCouples
  // (241,000 - 1.5 * 27,320) * 0.10 / 12 * 45 / 225 = 333.37
  const joint = {
    first: ["STANDARD", "2071.45", 119],
    second: [ibr, "333.37", 75],
    costs: ["248573.51", "25335.87", "0.00", "273909.38"]
  }

  it("pay less on a joint return", () => {
    // (31,000 - 23,940) * 0.10 / 12 = 58.83, 76 times
    // tax of 193,900: 39,134; of 14,900: 1,540; of 208,800 on a joint return: 35,360
    expect(bothReturns(physicianAndTeacher)).toEqual([
      joint,
      {
        first: ["STANDARD", "2071.45", 119],
        second: [ibr, "58.83", 75],
        costs: ["248573.51", "4471.33", "53140.00", "306184.84"]
      }
    ])
  })

  it("pay less on a joint return too if separate returns split the income, which then add no tax", () => {
    // 120,500 each: the teacher pays the ten-year amount of 45,000
    expect(bothReturns(split(physicianAndTeacher))).toEqual([
      joint,
      {
        first: ["STANDARD", "2071.45", 119],
        second: [ibr, "488.37", 75],
        costs: ["248573.51", "37115.99", "0.00", "285689.50"]
      }
    ])
  })
})

describe("two teachers in Texas", () => {
  const { twoTeachers } = workedCouples
  // (100,000 - 1.5 * 33,000) * 0.10 / 12 / 2 = 210.42
  const joint = { first: [ibr, "210.42", 89], second: [ibr, "210.42", 89] }

  it("pay less on separate returns, which add no tax within one bracket", () => {
    // (52,000 - 1.5 * 27,320) / 120 = 91.83; 4 percent of 48,000 / 12 = 160
    expect(bothReturns(twoTeachers)).toEqual([
      { ...joint, costs: ["18937.50", "18937.50", "0.00", "37875.00"] },
      {
        first: [ibr, "91.83", 89],
        second: [rap, "160.00", 89],
        costs: ["8265.00", "14400.00", "0.00", "22665.00"]
      }
    ])
  })

  it("pay less still if they split their income", () => {
    // 4 percent of 50,000 / 12 = 166.67, less 50 for each dependent of the first
    expect(bothReturns(split(twoTeachers))[1]).toEqual({
      first: [rap, "66.67", 89],
      second: [rap, "166.67", 89],
      costs: ["6000.00", "15000.00", "0.00", "21000.00"]
    })
  })
})

describe("a spouse", () => {
  it("without loans costs nothing, and carries income tax until the other's last month", () => {
    // tax of 43,900: 5,020; of 8,900: 890; of 52,800 on a joint return: 5,840; 20 years of 70
    expect(bothReturns(workedCouples.firstWithoutLoans)).toEqual([
      { first: null, second: [rap, "566.67", 87], costs: ["0.00", "49459.57", "0.00", "49459.57"] },
      { first: null, second: [ibr, "10.00", 239], costs: ["0.00", "17012.00", "1400.00", "18412.00"] }
    ])
  })

  it("without income pays nothing on a separate return, which adds the most tax", () => {
    // tax of 43,900: 5,020; of 27,800 on a joint return: 2,840
    expect(bothReturns(workedCouples.secondWithoutIncome)).toEqual([
      {
        first: [ibr, "141.23", 239],
        second: [ibr, "88.27", 239],
        costs: ["40387.93", "24642.47", "0.00", "65030.40"]
      },
      {
        first: ["STANDARD", "444.08", 119],
        second: [ibr, "0.00", 239],
        costs: ["53289.84", "3820.00", "43600.00", "100709.84"]
      }
    ])
  })

  it("who earns the same adds no tax", () => {
    const contingent = ["INCOME CONTINGENT", "622.15", 98]
    const standard = ["STANDARD", "555.10", 119]
    expect(bothReturns(workedCouples.equalEarners)).toEqual([
      { first: contingent, second: contingent, costs: ["63875.43", "63875.43", "0.00", "127750.86"] },
      { first: standard, second: standard, costs: ["66612.30", "66612.30", "0.00", "133224.60"] }
    ])
  })

  it("may have no plan, and then neither return has an answer", () => {
    const spent = free("FEDERAL PERKINS", 500, { idrMonthsInRepayment: 119 })
    const { joint, separate } = answered(coupleOf([direct(20_000)], [spent]))
    expect(separate).toEqual(joint)
    if (joint.kind !== "no plan") throw new Error("answered")
    const [second] = joint.spouses
    expect([joint.spouses.length, second!.spouse]).toEqual([1, "second"])
    const kinds = second!.plans.map(({ obstacle, planType }) => [
      planType,
      obstacle === "still open" ? obstacle : obstacle.kind
    ])
    expect(kinds).toEqual([
      ["STANDARD", "artifact"],
      ...["EXTENDED", "GRADUATED", ibr, "INCOME BASED (OLD)", "INCOME CONTINGENT", "PAY AS YOU EARN", rap].map(
        (plan) => [plan, "ineligible"]
      )
    ])
  })
})

describe("the income tax of separate returns", () => {
  const taxes = (household: Partial<WireHousehold>) => {
    const couple = coupleOf([direct(3_000)], [], { spouseAdjustedGrossIncome: 0, ...household })
    return returnOf(answered(couple), "separate")
  }

  it("rises with income, and falls with prices", () => {
    // 60,000 * 1.1 - 16,100: 5,740, and 66,000 - 32,200: 3,560
    expect(
      taxes({ annualIncomeGrowth: 0.1 })
        .incomeTaxes.map((tax) => dollars(addedTax(tax)))
        .slice(0, 2)
    ).toEqual(["2180.00", "2180.00"])
    // 60,000 - 17,710 = 42,290: 4,802 and 12 percent of 28,650 less 272.80; 60,000 - 35,420 = 24,580: 2,458
    const rising = taxes({ annualPriceGrowth: 0.1 }).incomeTaxes[1]!
    expect([shown(rising.first), shown(rising.joint)]).toEqual(["4802.00", "2458.00"])
  })

  it("is worth less with a discount rate, at the end of each year", () => {
    const { cost, first, incomeTax, incomeTaxPresentValue, incomeTaxes } = taxes({ discountRate: 0.05 })
    const worth = incomeTaxes.reduce((sum, _, year) => sum + 2_180 / 1.05 ** (year + 1), 0)
    expect(incomeTax).toBe(218_000n * BigInt(incomeTaxes.length))
    expect(Number(incomeTaxPresentValue)).toBe(Math.round(100 * worth))
    expect([first.cost, cost]).toEqual([first.projection!.presentValue, first.cost + incomeTaxPresentValue!])
  })
})

describe("there is no answer", () => {
  it("if neither owes half a cent in one loan", () => {
    const dust = [direct(0.003), direct(0.003)]
    for (const couple of [coupleOf([], []), coupleOf(dust, []), coupleOf([], dust)]) {
      expect(oracleCouple(couple, start)).toEqual({ kind: "nothing owed" })
    }
    expect(oracleCouple(coupleOf(dust, [direct(0.005)]), start).kind).toBe("couple")
  })

  it("if income is split where the law knows none of it", () => {
    const couple = split(coupleOf([direct(500)], []))
    const kindIn = (state: string) => oracleCouple({ ...couple, household: { ...couple.household, state } }, start).kind
    const states = "AK AZ CA DC ID LA NM NV OH PR TX WA WI wi".split(" ")
    expect(states.filter((state) => kindIn(state) === "refused")).toEqual(["AK", "DC", "OH", "PR"])
  })
})

describe("of any couple", () => {
  const RUNS = { numRuns: runs(6, 20), seed: seedOr(20261202) }
  const drawn = started(couples)

  const holds = (
    check: (answer: OracleCouple, couple: WireCouple, again: (other: WireCouple) => OracleCouple) => void
  ) =>
    fc.assert(
      fc.property(drawn, ([couple, from]) => {
        const answer = oracleCouple(couple, from)
        if (answer.kind === "couple") check(answer, couple, (other) => answered(other, from))
      }),
      RUNS
    )

  it("each spouse has the cheapest of the open plans, and the return the sum", () => {
    holds(({ joint, separate }) => {
      for (const each of [joint, separate]) {
        if (each.kind !== "return") continue
        for (const { candidates, cost, projection } of [each.first, each.second]) {
          const costs = candidates.map((one) => one.presentValue ?? one.totalOutOfPocket + one.forgivenessTaxesOwed)
          expect(candidates[costs.findIndex((other) => costs.every((any) => other <= any))] ?? null).toBe(projection)
          expect(projection === null ? 0n : costs[candidates.indexOf(projection)]).toBe(cost)
        }
        const carried = each.incomeTaxPresentValue ?? each.incomeTax
        expect(each.cost).toBe(each.first.cost + each.second.cost + carried)
        expect(carried >= 0n && each.incomeTaxes.every((tax) => addedTax(tax) >= 0n)).toBe(true)
      }
      if (joint.kind === "return") expect([joint.incomeTax, joint.incomeTaxes]).toEqual([0n, []])
    })
  })

  it("the order of the spouses matters to the dependents on separate returns alone", () => {
    const mirrored = <A extends OracleCouple["joint"]>(one: A) =>
      one.kind === "return" ? [one.second, one.first, one.cost] : one.spouses.map(({ plans }) => plans).toReversed()
    const straight = <A extends OracleCouple["joint"]>(one: A) =>
      one.kind === "return" ? [one.first, one.second, one.cost] : one.spouses.map(({ plans }) => plans)
    holds((answer, { household, ...spouses }, again) => {
      const swapped = again({
        ...spouses,
        household: {
          ...household,
          adjustedGrossIncome: household.spouseAdjustedGrossIncome ?? 0,
          spouseAdjustedGrossIncome: household.adjustedGrossIncome
        },
        first: spouses.second,
        second: spouses.first
      })
      expect(straight(swapped.joint)).toEqual(mirrored(answer.joint))
      if (household.dependents === 0) expect(straight(swapped.separate)).toEqual(mirrored(answer.separate))
    })
  })

  it("splitting income leaves the joint return as it is, and adds no tax", () => {
    holds((answer, couple, again) => {
      const household = { ...couple.household, state: "TX" }
      const whole = again({ ...couple, household, splitIncome: false })
      const halved = again({ ...couple, household, splitIncome: true })
      expect(halved.joint).toEqual(whole.joint)
      if (halved.separate.kind === "return") expect(halved.separate.incomeTax).toBe(0n)
      if (couple.splitIncome !== true) expect(again({ ...couple, splitIncome: null })).toEqual(answer)
    })
  })
})
