/** The tax on forgiveness: the kinds that are taxed as income, and how the tax is computed. */
import { rule } from "../entry.ts"
import {
  document,
  educationDepartment,
  engineConvention,
  internalRevenueCode,
  onLegislativeChange,
  stateRevenueDepartments
} from "../sources.ts"

export const forgivenessTaxabilityFederal = rule({
  id: "forgiveness-taxability-federal",
  label: "Which kinds of forgiveness are federally taxed",
  plan: "ALL",
  unit: "boolean by forgiveness type",
  definition: "True means the forgiven balance is added to income in the forgiveness year.",
  value: { TimeBased: true, Pslf: false, Teacher: false, None: false, DeathOrTotalPermanentDisability: false },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 61(a)(11) and 108(f)(1), (f)(5), texts read, and Pub. L. 119-21 section 70119, enrolled text read. Plain-language page: IRS Topic 431 (https://www.irs.gov/taxtopics/tc431)",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const irc108F5Arpa = rule({
  id: "irc-108-f-5-arpa",
  label: "ARPA exclusion for student loan discharges (expired)",
  plan: "ALL",
  unit: "date range",
  definition:
    "Excluded most student loan discharges made after 31 December 2020 and before 1 January 2026. Not extended.",
  value: { dischargedAfter: "2020-12-31", dischargedBefore: "2026-01-01", extended: false },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 108(f)(5) as it stood under Pub. L. 117-2, text read, and as it stands now, text read: it no longer holds the exclusion",
    evidence: "statute"
  }),
  effectiveDate: "2021-01-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})

export const irc108F5DeathDisability = rule({
  id: "irc-108-f-5-death-disability",
  label: "Permanent exclusion for death and total and permanent disability",
  plan: "ALL",
  unit: "rule",
  definition:
    "From 1 January 2026 section 108(f)(5) excludes only discharges on account of death or total and permanent disability, of private education loans too, where the return carries the Social Security number. Time-based repayment forgiveness is not covered.",
  value: { dischargedAfter: "2025-12-31", covers: ["death", "total and permanent disability"], sunset: null },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 108(f)(5)(A)-(C), text read, which has no end date, and Pub. L. 119-21 section 70119, enrolled text read",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-23",
  parityLocked: false,
  informative: true
})

export const irc108F1WorkBased = rule({
  id: "irc-108-f-1-work-based",
  label: "Permanent exclusion for work-conditioned forgiveness",
  plan: "PSLF",
  unit: "rule",
  definition:
    "Discharge conditioned on working for a period in certain professions for a broad class of employers is not income. Covers Public Service Loan Forgiveness and Teacher Loan Forgiveness. No sunset.",
  value: { covers: ["Pslf", "Teacher"], sunset: null },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 108(f)(1), text read. Its first day is not in the copy",
    evidence: "statute"
  }),
  effectiveDate: "1984-01-01",
  lastVerified: "2026-11-21",
  parityLocked: false
})

export const irc108A1Insolvency = rule({
  id: "irc-108-a-1-insolvency",
  label: "Bankruptcy and insolvency exclusions (not applied)",
  plan: "ALL",
  unit: "rule",
  definition:
    "Discharge in a title 11 case or while insolvent is excluded (to the extent of insolvency). Claimed on Form 982. The engine does not know assets and debts and does not apply it.",
  value: { applied: false, form: "Form 982" },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 108(a)(1)(A)-(B), (a)(3) and (d)(3), texts read. Form 982 and the first day are not in the statute",
    evidence: "statute"
  }),
  effectiveDate: "1980-12-24",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})

export const forgivenessDischargeDateRule = rule({
  id: "forgiveness-discharge-date-rule",
  label: "Discharge date for income-driven forgiveness reached in 2025",
  plan: "ALL",
  unit: "rule",
  definition:
    "Under the October 2025 settlement with the AFT the Department treats the date a borrower became eligible as the discharge date, so borrowers who reached the count in 2025 get no Form 1099-C.",
  value: { appliesTo: "eligibility reached by 2025-12-31" },
  source: educationDepartment({
    url: "https://www.taxpayeradvocate.irs.gov/news/tax-tips/what-to-know-about-student-loan-forgiveness-and-your-taxes/2026/03/",
    note: "Settlement of 17 October 2025 with the American Federation of Teachers, read in several reports. The filed agreement and the Taxpayer Advocate's page were not read",
    evidence: "third-party",
    cadence: "ad hoc"
  }),
  effectiveDate: "2025-10-17",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})

export const forgivenessTaxMethod = rule({
  id: "forgiveness-tax-method",
  label: "Method for tax on a forgiven balance",
  plan: "ALL",
  unit: "rule",
  definition:
    "Federal and state tax each equal tax(A + F) minus tax(A), never below 0 for a state. F is the principal and interest forgiven as TimeBased in a projection year, and A is the income base of that year. The tables of the current tax year are held. If the request sends annualPriceGrowth, the federal ones grow by it. Standard deduction and state personal exemptions are applied; credits, AMT and local tax are not.",
  value: {
    tableTaxYear: 2026,
    income:
      "AGI x (1 + growth)^k in projection year k, plus the spouse's AGI grown alike when MarriedFilingJointly; not rounded",
    indexation: "none",
    rounding: "each jurisdiction to the cent, half up; then added"
  },
  source: engineConvention({
    url: "https://www.law.cornell.edu/uscode/text/26/1",
    note: "A choice of this engine, not an authority. 26 U.S.C. 61(a)(11), text read, says only that such income is gross income",
    evidence: "convention"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const stateTaxOnForgivenessStates = rule({
  id: "state-tax-on-forgiveness-states",
  label: "States whose tax on forgiven balances is modeled",
  plan: "ALL",
  unit: "list of state codes",
  definition:
    "States modeled as taxing time-based forgiveness: those reported to have taxed it while the federal exclusion applied (2021-2025). Pages of the state say so for Indiana, North Carolina and Wisconsin. Arkansas left it open in 2022, and for Mississippi no such page was found.",
  value: ["AR", "IN", "MS", "NC", "WI"],
  source: engineConvention({
    url: document.dischargeStatute,
    note: "A choice of this service, part of its published interface. From 2026 forgiveness is in federal AGI again, so most states that start from federal income tax it too: see omission-other-state-tax",
    evidence: "convention",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const stateExemptionPersons = rule({
  id: "state-exemption-persons",
  label: "Persons counted for state exemptions",
  plan: "ALL",
  unit: "persons",
  definition:
    "Personal exemptions of Indiana and Wisconsin are counted for the filer, the spouse on a joint return, and each dependent.",
  value: { Single: 1, MarriedFilingJointly: 2, MarriedFilingSeparately: 1, HeadOfHousehold: 1, eachDependent: 1 },
  source: stateRevenueDepartments({
    url: "https://www.revenue.wi.gov/Pages/FAQS/pcs-taxrates.aspx",
    note: "IC 6-3-1-3.5(a) and Wis. Stat. 71.05(23), as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026, which cites the booklets of 2025 (Indiana IT-40, page 24, and Wisconsin Form 1, page 15)",
    evidence: "open-model"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
