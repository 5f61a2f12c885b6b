/** Suggestions for refused values: the value to send, followed by the usual message. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FILING_NAMES, LOAN_NAMES, PLAN_NAMES, STATE_NAMES } from "../../schema/otherNames.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import { decodeStrictly } from "../../src/request/decode.ts"
import { loan, projection, scenario } from "../support/requests.ts"

const decode = decodeStrictly(ProjectionRequest)

/** Messages by path of a projection with one field changed; none if it is accepted. */
const errorsWith = (field: string, value: string) => {
  const sent =
    field === "loanType"
      ? { scenario, loans: [{ ...loan, loanType: value }] }
      : { ...projection, scenario: { ...scenario, [field]: value } }
  return Effect.runSync(Effect.match(decode(sent), { onFailure: (errors) => errors, onSuccess: () => ({}) }))
}

const FIELDS = {
  planType: { path: "scenario.planType", values: PLAN_TYPES, others: PLAN_NAMES, message: "must be one of the plan" },
  loanType: { path: "loans[0].loanType", values: LOAN_TYPES, others: LOAN_NAMES, message: "must be one of the loan" },
  filingStatus: {
    path: "scenario.filingStatus",
    values: FILING_STATUSES,
    others: FILING_NAMES,
    message: "must be Single, MarriedFilingJointly (MFJ)"
  },
  state: { path: "scenario.state", values: STATES, others: STATE_NAMES, message: "must be a two-letter US state code" }
} as const
type Field = keyof typeof FIELDS

/** The part of the only problem's message before the usual text. */
const suggestionOf = (field: Field, value: string): string => {
  const { message, path } = FIELDS[field]
  const errors = errorsWith(field, value)
  expect(Object.keys(errors)).toEqual([path])
  const [told] = (errors as Readonly<Record<string, ReadonlyArray<string>>>)[path]!
  expect(told).toContain(message)
  return told!.slice(0, told!.indexOf(message))
}

/** The quoted values of a suggestion. */
const suggested = (field: Field, value: string) =>
  [...suggestionOf(field, value).matchAll(/"([^"]+)"/g)].map(([, text]) => text)

/** Names of no value of the field, and the advice. */
const ADVICE: ReadonlyArray<readonly [Field, string, RegExp]> = [
  ["state", "AE", /^an address abroad .*48 contiguous states: send any of them, such as TX/],
  ["state", "ap", /48 contiguous states/],
  ["state", "MH", /48 contiguous states/],
  ["filingStatus", "QualifyingSurvivingSpouse", /send HeadOfHousehold: the payments are the same, .* higher/],
  ["filingStatus", "qualifying widow(er)", /send HeadOfHousehold/]
]

it.each(ADVICE)("a %s of %s gets advice", (field, name, advice) => expect(suggestionOf(field, name)).toMatch(advice))

const OTHER_NAMES: ReadonlyArray<readonly [Field, string, ReadonlyArray<string>]> = [
  ["planType", "RAP", ["REPAYMENT ASSISTANCE"]],
  ["planType", "Repayment-Assistance Plan", ["REPAYMENT ASSISTANCE"]],
  ["planType", "ibr", ["INCOME BASED", "INCOME BASED (OLD)"]],
  ["planType", "Income-Based Repayment", ["INCOME BASED", "INCOME BASED (OLD)"]],
  ["planType", "income_based_old", ["INCOME BASED (OLD)"]],
  ["planType", "PAYE", ["PAY AS YOU EARN"]],
  ["planType", "REPAYE", ["REVISED PAY AS YOU EARN"]],
  ["planType", "ICR", ["INCOME CONTINGENT"]],
  ["planType", "SAVE plan", ["SAVE"]],
  ["planType", "standard plan", ["STANDARD"]],
  ["planType", "Standard Repayment", ["STANDARD"]],
  ["planType", "repaymnet assistance", ["REPAYMENT ASSISTANCE"]],
  ["loanType", "Direct Unsubsidized", ["DIRECT STAFFORD UNSUBSIDIZED"]],
  ["loanType", "direct subsidised loans", ["DIRECT STAFFORD SUBSIDIZED"]],
  ["loanType", "Parent PLUS", ["DIRECT PLUS PARENT", "FFEL PLUS PARENT"]],
  ["loanType", "Grad PLUS Loan", ["DIRECT PLUS GRADUATE", "FFEL PLUS GRADUATE"]],
  ["loanType", "Perkins", ["FEDERAL PERKINS"]],
  [
    "loanType",
    "Stafford",
    ["SUBSIDIZED", "UNSUBSIDIZED"].flatMap((kind) => [`DIRECT STAFFORD ${kind}`, `FFEL STAFFORD ${kind}`])
  ],
  ["filingStatus", "married filing jointly", ["MarriedFilingJointly"]],
  ["filingStatus", "married", ["MarriedFilingJointly", "MarriedFilingSeparately"]],
  ["filingStatus", "Head of Household", ["HeadOfHousehold"]],
  ["filingStatus", "sinlge", ["Single"]],
  ["state", "North Carolina", ["NC"]],
  ["state", "Puerto Rico", ["PR"]],
  ["state", "N.C.", ["NC"]]
]

describe("a refused value", () => {
  it.each(OTHER_NAMES)("of %s is refused with the value to send: %s", (field, called, values) => {
    expect(suggested(field, called)).toEqual(values)
  })

  it("distinguishes the plan with 10 percent from the one with 15 percent", () => {
    expect(suggestionOf("planType", "IBR")).toMatch(
      /"INCOME BASED" \(10 percent .*2014.*\) or "INCOME BASED \(OLD\)" \(15 percent /
    )
  })

  it("for Tiered Standard is refused with the plan that is Tiered Standard for new loans", () => {
    const told = suggestionOf("planType", "Tiered Standard Repayment Plan")
    expect(told).toContain("send STANDARD and each loan's madeOn")
  })

  it.each(Object.keys(FIELDS) as ReadonlyArray<Field>)(
    "of %s has other names only for values that the field accepts",
    (field) => {
      const { names, told = {} } = FIELDS[field].others
      const values: ReadonlyArray<string> = FIELDS[field].values
      expect([...Object.values(names).flat(), ...Object.keys(told)].filter((value) => !values.includes(value))).toEqual(
        []
      )
      const accepted = Object.keys(names).filter((name) => Object.keys(errorsWith(field, name)).length === 0)
      expect(accepted).toEqual(accepted.filter((name) => values.includes(name)))
      for (const [name, meantValues] of Object.entries(names)) {
        if (!accepted.includes(name)) expect(suggested(field, name), name).toEqual(meantValues)
      }
    }
  )

  it.each(["planType", "loanType", "filingStatus"] as const)(
    "of %s with a missing letter is refused with the value",
    (field) => {
      for (const value of FIELDS[field].values) {
        if (value.length >= 8) expect(suggested(field, value.slice(0, 5) + value.slice(6)), value).toContain(value)
      }
    }
  )

  it.each([
    "XYZ",
    "private",
    "",
    " ",
    "Z".repeat(64),
    `RAP${" x".repeat(40)}`,
    `${"Y".repeat(100_000)}`,
    "ＲＡＰ",
    "slr_live_0123456789abcdef"
  ])("without a similar name is refused without a suggestion (%#)", (value) => {
    for (const field of Object.keys(FIELDS) as ReadonlyArray<Field>) expect(suggestionOf(field, value)).toBe("")
  })
})
