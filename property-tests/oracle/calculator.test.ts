/**
 * The keyless calculator and the date of a loan: the plans open to a loan made from 1 July 2026,
 * and the reasons that close the others. Tiered Standard with months already counted is here too.
 * The engine is not involved.
 */
import { describe, expect, it } from "vitest"
import { oracleCalculate, type WireCalculation } from "./oracle.ts"
import { dollars, start } from "./worked/asking.ts"

const calculated = (more: Partial<WireCalculation>) =>
  oracleCalculate({ balance: 30_000, ratePct: 6, borrowerAgi: 60_000, ...more }, start)

const isNew = { borrowedOnOrAfterJul12026: true }

const reasons = { closed: "closed", "loan type": "type", "loan date": "date", balance: "balance", artifact: "artifact" }

/**
 * Open, or the reason why not, of each plan in the order of the answer: standard, tiered_standard,
 * extended, graduated, ibr_2014, ibr, paye, icr, repaye, save, rap.
 */
function fates(more: Partial<WireCalculation>): string {
  const { excludedPlans, plans } = calculated(more)
  const fateOf = new Map<string, string>([
    ...plans.map(({ plan }) => [plan, "open"] as const),
    ...excludedPlans.map(({ kind, plan }) => [plan, reasons[kind]] as const)
  ])
  const ids = "standard tiered_standard extended graduated ibr_2014 ibr paye icr repaye save rap"
  return ids
    .split(" ")
    .map((id) => fateOf.get(id))
    .join(" ")
}

describe("a loan made from 1 July 2026", () => {
  const direct = [
    ["direct_unsubsidized", "date open date date date date date date closed closed open"],
    ["direct_consolidation", "date open date date date date date date closed closed open"],
    ["parent_plus", "date open date date type type type type closed closed type"],
    ["DIRECT PARENT PLUS", "date open date date type type type type closed closed type"],
    ["direct_consolidation_with_plus", "date open date date type type type date closed closed type"],
    ["DIRECT PLUS CONSOLIDATED", "date date date date type type type type closed closed type"]
  ] as const
  it.each(direct)("%s has %s", (loanType, expected) => {
    expect(fates({ ...isNew, loanType })).toBe(expected)
  })

  it("a consolidation of PLUS loans with a counted month is too late for INCOME BASED", () => {
    expect(fates({ ...isNew, loanType: "direct_consolidation_with_plus", priorIdrMonths: 1 })).toBe(
      "date open date date date date type date closed closed type"
    )
  })

  const others = [
    ["FFEL STAFFORD SUBSIDIZED", "open type balance open type open type type closed closed type"],
    ["FFEL PLUS PARENT", "open type balance open type type type type closed closed type"],
    ["FEDERALLY INSURED (FISL)", "open type type open type open type type closed closed type"],
    ["FEDERAL PERKINS", "open type type type type type type type closed closed type"]
  ] as const
  it.each(others)("%s keeps its plans, whatever the date: %s", (loanType, expected) => {
    for (const borrowedOnOrAfterJul12026 of [true, false, null]) {
      expect(fates({ loanType, borrowedOnOrAfterJul12026 })).toBe(expected)
    }
  })

  it("a DIRECT PLUS CONSOLIDATED has no plan at all", () => {
    const answer = calculated({ ...isNew, loanType: "DIRECT PLUS CONSOLIDATED" })
    expect([answer.plans, answer.lowestMonthlyPlan, answer.lowestLifetimeCostPlan]).toEqual([[], null, null])
  })
})

describe("an older loan", () => {
  it("has no Tiered Standard, by its date", () => {
    expect(fates({})).toBe("open date balance open open open open open closed closed open")
    expect(fates({ loanType: "parent_plus" })).toBe("open date balance open type type type type closed closed type")
  })

  it("direct_consolidation_with_plus is a later consolidation of PLUS loans", () => {
    // a consolidation of 30,000 alone: twenty years
    const loanType = "direct_consolidation_with_plus"
    expect(fates({ loanType })).toBe("open date balance open type type type open closed closed type")
    expect(fates({ loanType, priorIdrMonths: 1 })).toBe("open date balance open open open type open closed closed type")
    expect(calculated({ loanType }).plans[0]!.monthsToPayoff).toBe(239)
  })

  it("a DIRECT PLUS CONSOLIDATED has its own terms without a test of 30,000", () => {
    const loan = { loanType: "DIRECT PLUS CONSOLIDATED", balance: 25_000, ratePct: 4.5 }
    expect(fates(loan)).toBe("open date open open type type type type closed closed type")
    const [standard, extended, graduated] = calculated(loan).plans
    expect([standard, extended].map((plan) => dollars(plan!.monthlyPayment))).toEqual(["259.10", "158.16"])
    expect([standard, extended, graduated].map((plan) => plan!.monthsToPayoff)).toEqual([119, 239, 239])
  })
})

describe("the term of Tiered Standard", () => {
  const tiered = (more: Partial<WireCalculation>) => {
    const plan = calculated({ ...isNew, ...more }).plans.find(({ plan }) => plan === "tiered_standard")!
    return [dollars(plan.monthlyPayment), dollars(plan.totalPaid), plan.monthsToPayoff]
  }

  it("is neither shortened nor used up by months already counted", () => {
    // i = 0.0652 / 12: 30,000 i / (1 - (1 + i)^-180) = 261.6622, 180 times
    const whole = ["261.66", "47099.19", 179]
    for (const priorIdrMonths of [0, 12, 178, 179, 180, 600]) {
      expect(tiered({ ratePct: 6.52, priorIdrMonths })).toEqual(whole)
    }
    expect(tiered({ ratePct: 6.52, pursuingPslf: true, pslfCreditedMonths: 120 })).toEqual(whole)
  })

  it("is a parent's only plan", () => {
    // 30,000 / 180 = 166.6667
    expect(tiered({ ratePct: 0, loanType: "parent_plus", priorIdrMonths: 60 })).toEqual(["166.67", "30000.00", 179])
  })
})
