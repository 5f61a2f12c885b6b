/** Tests of the ledger's texts: units, names of members, subjects, plans and omissions. */
import { describe, expect, it } from "vitest"
import { constants, omissions, rules } from "../../ledger/index.ts"
import { bearingText } from "../../src/messages/rules/bearing.ts"
import { amountText, measureOf, memberName, nothingText } from "../../src/messages/rules/members.ts"
import { plansOfOmission, plansOfRule, plansText } from "../../src/messages/rules/plansOf.ts"
import { SUBJECTS } from "../../src/messages/rules/subjects.ts"

type Leaf = readonly [member: string, value: unknown]

/** Every leaf of a value, with the name of its member. */
const leavesOf = (value: unknown, member = ""): ReadonlyArray<Leaf> => {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, member))
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, name))
  return [[member, value]]
}

describe("numbers of the ledger", () => {
  it("all have a unit", () => {
    const withoutUnit = constants.flatMap(({ id, unit, value }) =>
      leavesOf(value)
        .filter(([member, leaf]) => typeof leaf === "number" && measureOf(member, unit) === undefined)
        .map(([member]) => `${id} ${member}`)
    )
    expect(withoutUnit).toEqual([])
  })

  it.each([
    [12_400, "over", "USD", "$12,400"],
    [367.2, "subtract", "USD", "$367.20"],
    [33_042_000_000, "revenueAbove", "fraction; USD", "$33,042,000,000"],
    [0.0575, "rate", "fraction", "5.75%"],
    [0.01057, "plus", "fraction of the loan", "1.057%"],
    [0.00125, "consolidationRoundingUp", "fraction per year", "0.125%"],
    [0.0375, "2027", "fraction; USD", "3.75%"],
    [57.79, "percent", "percent by AGI in USD", "57.79%"],
    [360, "months", "months", "360 months (30 years)"],
    [12, "monthsBetween", "months", "12 months (1 year)"],
    [1, "Single", "persons", "1 person"],
    [16_100, "Single", "USD per year", "$16,100"],
    [2.25, "povertyMultiple", "multiple", "2.25 times"],
    [2026, "taxYear", "USD", "2026"],
    [0.123406, "annualMultiplier", "dimensionless", "0.123406"]
  ])("show %d of %s, in %s, as %s", (amount, member, unit, text) => expect(amountText(amount, member, unit)).toBe(text))

  it("are shown without a change of value", () => {
    const read = (text: string) => Number(/^[$]?([\d,.]+)/.exec(text)?.[1]?.replaceAll(",", ""))
    const changed = constants.flatMap(({ id, unit, value }) =>
      leavesOf(value).flatMap(([member, leaf]) => {
        if (typeof leaf !== "number") return []
        const factor = measureOf(member, unit) === "fractions" ? 100 : 1
        const shown = amountText(leaf, member, unit)
        return Math.abs(read(shown) - leaf * factor) < 1e-9 ? [] : [`${id} ${member} ${leaf}: ${shown}`]
      })
    )
    expect(changed).toEqual([])
  })
})

it.each([
  ["forgivenessMonths", "Time to forgiveness"],
  ["standardTermMonths", "Standard term months"],
  ["ffel-ended-before-1998", "FFEL ended before 1998"],
  ["HeadOfHousehold", "Head of household"],
  ["REPAYMENT ASSISTANCE", "REPAYMENT ASSISTANCE"],
  ["AK", "AK"]
])("the member %s is shown as %s", (member, name) => expect(memberName(member)).toBe(name))

it("every null value of the ledger has a text", () => {
  const absent = constants.flatMap(({ value }) => leavesOf(value).filter(([, leaf]) => leaf === null))
  expect(new Set(absent.map(([member]) => nothingText(member)))).toEqual(
    new Set(["no limit", "from 0", "never", "not known yet"])
  )
})

describe("subjects", () => {
  const ids = (entries: ReadonlyArray<{ readonly id: string }>) => entries.map(({ id }) => id).sort()

  it("contain every rule once", () => {
    const listed = SUBJECTS.flatMap((subject) => subject.rules.flatMap(({ entries }) => entries))
    expect(ids(listed)).toEqual(ids(rules.flatMap(({ entries }) => entries)))
  })

  it("contain every omission once", () => {
    expect(ids(SUBJECTS.flatMap((subject) => subject.omissions))).toEqual(ids(omissions))
  })

  it("have at least one entry each", () => {
    const empty = SUBJECTS.filter((subject) => subject.rules.length + subject.omissions.length === 0)
    expect(empty).toEqual([])
  })
})

describe("the plans of an entry", () => {
  const plansOf = (id: string) => plansOfRule(rules.find(({ entries }) => entries.some((entry) => entry.id === id))!)

  it.each([
    ["rap-base-payment-bands", ["REPAYMENT ASSISTANCE"]],
    ["idr-subsidized-interest-months", ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"]],
    [
      "poverty-guideline-2026",
      ["INCOME BASED", "INCOME BASED (OLD)", "INCOME CONTINGENT", "PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE"]
    ]
  ])("%s are the plans that cite it", (id, plans) => expect([...plansOf(id)].sort()).toEqual([...plans].sort()))

  it("are every plan if no plan cites it", () => {
    const plans = plansOf("federal-standard-deduction-2026")
    expect([plans.length, plansText(plans, "ALL")]).toEqual([10, "every plan"])
    expect(plansText(plansOf("pslf-terms"), "PSLF")).toBe("Public Service Loan Forgiveness, under any plan")
  })

  it("of an omission are the plans that it bears on", () => {
    const omission = omissions.find(({ id }) => id === "omission-repayment-before-2006")!
    expect(plansOfOmission(omission)).toEqual(["EXTENDED", "GRADUATED"])
  })
})

it.each([
  [{}, "On every answer."],
  [{ plans: [] }, "On no answer: it is published for information."],
  [{ plans: ["SAVE", "STANDARD"] }, "On answers under SAVE, STANDARD."],
  [
    { plans: ["SAVE"], filingStatuses: ["MarriedFilingSeparately"], states: ["AZ", "CA"] },
    "On answers under SAVE, and where the filing status is Married, separate returns, and where the state is AZ, CA."
  ],
  [
    { statesExcept: ["NC"], when: ["taxed", "growth"] as const },
    "On answers where the state is none of NC, and when tax on forgiveness is part of the answer, and when income grows."
  ]
])("an omission with the conditions %j has the text: %s", (bearsOn, text) =>
  expect(bearingText({ bearsOn })).toBe(text)
)
