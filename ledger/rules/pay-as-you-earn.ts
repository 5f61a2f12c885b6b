/** Pay As You Earn, which ends after 30 June 2028. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const payeTerms = rule({
  id: "paye-terms",
  label: "Pay As You Earn",
  plan: "PAY AS YOU EARN",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "Annual payment = rate x max(0, AGI - multiple x poverty guideline); monthly payment is one twelfth, capped where stated; balance forgiven after the stated months.",
  value: {
    paymentRate: 0.1,
    povertyMultiple: 1.5,
    forgivenessMonths: 240,
    cappedAtTenYearStandard: true,
    endsAfter: "2028-06-30"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(f)(2), (k)(2), read through two quotations; ended by Pub. L. 119-21 by 1 July 2028",
    sure: "thirdParty"
  }),
  effectiveDate: "2012-12-21",
  lastVerified: "2026-11-20",
  parityLocked: true
})
