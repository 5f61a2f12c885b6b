/**
 * Tests of the steps of an explained payment: forgiveness, cited rules and formulas, case by case.
 * property-tests/explanation.test.ts checks that the steps recombine to the payment.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ExplainRequest, type ExplainResult, type ExplanationStep } from "../../schema/explanation.ts"
import { explain } from "../../src/engine/explanation.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import type { StartMonth } from "../../src/engine/schedule/calendar.ts"
import { explanationAnswer } from "../../src/messages/explanation.ts"
import { START } from "../cases/case.ts"
import { loan, scenario } from "../support/requests.ts"

type Answer = Pick<ExplainResult, "parts" | "rules">

const explained = (
  household: Readonly<Record<string, unknown>>,
  loans: ReadonlyArray<Readonly<Record<string, unknown>>>,
  month = 1,
  start: StartMonth = START
): Answer => {
  const request = Schema.decodeUnknownSync(ExplainRequest)({
    scenario: { ...scenario, ...household },
    loans: loans.map((one) => ({ ...loan, ...one })),
    month
  })
  const outcome = explain(currentLaw, request, start, month - 1)
  if (outcome._tag === "Refusal") throw new Error(`${outcome.planType} is refused`)
  return explanationAnswer(currentLaw, outcome)
}

const stepsOf = ({ parts }: Answer, term: string): ReadonlyArray<ExplanationStep> =>
  parts.flatMap(({ steps }) => steps.filter((step) => step.term === term))

const stepOf = (answer: Answer, term: string): ExplanationStep => {
  const [step, ...others] = stepsOf(answer, term)
  if (step === undefined || others.length > 0) throw new Error(`${term} is told ${others.length + 1} times, or never`)
  return step
}

const has = (answer: Answer, term: string): boolean => stepsOf(answer, term).length > 0

describe("forgiveness in an explanation", () => {
  it("is split into time-based forgiveness and PSLF, loan by loan", () => {
    const answer = explained({ planType: "INCOME BASED", workingTowardsPslf: true }, [
      { principalBalance: 50_000, interestRate: 0.065, pslfCount: 119 },
      { principalBalance: 50_000, interestRate: 0.065, idrMonthsInRepayment: 239 }
    ])
    const [served, old] = answer.parts[0]!.loans
    expect([served!.forgivenessType, old!.forgivenessType]).toEqual(["Pslf", "TimeBased"])
    expect(stepOf(answer, "forgivenPslf")).toMatchObject({ value: served!.forgiven, rules: ["pslf-terms"] })
    const byTime = { value: old!.forgiven, rules: ["ibr-new-terms", "idr-forgiveness-count"] }
    expect(stepOf(answer, "forgivenTimeBased")).toMatchObject(byTime)
    expect(stepsOf(answer, "countedMonths").map(({ value }) => value)).toEqual([0, 239])
    expect(stepsOf(answer, "forgivenessMonth").map(({ value }) => value)).toEqual([240, 1])
    expect(stepsOf(answer, "serviceMonth").map(({ value }) => value)).toEqual([1, 120])
  })

  it.each([
    ["INCOME BASED", 240, "ibr-new-terms"],
    ["INCOME BASED (OLD)", 300, "ibr-old-terms"],
    ["INCOME CONTINGENT", 300, "icr-terms"],
    ["PAY AS YOU EARN", 240, "paye-terms"],
    ["REVISED PAY AS YOU EARN", 240, "repaye-terms"],
    ["SAVE", 240, "save-early-forgiveness"],
    ["REPAYMENT ASSISTANCE", 360, "rap-forgiveness-term"]
  ])("under %s shows the %i months to forgiveness and their rule", (planType, months, rule) => {
    const loans = [{ principalBalance: 50_000, idrMonthsInRepayment: months - 1 }]
    const answer = explained({ planType }, loans)
    expect(stepOf(answer, "forgivenessMonths")).toMatchObject({ value: months, loan: null })
    expect(stepOf(answer, "forgivenessMonths").rules).toContain(rule)
    expect(stepOf(answer, "countedMonths")).toMatchObject({ value: months - 1, rules: ["idr-forgiveness-count"] })
    expect(stepOf(answer, "forgivenTimeBased").rules).toContain(rule)
  })

  it("that comes early under SAVE shows the original debt and the amounts of the rule", () => {
    const loans = [{ principalBalance: 13_000, disbursedAmount: 13_500, idrMonthsInRepayment: 143 }]
    const answer = explained({ planType: "SAVE", adjustedGrossIncome: 40_000 }, loans)
    expect(stepOf(answer, "originalDebt").value).toBe(13_500)
    expect(stepOf(answer, "forgivenessMonths")).toMatchObject({
      value: 144,
      formula:
        "120 up to an original debt of 12,000, 12 more for each further 1,000 or part of it; at most 240, or 300 with a graduate loan",
      rules: ["save-early-forgiveness", "save-terms"]
    })
  })

  it("has no steps in a month without forgiveness", () => {
    const answer = explained({ planType: "INCOME BASED", workingTowardsPslf: true }, [{ idrMonthsInRepayment: 238 }])
    for (const term of ["forgivenessMonths", "countedMonths", "serviceMonth", "forgivenTimeBased", "forgivenPslf"])
      expect(has(answer, term)).toBe(false)
  })

  it("of a loan outside the plan can be PSLF", () => {
    const parents = { loanType: "DIRECT PLUS PARENT", pslfCount: 119 }
    const answer = explained({ planType: "REPAYMENT ASSISTANCE", workingTowardsPslf: true }, [{}, parents])
    expect(answer.parts[1]!.loans[0]!.forgivenessType).toBe("Pslf")
    expect(stepOf(answer, "serviceMonth")).toMatchObject({ value: 1, loan: 1 })
  })
})

describe("a step of an explanation", () => {
  it("never tells of a negative payment: of a loan without interest that the payment does not reach", () => {
    const loans = [
      { principalBalance: 10_000, interestRate: 0.05 },
      { principalBalance: 20_000, interestRate: 0 }
    ]
    const answer = explained({ planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: 0 }, loans)
    expect(answer.parts[0]!.loans.map(({ payment, toInterest }) => [payment, toInterest])).toEqual([
      [10, 10],
      [0, 0]
    ])
  })

  it("tells of no payment by what is closed below half a cent", () => {
    const loans = [
      { principalBalance: 0.005, interestRate: 0.01 },
      { principalBalance: 7_500, interestRate: 0.01 }
    ]
    const [part] = explained({ planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome: 23_940 }, loans).parts
    expect(part!.loans.reduce((sum, { payment }) => sum + payment, 0)).toBeCloseTo(39.9, 9)
  })

  it("is not told for what only rounding leaves: unpaid interest that stays the same", () => {
    const household = { planType: "INCOME CONTINGENT", adjustedGrossIncome: 20_000, extraMonthlyPayment: 25 }
    const answer = explained(household, [{ principalBalance: 30_000, interestRate: 0.05 }], 40)
    expect(answer.parts[0]!.loans[0]).toMatchObject({ interestAdded: 0 })
    expect(has(answer, "interestAdded")).toBe(false)
  })

  it.each([
    ["INCOME BASED", "payment", ["payment-application-order"]],
    ["REPAYMENT ASSISTANCE", "payment", ["rap-minimum-payment"]],
    ["EXTENDED", "balance", ["extended-plan-terms"]],
    ["EXTENDED", "levelPayment", ["extended-plan-terms"]],
    ["EXTENDED", "allLevelPayments", ["extended-plan-terms"]]
  ])("under %s: %s cites its own rules", (planType, term, rules) =>
    expect(stepOf(explained({ planType }, [{ principalBalance: 40_000 }]), term).rules).toEqual(rules)
  )

  it.each(["STANDARD", "GRADUATED"])("under %s: monthsLeft of a consolidation cites its table", (planType) => {
    const loans = [{ loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", principalBalance: 60_000 }]
    const expected = { value: 360, rules: ["consolidation-standard-terms"] }
    expect(stepOf(explained({ planType }, loans), "monthsLeft")).toMatchObject(expected)
  })

  it("under REPAYMENT ASSISTANCE: reducedPayment cites the rules of dependents and of a couple's share", () => {
    const couple = { filingStatus: "MarriedFilingJointly", spouseFederalLoanBalance: 10_000, dependents: 1 }
    const answer = explained({ ...couple, planType: "REPAYMENT ASSISTANCE" }, [{}])
    const rules = ["rap-base-payment-bands", "rap-dependent-reduction", "rap-joint-proration"]
    expect(stepOf(answer, "reducedPayment").rules).toEqual(rules)
    for (const term of ["ownDebt", "spouseDebt"]) expect(stepOf(answer, term).rules).toEqual(["rap-joint-proration"])
  })
})

describe("a couple's share", () => {
  const couple = { filingStatus: "MarriedFilingJointly", adjustedGrossIncome: 60_000, spouseFederalLoanBalance: 20_000 }
  const loans = [
    { principalBalance: 20_000 },
    { loanType: "DIRECT PARENT PLUS CONSOLIDATED", principalBalance: 25_000, interestBalance: 5_000 }
  ]
  const ownDebts = (answer: Answer) => stepsOf(answer, "ownDebt").map(({ rules, value }) => [value, rules])
  const OF_EACH_GROUP = [
    [20_000, ["rap-joint-proration"]],
    [30_000, ["idr-joint-proration"]]
  ]

  it("is not told under INCOME CONTINGENT, and from July 2028 is that of each group, by its debt at the start", () => {
    const at = (month: number) => explained({ ...couple, planType: "INCOME CONTINGENT" }, loans, month)
    for (const term of ["ownDebt", "spouseDebt", "share"]) expect(has(at(19), term)).toBe(false)
    expect(ownDebts(at(20))).toEqual(OF_EACH_GROUP)
    expect(stepsOf(at(20), "share").map(({ value }) => value)).toEqual([0.5, 0.6])
  })

  it("is that of each group also where the plan has ended before the first month", () => {
    const answer = explained({ ...couple, planType: "INCOME CONTINGENT" }, loans, 1, { year: 2028, month: 9 })
    expect(ownDebts(answer)).toEqual(OF_EACH_GROUP)
    expect(answer.parts.map(({ payment }) => payment)).toEqual([125, 206.55])
  })

  it("counts FFEL loans under PAY AS YOU EARN, and not under the plan that takes its place", () => {
    const asked = { ...couple, planType: "PAY AS YOU EARN" }
    const books = [{ principalBalance: 30_000 }, { loanType: "FFEL STAFFORD UNSUBSIDIZED", principalBalance: 30_000 }]
    const at = (month: number) => ownDebts(explained(asked, books, month)).map(([value]) => value)
    expect([at(19), at(20)]).toEqual([[60_000], [30_000]])
  })
})

describe("GRADUATED of a DIRECT PLUS CONSOLIDATED", () => {
  it("tells the bounds of its payments and cites their rule", () => {
    const loan = { loanType: "DIRECT PLUS CONSOLIDATED", principalBalance: 9_000, interestRate: 0.08 }
    const answer = explained({ planType: "GRADUATED" }, [loan], 144)
    expect(stepOf(answer, "tenYearLevel").value).toBeCloseTo(109.194835, 6)
    expect(stepOf(answer, "leastPayment")).toMatchObject({ value: 60, rules: ["direct-plus-consolidation-terms"] })
    expect(stepOf(answer, "mostPayment").value).toBeCloseTo(163.792252, 6)
    expect(stepOf(answer, "firstLevel").rules).toEqual(["graduated-schedule", "direct-plus-consolidation-terms"])
    expect(stepOf(answer, "scheduledPayment").value).toBeCloseTo(163.792252, 6)
    expect(has(explained({ planType: "GRADUATED" }, [{}]), "mostPayment")).toBe(false)
  })
})

describe("a month with pauses, a budget or a lump sum", () => {
  const TWO = [
    { principalBalance: 3_500, interestRate: 0.06 },
    { principalBalance: 6_000, interestRate: 0.05 }
  ]
  const until = (kind: string, loans?: ReadonlyArray<number>) => ({ kind, until: "2027-03", loans: loans ?? null })
  const groupsOf = ({ parts }: Answer) => parts.map(({ group, loans, payment }) => [group, payment, loans.length])
  const valuesOf = (answer: Answer, term: string) => stepsOf(answer, term).map(({ loan, value }) => [loan, value])

  it.each(["STANDARD", "GRADUATED", "INCOME BASED", "REPAYMENT ASSISTANCE", "PAY AS YOU EARN"])(
    "under %s tells of paused loans alone while nothing is due",
    (planType) => {
      const answer = explained({ planType, pauses: [until("InSchool")] }, TWO)
      expect(groupsOf(answer)).toEqual([
        ["plan", 0, 0],
        ["paused", 0, 2]
      ])
      expect(valuesOf(answer, "dueAgain")).toEqual([
        [0, 4],
        [1, 4]
      ])
      expect(stepOf(answer, "interestAccrued")).toMatchObject({
        value: 42.5,
        rules: ["interest-accrual", "pause-interest"]
      })
      expect(answer.parts[1]!.loans[1]).toMatchObject({ interestAccrued: 25, interestAdded: 25, interestLeft: 25 })
    }
  )

  it("sets the payment of a loan anew as its pause ends, with the interest that joined its principal", () => {
    const pauses = [{ ...until("Deferment", [1]), from: "2027-01" }]
    const at = (month: number) => explained({ planType: "STANDARD", pauses }, TWO, month)
    expect(groupsOf(at(2)).map(([group, , loans]) => [group, loans])).toEqual([
      ["plan", 1],
      ["paused", 1]
    ])
    const later = at(4)
    const joined = stepOf(later, "interestJoined")
    expect(joined).toMatchObject({ loan: 1, rules: ["pause-interest"] })
    expect(joined.value).toBeCloseTo((later.parts[0]!.loans[1]!.principal * 2 * 0.05) / 12 / (1 + (2 * 0.05) / 12), 6)
    expect(valuesOf(later, "monthsLeft")).toEqual([
      [0, 120],
      [1, 119]
    ])
    expect(stepsOf(later, "balance")[1]!.value).toBeCloseTo(later.parts[0]!.loans[1]!.principal, 6)
    expect(stepsOf(later, "allLevelPayments")).toHaveLength(1)
    expect(valuesOf(later, "raise")).toEqual([[1, 1]])
    expect(has(explained({ planType: "STANDARD", pauses: [until("Forbearance")] }, TWO, 4), "interestJoined")).toBe(
      false
    )
  })

  it("raises each loan as its payment is set, to the minimum of all that are due", () => {
    const loans = [1_200, 2_400].map((principalBalance) => ({ principalBalance, interestRate: 0 }))
    const answer = explained({ planType: "STANDARD", pauses: [until("Forbearance", [1])] }, loans, 4)
    expect(valuesOf(answer, "raise")).toEqual([
      [null, 5],
      [1, 1]
    ])
    expect(valuesOf(answer, "scheduledPayment")).toEqual([
      [0, 50],
      [1, 20]
    ])
  })

  it("tells of a lump sum after the month's payments, on paused loans too", () => {
    const lumpSums = [{ on: "2026-12", amount: 100 }]
    const answer = explained({ planType: "STANDARD", pauses: [until("Forbearance", [0])], lumpSums }, TWO)
    expect(groupsOf(answer).map(([group]) => group)).toEqual(["plan", "lump", "paused"])
    expect(answer.parts[1]).toMatchObject({ payment: 100, loans: [{ loan: 0, payment: 100, toUnpaidInterest: 17.5 }] })
    expect(stepOf(answer, "lumpSent")).toMatchObject({ value: 100, rules: ["extra-payment-order"] })
    expect(stepOf(answer, "owedAfterPayments").value).toBeCloseTo(
      3_517.5 + answer.parts[0]!.loans[0]!.principalLeft + answer.parts[0]!.loans[0]!.interestLeft,
      6
    )
  })

  it("tells what the payments due leave of a budget", () => {
    const answer = explained({ planType: "STANDARD", monthlyBudget: 200 }, TWO)
    expect(stepOf(answer, "extraSent").value).toBeCloseTo(200 - answer.parts[0]!.payment, 6)
    expect(answer.parts[0]!.payment + answer.parts[1]!.payment).toBeCloseTo(200, 6)
  })

  it("forgives later by the months of a pause", () => {
    const planType = "INCOME BASED"
    const at = (month: number) =>
      explained({ planType, pauses: [until("Forbearance")] }, [{ ...TWO[0], idrMonthsInRepayment: 239 }], month)
    expect(has(at(3), "forgivenTimeBased")).toBe(false)
    expect(stepOf(at(4), "forgivenessMonth").value).toBe(4)
    expect(stepOf(at(4), "countedMonths").value).toBe(239)
    expect(stepOf(at(4), "forgivenTimeBased").value).toBeGreaterThan(3_500)
  })
})

describe("formulas", () => {
  const formula = (planType: string, one: object, term: string): string =>
    stepOf(explained({ planType, adjustedGrossIncome: 30_000 }, [{ ...one }]), term).formula

  it("of the levels cover a first level of interest only, and a single level", () => {
    const large = { loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", principalBalance: 200_000, interestRate: 0.09 }
    const solved = explained({ planType: "GRADUATED" }, [large])
    expect(stepOf(solved, "firstInterest").value).toBe(1_500)
    expect(stepOf(solved, "firstLevel").value).toBe(1_500)
    expect(stepOf(solved, "levelRatio").formula).toMatch(
      /^3\^\(1 \/ \(levels - 1\)\).*; 1 if there is one level. If the first level is the interest/
    )
    expect(stepOf(solved, "levels").formula).toBe("months left / 24, rounded up")
    expect(stepOf(solved, "firstLevel").formula).toContain("ratio^floor((m - 1) / 24)")
  })

  it("of waived interest show the waived share and its months", () => {
    expect(formula("REPAYMENT ASSISTANCE", {}, "interestWaived")).toBe(
      "all interest of the month that the payment does not cover; by law, if the payment is made on time and in full"
    )
    expect(formula("SAVE", {}, "waivedShare")).toBe("all of it")
    expect(formula("REVISED PAY AS YOU EARN", {}, "waivedShare")).toContain("0.5 after it and for other loans")
    const subsidized = { loanType: "DIRECT STAFFORD SUBSIDIZED", idrMonthsInRepayment: 30, interestRate: 0.08 }
    const at = (month: number) =>
      explained({ planType: "INCOME BASED", adjustedGrossIncome: 30_000 }, [subsidized], month)
    expect(stepOf(at(6), "subsidizedMonth").value).toBe(36)
    expect(stepOf(at(6), "waivedShare")).toMatchObject({ value: 1, rules: ["idr-subsidized-interest-months"] })
    expect(stepOf(at(7), "waivedShare").value).toBe(0)
    expect(has(at(7), "interestWaived")).toBe(false)
  })

  it("of the match, the cap's minimum and the small payment contain their amounts", () => {
    expect(formula("REPAYMENT ASSISTANCE", {}, "principalMatched")).toMatch(
      /^the lesser of the payment and 50, less the part of the/
    )
    expect(formula("INCOME BASED", {}, "smallRuledPayment")).toMatch(
      /^capped payment; 0 where that is below 5, 10 .* counts/
    )
    expect(formula("SAVE", {}, "smallRuledPayment")).toMatch(/^payment by income; 0 where that is below 5, 10 where/)
    expect(formula("INCOME BASED", {}, "paymentCap")).toMatch(/at least 50; .* this engine's reading of the law$/)
  })

  it("of a plan describe that plan only", () => {
    expect(formula("INCOME BASED", {}, "cappedPayment")).toBe("the lesser of the payment by income and the cap")
    expect(formula("INCOME CONTINGENT", {}, "lesserPayment")).toBe(
      "the lesser of the payment by income and the payment by debt"
    )
  })

  it("of the ICR factor come with both neighboring rows, or one at an end of the table", () => {
    const factor = (adjustedGrossIncome: number) =>
      explained({ planType: "INCOME CONTINGENT", adjustedGrossIncome }, [{}])
    expect(stepOf(factor(60_000), "lowerIncome")).toMatchObject({ value: 52_462 })
    expect(stepOf(factor(60_000), "upperPercentage")).toMatchObject({ value: 100 })
    expect(has(factor(10_000), "lowerIncome")).toBe(false)
    expect(has(factor(400_000), "upperIncome")).toBe(false)
  })
})
