/** SAVE on its 2023 terms, vacated in 2026. It can be projected but not elected. */
import { rule } from "../entry.ts"
import { educationDepartment } from "../sources.ts"

export const saveTerms = rule({
  id: "save-terms",
  label: "Saving on a Valuable Education (ended)",
  plan: "SAVE",
  unit: "fraction; multiple of poverty guideline; months",
  definition:
    "The annual payment is rate x max(0, AGI - multiple x poverty guideline). The rate is the two rates weighted by the graduate share of the original balances. A twelfth is paid monthly, not capped. All uncovered interest is waived. The balance is forgiven after the graduate months if any loan is graduate debt, else after the undergraduate months.",
  value: {
    paymentRateUndergraduate: 0.05,
    paymentRateGraduate: 0.1,
    povertyMultiple: 2.25,
    forgivenessMonthsUndergraduate: 240,
    forgivenessMonthsGraduate: 300,
    unpaidInterestWaived: true,
    electable: false
  },
  source: educationDepartment({
    url: "https://regulations.justia.com/regulations/fedreg/2023/07/10/2023-13112.html",
    note: "88 FR 43820 (10 July 2023), as described in the opinion of the Eastern District of Missouri of 24 June 2024, read: 225%, 5% and the waiver. 34 CFR 685.209 as of 8 November 2024, opening read: 225%. The 20 and 25 years, and 1 July 2024 for the 5%, were read in reports. That the rest began on 30 July 2023 was not read. Ended by court order in 2026",
    evidence: "official-copy",
    cadence: "none: vacated in 2026"
  }),
  effectiveDate: "2024-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const saveEarlyForgiveness = rule({
  id: "save-early-forgiveness",
  label: "SAVE: earlier forgiveness for small original balances",
  plan: "SAVE",
  unit: "USD; months",
  definition:
    "If the original principal is at most the base balance, the debt is forgiven after the base months. Each further step balance, or part of it, adds the step months, up to the plan's months.",
  value: { baseBalance: 12000, baseMonths: 120, stepBalance: 1000, stepMonths: 12 },
  source: educationDepartment({
    url: "https://regulations.justia.com/regulations/fedreg/2023/07/10/2023-13112.html",
    note: "88 FR 43820 (10 July 2023). Amounts, steps and the day 21 January 2024 of the early implementation: report of the National Association of Student Financial Aid Administrators of 16 January 2024, read in an excerpt. That a part of a step counts as a step is a choice of this engine. Ended by court order in 2026",
    evidence: "third-party",
    cadence: "none: vacated in 2026"
  }),
  effectiveDate: "2024-01-21",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const saveVacatur = rule({
  id: "save-vacatur",
  label: "SAVE and REPAYE cannot be elected",
  plan: "SAVE",
  unit: "date; plans",
  definition:
    "The final judgment of 10 March 2026 vacated the SAVE rule of 2023, which had replaced REPAYE. Neither plan can be elected; both can still be projected as they stood.",
  value: { vacatedOn: "2026-03-10", notElectable: ["REVISED PAY AS YOU EARN", "SAVE"] },
  source: educationDepartment({
    url: "https://www.nasfaa.org/news-item/38400/",
    note: "Eastern District of Missouri, judgment of 10 March 2026 after reversal by the Eighth Circuit on 9 March, read in reports. The judgment itself was not found. 34 CFR 685.209(k)(4)(iv) was left standing",
    evidence: "third-party",
    cadence: "ad hoc"
  }),
  effectiveDate: "2026-03-10",
  lastVerified: "2026-11-21",
  parityLocked: false
})
