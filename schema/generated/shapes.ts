/**
 * What the requests of the contract may hold, for the library. Written by `npm run x -- generate`; not edited by
 * hand.
 */
import { byKey, type Shape } from "../shape.ts"

const planType: Shape = {
  kind: "name",
  says: "must be one of the plan types: STANDARD; EXTENDED; GRADUATED; INCOME BASED; INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE",
  names: byKey([
    "STANDARD",
    "EXTENDED",
    "GRADUATED",
    "INCOME BASED",
    "INCOME BASED (OLD)",
    "INCOME CONTINGENT",
    "PAY AS YOU EARN",
    "REVISED PAY AS YOU EARN",
    "SAVE",
    "REPAYMENT ASSISTANCE"
  ])
}

const adjustedGrossIncome: Shape = {
  kind: "number",
  says: "must be a number from 0 to 100000000: send US dollars, such as 30000 or 1250.5",
  least: 0,
  most: 100000000,
  isWhole: false
}

const filingStatus: Shape = {
  kind: "name",
  says: "must be Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold (HOH)",
  names: byKey(["Single", "MarriedFilingJointly", "MarriedFilingSeparately", "HeadOfHousehold"], {
    MFJ: "MarriedFilingJointly",
    MFS: "MarriedFilingSeparately",
    HOH: "HeadOfHousehold"
  })
}

const dependents: Shape = {
  kind: "number",
  says: "must be a whole number from 0 to 30: send a whole number of dependents",
  least: 0,
  most: 30,
  isWhole: true
}

const state: Shape = {
  kind: "name",
  says: "must be a two-letter US state code: one of the 50 states, DC, PR, GU, VI, AS or MP, such as NC",
  names: byKey([
    "AL",
    "AK",
    "AZ",
    "AR",
    "CA",
    "CO",
    "CT",
    "DE",
    "FL",
    "GA",
    "HI",
    "ID",
    "IL",
    "IN",
    "IA",
    "KS",
    "KY",
    "LA",
    "ME",
    "MD",
    "MA",
    "MI",
    "MN",
    "MS",
    "MO",
    "MT",
    "NE",
    "NV",
    "NH",
    "NJ",
    "NM",
    "NY",
    "NC",
    "ND",
    "OH",
    "OK",
    "OR",
    "PA",
    "RI",
    "SC",
    "SD",
    "TN",
    "TX",
    "UT",
    "VT",
    "VA",
    "WA",
    "WV",
    "WI",
    "WY",
    "DC",
    "PR",
    "GU",
    "VI",
    "AS",
    "MP"
  ])
}

const workingTowardsPslf: Shape = { kind: "flag", says: "must be true or false: send a JSON boolean" }

const annualIncomeGrowth: Shape = {
  kind: "number",
  says: "must be a number from 0 to 0.5: send a fraction, such as 0.0654 for 6.54%",
  least: 0,
  most: 0.5,
  isWhole: false
}

const label: Shape = { kind: "text", says: "must be text of at most 80 characters, or null", mostCharacters: 80 }

const Scenario: Shape = {
  kind: "object",
  says: "must be a scenario object",
  members: {
    planType: {
      shape: planType,
      isNullable: false,
      required:
        "is required: send one of STANDARD; EXTENDED; GRADUATED; INCOME BASED; INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE"
    },
    adjustedGrossIncome: {
      shape: adjustedGrossIncome,
      isNullable: false,
      required: "is required: send annual US dollars, 0 for no income"
    },
    spouseAdjustedGrossIncome: { shape: adjustedGrossIncome, isNullable: true, otherwise: null },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, otherwise: null },
    filingStatus: {
      shape: filingStatus,
      isNullable: false,
      required: "is required: send Single, MarriedFilingJointly, MarriedFilingSeparately or HeadOfHousehold"
    },
    dependents: { shape: dependents, isNullable: false, required: "is required: send a whole number, 0 to 30" },
    state: { shape: state, isNullable: false, required: "is required: send a two-letter US state code, such as NC" },
    workingTowardsPslf: { shape: workingTowardsPslf, isNullable: false, required: "is required: send true or false" },
    annualIncomeGrowth: { shape: annualIncomeGrowth, isNullable: false, otherwise: 0 },
    label: { shape: label, isNullable: true, otherwise: null }
  }
}

const loanType: Shape = {
  kind: "name",
  says: "must be one of the loan types: DIRECT CONSOLIDATED SUBSIDIZED; DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE); DIRECT CONSOLIDATED UNSUBSIDIZED; DIRECT PARENT PLUS; DIRECT PARENT PLUS CONSOLIDATED; DIRECT PLUS CONSOLIDATED; DIRECT PLUS GRADUATE; DIRECT PLUS PARENT; DIRECT STAFFORD SUBSIDIZED; DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE); DIRECT STAFFORD UNSUBSIDIZED; DIRECT UNSUBSIDIZED (TEACH); FEDERAL PERKINS; FEDERALLY INSURED (FISL); FFEL CONSOLIDATED; FFEL PARENT PLUS; FFEL PARENT PLUS CONSOLIDATED; FFEL PLUS GRADUATE; FFEL PLUS PARENT; FFEL REFINANCED; FFEL STAFFORD NON-SUBSIDIZED; FFEL STAFFORD SUBSIDIZED; FFEL STAFFORD UNSUBSIDIZED; FFEL SUPPLEMENTAL LOAN (SLS); HEALTH PROFESSIONS STUDENT LOAN (HPSL); INCOME CONTINGENT (ICL); NATIONAL DEFENSE LOAN (PERKINS); NATIONAL DIRECT STUDENT LOAN (PERKINS); PERKINS EXPANDED LENDING",
  names: byKey([
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
    "DIRECT UNSUBSIDIZED (TEACH)",
    "FEDERAL PERKINS",
    "FEDERALLY INSURED (FISL)",
    "FFEL CONSOLIDATED",
    "FFEL PARENT PLUS",
    "FFEL PARENT PLUS CONSOLIDATED",
    "FFEL PLUS GRADUATE",
    "FFEL PLUS PARENT",
    "FFEL REFINANCED",
    "FFEL STAFFORD NON-SUBSIDIZED",
    "FFEL STAFFORD SUBSIDIZED",
    "FFEL STAFFORD UNSUBSIDIZED",
    "FFEL SUPPLEMENTAL LOAN (SLS)",
    "HEALTH PROFESSIONS STUDENT LOAN (HPSL)",
    "INCOME CONTINGENT (ICL)",
    "NATIONAL DEFENSE LOAN (PERKINS)",
    "NATIONAL DIRECT STUDENT LOAN (PERKINS)",
    "PERKINS EXPANDED LENDING"
  ])
}

const interestRate: Shape = {
  kind: "number",
  says: "must be a number from 0 to 1: send a fraction, such as 0.0654 for 6.54%",
  least: 0,
  most: 1,
  isWhole: false
}

const idrMonthsInRepayment: Shape = {
  kind: "number",
  says: "must be a whole number from 0 to 600: send a whole number of months",
  least: 0,
  most: 600,
  isWhole: true
}

const pslfCount: Shape = {
  kind: "number",
  says: "must be a whole number from 0 to 120: send a whole number of payments",
  least: 0,
  most: 120,
  isWhole: true
}

const Loan: Shape = {
  kind: "object",
  says: "must be a loan object",
  members: {
    loanType: {
      shape: loanType,
      isNullable: false,
      required: "is required: send one of the loan type strings, such as DIRECT STAFFORD UNSUBSIDIZED"
    },
    principalBalance: {
      shape: adjustedGrossIncome,
      isNullable: false,
      required: "is required: send US dollars, such as 30000"
    },
    interestBalance: { shape: adjustedGrossIncome, isNullable: false, otherwise: 0 },
    interestRate: {
      shape: interestRate,
      isNullable: false,
      required: "is required: send a fraction, such as 0.0654 for 6.54%"
    },
    disbursedAmount: { shape: adjustedGrossIncome, isNullable: false, otherwise: 0 },
    idrMonthsInRepayment: { shape: idrMonthsInRepayment, isNullable: false, otherwise: 0 },
    pslfCount: { shape: pslfCount, isNullable: false, otherwise: 0 }
  }
}

export const ProjectionRequest: Shape = {
  kind: "object",
  says: "must be a JSON object with scenario and loans",
  members: {
    scenario: { shape: Scenario, isNullable: false, required: "is required: send a scenario object" },
    loans: {
      shape: {
        kind: "list",
        item: Loan,
        least: 1,
        most: 100,
        says: "must be an array of 1 to 100 loan objects",
        saysOfLength: "must hold 1 to 100 loans"
      },
      isNullable: false,
      required: "is required: send an array of 1 to 100 loans"
    },
    includeYearly: { shape: workingTowardsPslf, isNullable: false, otherwise: false }
  }
}

const ComparisonArm: Shape = {
  kind: "object",
  says: "must be an object with scenario and loans",
  members: {
    scenario: { shape: Scenario, isNullable: false, required: "is required: send a scenario object" },
    loans: {
      shape: {
        kind: "list",
        item: Loan,
        least: 1,
        most: 100,
        says: "must be an array of 1 to 100 loan objects",
        saysOfLength: "must hold 1 to 100 loans"
      },
      isNullable: false,
      required: "is required: send an array of 1 to 100 loans"
    }
  }
}

export const ComparisonRequest: Shape = {
  kind: "object",
  says: "must be a JSON object with arms",
  members: {
    arms: {
      shape: {
        kind: "list",
        item: ComparisonArm,
        least: 2,
        most: 10,
        says: "must be an array of 2 to 10 arms",
        saysOfLength: "must hold 2 to 10 arms"
      },
      isNullable: false,
      required: "is required: send an array of 2 to 10 arms"
    },
    includeYearly: { shape: workingTowardsPslf, isNullable: false, otherwise: false }
  }
}

const month: Shape = {
  kind: "number",
  says: "must be a whole number from 1 to 600: send a whole number of months, counted from 1",
  least: 1,
  most: 600,
  isWhole: true
}

export const ExplainRequest: Shape = {
  kind: "object",
  says: "must be a JSON object with scenario and loans",
  members: {
    scenario: { shape: Scenario, isNullable: false, required: "is required: send a scenario object" },
    loans: {
      shape: {
        kind: "list",
        item: Loan,
        least: 1,
        most: 100,
        says: "must be an array of 1 to 100 loan objects",
        saysOfLength: "must hold 1 to 100 loans"
      },
      isNullable: false,
      required: "is required: send an array of 1 to 100 loans"
    },
    includeYearly: { shape: workingTowardsPslf, isNullable: false, otherwise: false },
    month: { shape: month, isNullable: false, otherwise: 1 }
  }
}

export const EligibilityRequest: Shape = {
  kind: "object",
  says: "must be a JSON object with loans",
  members: {
    loans: {
      shape: {
        kind: "list",
        item: Loan,
        least: 1,
        most: 100,
        says: "must be an array of 1 to 100 loan objects",
        saysOfLength: "must hold 1 to 100 loans"
      },
      isNullable: false,
      required: "is required: send an array of 1 to 100 loans"
    }
  }
}

const ratePct: Shape = {
  kind: "number",
  says: "must be a number from 0 to 100: send a percentage, such as 6.54 for 6.54%",
  least: 0,
  most: 100,
  isWhole: false
}

const loanType21: Shape = {
  kind: "name",
  says: "must be a loan type string of the API, or one of direct_subsidized, direct_unsubsidized, grad_plus_legacy, parent_plus, direct_consolidation, direct_consolidation_with_plus",
  names: byKey(
    [
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
      "DIRECT UNSUBSIDIZED (TEACH)",
      "FEDERAL PERKINS",
      "FEDERALLY INSURED (FISL)",
      "FFEL CONSOLIDATED",
      "FFEL PARENT PLUS",
      "FFEL PARENT PLUS CONSOLIDATED",
      "FFEL PLUS GRADUATE",
      "FFEL PLUS PARENT",
      "FFEL REFINANCED",
      "FFEL STAFFORD NON-SUBSIDIZED",
      "FFEL STAFFORD SUBSIDIZED",
      "FFEL STAFFORD UNSUBSIDIZED",
      "FFEL SUPPLEMENTAL LOAN (SLS)",
      "HEALTH PROFESSIONS STUDENT LOAN (HPSL)",
      "INCOME CONTINGENT (ICL)",
      "NATIONAL DEFENSE LOAN (PERKINS)",
      "NATIONAL DIRECT STUDENT LOAN (PERKINS)",
      "PERKINS EXPANDED LENDING"
    ],
    {
      direct_subsidized: "DIRECT STAFFORD SUBSIDIZED",
      direct_unsubsidized: "DIRECT STAFFORD UNSUBSIDIZED",
      grad_plus_legacy: "DIRECT PLUS GRADUATE",
      parent_plus: "DIRECT PLUS PARENT",
      direct_consolidation: "DIRECT CONSOLIDATED UNSUBSIDIZED",
      direct_consolidation_with_plus: "DIRECT PARENT PLUS CONSOLIDATED"
    }
  )
}

const incomeGrowthPct: Shape = {
  kind: "number",
  says: "must be a number from 0 to 50: send a percentage, such as 6.54 for 6.54%",
  least: 0,
  most: 50,
  isWhole: false
}

const borrowedOnOrAfterJul12026: Shape = { kind: "flag", says: "must be true or false or null" }

export const KeylessLoanRequest: Shape = {
  kind: "object",
  says: "must be a JSON object with balance, ratePct and borrowerAgi",
  members: {
    balance: { shape: adjustedGrossIncome, isNullable: false, required: "is required: send US dollars, such as 30000" },
    ratePct: { shape: ratePct, isNullable: false, required: "is required: send a percentage, such as 6.54 for 6.54%" },
    borrowerAgi: {
      shape: adjustedGrossIncome,
      isNullable: false,
      required: "is required: send annual US dollars, 0 for no income"
    },
    filingStatus: { shape: filingStatus, isNullable: true, otherwise: null },
    spouseAgi: { shape: adjustedGrossIncome, isNullable: true, otherwise: null },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, otherwise: null },
    dependents: { shape: dependents, isNullable: false, otherwise: 0 },
    loanType: { shape: loanType21, isNullable: true, otherwise: null },
    state: { shape: state, isNullable: true, otherwise: null },
    pursuingPslf: { shape: workingTowardsPslf, isNullable: false, otherwise: false },
    pslfCreditedMonths: { shape: pslfCount, isNullable: false, otherwise: 0 },
    priorIdrMonths: { shape: idrMonthsInRepayment, isNullable: false, otherwise: 0 },
    incomeGrowthPct: { shape: incomeGrowthPct, isNullable: false, otherwise: 0 },
    borrowedOnOrAfterJul12026: { shape: borrowedOnOrAfterJul12026, isNullable: true, otherwise: null }
  }
}
