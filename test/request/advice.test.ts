/** A property that a request does not have is refused with the one that was meant, and text that holds JSON as such. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { decodeStrictly, type StrictSchema } from "../../src/request/decode.ts"
import { calculator, comparison, loan, projection, scenario } from "../support/requests.ts"

/** What is said of the only field that is refused. */
const saidOf = (schema: StrictSchema, value: unknown) => {
  const errors = Effect.runSync(
    Effect.match(decodeStrictly(schema)(value), { onFailure: (refused) => refused, onSuccess: () => ({}) })
  )
  return Object.entries(errors).map(([path, [message]]) => `${path} ${message}`)
}

describe("a property that is not known", () => {
  const inScenario = (name: string) =>
    saidOf(ProjectionRequest, { ...projection, scenario: { ...scenario, [name]: 1 } })
  const inLoan = (name: string) => saidOf(ProjectionRequest, { scenario, loans: [loan, { ...loan, [name]: 1 }] })

  it.each([
    ["dependants", "dependents"],
    ["annual_income_growth", "annualIncomeGrowth"],
    ["plantype", "planType"],
    ["filing_status", "filingStatus"],
    ["income", "adjustedGrossIncome"],
    ["spouseIncome", "spouseAdjustedGrossIncome"],
    ["pslf", "workingTowardsPslf"]
  ])("of a scenario is told as %s -> %s", (name, meant) =>
    expect(inScenario(name)).toEqual([`scenario.${name} is not a known property; remove it, or send it as ${meant}`])
  )

  it.each([
    ["type", "loanType"],
    ["loan_type", "loanType"],
    ["balance", "principalBalance"],
    ["rate", "interestRate"],
    ["interest", "interestRate or interestBalance"]
  ])("of a loan is told as %s -> %s", (name, meant) =>
    expect(inLoan(name)).toEqual([`loans[1].${name} is not a known property; remove it, or send it as ${meant}`])
  )

  it("of the calculator is told by its own names", () =>
    expect(saidOf(KeylessLoanRequest, { ...calculator, rate: 6 })).toEqual([
      "rate is not a known property; remove it, or send it as ratePct"
    ]))

  it("that belongs elsewhere is told with its place", () => {
    expect(saidOf(ProjectionRequest, { ...projection, planType: "RAP", income: 1, rate: 1 })).toEqual([
      "planType is not a known property; remove it, or send it as scenario.planType",
      "income is not a known property; remove it, or send it as scenario.adjustedGrossIncome",
      "rate is not a known property; remove it, or send it as loans[0].interestRate"
    ])
    expect(inScenario("includeYearly")).toEqual([
      "scenario.includeYearly is not a known property; remove it, or send it as includeYearly at the top"
    ])
    const [first, second] = comparison.arms
    expect(saidOf(ComparisonRequest, { arms: [first, { ...second, planType: "RAP" }] })).toEqual([
      "arms[1].planType is not a known property; remove it, or send it as arms[1].scenario.planType"
    ])
  })

  it.each(["color", "unknown", "__proto__", "constructor", "x".repeat(1000)])(
    "is only to be removed: %.20s",
    (name) => {
      const value = JSON.parse(JSON.stringify(projection).replace("{", `{"${name}":1,`))
      expect(saidOf(ProjectionRequest, value)).toEqual([expect.stringMatching(/ is not a known property; remove it$/)])
    }
  )
})

describe("JSON in a text", () => {
  const SEND = "it is text: send the JSON itself, not text that holds it"

  it("is told as such", () => {
    expect(saidOf(ProjectionRequest, { ...projection, scenario: JSON.stringify(scenario) })).toEqual([
      `scenario must be a scenario object; ${SEND}`
    ])
    expect(saidOf(ProjectionRequest, { ...projection, loans: ` ${JSON.stringify([loan])}` })).toEqual([
      `loans must be an array of 1 to 100 loan objects; ${SEND}`
    ])
    expect(saidOf(ProjectionRequest, { scenario, loans: [JSON.stringify(loan)] })).toEqual([
      `loans[0] must be a loan object; ${SEND}`
    ])
  })

  it("is not seen in other texts, or where a text is wanted", () => {
    expect(saidOf(ProjectionRequest, { ...projection, scenario: "single, 60000" })).toEqual([
      "scenario must be a scenario object"
    ])
    const state = saidOf(ProjectionRequest, { ...projection, scenario: { ...scenario, state: '{"a":1}' } })
    expect(state).toEqual([expect.not.stringContaining("it is text")])
  })
})
