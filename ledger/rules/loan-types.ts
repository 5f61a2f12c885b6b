/**
 * The lists of loan types by subsidy, study level, consolidation, program, and family (types that
 * may elect the same plans).
 */
import { rule } from "../entry.ts"
import { document, educationDepartment, federalStudentAid } from "../sources.ts"

export const subsidizedLoanTypes = rule({
  id: "subsidized-loan-types",
  label: "Subsidized loan types",
  plan: "ALL",
  unit: "loan types",
  definition:
    "Loans whose uncovered interest the government pays in the first three years of INCOME BASED, INCOME BASED (OLD), PAY AS YOU EARN and REVISED PAY AS YOU EARN. FFEL CONSOLIDATED may hold a subsidized part that its type does not show; it is left out.",
  value: [
    "DIRECT CONSOLIDATED SUBSIDIZED",
    "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
    "DIRECT STAFFORD SUBSIDIZED",
    "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)",
    "FFEL STAFFORD SUBSIDIZED"
  ],
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "20 U.S.C. 1098e(b)(3)(A), text read. 34 CFR 685.221(b)(3) and 685.220(c)(1), text of early 2023 read; the paragraph of 2026 was not read. Which type strings are subsidized is read from their names",
    evidence: "statute"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const graduateLoanTypes = rule({
  id: "graduate-loan-types",
  label: "Loan types treated as graduate debt",
  plan: "ALL",
  unit: "loan types",
  definition:
    "Loans that count as borrowed for graduate study in the rate and months of SAVE and in the months of REVISED PAY AS YOU EARN. Every other type counts as undergraduate.",
  value: ["DIRECT PLUS GRADUATE"],
  source: educationDepartment({
    url: "https://regulations.justia.com/regulations/fedreg/2023/07/10/2023-13112.html",
    note: "A reading of the type strings: only this one shows graduate study. 34 CFR 685.209(c)(5)(ii)(B), text of early 2023 read, counts any loan for graduate study and consolidations of them",
    evidence: "convention"
  }),
  effectiveDate: "2015-12-17",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const undergraduateLoanTypes = rule({
  id: "undergraduate-loan-types",
  label: "Loan types that only undergraduates have",
  plan: "ALL",
  unit: "loan types",
  definition:
    "Loans under the 150 percent limit on subsidized borrowing (SULA), which no graduate student has. Every other type, except those of graduate-loan-types, may be either; answers that depend on it say so.",
  value: ["DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)", "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)"],
  source: educationDepartment({
    url: document.directLoanStatute,
    note: "A reading of the type strings. 20 U.S.C. 1087e(a)(3)(A)(i), text read: no subsidized loan to a graduate student for study since 1 July 2012. The former limit itself, once 1087e(q), was not read",
    evidence: "convention"
  }),
  effectiveDate: "2013-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false
})

export const parentPlusLoanTypes = rule({
  id: "parent-plus-loan-types",
  label: "Parent PLUS loan types",
  plan: "ALL",
  unit: "loan types",
  definition:
    "PLUS loans to parents and consolidations that repaid one. DIRECT PLUS CONSOLIDATED does not name the parent. It exists only in consolidations made before 1 July 2006, when students had no PLUS loans, so it repaid a parent's.",
  value: [
    "DIRECT PARENT PLUS",
    "DIRECT PARENT PLUS CONSOLIDATED",
    "DIRECT PLUS CONSOLIDATED",
    "DIRECT PLUS PARENT",
    "FFEL PARENT PLUS",
    "FFEL PARENT PLUS CONSOLIDATED",
    "FFEL PLUS PARENT"
  ],
  source: educationDepartment({
    url: "https://fsapartners.ed.gov/knowledge-center/library/nslds-user-resources/2000-02-01/final-fat-batch-record-layout-codes-and-flags",
    note: "A reading of the type strings of the National Student Loan Data System. DIRECT PLUS CONSOLIDATED: 34 CFR 685.220(c)(3) and 682.100(a), texts of early 2023 read",
    evidence: "convention"
  }),
  effectiveDate: "2000-02-01",
  lastVerified: "2026-11-23",
  parityLocked: false
})

export const consolidationLoanTypes = rule({
  id: "consolidation-loan-types",
  label: "Consolidation loan types",
  plan: "ALL",
  unit: "loan types",
  definition:
    "Loans whose STANDARD and GRADUATED terms follow the consolidation table. DIRECT PLUS CONSOLIDATED is not among them: it has the terms of direct-plus-consolidation-terms.",
  value: [
    "DIRECT CONSOLIDATED SUBSIDIZED",
    "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
    "DIRECT CONSOLIDATED UNSUBSIDIZED",
    "DIRECT PARENT PLUS CONSOLIDATED",
    "FFEL CONSOLIDATED",
    "FFEL PARENT PLUS CONSOLIDATED"
  ],
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/section-685.220",
    note: "A reading of the type strings. 34 CFR 685.208(j) and 682.209(e), texts of early 2023 read, give the table to consolidation loans",
    evidence: "convention"
  }),
  effectiveDate: "1994-07-01",
  lastVerified: "2026-11-23",
  parityLocked: true
})

export const loanPrograms = rule({
  id: "loan-programs",
  label: "Loan types by federal program",
  plan: "ALL",
  unit: "loan types by program",
  definition:
    "Direct loans can be forgiven for public service. The EXTENDED balance test is made on Direct and on FFEL loans separately.",
  value: {
    direct: [
      "DIRECT CONSOLIDATED SUBSIDIZED",
      "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
      "DIRECT CONSOLIDATED UNSUBSIDIZED",
      "DIRECT PARENT PLUS",
      "DIRECT PARENT PLUS CONSOLIDATED",
      "DIRECT PLUS CONSOLIDATED",
      "DIRECT PLUS GRADUATE",
      "DIRECT PLUS PARENT",
      "DIRECT STAFFORD SUBSIDIZED",
      "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)",
      "DIRECT STAFFORD UNSUBSIDIZED",
      "DIRECT UNSUBSIDIZED (TEACH)"
    ],
    ffel: [
      "FFEL CONSOLIDATED",
      "FFEL PARENT PLUS",
      "FFEL PARENT PLUS CONSOLIDATED",
      "FFEL PLUS GRADUATE",
      "FFEL PLUS PARENT",
      "FFEL REFINANCED",
      "FFEL STAFFORD NON-SUBSIDIZED",
      "FFEL STAFFORD SUBSIDIZED",
      "FFEL STAFFORD UNSUBSIDIZED",
      "FFEL SUPPLEMENTAL LOAN (SLS)"
    ]
  },
  source: federalStudentAid({
    url: "https://fsapartners.ed.gov/knowledge-center/library/nslds-user-resources/2000-02-01/final-fat-batch-record-layout-codes-and-flags",
    note: "Type descriptions of the National Student Loan Data System, list of 2000 read. It is older than the types PLUS GRADUATE and TEACH: a later table of the same codes, read in a third party's copy, has TEACH. Direct loans for public service: 20 U.S.C. 1087e(m)(3)(A), text read",
    evidence: "official-copy",
    cadence: "ad hoc"
  }),
  effectiveDate: "2000-02-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})

export const loanTypeFamilies = rule({
  id: "loan-type-families",
  label: "Eligibility family of each loan type",
  plan: "ALL",
  unit: "family by loan type",
  definition:
    "Loan types that may elect the same plans form a family. The plans of each family are in plan-eligibility-matrix.",
  value: {
    "DIRECT CONSOLIDATED SUBSIDIZED": "direct-consolidation",
    "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)": "direct-consolidation",
    "DIRECT CONSOLIDATED UNSUBSIDIZED": "direct-consolidation",
    "DIRECT PARENT PLUS": "direct-parent-plus",
    "DIRECT PARENT PLUS CONSOLIDATED": "direct-consolidation-of-parent-plus",
    "DIRECT PLUS CONSOLIDATED": "direct-plus-consolidation",
    "DIRECT PLUS GRADUATE": "direct-student",
    "DIRECT PLUS PARENT": "direct-parent-plus",
    "DIRECT STAFFORD SUBSIDIZED": "direct-student",
    "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)": "direct-student",
    "DIRECT STAFFORD UNSUBSIDIZED": "direct-student",
    "DIRECT UNSUBSIDIZED (TEACH)": "direct-student",
    "FEDERAL PERKINS": "perkins",
    "FEDERALLY INSURED (FISL)": "ffel-ended-before-1998",
    "FFEL CONSOLIDATED": "ffel-student",
    "FFEL PARENT PLUS": "ffel-parent-plus",
    "FFEL PARENT PLUS CONSOLIDATED": "ffel-parent-plus",
    "FFEL PLUS GRADUATE": "ffel-student",
    "FFEL PLUS PARENT": "ffel-parent-plus",
    "FFEL REFINANCED": "ffel-ended-before-1998",
    "FFEL STAFFORD NON-SUBSIDIZED": "ffel-ended-before-1998",
    "FFEL STAFFORD SUBSIDIZED": "ffel-student",
    "FFEL STAFFORD UNSUBSIDIZED": "ffel-student",
    "FFEL SUPPLEMENTAL LOAN (SLS)": "ffel-ended-before-1998",
    "HEALTH PROFESSIONS STUDENT LOAN (HPSL)": "health-professions",
    "INCOME CONTINGENT (ICL)": "income-contingent-loan",
    "NATIONAL DEFENSE LOAN (PERKINS)": "perkins",
    "NATIONAL DIRECT STUDENT LOAN (PERKINS)": "perkins",
    "PERKINS EXPANDED LENDING": "perkins"
  },
  source: educationDepartment({
    url: "https://fsapartners.ed.gov/knowledge-center/library/nslds-user-resources/2000-02-01/final-fat-batch-record-layout-codes-and-flags",
    note: "A grouping of this engine over the type descriptions of the National Student Loan Data System. 34 CFR 685.220(b)-(c), 685.208(a)(1)(ii) and 682.100(a), texts of early 2023 read. Assumed: a consolidation without PLUS in its name holds no Parent PLUS loan, and FFEL REFINANCED is a student's loan",
    evidence: "convention"
  }),
  effectiveDate: "2026-07-01",
  lastVerified: "2026-11-23",
  parityLocked: false
})
