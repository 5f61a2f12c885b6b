/** Revised Pay As You Earn (REPAYE) on its 2015 terms. It can be projected but not elected. */
import { rule } from "../entry.ts"
import { educationDepartment } from "../sources.ts"

export const repayeTerms = rule({
  id: "repaye-terms",
  label: "Revised Pay As You Earn (replaced by SAVE)",
  plan: "REVISED PAY AS YOU EARN",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "The annual payment is rate x max(0, AGI - multiple x poverty guideline). A twelfth of it is paid monthly, not capped. The balance is forgiven after the graduate months where any loan is graduate debt, else after the undergraduate months.",
  value: {
    paymentRate: 0.1,
    povertyMultiple: 1.5,
    forgivenessMonthsUndergraduate: 240,
    forgivenessMonthsGraduate: 300,
    cappedAtTenYearStandard: false
  },
  source: educationDepartment({
    url: "https://assets.documentcloud.org/documents/2070469/ed-dept-revised-pay-as-you-earn-repaye-proposal.txt",
    note: "34 CFR 685.209(c)(2)(i) and (c)(5)(ii)-(iii), text of early 2023 read (80 FR 67203 of 30 October 2015). The rule itself took effect on 1 July 2016: that it opened early, in December 2015, was read in a report, the day 17 was not. No longer electable",
    evidence: "statute",
    cadence: "none: replaced in 2023"
  }),
  effectiveDate: "2015-12-17",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const repayeInterestSubsidy = rule({
  id: "repaye-interest-subsidy",
  label: "REPAYE: share of uncovered interest that is waived",
  plan: "REVISED PAY AS YOU EARN",
  unit: "fraction; months",
  definition:
    "Uncovered interest is waived in full on subsidized loans for the first 36 months and by half otherwise. In law the 36 months are three consecutive years of time, shared with income-based repayment and PAY AS YOU EARN.",
  value: { subsidizedFullMonths: 36, otherwiseShare: 0.5 },
  source: educationDepartment({
    url: "https://assets.documentcloud.org/documents/2070469/ed-dept-revised-pay-as-you-earn-repaye-proposal.txt",
    note: "34 CFR 685.209(c)(2)(iii)(A)-(C), text of early 2023 read (80 FR 67203 of 30 October 2015): three consecutive years, shared with IBR and PAYE. No longer electable",
    evidence: "statute",
    cadence: "none: replaced in 2023"
  }),
  effectiveDate: "2015-12-17",
  lastVerified: "2026-11-21",
  parityLocked: true
})
