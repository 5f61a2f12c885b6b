/** The whole ledger in the order in which it is published. Adds no rule of its own. */
import { entriesOf, type PublishedOmission, type RuleEntry } from "./entry.ts"
import { omissions, publish } from "./omissions.ts"
import * as federalTax2025 from "./rules/federal-tax-2025.ts"
import * as federalTax2026 from "./rules/federal-tax-2026.ts"
import * as fixedPlans from "./rules/fixed-plans.ts"
import * as forgivenessTax from "./rules/forgiveness-tax.ts"
import * as household from "./rules/household.ts"
import * as incomeBased from "./rules/income-based.ts"
import * as incomeContingent from "./rules/income-contingent.ts"
import * as incomeContingentFactors from "./rules/income-contingent-factors.ts"
import * as incomeContingentMultiplier from "./rules/income-contingent-multiplier.ts"
import * as interest from "./rules/interest.ts"
import * as interestRates from "./rules/interest-rates.ts"
import * as loanTypes from "./rules/loan-types.ts"
import * as newLoans from "./rules/new-loans.ts"
import * as payAsYouEarn from "./rules/pay-as-you-earn.ts"
import * as planEligibility from "./rules/plan-eligibility.ts"
import * as povertyGuideline from "./rules/poverty-guideline.ts"
import * as publicServiceForgiveness from "./rules/public-service-forgiveness.ts"
import * as repaymentAssistance from "./rules/repayment-assistance.ts"
import * as revisedPayAsYouEarn from "./rules/revised-pay-as-you-earn.ts"
import * as save from "./rules/save.ts"
import * as stateTaxAr from "./rules/state-tax-ar.ts"
import * as stateTaxIn from "./rules/state-tax-in.ts"
import * as stateTaxMs from "./rules/state-tax-ms.ts"
import * as stateTaxNc from "./rules/state-tax-nc.ts"
import * as stateTaxWi from "./rules/state-tax-wi.ts"

/** Every rule, by subject: household, loans, plans, forgiveness, taxes; within a subject by id. */
export const constants: ReadonlyArray<RuleEntry> = Object.freeze(
  [
    povertyGuideline,
    household,
    interest,
    loanTypes,
    planEligibility,
    newLoans,
    repaymentAssistance,
    incomeBased,
    payAsYouEarn,
    incomeContingent,
    incomeContingentFactors,
    incomeContingentMultiplier,
    revisedPayAsYouEarn,
    save,
    fixedPlans,
    publicServiceForgiveness,
    interestRates,
    forgivenessTax,
    federalTax2026,
    federalTax2025,
    stateTaxAr,
    stateTaxIn,
    stateTaxMs,
    stateTaxNc,
    stateTaxWi
  ].flatMap((family) => entriesOf<RuleEntry>({ ...family }))
)

/** Every omission in its published form. */
export const publishedOmissions: ReadonlyArray<PublishedOmission> = Object.freeze(omissions.map(publish))
