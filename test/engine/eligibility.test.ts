/** Tests that a projection accepts every plan listed for a loan, except in one documented case. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { LOAN_TYPES, Loans } from "../../schema/loan.ts"
import { eligiblePlans } from "../../src/engine/eligibility.ts"
import { NO_ADDITIONS } from "../../src/engine/law/household.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import { household, loan } from "../support/requests.ts"

const alone = {
  annualIncomeGrowth: 0,
  label: null,
  spouseAdjustedGrossIncome: null,
  spouseFederalLoanBalance: null,
  ...NO_ADDITIONS
}

/** Plans that are listed for one loan and refused for the whole book. */
const refusedOf = (book: ReadonlyArray<object>, index: number): ReadonlyArray<string> => {
  const loans = Schema.decodeUnknownSync(Loans)(book)
  const listed = eligiblePlans(currentLaw, { loans, firstBorrowedOn: null })[index]!.eligiblePlanTypes
  return listed.filter((planType) => {
    const scenario = { ...household, ...alone, planType }
    return project(currentLaw, { scenario, loans, includeYearly: false }, { year: 2026, month: 12 })._tag === "Refusal"
  })
}

describe("a loan without a balance", () => {
  const paid = { ...loan, principalBalance: 0 }

  it.each(LOAN_TYPES)("is accepted under every listed plan when it is the only loan, as %s", (loanType) =>
    expect(refusedOf([{ ...paid, loanType }], 0)).toEqual([])
  )

  it("may be listed under a plan that no loan with a balance can take", () => {
    const ffel = { ...loan, loanType: "FFEL STAFFORD SUBSIDIZED" }
    expect(refusedOf([ffel, paid], 0)).toEqual([])
    expect(refusedOf([ffel, paid], 1)).toEqual(["INCOME CONTINGENT", "PAY AS YOU EARN", "REPAYMENT ASSISTANCE"])
  })
})
