/** Pay As You Earn (PAYE), which ends after June 30, 2028. */
import { rule } from "../entry.ts"
import { document, educationDepartment } from "../sources.ts"

export const payeTerms = rule({
  id: "paye-terms",
  label: "Pay As You Earn",
  plan: "PAY AS YOU EARN",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "The annual payment is rate x max(0, AGI - multiple x poverty guideline). A twelfth of it is paid monthly, capped where stated. The balance is forgiven after the stated months.",
  value: {
    paymentRate: 0.1,
    povertyMultiple: 1.5,
    forgivenessMonths: 240,
    cappedAtTenYearStandard: true,
    endsAfter: "2028-06-30"
  },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(2)(i), (a)(4)(i)(A) and (a)(6)(i), text of early 2023 read; now 685.209(f)(2) and (k)(2), read in quotations. End: Pub. L. 119-21 section 82001(a)(1)-(3)(A), text read. The first day was not seen in any text",
    evidence: "statute"
  }),
  effectiveDate: "2012-12-21",
  lastVerified: "2026-11-21",
  parityLocked: true
})
