/**
 * What the requests of the contract may hold, for the library. Written by `npm run x -- generate`; not edited by
 * hand.
 */
import { byKey, type Shape } from "../shape.ts"

const planType: Shape = {
  kind: "name",
  message:
    "must be one of the plan types: STANDARD; EXTENDED; GRADUATED; INCOME BASED; INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE",
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
  min: 0,
  max: 100000000,
  send: "US dollars, such as 30000 or 1250.5"
}

const filingStatus: Shape = {
  kind: "name",
  message: "must be Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold (HOH)",
  names: byKey(["Single", "MarriedFilingJointly", "MarriedFilingSeparately", "HeadOfHousehold"], {
    MFJ: "MarriedFilingJointly",
    MFS: "MarriedFilingSeparately",
    HOH: "HeadOfHousehold"
  })
}

const dependents: Shape = { kind: "number", min: 0, max: 30, isWhole: true, send: "a whole number of dependents" }

const state: Shape = {
  kind: "name",
  message: "must be a two-letter US state code: one of the 50 states, DC, PR, GU, VI, AS or MP, such as NC",
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

const workingTowardsPslf: Shape = { kind: "flag", message: "must be true or false: send a JSON boolean" }

const annualIncomeGrowth: Shape = {
  kind: "number",
  min: 0,
  max: 0.5,
  isFraction: true,
  send: "a fraction, such as 0.0654 for 6.54%"
}

const label: Shape = {
  kind: "text",
  message: "must be text of at most 80 characters, or null",
  maxCharacters: 80,
  lengthMessage: "must be at most 80 characters"
}

const firstBorrowedOn: Shape = { kind: "date", min: "1958-09-02" }

const annualPriceGrowth: Shape = {
  kind: "number",
  min: 0,
  max: 0.1,
  isFraction: true,
  send: "a fraction, such as 0.0654 for 6.54%"
}

const fromYear: Shape = { kind: "number", min: 2, max: 50, isWhole: true, send: "a year of repayment, such as 3" }

const familySize: Shape = {
  kind: "number",
  min: 1,
  max: 32,
  isWhole: true,
  send: "a whole number of people, such as 3"
}

const extraMonthlyPayment: Shape = { kind: "number", min: 0, max: 1000000, send: "US dollars, such as 30000 or 1250.5" }

const changesItem: Shape = {
  kind: "object",
  message: "must be an object with fromYear and what changes",
  members: {
    fromYear: { shape: fromYear, required: "is required: send a year of repayment, 2 to 50, such as 3" },
    adjustedGrossIncome: { shape: adjustedGrossIncome, isNullable: true, byDefault: null, isAddition: true },
    spouseAdjustedGrossIncome: { shape: adjustedGrossIncome, isNullable: true, byDefault: null, isAddition: true },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, byDefault: null, isAddition: true },
    filingStatus: { shape: filingStatus, isNullable: true, byDefault: null, isAddition: true },
    dependents: { shape: dependents, isNullable: true, byDefault: null, isAddition: true },
    workingTowardsPslf: { shape: workingTowardsPslf, isNullable: true, byDefault: null, isAddition: true },
    familySize: { shape: familySize, isNullable: true, byDefault: null, isAddition: true },
    extraMonthlyPayment: { shape: extraMonthlyPayment, isNullable: true, byDefault: null, isAddition: true },
    monthlyBudget: { shape: extraMonthlyPayment, isNullable: true, byDefault: null, isAddition: true }
  }
}

const changes: Shape = {
  kind: "list",
  message: "must be an array of 0 to 20 changes, each an object with fromYear and what changes",
  min: 0,
  max: 20,
  lengthMessage: "must hold at most 20 changes",
  item: changesItem
}

const kind: Shape = {
  kind: "name",
  message: "must be one of InSchool, Deferment, Forbearance",
  names: byKey(["InSchool", "Deferment", "Forbearance"])
}

const from: Shape = { kind: "date", min: "1958-09-02", isMonth: true }

const loansItem: Shape = {
  kind: "number",
  min: 0,
  max: 99,
  isWhole: true,
  send: "a whole number of loans, counted from 0"
}

const loans: Shape = {
  kind: "list",
  message: "must be an array of positions",
  min: 1,
  max: 100,
  lengthMessage: "must hold 1 to 100 positions",
  item: loansItem
}

const pausesItem: Shape = {
  kind: "object",
  message: "must be an object with kind and until",
  members: {
    kind: { shape: kind, required: "is required: send InSchool, Deferment, Forbearance" },
    from: { shape: from, isNullable: true, byDefault: null, isAddition: true },
    until: { shape: from, required: "is required: send the first month that is due again, such as 2027-05" },
    loans: { shape: loans, isNullable: true, byDefault: null, isAddition: true }
  }
}

const pauses: Shape = {
  kind: "list",
  message: "must be an array of 0 to 10 pauses, each an object with kind and until",
  min: 0,
  max: 10,
  lengthMessage: "must hold at most 10 pauses",
  item: pausesItem
}

const planChangesItem: Shape = {
  kind: "object",
  message: "must be an object with from and planType",
  members: {
    from: { shape: from, required: "is required: send a month, such as 2028-06" },
    planType: {
      shape: planType,
      required:
        "is required: send one of STANDARD; EXTENDED; GRADUATED; INCOME BASED; INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE"
    }
  }
}

const planChanges: Shape = {
  kind: "list",
  message: "must be an array of 0 to 5 changes of plan, each an object with from and planType",
  min: 0,
  max: 5,
  lengthMessage: "must hold at most 5 changes of plan",
  item: planChangesItem
}

const amount: Shape = { kind: "number", min: 0.01, max: 100000000, send: "US dollars, such as 30000 or 1250.5" }

const lumpSumsItem: Shape = {
  kind: "object",
  message: "must be an object with on and amount",
  members: {
    on: { shape: from, required: "is required: send a month, such as 2027-03" },
    amount: { shape: amount, required: "is required: send US dollars, such as 5000" }
  }
}

const lumpSums: Shape = {
  kind: "list",
  message: "must be an array of 0 to 20 lump sums, each an object with on and amount",
  min: 0,
  max: 20,
  lengthMessage: "must hold at most 20 lump sums",
  item: lumpSumsItem
}

const discountRate: Shape = {
  kind: "number",
  min: 0,
  max: 0.2,
  isFraction: true,
  send: "a fraction, such as 0.0654 for 6.54%"
}

const scenario: Shape = {
  kind: "object",
  message: "must be a scenario object",
  members: {
    planType: {
      shape: planType,
      required:
        "is required: send one of STANDARD; EXTENDED; GRADUATED; INCOME BASED; INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE"
    },
    adjustedGrossIncome: {
      shape: adjustedGrossIncome,
      required: "is required: send annual US dollars, 0 for no income"
    },
    spouseAdjustedGrossIncome: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    filingStatus: {
      shape: filingStatus,
      required: "is required: send Single, MarriedFilingJointly, MarriedFilingSeparately or HeadOfHousehold"
    },
    dependents: { shape: dependents, required: "is required: send a whole number, 0 to 30" },
    state: { shape: state, required: "is required: send a two-letter US state code, such as NC" },
    workingTowardsPslf: { shape: workingTowardsPslf, required: "is required: send true or false" },
    annualIncomeGrowth: { shape: annualIncomeGrowth, byDefault: 0 },
    label: {
      shape: label,
      isNullable: true,
      nullMessage: "must be text of at most 80 characters, or null",
      byDefault: null
    },
    firstBorrowedOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true },
    annualPriceGrowth: { shape: annualPriceGrowth, isNullable: true, byDefault: 0, isAddition: true },
    changes: { shape: changes, isNullable: true, byDefault: [], isAddition: true },
    extraMonthlyPayment: {
      shape: extraMonthlyPayment,
      isNullable: true,
      byDefault: 0,
      isAddition: true,
      leftOutBelow: 0.005
    },
    familySize: { shape: familySize, isNullable: true, byDefault: null, isAddition: true },
    pauses: { shape: pauses, isNullable: true, byDefault: [], isAddition: true },
    planChanges: { shape: planChanges, isNullable: true, byDefault: [], isAddition: true },
    monthlyBudget: {
      shape: extraMonthlyPayment,
      isNullable: true,
      byDefault: 0,
      isAddition: true,
      leftOutBelow: 0.005
    },
    lumpSums: { shape: lumpSums, isNullable: true, byDefault: [], isAddition: true },
    discountRate: { shape: discountRate, isNullable: true, byDefault: null, isAddition: true }
  }
}

const loanType: Shape = {
  kind: "name",
  message:
    "must be one of the loan types: DIRECT CONSOLIDATED SUBSIDIZED; DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE); DIRECT CONSOLIDATED UNSUBSIDIZED; DIRECT PARENT PLUS; DIRECT PARENT PLUS CONSOLIDATED; DIRECT PLUS CONSOLIDATED; DIRECT PLUS GRADUATE; DIRECT PLUS PARENT; DIRECT STAFFORD SUBSIDIZED; DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE); DIRECT STAFFORD UNSUBSIDIZED; DIRECT UNSUBSIDIZED (TEACH); FEDERAL PERKINS; FEDERALLY INSURED (FISL); FFEL CONSOLIDATED; FFEL PARENT PLUS; FFEL PARENT PLUS CONSOLIDATED; FFEL PLUS GRADUATE; FFEL PLUS PARENT; FFEL REFINANCED; FFEL STAFFORD NON-SUBSIDIZED; FFEL STAFFORD SUBSIDIZED; FFEL STAFFORD UNSUBSIDIZED; FFEL SUPPLEMENTAL LOAN (SLS); HEALTH PROFESSIONS STUDENT LOAN (HPSL); INCOME CONTINGENT (ICL); NATIONAL DEFENSE LOAN (PERKINS); NATIONAL DIRECT STUDENT LOAN (PERKINS); PERKINS EXPANDED LENDING",
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
  min: 0,
  max: 1,
  isFraction: true,
  send: "a fraction, such as 0.0654 for 6.54%"
}

const idrMonthsInRepayment: Shape = {
  kind: "number",
  min: 0,
  max: 600,
  isWhole: true,
  send: "a whole number of months"
}

const pslfCount: Shape = { kind: "number", min: 0, max: 120, isWhole: true, send: "a whole number of payments" }

const loansItem32: Shape = {
  kind: "object",
  message: "must be a loan object",
  members: {
    loanType: {
      shape: loanType,
      required: "is required: send one of the loan type strings, such as DIRECT STAFFORD UNSUBSIDIZED"
    },
    principalBalance: { shape: adjustedGrossIncome, required: "is required: send US dollars, such as 30000" },
    interestBalance: { shape: adjustedGrossIncome, byDefault: 0 },
    interestRate: { shape: interestRate, required: "is required: send a fraction, such as 0.0654 for 6.54%" },
    disbursedAmount: { shape: adjustedGrossIncome, byDefault: 0 },
    idrMonthsInRepayment: { shape: idrMonthsInRepayment, byDefault: 0 },
    pslfCount: { shape: pslfCount, byDefault: 0 },
    madeOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true }
  }
}

const loans33: Shape = {
  kind: "list",
  message: "must be an array of 1 to 100 loan objects",
  min: 1,
  max: 100,
  lengthMessage: "must hold 1 to 100 loans",
  item: loansItem32
}

const armsItem: Shape = {
  kind: "object",
  message: "must be an object with scenario and loans",
  members: {
    scenario: { shape: scenario, required: "is required: send a scenario object" },
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" }
  }
}

const arms: Shape = {
  kind: "list",
  message: "must be an array of 2 to 10 arms",
  min: 2,
  max: 10,
  lengthMessage: "must hold 2 to 10 arms",
  item: armsItem
}

const first: Shape = {
  kind: "object",
  message: "must be an object with adjustedGrossIncome, workingTowardsPslf and loans",
  members: {
    adjustedGrossIncome: {
      shape: adjustedGrossIncome,
      required: "is required: send annual US dollars, 0 for no income"
    },
    workingTowardsPslf: { shape: workingTowardsPslf, required: "is required: send true or false" },
    firstBorrowedOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true },
    pauses: { shape: pauses, isNullable: true, byDefault: [], isAddition: true },
    loans: { shape: loans33, isNullable: true, byDefault: null, isAddition: true }
  }
}

const scenario37: Shape = {
  kind: "object",
  message: "must be a scenario object",
  notTaken: {
    planType: "is not sent here: every plan is computed. Send the plan that the borrower is in as currentPlan",
    planChanges: "is not sent here: send bestPath true to try changes of plan, or one request to POST /v1/projection",
    label: "is not sent here: each plan has a label of its own"
  },
  members: {
    adjustedGrossIncome: {
      shape: adjustedGrossIncome,
      required: "is required: send annual US dollars, 0 for no income"
    },
    spouseAdjustedGrossIncome: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    filingStatus: {
      shape: filingStatus,
      required: "is required: send Single, MarriedFilingJointly, MarriedFilingSeparately or HeadOfHousehold"
    },
    dependents: { shape: dependents, required: "is required: send a whole number, 0 to 30" },
    state: { shape: state, required: "is required: send a two-letter US state code, such as NC" },
    workingTowardsPslf: { shape: workingTowardsPslf, required: "is required: send true or false" },
    annualIncomeGrowth: { shape: annualIncomeGrowth, byDefault: 0 },
    firstBorrowedOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true },
    annualPriceGrowth: { shape: annualPriceGrowth, isNullable: true, byDefault: 0, isAddition: true },
    changes: { shape: changes, isNullable: true, byDefault: [], isAddition: true },
    extraMonthlyPayment: {
      shape: extraMonthlyPayment,
      isNullable: true,
      byDefault: 0,
      isAddition: true,
      leftOutBelow: 0.005
    },
    familySize: { shape: familySize, isNullable: true, byDefault: null, isAddition: true },
    pauses: { shape: pauses, isNullable: true, byDefault: [], isAddition: true },
    monthlyBudget: {
      shape: extraMonthlyPayment,
      isNullable: true,
      byDefault: 0,
      isAddition: true,
      leftOutBelow: 0.005
    },
    lumpSums: { shape: lumpSums, isNullable: true, byDefault: [], isAddition: true },
    discountRate: { shape: discountRate, isNullable: true, byDefault: null, isAddition: true }
  }
}

const month: Shape = {
  kind: "number",
  min: 1,
  max: 600,
  isWhole: true,
  send: "a whole number of months, counted from 1"
}

const ratePct: Shape = { kind: "number", min: 0, lowest: 1, max: 100, send: "0, or 1 or more: 6 means 6 percent" }

const loanType40: Shape = {
  kind: "name",
  message:
    "must be a loan type string of the API, or one of direct_subsidized, direct_unsubsidized, grad_plus_legacy, parent_plus, direct_consolidation, direct_consolidation_with_plus",
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
      DIRECT_SUBSIDIZED: "DIRECT STAFFORD SUBSIDIZED",
      DIRECT_UNSUBSIDIZED: "DIRECT STAFFORD UNSUBSIDIZED",
      GRAD_PLUS_LEGACY: "DIRECT PLUS GRADUATE",
      PARENT_PLUS: "DIRECT PLUS PARENT",
      DIRECT_CONSOLIDATION: "DIRECT CONSOLIDATED UNSUBSIDIZED",
      DIRECT_CONSOLIDATION_WITH_PLUS: "DIRECT PARENT PLUS CONSOLIDATED"
    }
  )
}

const incomeGrowthPct: Shape = { kind: "number", min: 0, max: 50, send: "a percentage: 6 means 6 percent" }

export const ProjectionRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with scenario and loans",
  members: {
    scenario: { shape: scenario, required: "is required: send a scenario object" },
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" },
    includeYearly: { shape: workingTowardsPslf, byDefault: false }
  }
}

export const ComparisonRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with arms",
  members: {
    arms: { shape: arms, required: "is required: send an array of 2 to 10 arms" },
    includeYearly: { shape: workingTowardsPslf, byDefault: false }
  }
}

export const CoupleRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with state, dependents, annualIncomeGrowth, first and second",
  members: {
    state: { shape: state, required: "is required: send a two-letter US state code, such as NC" },
    dependents: { shape: dependents, required: "is required: send a whole number, 0 to 30" },
    annualIncomeGrowth: { shape: annualIncomeGrowth, byDefault: 0 },
    annualPriceGrowth: { shape: annualPriceGrowth, isNullable: true, byDefault: 0, isAddition: true },
    discountRate: { shape: discountRate, isNullable: true, byDefault: null, isAddition: true },
    splitIncome: { shape: workingTowardsPslf, isNullable: true, byDefault: null, isAddition: true },
    first: { shape: first, required: "is required: send a spouse object" },
    second: { shape: first, required: "is required: send a spouse object" }
  }
}

export const PathsRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with scenario and loans",
  members: {
    scenario: { shape: scenario, required: "is required: send a scenario object" },
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" },
    includeYearly: { shape: workingTowardsPslf, byDefault: false },
    currentPlan: { shape: planType, isNullable: true, byDefault: null, isAddition: true }
  }
}

export const PlansRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with scenario and loans",
  notTaken: {
    planType: "is not sent here: every plan is computed. Send the plan that the borrower is in as currentPlan",
    planChanges: "is not sent here: send bestPath true to try changes of plan, or one request to POST /v1/projection",
    label: "is not sent here: each plan has a label of its own"
  },
  members: {
    scenario: { shape: scenario37, required: "is required: send a scenario object" },
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" },
    bestPath: { shape: workingTowardsPslf, byDefault: false },
    currentPlan: { shape: planType, isNullable: true, byDefault: null, isAddition: true }
  }
}

export const ExplainRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with scenario and loans",
  members: {
    scenario: { shape: scenario, required: "is required: send a scenario object" },
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" },
    includeYearly: { shape: workingTowardsPslf, byDefault: false },
    month: { shape: month, byDefault: 1 }
  }
}

export const EligibilityRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with loans",
  members: {
    loans: { shape: loans33, required: "is required: send an array of 1 to 100 loans" },
    firstBorrowedOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true }
  }
}

export const KeylessLoanRequest: Shape = {
  kind: "object",
  message: "must be a JSON object with balance, ratePct and borrowerAgi",
  members: {
    balance: { shape: adjustedGrossIncome, required: "is required: send US dollars, such as 30000" },
    ratePct: { shape: ratePct, required: "is required: send 0, or 1 or more: 6 means 6 percent" },
    borrowerAgi: { shape: adjustedGrossIncome, required: "is required: send annual US dollars, 0 for no income" },
    filingStatus: { shape: filingStatus, isNullable: true, byDefault: null },
    spouseAgi: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    spouseFederalLoanBalance: { shape: adjustedGrossIncome, isNullable: true, byDefault: null },
    dependents: { shape: dependents, byDefault: 0 },
    loanType: { shape: loanType40, isNullable: true, byDefault: null },
    state: { shape: state, isNullable: true, byDefault: null },
    pursuingPslf: { shape: workingTowardsPslf, byDefault: false },
    pslfCreditedMonths: { shape: pslfCount, byDefault: 0 },
    priorIdrMonths: { shape: idrMonthsInRepayment, byDefault: 0 },
    incomeGrowthPct: { shape: incomeGrowthPct, byDefault: 0 },
    borrowedOnOrAfterJul12026: { shape: workingTowardsPslf, isNullable: true, byDefault: null },
    firstBorrowedOn: { shape: firstBorrowedOn, isNullable: true, byDefault: null, isAddition: true },
    familySize: { shape: familySize, isNullable: true, byDefault: null, isAddition: true }
  }
}
