/** Which forgiveness is income, and how the tax on it is computed. */
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
    note: "IRC 61(a)(11) and 108(f). Plain-language pages: IRS Topic 431 (https://www.irs.gov/taxtopics/tc431) and Taxpayer Advocate tax tip of March 2026",
    sure: "verified"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
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
    note: "Pub. L. 117-2 section 9675; statute text read in a copy of the U.S. Code",
    sure: "verified"
  }),
  effectiveDate: "2021-01-01",
  lastVerified: "2026-11-20",
  parityLocked: false,
  informative: true
})

export const irc108F5DeathDisability = rule({
  id: "irc-108-f-5-death-disability",
  label: "Permanent exclusion for death and total and permanent disability",
  plan: "ALL",
  unit: "rule",
  definition:
    "From 1 January 2026 section 108(f)(5) excludes only discharges on account of death or total and permanent disability, with a Social Security number condition. Time-based repayment forgiveness is not covered.",
  value: { dischargedAfter: "2025-12-31", covers: ["death", "total and permanent disability"], sunset: null },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "Pub. L. 119-21 section 70119 (section number from memory; content read in tax-professional summaries only)",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
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
    note: "IRC 108(f)(1); statute text read in a copy of the U.S. Code, the effective date from memory",
    sure: "verified"
  }),
  effectiveDate: "1984-01-01",
  lastVerified: "2026-11-20",
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
  source: internalRevenueCode({ url: document.dischargeStatute, note: "IRC 108(a)(1)(A) and (B)", sure: "verified" }),
  effectiveDate: "1980-12-24",
  lastVerified: "2026-11-20",
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
    note: "Settlement reported in press (day 17 October 2025 from memory); the Taxpayer Advocate page was seen only as a citation",
    sure: "thirdParty",
    cadence: "ad hoc"
  }),
  effectiveDate: "2025-10-17",
  lastVerified: "2026-11-20",
  parityLocked: false,
  informative: true
})

export const forgivenessTaxMethod = rule({
  id: "forgiveness-tax-method",
  label: "Method for tax on a forgiven balance",
  plan: "ALL",
  unit: "rule",
  definition:
    "Federal and state tax each equal tax(A + F) minus tax(A), never below 0 for a state. F is the principal and interest forgiven as TimeBased in a projection year, A the income base of that year. Tables of the current tax year, not indexed. Standard deduction and state personal exemptions applied; no credits, AMT or local tax.",
  value: {
    tableTaxYear: 2026,
    income:
      "AGI x (1 + growth)^k in projection year k, plus the spouse's AGI grown alike when MarriedFilingJointly; not rounded",
    indexation: "none",
    rounding: "each jurisdiction to the cent, half up; then added"
  },
  source: engineConvention({
    url: "https://www.law.cornell.edu/uscode/text/26/1",
    note: "Design choice of this engine, not an authority",
    sure: "derived"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})

export const stateTaxOnForgivenessStates = rule({
  id: "state-tax-on-forgiveness-states",
  label: "States whose tax on forgiven balances is modeled",
  plan: "ALL",
  unit: "list of state codes",
  definition:
    "States modeled as taxing time-based forgiveness. The list is the set that taxed forgiveness while the federal exclusion applied (2021-2025).",
  value: ["AR", "IN", "MS", "NC", "WI"],
  source: engineConvention({
    url: document.dischargeStatute,
    note: "The five states are part of the service's published interface. From 2026 forgiveness is in federal AGI again, so most states that start from federal income tax it too; see omission-other-state-tax",
    sure: "thirdParty",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
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
    note: "IC 6-3-1-3.5(a); Wis. Stat. 71.05(23). Section numbers from memory; the count agrees with policyengine-us (https://github.com/PolicyEngine/policyengine-us)",
    sure: "thirdParty"
  }),
  effectiveDate: "2026-01-01",
  lastVerified: "2026-11-20",
  parityLocked: true
})
