/** Advice in refusals: the property that was probably meant, and JSON that was sent as text. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { decodeStrictly, type StrictSchema } from "../../src/request/decode.ts"
import { calculator, comparison, loan, projection, scenario } from "../support/requests.ts"

/** The refused fields, each with its first message. */
const messagesOf = (schema: StrictSchema, value: unknown) => {
  const errors = Effect.runSync(
    Effect.match(decodeStrictly(schema)(value), { onFailure: (refused) => refused, onSuccess: () => ({}) })
  )
  return Object.entries(errors).map(([path, [message]]) => `${path} ${message}`)
}

describe("null for a property that may be left out", () => {
  it("is refused with that advice", () => {
    expect(
      messagesOf(ProjectionRequest, {
        scenario: { ...scenario, annualIncomeGrowth: null },
        loans: [{ ...loan, pslfCount: null, loanType: null }]
      })
    ).toEqual([
      expect.stringMatching(/^scenario\.annualIncomeGrowth must be a number from .*, or leave it out$/),
      expect.stringMatching(/^loans\[0\]\.loanType must be one of the loan types: .*LENDING$/),
      "loans[0].pslfCount must be a whole number from 0 to 120: send a whole number of payments, or leave it out"
    ])
  })
})

describe("an unknown property", () => {
  const inScenario = (name: string) =>
    messagesOf(ProjectionRequest, { ...projection, scenario: { ...scenario, [name]: 1 } })
  const inLoan = (name: string) => messagesOf(ProjectionRequest, { scenario, loans: [loan, { ...loan, [name]: 1 }] })

  it.each([
    ["dependants", "dependents"],
    ["annual_income_growth", "annualIncomeGrowth"],
    ["plantype", "planType"],
    ["filing_status", "filingStatus"],
    ["income", "adjustedGrossIncome"],
    ["spouseIncome", "spouseAdjustedGrossIncome"],
    ["pslf", "workingTowardsPslf"]
  ])("of a scenario is refused with the known one: %s -> %s", (name, meant) =>
    expect(inScenario(name)).toEqual([`scenario.${name} is not a known property; remove it, or send it as ${meant}`])
  )

  it.each([
    ["type", "loanType"],
    ["loan_type", "loanType"],
    ["balance", "principalBalance"],
    ["rate", "interestRate"],
    ["interest", "interestRate or interestBalance"]
  ])("of a loan is refused with the known one: %s -> %s", (name, meant) =>
    expect(inLoan(name)).toEqual([`loans[1].${name} is not a known property; remove it, or send it as ${meant}`])
  )

  it("of the calculator is refused with the calculator's own name", () =>
    expect(messagesOf(KeylessLoanRequest, { ...calculator, rate: 6 })).toEqual([
      "rate is not a known property; remove it, or send it as ratePct"
    ]))

  it("that belongs elsewhere is refused with its place", () => {
    expect(messagesOf(ProjectionRequest, { ...projection, planType: "RAP", income: 1, rate: 1 })).toEqual([
      "planType is not a known property; remove it, or send it as scenario.planType",
      "income is not a known property; remove it, or send it as scenario.adjustedGrossIncome",
      "rate is not a known property; remove it, or send it as loans[0].interestRate"
    ])
    expect(inScenario("includeYearly")).toEqual([
      "scenario.includeYearly is not a known property; remove it, or send it as includeYearly at the top"
    ])
    const [first, second] = comparison.arms
    expect(messagesOf(ComparisonRequest, { arms: [first, { ...second, planType: "RAP" }] })).toEqual([
      "arms[1].planType is not a known property; remove it, or send it as arms[1].scenario.planType"
    ])
  })

  it.each(["color", "unknown", "__proto__", "constructor", "x".repeat(1000)])(
    "without a similar name is only to be removed: %.20s",
    (name) => {
      const value = JSON.parse(JSON.stringify(projection).replace("{", `{"${name}":1,`))
      expect(messagesOf(ProjectionRequest, value)).toEqual([
        expect.stringMatching(/ is not a known property; remove it$/)
      ])
    }
  )
})

describe("JSON that is sent as text", () => {
  const SEND = "it is text: send the JSON itself, not text that holds it"

  it("is reported as such", () => {
    expect(messagesOf(ProjectionRequest, { ...projection, scenario: JSON.stringify(scenario) })).toEqual([
      `scenario must be a scenario object; ${SEND}`
    ])
    expect(messagesOf(ProjectionRequest, { ...projection, loans: ` ${JSON.stringify([loan])}` })).toEqual([
      `loans must be an array of 1 to 100 loan objects; ${SEND}`
    ])
    expect(messagesOf(ProjectionRequest, { scenario, loans: [JSON.stringify(loan)] })).toEqual([
      `loans[0] must be a loan object; ${SEND}`
    ])
  })

  it("is not reported for other texts, or where text is expected", () => {
    expect(messagesOf(ProjectionRequest, { ...projection, scenario: "single, 60000" })).toEqual([
      "scenario must be a scenario object"
    ])
    const state = messagesOf(ProjectionRequest, { ...projection, scenario: { ...scenario, state: '{"a":1}' } })
    expect(state).toEqual([expect.not.stringContaining("it is text")])
  })
})
