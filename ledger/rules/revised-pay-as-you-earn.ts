/** Revised Pay As You Earn on its terms of 2015. It can be projected, not elected. */
import { rule } from "../entry.ts"
import { educationDepartment } from "../sources.ts"

export const repayeTerms = rule({
  id: "repaye-terms",
  label: "Revised Pay As You Earn (replaced by SAVE)",
  plan: "REVISED PAY AS YOU EARN",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "Annual payment = rate x max(0, AGI - multiple x poverty guideline); monthly payment is one twelfth, not capped; balance forgiven after the graduate months where any loan is graduate debt, else the undergraduate months.",
  value: {
    paymentRate: 0.1,
    povertyMultiple: 1.5,
    forgivenessMonthsUndergraduate: 240,
    forgivenessMonthsGraduate: 300,
    cappedAtTenYearStandard: false
  },
  source: educationDepartment({
    url: "https://assets.documentcloud.org/documents/2070469/ed-dept-revised-pay-as-you-earn-repaye-proposal.txt",
    note: "80 FR 67203 (30 October 2015), former 34 CFR 685.209(c); terms from memory, in agreement with the proposed text and with third-party calculators. No longer electable",
    sure: "memory",
    cadence: "none: replaced in 2023"
  }),
  effectiveDate: "2015-12-17",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const repayeInterestSubsidy = rule({
  id: "repaye-interest-subsidy",
  label: "REPAYE: share of uncovered interest that is waived",
  plan: "REVISED PAY AS YOU EARN",
  unit: "fraction; months",
  definition: "Uncovered interest is waived in full on subsidized loans for the first 36 months and by half otherwise.",
  value: { subsidizedFullMonths: 36, otherwiseShare: 0.5 },
  source: educationDepartment({
    url: "https://assets.documentcloud.org/documents/2070469/ed-dept-revised-pay-as-you-earn-repaye-proposal.txt",
    note: "80 FR 67203 (30 October 2015), former 34 CFR 685.209(c); from memory, agrees with third-party calculators and published examples. No longer electable",
    sure: "memory",
    cadence: "none: replaced in 2023"
  }),
  effectiveDate: "2015-12-17",
  lastVerified: "2026-11-20",
  parityLocked: true
})
