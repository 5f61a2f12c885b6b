/**
 * The subject headings of the rules pages, each with its ledger files, in reading order. A test
 * checks that every rule and every omission is under one of them.
 */
import { byId, type OmissionEntry, type Rule } from "../../../ledger/entry.ts"
import * as omittedTax from "../../../ledger/omissions/forgiveness-tax.ts"
import * as omittedIncomeDriven from "../../../ledger/omissions/income-driven.ts"
import * as omittedRepayment from "../../../ledger/omissions/repayment.ts"
import * as federalTax from "../../../ledger/rules/federal-tax.ts"
import * as fixedPlans from "../../../ledger/rules/fixed-plans.ts"
import * as forgivenessTax from "../../../ledger/rules/forgiveness-tax.ts"
import * as household from "../../../ledger/rules/household.ts"
import * as incomeBased from "../../../ledger/rules/income-based.ts"
import * as incomeContingent from "../../../ledger/rules/income-contingent.ts"
import * as incomeContingentFactors from "../../../ledger/rules/income-contingent-factors.ts"
import * as incomeContingentMultiplier from "../../../ledger/rules/income-contingent-multiplier.ts"
import * as interest from "../../../ledger/rules/interest.ts"
import * as interestRates from "../../../ledger/rules/interest-rates.ts"
import * as loanTypes from "../../../ledger/rules/loan-types.ts"
import * as newLoans from "../../../ledger/rules/new-loans.ts"
import * as payAsYouEarn from "../../../ledger/rules/pay-as-you-earn.ts"
import * as planEligibility from "../../../ledger/rules/plan-eligibility.ts"
import * as povertyGuideline from "../../../ledger/rules/poverty-guideline.ts"
import * as publicService from "../../../ledger/rules/public-service-forgiveness.ts"
import * as repaymentAssistance from "../../../ledger/rules/repayment-assistance.ts"
import * as revisedPayAsYouEarn from "../../../ledger/rules/revised-pay-as-you-earn.ts"
import * as save from "../../../ledger/rules/save.ts"
import * as arkansas from "../../../ledger/rules/state-tax-ar.ts"
import * as indiana from "../../../ledger/rules/state-tax-in.ts"
import * as mississippi from "../../../ledger/rules/state-tax-ms.ts"
import * as northCarolina from "../../../ledger/rules/state-tax-nc.ts"
import * as wisconsin from "../../../ledger/rules/state-tax-wi.ts"

export interface Subject {
  readonly id: string
  readonly heading: string
  readonly rules: ReadonlyArray<Rule>
  readonly omissions: ReadonlyArray<OmissionEntry>
}

const newestId = ({ entries }: Rule): string => entries.at(-1)?.id ?? ""

/** Sorted by the newest entry's id, because loaders list a file's exports in different orders. */
const applied = (id: string, heading: string, ...files: ReadonlyArray<object>): Subject => ({
  id,
  heading,
  rules: files
    .flatMap((file) => Object.values<Rule>({ ...file }))
    .toSorted((a, b) => (newestId(a) < newestId(b) ? -1 : 1)),
  omissions: []
})

const omitted = (id: string, heading: string, file: object): Subject => ({
  id,
  heading,
  rules: [],
  omissions: byId(Object.values<OmissionEntry>({ ...file }))
})

export const SUBJECTS: ReadonlyArray<Subject> = [
  applied("about-assistance", "Repayment Assistance", repaymentAssistance),
  applied("about-income-based", "Income-Based Repayment, and what income-driven plans share", incomeBased),
  applied(
    "about-income-contingent",
    "Income-Contingent Repayment",
    incomeContingent,
    incomeContingentFactors,
    incomeContingentMultiplier
  ),
  applied("about-earn", "Pay As You Earn, REPAYE and SAVE", payAsYouEarn, revisedPayAsYouEarn, save),
  applied("about-fixed", "Standard, Extended and Graduated", fixedPlans),
  applied("about-household", "Income, family and the poverty guideline", household, povertyGuideline),
  applied("about-loans", "Loans, and who may elect which plan", loanTypes, planEligibility, newLoans),
  applied("about-interest", "Interest", interest, interestRates),
  applied("about-service", "Forgiveness for public service", publicService),
  applied("about-federal-tax", "Federal tax on forgiveness", forgivenessTax, federalTax),
  applied("about-state-tax", "State tax on forgiveness", arkansas, indiana, mississippi, northCarolina, wisconsin),
  omitted("omitted-repayment", "Not applied: repayment in general", omittedRepayment),
  omitted("omitted-income-driven", "Not applied: income-driven plans", omittedIncomeDriven),
  omitted("omitted-tax", "Not applied: tax on forgiveness", omittedTax)
]
