/**
 * Couples whose figures the oracle's test prints in full: those of ordinary households, with and
 * without split income. Amounts are dollars of the first year.
 */
import type { WireCouple, WireLoan } from "../oracle.ts"

const loan = (principalBalance: number, interestRate: number, counts: Partial<WireLoan> = {}): WireLoan => ({
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance,
  interestRate,
  ...counts
})

const counted = (months: number): Partial<WireLoan> => ({ idrMonthsInRepayment: months, pslfCount: months })

/** A resident physician, and a teacher with 44 counted months of public service. */
const physicianAndTeacher: WireCouple = {
  household: { adjustedGrossIncome: 210_000, spouseAdjustedGrossIncome: 31_000, state: "WI", dependents: 1 },
  first: { loans: [loan(180_000, 0.068)], workingTowardsPslf: false },
  second: { loans: [loan(45_000, 0.055, counted(44))], workingTowardsPslf: true }
}

const twoTeachers: WireCouple = {
  household: { adjustedGrossIncome: 52_000, spouseAdjustedGrossIncome: 48_000, state: "TX", dependents: 2 },
  first: { loans: [loan(38_000, 0.05, counted(30))], workingTowardsPslf: true },
  second: { loans: [loan(38_000, 0.05, counted(30))], workingTowardsPslf: true }
}

const firstWithoutLoans: WireCouple = {
  household: { adjustedGrossIncome: 60_000, spouseAdjustedGrossIncome: 25_000, state: "OH", dependents: 0 },
  first: { loans: [], workingTowardsPslf: false },
  second: { loans: [loan(40_000, 0.06)], workingTowardsPslf: false }
}

const secondWithoutIncome: WireCouple = {
  household: { adjustedGrossIncome: 60_000, spouseAdjustedGrossIncome: 0, state: "OH", dependents: 0 },
  first: { loans: [loan(40_000, 0.06)], workingTowardsPslf: false },
  second: { loans: [loan(25_000, 0.05)], workingTowardsPslf: false }
}

const equalEarners: WireCouple = {
  household: {
    adjustedGrossIncome: 70_000,
    spouseAdjustedGrossIncome: 70_000,
    state: "IL",
    dependents: 0,
    annualIncomeGrowth: 0.025
  },
  first: { loans: [loan(50_000, 0.06)], workingTowardsPslf: false },
  second: { loans: [loan(50_000, 0.06)], workingTowardsPslf: false }
}

export const workedCouples = {
  physicianAndTeacher,
  twoTeachers,
  firstWithoutLoans,
  secondWithoutIncome,
  equalEarners
}
