/** Omissions: rules about the tax on forgiven balances that the engine knows and does not apply. */
import { omission } from "../entry.ts"
import {
  arkansas,
  document,
  indiana,
  internalRevenueCode,
  internalRevenueService,
  mississippi,
  onLegislativeChange,
  stateRevenueDepartments,
  wisconsin
} from "../sources.ts"

/** Territories, whose residents' income tax is their own. */
const territories = ["PR", "AS", "GU", "VI", "MP"]

export const omissionOtherStateTax = omission({
  id: "omission-other-state-tax",
  label: "State tax outside AR, IN, MS, NC and WI",
  detail:
    "From 1 January 2026 time-based forgiveness is in federal adjusted gross income again, so most states whose income tax starts from it tax forgiveness too. State tax is charged only in AR, IN, MS, NC and WI and is understated in other states. Nine states have no tax on such income.",
  bearsOn: {
    statesExcept: ["AR", "IN", "MS", "NC", "WI", "AK", "FL", "NV", "NH", "SD", "TN", "TX", "WA", "WY", ...territories],
    when: ["taxed"]
  },
  source: stateRevenueDepartments({
    url: document.dischargeStatute,
    note: "Surveys of The College Investor and Bloomberg Government, 2025-2026, read. For the federal side 26 U.S.C. 108(f)(5), text read",
    evidence: "third-party"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionTerritoryTax = omission({
  id: "omission-territory-tax",
  label: "Tax in the territories",
  detail:
    "A resident's income from sources in Puerto Rico (26 U.S.C. 933) or American Samoa (931) is not in federal gross income. Whether a forgiven loan is such income was not found. If it is, the federal tax shown is not owed. If not, that tax may still be overstated, because wages from there are outside the federal base, but for those of federal employees. In Guam, the U.S. Virgin Islands and the Northern Mariana Islands, which apply the federal income tax law as their own, the federal tax shown is paid to the territory instead. What a territory adds or gives back is not counted.",
  bearsOn: { states: territories, when: ["taxed"] },
  source: internalRevenueCode({
    url: "https://www.law.cornell.edu/uscode/text/26/933",
    note: "26 U.S.C. 933(1) and 931(a), (c), texts read. That 931 is in effect for American Samoa alone of the possessions that it names was not read. Guam, the U.S. Virgin Islands and the Northern Mariana Islands: opening of the Congressional Research Service's report RL32708 and articles of practitioners, read. 26 U.S.C. 932, 48 U.S.C. 1421i and 48 U.S.C. 1801 were not read",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-28"
})

export const omissionInsolvency = omission({
  id: "omission-insolvency",
  label: "Insolvency and bankruptcy exclusions",
  detail:
    "A borrower insolvent just before the discharge may exclude it to the extent of the insolvency (Form 982). Not applied: tax is overstated for such borrowers.",
  bearsOn: { when: ["taxed"] },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 108(a)(1)(A)-(B), (a)(3) and (d)(3), texts read",
    evidence: "statute"
  }),
  effectiveDate: "1980-12-24",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionTaxIndexation = omission({
  id: "omission-tax-indexation",
  label: "Future tax tables",
  detail:
    "Brackets and deductions are held at tax year 2026: tax in a distant year is overstated wherever brackets rise with prices, even with level income. Later changes of law are not foreseen.",
  bearsOn: { when: ["taxed"], notAdded: ["pricesGrow"] },
  source: internalRevenueService({
    url: document.taxTables2026,
    note: "26 U.S.C. 63(c)(7)(B) and 55(d)(4)(B), texts read: both point to the yearly adjustment of section 1(f)(3), which was not read. Holding the tables is a choice of this engine",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionStateTaxIndexation = omission({
  id: "omission-state-tax-indexation",
  label: "Future state tax tables",
  detail:
    "Prices grow in this projection, and the federal brackets with them, but the state's tables are held: state tax in a distant year is overstated wherever its deductions, exemptions or brackets rise with prices.",
  bearsOn: { states: ["AR", "IN", "MS", "NC", "WI"], when: ["taxed"], added: ["pricesGrow"] },
  source: stateRevenueDepartments({
    url: "https://www.revenue.wi.gov/Pages/FAQS/pcs-taxrates.aspx",
    note: "Holding the tables is a choice of this engine. Which of the five states index which amounts was not read",
    evidence: "convention",
    cadence: "annually"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-26"
})

export const omissionCreditsAndPhaseouts = omission({
  id: "omission-credits-and-phaseouts",
  label: "Credits, deductions and phase-outs",
  detail:
    "The forgiven amount can reduce the earned income, child, premium and education credits and the student loan interest deduction, and itemized deductions can reduce the tax on it. None is modeled.",
  bearsOn: { when: ["taxed"] },
  source: internalRevenueCode({
    url: document.dischargeStatute,
    note: "26 U.S.C. 32(a)(2)(B) and 221(b)(2), texts read. Sections 24, 25A and 36B were not read",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionAmt = omission({
  id: "omission-amt",
  label: "Alternative minimum tax",
  detail: "The alternative minimum tax is not modeled; federal-amt-exemption-2026 gives its exemption.",
  bearsOn: { when: ["taxed"] },
  source: internalRevenueService({
    url: document.taxTables2026,
    note: "26 U.S.C. 55(a) and (d)(4), text read",
    evidence: "statute"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionMsPslfTax = omission({
  id: "omission-ms-pslf-tax",
  label: "Mississippi tax on PSLF",
  detail:
    "Mississippi law contains no exclusion for Public Service Loan Forgiveness; a resident may owe state tax on it. None is charged.",
  bearsOn: { states: ["MS"], when: ["pslfForgiven"] },
  source: mississippi({
    url: "https://law.justia.com/codes/mississippi/title-27/chapter-7/article-1/section-27-7-15/",
    note: "Practitioner article of March 2025 and two bills of 2025 that died in committee, read. 35 Miss. Code R. 3-01-01-100, read, for gross income. Miss. Code 27-7-15 was not read",
    evidence: "third-party",
    cadence: onLegislativeChange
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionInCountyTax = omission({
  id: "omission-in-county-tax",
  label: "Indiana county income tax",
  detail:
    "All 92 counties levy an income tax of 0.5% to 3.0% on the same base. Not modeled, because the county is not an input: tax is understated.",
  bearsOn: { states: ["IN"], when: ["taxed"] },
  source: indiana({
    url: "https://forms.in.gov/Download.aspx?id=16925",
    note: "2025 Indiana county income tax rates and county codes, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026: 92 counties from 0.5% to 3.0%. The state's own table was not read",
    evidence: "open-model",
    cadence: "annually, January and October"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionArLowIncomeAndCredits = omission({
  id: "omission-ar-low-income-and-credits",
  label: "Arkansas low-income tables and personal credits",
  detail: "Low-income tables, the $29 personal credits and separate filing on one return are not applied.",
  bearsOn: { states: ["AR"], when: ["taxed"] },
  source: arkansas({
    url: "https://www.dfa.arkansas.gov/wp-content/uploads/2025_AR1000F_and_AR1000NR_Instructions.pdf",
    note: "Ark. Code 26-51-501 and 2024 AR1000F instructions, page 12, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026",
    evidence: "open-model",
    cadence: "annually"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionWiCredits = omission({
  id: "omission-wi-credits",
  label: "Wisconsin credits",
  detail: "The itemized deduction credit, the married couple credit and other credits are not applied.",
  bearsOn: { states: ["WI"], when: ["taxed"] },
  source: wisconsin({
    url: "https://www.revenue.wi.gov/Pages/FAQS/pcs-taxrates.aspx",
    note: "Form 1 instructions, as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026",
    evidence: "open-model",
    cadence: "annually"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionStateRatePhaseDowns = omission({
  id: "omission-state-rate-phase-downs",
  label: "Enacted future state rate cuts",
  detail:
    "Rate cuts in Mississippi (3.75% in 2027 to 3.0% in 2030) and Indiana (2.90% in 2027), and a possible North Carolina cut by trigger, are not applied to later forgiveness years: tax is overstated.",
  bearsOn: { states: ["IN", "MS", "NC"], when: ["taxed"] },
  source: stateRevenueDepartments({
    url: "https://www.dor.ms.gov/individual/tax-rates",
    note: "IC 6-3-2-1(a) and G.S. 105-153.7(a1), texts read. Miss. Code 27-7-5 as amended by HB 1 (2025), as held by policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026",
    evidence: "statute",
    cadence: "annually"
  }),
  effectiveDate: "2027-01-01",
  expiresDate: "",
  lastVerified: "2026-11-21"
})

export const omissionSeparateReturnTax = omission({
  id: "omission-separate-return-tax",
  label: "Income tax of separate returns",
  detail:
    "The income tax that a couple pays more on separate returns is counted by the federal brackets and standard deductions alone. Credits, the deduction of student-loan interest, which a separate return loses, state tax, and the rules for itemized deductions are not counted, and may move it either way.",
  bearsOn: { plans: [] },
  source: internalRevenueCode({
    url: "https://www.law.cornell.edu/uscode/text/26/221",
    note: "26 U.S.C. 221(e)(2): no deduction of interest on a separate return of a married borrower; not read. For brackets and deductions see the rules of their ids",
    evidence: "convention"
  }),
  effectiveDate: "2026-01-01",
  expiresDate: "",
  lastVerified: "2026-11-29"
})
