/**
 * Tests of the texts of refusals, in the fields of a projection request and of the keyless
 * calculator. property-tests check against the oracle which plans are refused.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { CALCULATOR_PLANS, KeylessLoanRequest } from "../../schema/calculator.ts"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { calculate } from "../../src/engine/calculator.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { ruleOfFamily } from "../../src/engine/law/loan-types.ts"
import { project } from "../../src/engine/projection.ts"
import { calculatorAnswer, calculatorAssumptions } from "../../src/messages/calculator.ts"
import { refusalMessages } from "../../src/messages/refusals.ts"

const START = { year: 2026, month: 12 }

const calculation = (request: Record<string, unknown>) =>
  calculatorAnswer(
    currentLaw,
    calculate(
      currentLaw,
      Schema.decodeUnknownSync(KeylessLoanRequest)({ balance: 40_000, ratePct: 6, borrowerAgi: 60_000, ...request }),
      START
    ),
    "2026-11-20"
  )

const reasons = (request: Record<string, unknown>): Readonly<Record<string, string>> =>
  Object.fromEntries(calculation(request).excludedPlans.map(({ plan, reason }) => [plan, reason]))

/** The refusal of a projection, with its messages. */
const refusalOf = (
  planType: string,
  loan: Record<string, unknown>,
  workingTowardsPslf = false,
  others: ReadonlyArray<Record<string, unknown>> = []
) => {
  const outcome = project(
    currentLaw,
    Schema.decodeUnknownSync(ProjectionRequest)({
      scenario: {
        planType,
        adjustedGrossIncome: 60_000,
        filingStatus: "Single",
        dependents: 0,
        state: "TX",
        workingTowardsPslf
      },
      loans: [
        { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 0, interestRate: 0 },
        { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 40_000, interestRate: 0.06, ...loan },
        ...others
      ]
    }),
    START
  )
  return outcome._tag === "Refusal" ? { ...outcome, messages: refusalMessages(currentLaw, outcome, []) } : outcome
}

describe("the keyless calculator", () => {
  it.each(["ibr", "ibr_2014"])("opens %s to a consolidation of a parent's loans after one counted month", (plan) => {
    const loanType = "DIRECT PARENT PLUS CONSOLIDATED"
    expect(reasons({ loanType, priorIdrMonths: 0 })[plan]).toBe(
      "It is open to this loan only if the loan was being repaid under an income-driven plan (ICR) between 4 July 2025 and 30 June 2028; priorIdrMonths was 0, which shows no such month."
    )
    expect(reasons({ loanType, priorIdrMonths: 1 })[plan]).toBeUndefined()
  })

  it("reads direct_consolidation_with_plus as a consolidation of a parent's loan", () => {
    const given = reasons({ loanType: "direct_consolidation_with_plus" })
    expect(given["rap"]).toBe("The loan type DIRECT PARENT PLUS CONSOLIDATED cannot elect it.")
    expect(given["ibr"]).toContain("It is open to this loan only if")
    expect(reasons({ loanType: "parent_plus" })["rap"]).toBe("The loan type DIRECT PLUS PARENT cannot elect it.")
  })

  it("explains that DIRECT PLUS CONSOLIDATED has only fixed plans and is never new", () => {
    const loanType = "DIRECT PLUS CONSOLIDATED"
    for (const plan of ["ibr_2014", "ibr", "paye", "icr", "rap"]) {
      expect(reasons({ loanType })[plan]).toBe(
        "DIRECT PLUS CONSOLIDATED exists only in consolidations made before 1 July 2006, which may elect only the fixed plans of that time."
      )
    }
    const tooOld =
      "It is open only to loans made on or after 1 July 2026, and DIRECT PLUS CONSOLIDATED exists only in consolidations made before 1 July 2006."
    expect(reasons({ loanType })["tiered_standard"]).toBe(tooOld)
    const sentAsNew = reasons({ loanType, borrowedOnOrAfterJul12026: true })
    expect(sentAsNew["tiered_standard"]).toBe(tooOld)
    for (const plan of ["standard", "extended", "graduated"]) {
      expect(sentAsNew[plan]).toBe(
        "The flag borrowedOnOrAfterJul12026 was true, and DIRECT PLUS CONSOLIDATED exists only in consolidations made before 1 July 2006; send direct_consolidation_with_plus for a newer one."
      )
    }
  })

  it("ignores the date of an FFEL loan", () => {
    const sent = (isNew: boolean) =>
      calculation({ loanType: "FFEL STAFFORD SUBSIDIZED", borrowedOnOrAfterJul12026: isNew })
    expect(sent(true)).toEqual(sent(false))
    expect(sent(true).plans.map(({ plan }) => plan)).toEqual(["standard", "extended", "graduated", "ibr"])
    expect(reasons({ loanType: "FFEL STAFFORD SUBSIDIZED" })["tiered_standard"]).toBe(
      "The loan type FFEL STAFFORD SUBSIDIZED cannot elect it."
    )
  })

  it("explains a new loan's exclusion by its date, not by the window for older loans", () => {
    const given = reasons({ loanType: "DIRECT PARENT PLUS CONSOLIDATED", borrowedOnOrAfterJul12026: true })
    expect(given["ibr"]).toBe("It is closed to loans made on or after 1 July 2026; borrowedOnOrAfterJul12026 was true.")
  })

  it("explains a spent term, a single payment left, and forgiveness already due", () => {
    const at = (months: number) => reasons({ priorIdrMonths: months })
    expect(at(130)["standard"]).toBe(
      "With the months already counted, it leaves nothing to pay; priorIdrMonths was 130, pslfCreditedMonths 0."
    )
    expect(at(119)["standard"]).toBe(
      "With the months already counted, it leaves the whole balance in one payment; priorIdrMonths was 119, pslfCreditedMonths 0."
    )
    expect(at(240)["paye"]).toBe(
      "It would forgive the loan before any payment, with priorIdrMonths 240 of 240; if the count is right without months of REPAYMENT ASSISTANCE whose payment was below the ten-year Standard amount, ask the servicer for the discharge."
    )
    expect(reasons({ pursuingPslf: true, pslfCreditedMonths: 120 })["rap"]).toBe(
      "It would forgive the loan before any payment, with pslfCreditedMonths 120 of 120 and pursuingPslf true; if the count is right, ask the servicer for the public service discharge; the employer must certify the service."
    )
  })

  it("gives one sentence per excluded plan, without field names of the keyed API", () => {
    for (const loanType of LOAN_TYPES) {
      for (const months of [0, 1, 119, 240, 600]) {
        for (const isNew of [false, true]) {
          const { excludedPlans, plans } = calculation({
            loanType,
            priorIdrMonths: months,
            pslfCreditedMonths: 120,
            pursuingPslf: true,
            borrowedOnOrAfterJul12026: isNew
          })
          expect(plans.length + excludedPlans.length).toBe(CALCULATOR_PLANS.length)
          for (const { reason } of excludedPlans) {
            expect(reason).toMatch(/^[A-Z][^.]*\.$/)
            expect(reason).not.toMatch(/loans\[|idrMonthsInRepayment|pslfCount|workingTowardsPslf/)
          }
        }
      }
    }
  })

  it("lists its assumptions about the plans that it shows as open", () => {
    const text = calculatorAssumptions(currentLaw, false).join("\n")
    expect(text).toContain("Pay As You Earn and Income-Contingent end on 1 July 2028. The loan then moves to")
    expect(text).toContain("shorten the term of every fixed plan but Tiered Standard")
    expect(text).toContain(
      "new-borrower dates of Income-Based (2014), Pay As You Earn and Extended are assumed to be met"
    )
    expect(text).toContain("assumed to be made before 1 July 2026 unless borrowedOnOrAfterJul12026 is true")
    expect(text).toContain("Most other states also tax forgiven debt")
  })
})

describe("a refused projection", () => {
  it("names the loan by its position, with its counts", () => {
    expect(refusalOf("STANDARD", { idrMonthsInRepayment: 130, pslfCount: 4 })).toMatchObject({
      kind: "artifact",
      loans: [{ position: 1, obstacle: { _tag: "TermSpent", paymentsLeft: -10, priorIdrMonths: 130, pslfCount: 4 } }],
      messages: [
        "STANDARD with the prior months of loans[1] (idrMonthsInRepayment 130, pslfCount 4) leaves nothing to pay"
      ]
    })
    expect(refusalOf("INCOME BASED", { idrMonthsInRepayment: 300 })).toMatchObject({
      loans: [{ position: 1, obstacle: { _tag: "TimeServed", counted: 300, needed: 240 } }],
      messages: [
        "INCOME BASED would forgive loans[1] before any payment (idrMonthsInRepayment 300 of 240); if the count is right without months of REPAYMENT ASSISTANCE whose payment was below the ten-year Standard amount, ask the servicer for the discharge"
      ]
    })
    expect(refusalOf("INCOME BASED", { pslfCount: 120 }, true)).toMatchObject({
      messages: [
        "INCOME BASED would forgive loans[1] before any payment (pslfCount 120 of 120 with workingTowardsPslf); if the count is right, ask the servicer for the public service discharge; the employer must certify the service"
      ]
    })
  })

  it.each([
    ["SAVE", 240],
    ["REVISED PAY AS YOU EARN", 240]
  ])("does not suggest asking for a time-based discharge under %s, which has ended", (planType, needed) => {
    expect(refusalOf(planType, { idrMonthsInRepayment: 250 })).toMatchObject({
      messages: [
        `${planType} would forgive loans[1] before any payment (idrMonthsInRepayment 250 of ${needed}); ${planType} cannot be elected since 10 March 2026, and it discharges nothing`
      ]
    })
    expect(refusalOf(planType, { pslfCount: 120 }, true)).toMatchObject({
      messages: [expect.stringMatching(/; if the count is right, ask .* public service discharge; the employer must/)]
    })
  })

  it("names the condition of a last payment under REPAYMENT ASSISTANCE, in the calculator too", () => {
    const condition =
      "if the count is right and its last payment was made under REPAYMENT ASSISTANCE, ask the servicer for the discharge"
    expect(refusalOf("REPAYMENT ASSISTANCE", { idrMonthsInRepayment: 360 })).toMatchObject({
      messages: [
        `REPAYMENT ASSISTANCE would forgive loans[1] before any payment (idrMonthsInRepayment 360 of 360); ${condition}`
      ]
    })
    expect(reasons({ priorIdrMonths: 360 })["rap"]).toBe(
      `It would forgive the loan before any payment, with priorIdrMonths 360 of 360; ${condition}.`
    )
  })

  it("names EXTENDED's threshold and the balance of the loan's program", () => {
    expect(refusalOf("EXTENDED", { principalBalance: 29_999.99, interestBalance: 0.01 })).toMatchObject({
      kind: "ineligible",
      loans: [{ position: 1, obstacle: { _tag: "BalanceTooSmall", over: 30_000 } }],
      messages: [
        "EXTENDED cannot take loans[1] (DIRECT STAFFORD UNSUBSIDIZED): it needs more than 30,000 dollars owed in the loan's program, and only 30,000 dollars are owed"
      ]
    })
    expect(refusalOf("EXTENDED", { principalBalance: 30_000, interestBalance: 0.01 })._tag).toBe("Projection")
  })

  it("names the older loan that proves the borrower not new", () => {
    const besideFfel = (planType: string, loanType: string) =>
      refusalOf(planType, {}, false, [{ loanType, principalBalance: 100, interestRate: 0.05 }])
    expect(besideFfel("INCOME BASED", "FFEL STAFFORD SUBSIDIZED")).toMatchObject({
      kind: "ineligible",
      messages: [
        "INCOME BASED cannot take loans[1] (DIRECT STAFFORD UNSUBSIDIZED): it is for new borrowers of 1 July 2014, and loans[2] (FFEL STAFFORD SUBSIDIZED) is older",
        expect.stringMatching(/^INCOME BASED cannot take loans\[2\] \(FFEL STAFFORD SUBSIDIZED\): /)
      ]
    })
    expect(besideFfel("PAY AS YOU EARN", "FFEL STAFFORD SUBSIDIZED")._tag).toBe("Projection")
    expect(besideFfel("PAY AS YOU EARN", "FEDERALLY INSURED (FISL)")).toMatchObject({
      messages: [
        "PAY AS YOU EARN cannot take loans[1] (DIRECT STAFFORD UNSUBSIDIZED): it is for new borrowers of 1 October 2007, and loans[2] (FEDERALLY INSURED (FISL)) is older",
        expect.stringMatching(/^PAY AS YOU EARN cannot take loans\[2\] \(FEDERALLY INSURED \(FISL\)\): /)
      ]
    })
  })

  it("names the loan type, the missing counted month and the rule of the family", () => {
    const rule = ruleOfFamily(currentLaw, "direct-consolidation-of-parent-plus")
    expect(refusalOf("INCOME BASED", { loanType: "DIRECT PARENT PLUS CONSOLIDATED" })).toMatchObject({
      kind: "ineligible",
      loans: [
        { position: 1, obstacle: { _tag: "Closed", family: "direct-consolidation-of-parent-plus", byOneMonth: true } }
      ],
      messages: [`INCOME BASED cannot take loans[1] (DIRECT PARENT PLUS CONSOLIDATED, idrMonthsInRepayment 0): ${rule}`]
    })
    expect(rule).toContain("repaid a Parent PLUS loan")
    expect(rule).toContain("A counted month is a sign of that")
    expect(rule).toContain("Some read 34 CFR 685.209(b)(6)(ii) otherwise, but the statute shuts it")
    expect(refusalOf("REPAYMENT ASSISTANCE", { loanType: "DIRECT PLUS PARENT" })).toMatchObject({
      loans: [{ obstacle: { byOneMonth: false } }],
      messages: [expect.stringMatching(/^REPAYMENT ASSISTANCE cannot take loans\[1\] \(DIRECT PLUS PARENT\): /)]
    })
  })
})
