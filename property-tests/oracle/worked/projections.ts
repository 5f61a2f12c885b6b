/**
 * Hand-worked whole projections (cases 51 to 57, 61 to 81). `payments` counts months with a
 * payment, one more than monthsToFinish. Cases 58 to 60 are in property-tests/oracle.test.ts.
 */
import type { WireLoan, WireScenario } from "../wire.ts"

export interface ProjectionCase {
  readonly id: number
  readonly what: string
  readonly scenario: Partial<WireScenario> & Pick<WireScenario, "planType">
  readonly loan: Partial<WireLoan> & Pick<WireLoan, "principalBalance" | "interestRate">
  readonly payments?: number
  readonly paid: string
  readonly forgiven?: string
  readonly type?: "Pslf" | "TimeBased"
  readonly waived?: string
  readonly matched?: string
  readonly accruedLeft?: string
  /** The first payment of each step of a schedule, or of each projection year. */
  readonly steps?: { readonly months: number; readonly amounts: ReadonlyArray<string> }
  /** Principal after the first months. */
  readonly principal?: ReadonlyArray<string>
}

const standard = { planType: "STANDARD" }
const graduated = { planType: "GRADUATED" }

export const fixedPlans: ReadonlyArray<ProjectionCase> = [
  {
    id: 51,
    what: "STANDARD 30,000 at 6 percent",
    scenario: standard,
    loan: { principalBalance: 30_000, interestRate: 0.06 },
    payments: 120,
    paid: "39967.38",
    steps: { months: 1, amounts: ["333.06"] }
  },
  {
    id: 52,
    what: "STANDARD 35,000 at 5.5 percent",
    scenario: standard,
    loan: { principalBalance: 35_000, interestRate: 0.055 },
    payments: 120,
    paid: "45581.04",
    steps: { months: 1, amounts: ["379.84"] }
  },
  {
    id: 53,
    what: "the same with 60 prior months",
    scenario: standard,
    loan: { principalBalance: 35_000, interestRate: 0.055, idrMonthsInRepayment: 60 },
    payments: 60,
    paid: "40112.44",
    steps: { months: 1, amounts: ["668.54"] }
  },
  {
    id: 54,
    what: "STANDARD without interest",
    scenario: standard,
    loan: { principalBalance: 30_000, interestRate: 0 },
    payments: 120,
    paid: "30000.00",
    steps: { months: 1, amounts: ["250.00"] }
  },
  {
    id: 55,
    what: "STANDARD 3,000 at 5 percent pays 50",
    scenario: standard,
    loan: { principalBalance: 3_000, interestRate: 0.05 },
    payments: 70,
    paid: "3459.39",
    steps: { months: 1, amounts: ["50.00"] }
  },
  {
    id: 56,
    what: "EXTENDED 31,000 at 6 percent",
    scenario: { planType: "EXTENDED" },
    loan: { principalBalance: 31_000, interestRate: 0.06 },
    payments: 300,
    paid: "59920.03",
    steps: { months: 1, amounts: ["199.73"] }
  },
  {
    id: 57,
    what: "STANDARD consolidation of 60,000 at 6 percent, 30 years",
    scenario: standard,
    loan: { loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", principalBalance: 60_000, interestRate: 0.06 },
    payments: 360,
    paid: "129502.91",
    steps: { months: 1, amounts: ["359.73"] }
  },
  {
    id: 61,
    what: "GRADUATED 30,000 at 6 percent",
    scenario: graduated,
    loan: { principalBalance: 30_000, interestRate: 0.06 },
    payments: 120,
    paid: "42635.98",
    steps: { months: 24, amounts: ["190.46", "250.65", "329.88", "434.14", "571.37"] }
  },
  {
    id: 62,
    what: "GRADUATED 10,000 without interest",
    scenario: graduated,
    loan: { principalBalance: 10_000, interestRate: 0 },
    payments: 120,
    paid: "10000.00",
    steps: { months: 24, amounts: ["44.67", "58.79", "77.37", "101.83", "134.01"] }
  }
]

const rap = (adjustedGrossIncome: number) => ({ planType: "REPAYMENT ASSISTANCE", adjustedGrossIncome })
const sixtyAt65 = { principalBalance: 60_000, interestRate: 0.065 }
const eightyAt65 = { principalBalance: 80_000, interestRate: 0.065, pslfCount: 60 }
const pslf = { adjustedGrossIncome: 60_000, workingTowardsPslf: true }
const hundredAt68 = { principalBalance: 100_000, interestRate: 0.068 }

export const wholeProjections: ReadonlyArray<ProjectionCase> = [
  {
    id: 63,
    what: "income 60,000, 30,000 at 6 percent",
    scenario: rap(60_000),
    loan: { principalBalance: 30_000, interestRate: 0.06 },
    payments: 184,
    paid: "45929.10",
    principal: ["29900.00", "29799.50", "29698.50"]
  },
  {
    id: 64,
    what: "income 30,000, 60,000 at 6.5 percent",
    scenario: rap(30_000),
    loan: sixtyAt65,
    payments: 360,
    paid: "18000.00",
    forgiven: "42000.00",
    type: "TimeBased",
    matched: "18000.00",
    waived: "81498.75"
  },
  {
    id: 65,
    what: "the same with 100 prior months",
    scenario: rap(30_000),
    loan: { ...sixtyAt65, idrMonthsInRepayment: 100 },
    payments: 260,
    paid: "13000.00",
    forgiven: "47000.00",
    type: "TimeBased",
    matched: "13000.00"
  },
  {
    id: 66,
    what: "income 9,000, 20,000 at 5 percent",
    scenario: rap(9_000),
    loan: { principalBalance: 20_000, interestRate: 0.05 },
    payments: 360,
    paid: "3600.00",
    forgiven: "16400.00",
    type: "TimeBased",
    matched: "3600.00"
  },
  {
    id: 67,
    what: "income 45,000, 1 dependent, 40,000 at 6.52 percent",
    scenario: { ...rap(45_000), dependents: 1 },
    loan: { principalBalance: 40_000, interestRate: 0.0652 },
    payments: 360,
    paid: "36000.00",
    forgiven: "22000.00",
    type: "TimeBased",
    matched: "18000.00",
    steps: { months: 1, amounts: ["100.00"] }
  },
  {
    id: 68,
    what: "as case 63 with 5,000 of unpaid interest",
    scenario: rap(60_000),
    loan: { principalBalance: 30_000, interestRate: 0.06, interestBalance: 5_000 },
    payments: 209,
    paid: "52176.96",
    matched: "2350.00"
  },
  {
    id: 69,
    what: "income 58,000 growing 3 percent, 60,000 at 6.5 percent",
    scenario: { ...rap(58_000), annualIncomeGrowth: 0.03 },
    loan: sixtyAt65,
    payments: 233,
    paid: "110736.37",
    steps: { months: 12, amounts: ["241.67", "248.92", "307.66", "316.89", "326.40"] }
  },
  {
    id: 70,
    what: "REPAYMENT ASSISTANCE with 60 of 120 PSLF payments",
    scenario: { ...rap(60_000), ...pslf },
    loan: eightyAt65,
    payments: 60,
    paid: "15000.00",
    forgiven: "77000.00",
    type: "Pslf"
  },
  {
    id: 71,
    // 19 of 300.50 leave 19 * (433.33 - 300.50) = 2,523.83 unpaid
    // 41 of 250.00 with 50.00 matched: 80,000 - 2,050
    what: "PAY AS YOU EARN, from July 2028 REPAYMENT ASSISTANCE, with 60 of 120 PSLF payments",
    scenario: { planType: "PAY AS YOU EARN", ...pslf },
    loan: eightyAt65,
    payments: 60,
    paid: "15959.50",
    forgiven: "80473.83",
    type: "Pslf",
    matched: "2050.00",
    waived: "7294.58"
  },
  {
    id: 72,
    what: "STANDARD with 60 of 120 PSLF payments pays off in the 60 that are left",
    scenario: { ...standard, ...pslf },
    loan: eightyAt65,
    payments: 60,
    paid: "93917.51",
    steps: { months: 1, amounts: ["1565.29"] }
  },
  {
    id: 73,
    what: "INCOME BASED (OLD), income 60,000, 100,000 at 6.8 percent",
    scenario: { planType: "INCOME BASED (OLD)", adjustedGrossIncome: 60_000 },
    loan: hundredAt68,
    payments: 300,
    paid: "135225.00",
    forgiven: "134775.00",
    type: "TimeBased",
    accruedLeft: "34775.00"
  },
  {
    id: 74,
    what: "INCOME BASED, the same",
    scenario: { planType: "INCOME BASED", adjustedGrossIncome: 60_000 },
    loan: hundredAt68,
    payments: 240,
    paid: "72120.00",
    forgiven: "163880.00",
    type: "TimeBased",
    accruedLeft: "63880.00"
  },
  {
    id: 75,
    what: "INCOME BASED, income 35,000, 30,000 at 5 percent, subsidized",
    scenario: { planType: "INCOME BASED", adjustedGrossIncome: 35_000 },
    loan: { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 30_000, interestRate: 0.05 },
    payments: 240,
    paid: "22120.00",
    forgiven: "36698.00",
    type: "TimeBased",
    waived: "1182.00"
  },
  {
    id: 76,
    what: "the same, unsubsidized",
    scenario: { planType: "INCOME BASED", adjustedGrossIncome: 35_000 },
    loan: { principalBalance: 30_000, interestRate: 0.05 },
    payments: 240,
    paid: "22120.00",
    forgiven: "37880.00",
    type: "TimeBased"
  },
  {
    id: 77,
    what: "INCOME BASED (OLD), income 60,000 growing 3 percent",
    scenario: { planType: "INCOME BASED (OLD)", adjustedGrossIncome: 60_000, annualIncomeGrowth: 0.03 },
    loan: hundredAt68,
    payments: 299,
    paid: "235021.97"
  },
  {
    id: 78,
    // 19 of 734.00 leave 85,000 * 1.005^19 - 734 * (1.005^19 - 1) / 0.005 = 78,857.17
    // 341 of 250.00 are under the interest, which falls to 309; each has a match of 50.00
    what: "INCOME CONTINGENT, from July 2028 REPAYMENT ASSISTANCE, income 60,000, 85,000 at 6 percent",
    scenario: { planType: "INCOME CONTINGENT", adjustedGrossIncome: 60_000 },
    loan: { principalBalance: 85_000, interestRate: 0.06 },
    payments: 360,
    paid: "99196.00",
    forgiven: "61807.17",
    type: "TimeBased",
    matched: "17050.00",
    steps: { months: 19, amounts: ["734.00", "250.00"] }
  },
  {
    id: 79,
    what: "SAVE undergraduate, income 60,000, 30,000 at 5 percent",
    scenario: { planType: "SAVE", adjustedGrossIncome: 60_000 },
    loan: { principalBalance: 30_000, interestRate: 0.05 },
    payments: 240,
    paid: "24090.00",
    forgiven: "30000.00",
    type: "TimeBased",
    waived: "5910.00"
  },
  {
    id: 80,
    what: "SAVE, income 40,000, 12,000 originally at 5 percent",
    scenario: { planType: "SAVE", adjustedGrossIncome: 40_000 },
    loan: { principalBalance: 12_000, interestRate: 0.05 },
    payments: 120,
    paid: "2045.00",
    forgiven: "12000.00",
    type: "TimeBased",
    steps: { months: 1, amounts: ["17.04"] }
  },
  {
    id: 81,
    what: "REVISED PAY AS YOU EARN, half of 266.17 a month is charged",
    scenario: { planType: "REVISED PAY AS YOU EARN", adjustedGrossIncome: 60_000 },
    loan: hundredAt68,
    payments: 240,
    paid: "72120.00",
    forgiven: "131940.00",
    type: "TimeBased",
    waived: "31940.00"
  }
]
