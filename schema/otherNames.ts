/**
 * Common names of plans, loan types, filing statuses, states and request properties that are not
 * those of the API. The API refuses them and names the value to send. Command-line flags accept
 * those that mean exactly one value. Aliases that the API accepts are defined with their fields.
 * Case, spaces and hyphens are ignored, and so are "plan", "loan" and "repayment" after the first
 * word.
 */
import type { OtherNames } from "./suggestion.ts"

const EITHER_INCOME_BASED = ["INCOME BASED", "INCOME BASED (OLD)"]

/** @law 20 U.S.C. 1098e(a)-(b), (e): the two rates of income-based repayment */
export const PLAN_NAMES: OtherNames = {
  names: {
    RAP: ["REPAYMENT ASSISTANCE"],
    IBR: EITHER_INCOME_BASED,
    "INCOME BASED": EITHER_INCOME_BASED,
    "INCOME DRIVEN": ["REPAYMENT ASSISTANCE", ...EITHER_INCOME_BASED],
    IDR: ["REPAYMENT ASSISTANCE", ...EITHER_INCOME_BASED],
    "NEW IBR": ["INCOME BASED"],
    "IBR NEW": ["INCOME BASED"],
    "IBR 2014": ["INCOME BASED"],
    "INCOME BASED NEW": ["INCOME BASED"],
    "OLD IBR": ["INCOME BASED (OLD)"],
    "IBR OLD": ["INCOME BASED (OLD)"],
    ICR: ["INCOME CONTINGENT"],
    PAYE: ["PAY AS YOU EARN"],
    REPAYE: ["REVISED PAY AS YOU EARN"],
    "SAVING ON A VALUABLE EDUCATION": ["SAVE"],
    "TEN YEAR": ["STANDARD"],
    "TEN YEAR STANDARD": ["STANDARD"],
    "10 YEAR STANDARD": ["STANDARD"],
    "STANDARD 10 YEAR": ["STANDARD"]
  },
  told: {
    "REPAYMENT ASSISTANCE": "1 to 10 percent of the whole income",
    "INCOME BASED": "10 percent of discretionary income, for new borrowers from 1 July 2014 on",
    "INCOME BASED (OLD)": "15 percent of discretionary income, for earlier borrowers"
  },
  advice: {
    "TIERED STANDARD":
      "send STANDARD and each loan's madeOn: with a Direct loan made on or after 1 July 2026, STANDARD is the Tiered Standard plan"
  }
}

const OF_DIRECT = "a Direct loan"
const OF_FFEL = "an FFEL loan, made before July 2010"
const CONSOLIDATED = ["DIRECT CONSOLIDATED SUBSIDIZED", "DIRECT CONSOLIDATED UNSUBSIDIZED"]
const PARENT_PLUS = ["DIRECT PLUS PARENT", "FFEL PLUS PARENT"]
const GRADUATE_PLUS = ["DIRECT PLUS GRADUATE", "FFEL PLUS GRADUATE"]
const SUBSIDIZED = ["DIRECT STAFFORD SUBSIDIZED", "FFEL STAFFORD SUBSIDIZED"]
const UNSUBSIDIZED = ["DIRECT STAFFORD UNSUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED"]

export const LOAN_NAMES: OtherNames = {
  names: {
    "DIRECT SUBSIDIZED": ["DIRECT STAFFORD SUBSIDIZED"],
    "DIRECT UNSUBSIDIZED": ["DIRECT STAFFORD UNSUBSIDIZED"],
    SUBSIDIZED,
    UNSUBSIDIZED,
    "STAFFORD SUBSIDIZED": SUBSIDIZED,
    "STAFFORD UNSUBSIDIZED": UNSUBSIDIZED,
    "SUBSIDIZED STAFFORD": SUBSIDIZED,
    "UNSUBSIDIZED STAFFORD": UNSUBSIDIZED,
    STAFFORD: [...SUBSIDIZED, ...UNSUBSIDIZED],
    "DIRECT STAFFORD": ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED"],
    DIRECT: ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED"],
    "FFEL STAFFORD": ["FFEL STAFFORD SUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED"],
    "PARENT PLUS": PARENT_PLUS,
    "PLUS PARENT": PARENT_PLUS,
    "GRAD PLUS": GRADUATE_PLUS,
    "GRADUATE PLUS": GRADUATE_PLUS,
    "PLUS GRADUATE": GRADUATE_PLUS,
    "DIRECT GRAD PLUS": ["DIRECT PLUS GRADUATE"],
    "DIRECT GRADUATE PLUS": ["DIRECT PLUS GRADUATE"],
    PLUS: ["DIRECT PLUS GRADUATE", "DIRECT PLUS PARENT"],
    "DIRECT PLUS": ["DIRECT PLUS GRADUATE", "DIRECT PLUS PARENT"],
    CONSOLIDATION: CONSOLIDATED,
    CONSOLIDATED,
    "DIRECT CONSOLIDATION": CONSOLIDATED,
    "DIRECT CONSOLIDATED": CONSOLIDATED,
    "FFEL CONSOLIDATION": ["FFEL CONSOLIDATED"],
    PERKINS: ["FEDERAL PERKINS"],
    FISL: ["FEDERALLY INSURED (FISL)"],
    SLS: ["FFEL SUPPLEMENTAL LOAN (SLS)"],
    HPSL: ["HEALTH PROFESSIONS STUDENT LOAN (HPSL)"],
    ICL: ["INCOME CONTINGENT (ICL)"],
    TEACH: ["DIRECT UNSUBSIDIZED (TEACH)"]
  },
  told: {
    "DIRECT STAFFORD SUBSIDIZED": OF_DIRECT,
    "DIRECT STAFFORD UNSUBSIDIZED": OF_DIRECT,
    "DIRECT PLUS PARENT": "a Direct loan to a parent",
    "DIRECT PLUS GRADUATE": "a Direct loan to a graduate student",
    "FFEL STAFFORD SUBSIDIZED": OF_FFEL,
    "FFEL STAFFORD UNSUBSIDIZED": OF_FFEL,
    "FFEL PLUS PARENT": OF_FFEL,
    "FFEL PLUS GRADUATE": OF_FFEL
  }
}

const SURVIVING_SPOUSE =
  "for a qualifying surviving spouse send HeadOfHousehold: the payments are the same, and the tax on what is forgiven comes out higher than yours, which has the brackets of a joint return"

export const FILING_NAMES: OtherNames = {
  names: {
    MARRIED: ["MarriedFilingJointly", "MarriedFilingSeparately"],
    JOINT: ["MarriedFilingJointly"],
    JOINTLY: ["MarriedFilingJointly"],
    "MARRIED JOINT": ["MarriedFilingJointly"],
    "MARRIED JOINTLY": ["MarriedFilingJointly"],
    "FILING JOINTLY": ["MarriedFilingJointly"],
    SEPARATE: ["MarriedFilingSeparately"],
    SEPARATELY: ["MarriedFilingSeparately"],
    "MARRIED SEPARATE": ["MarriedFilingSeparately"],
    "MARRIED SEPARATELY": ["MarriedFilingSeparately"],
    "FILING SEPARATELY": ["MarriedFilingSeparately"],
    HEAD: ["HeadOfHousehold"],
    UNMARRIED: ["Single"],
    "NOT MARRIED": ["Single"]
  },
  told: { MarriedFilingJointly: "one return of both", MarriedFilingSeparately: "a return of each" },
  advice: Object.fromEntries(
    ["QUALIFYING SURVIVING SPOUSE", "SURVIVING SPOUSE", "QUALIFYING WIDOW", "QUALIFYING WIDOWER", "WIDOWED"].map(
      (name) => [name, SURVIVING_SPOUSE]
    )
  )
}

const NAMES_OF_STATES =
  "AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware; FL Florida; GA Georgia; HI Hawaii; ID Idaho; IL Illinois; IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota; MS Mississippi; MO Missouri; MT Montana; NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York; NC North Carolina; ND North Dakota; OH Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin; WY Wyoming; DC District of Columbia; DC Washington DC; PR Puerto Rico; GU Guam; VI Virgin Islands; VI US Virgin Islands; VI United States Virgin Islands; AS American Samoa; MP Northern Mariana Islands; MP CNMI"

/** Mail of the armed forces, the states in free association, and addresses abroad. */
const ABROAD = [
  "AA",
  "AE",
  "AP",
  "APO",
  "FPO",
  "DPO",
  "FM",
  "MH",
  "PW",
  "FC",
  "ABROAD",
  "FOREIGN",
  "OVERSEAS",
  "MILITARY"
]

/** @law 34 CFR 685.209(b): the poverty guideline of a borrower who lives in no state */
const IN_NO_STATE =
  "an address abroad or of the military has the poverty guideline of the 48 contiguous states: send any of them, such as TX, which adds no state tax"

export const STATE_NAMES: OtherNames = {
  names: Object.fromEntries(NAMES_OF_STATES.split("; ").map((entry) => [entry.slice(3), [entry.slice(0, 2)]])),
  advice: Object.fromEntries(ABROAD.map((name) => [name, IN_NO_STATE]))
}

const INCOMES = ["adjustedGrossIncome", "borrowerAgi"]
const SPOUSE_INCOMES = ["spouseAdjustedGrossIncome", "spouseAgi"]
const BALANCES = ["principalBalance", "balance"]
const RATES = ["interestRate", "ratePct"]
const FOR_PUBLIC_SERVICE = ["workingTowardsPslf", "pursuingPslf"]
const GROWTHS = ["annualIncomeGrowth", "incomeGrowthPct"]
const PUBLIC_SERVICE_COUNTS = ["pslfCount", "pslfCreditedMonths"]
const IDR_COUNTS = ["idrMonthsInRepayment", "priorIdrMonths"]

/** Common names of request properties, and the properties that each may mean in some object. */
export const PROPERTY_NAMES: OtherNames["names"] = {
  PLAN: ["planType"],
  PLANNAME: ["planType"],
  REPAYMENT: ["planType"],
  REPAYMENTPLAN: ["planType"],
  AGI: INCOMES,
  INCOME: INCOMES,
  ANNUALINCOME: INCOMES,
  SPOUSEINCOME: SPOUSE_INCOMES,
  SPOUSESINCOME: SPOUSE_INCOMES,
  SPOUSEBALANCE: ["spouseFederalLoanBalance"],
  SPOUSELOANBALANCE: ["spouseFederalLoanBalance"],
  STATUS: ["filingStatus"],
  FILING: ["filingStatus"],
  MARITALSTATUS: ["filingStatus"],
  TAXFILINGSTATUS: ["filingStatus"],
  CHILDREN: ["dependents"],
  KIDS: ["dependents"],
  NUMBEROFDEPENDENTS: ["dependents"],
  PSLF: FOR_PUBLIC_SERVICE,
  PUBLICSERVICE: FOR_PUBLIC_SERVICE,
  WORKINGTOWARDPSLF: FOR_PUBLIC_SERVICE,
  GROWTH: GROWTHS,
  INCOMEGROWTH: GROWTHS,
  INCOMEGROWTHRATE: GROWTHS,
  INFLATION: ["annualPriceGrowth"],
  PRICEGROWTH: ["annualPriceGrowth"],
  EXTRAPAYMENT: ["extraMonthlyPayment"],
  YEAR: ["fromYear"],
  FIRSTBORROWED: ["firstBorrowedOn"],
  FIRSTLOANDATE: ["firstBorrowedOn"],
  LOANDATE: ["madeOn"],
  DATEMADE: ["madeOn"],
  DISBURSEDON: ["madeOn"],
  DISBURSEMENTDATE: ["madeOn"],
  NAME: ["label"],
  TYPE: ["loanType"],
  AMOUNT: BALANCES,
  BALANCE: BALANCES,
  LOANBALANCE: BALANCES,
  PRINCIPAL: BALANCES,
  INTEREST: ["interestRate", "interestBalance", "ratePct"],
  UNPAIDINTEREST: ["interestBalance"],
  ACCRUEDINTEREST: ["interestBalance"],
  APR: RATES,
  RATE: RATES,
  ORIGINALBALANCE: ["disbursedAmount"],
  PSLFPAYMENTS: PUBLIC_SERVICE_COUNTS,
  QUALIFYINGPAYMENTS: PUBLIC_SERVICE_COUNTS,
  IDRMONTHS: IDR_COUNTS,
  MONTHSINREPAYMENT: IDR_COUNTS,
  YEARLY: ["includeYearly"],
  SCENARIOS: ["arms"],
  LOAN: ["loans"]
}
