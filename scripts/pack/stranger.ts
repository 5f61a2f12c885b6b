/** The request that a stranger's programs send. */
export const REQUEST = {
  scenario: {
    planType: "REPAYMENT ASSISTANCE",
    adjustedGrossIncome: 60_000,
    filingStatus: "Single",
    dependents: 0,
    state: "NC",
    workingTowardsPslf: false
  },
  loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.06 }]
}
