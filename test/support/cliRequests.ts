/** Requests that the tests of the command line and of the client send. */

export const HOUSEHOLD = {
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

/** 120 payments of 100 dollars, nothing else: every figure can be read off. */
export const NO_INTEREST = {
  scenario: { ...HOUSEHOLD, planType: "STANDARD", label: "No interest" },
  loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 12_000, interestRate: 0 }]
}

export const BOOK = [{ loanType: "direct stafford unsubsidized", principalBalance: 60_000, interestRate: 0.06 }]

export const PROJECTION = { scenario: { ...HOUSEHOLD, planType: "repayment assistance" }, loans: BOOK }

export const comparisonOf = (...plans: ReadonlyArray<string>) => ({
  arms: plans.map((planType) => ({ scenario: { ...HOUSEHOLD, planType, label: planType.toLowerCase() }, loans: BOOK }))
})
