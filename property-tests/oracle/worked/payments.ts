/**
 * Hand-worked first monthly payments (cases 1 to 50): a short request, and the amount in dollars
 * and cents. Guideline and factor tables are those of 2026. Loans are large and unsubsidized by
 * default.
 */
import type { WireLoan, WireScenario } from "../wire.ts"

interface PaymentCase {
  readonly id: number | string
  readonly what: string
  readonly scenario: Partial<WireScenario> & Pick<WireScenario, "planType" | "adjustedGrossIncome">
  readonly loans?: ReadonlyArray<Partial<WireLoan>>
  readonly payment: string
}

const rap = (adjustedGrossIncome: number, dependents = 0) => ({
  planType: "REPAYMENT ASSISTANCE",
  adjustedGrossIncome,
  dependents
})

/** Case, income, and payment with 0, 1 and 2 dependents. */
const assistanceTable: ReadonlyArray<readonly [number, number, string, string, string]> = [
  [1, 0, "10.00", "10.00", "10.00"],
  [2, 10_000, "10.00", "10.00", "10.00"],
  [3, 10_001, "10.00", "10.00", "10.00"],
  [4, 12_001, "10.00", "10.00", "10.00"],
  [5, 20_000, "16.67", "10.00", "10.00"],
  [6, 20_001, "33.34", "10.00", "10.00"],
  [7, 30_000, "50.00", "10.00", "10.00"],
  [8, 30_001, "75.00", "25.00", "10.00"],
  [9, 40_000, "100.00", "50.00", "10.00"],
  [10, 50_000, "166.67", "116.67", "66.67"],
  [11, 50_001, "208.34", "158.34", "108.34"],
  [12, 60_000, "250.00", "200.00", "150.00"],
  [13, 60_001, "300.01", "250.01", "200.01"],
  [14, 80_000, "466.67", "416.67", "366.67"],
  [15, 80_001, "533.34", "483.34", "433.34"],
  [16, 100_000, "750.00", "700.00", "650.00"],
  [17, 100_001, "833.34", "783.34", "733.34"],
  [18, 250_000, "2083.33", "2033.33", "1983.33"]
]

export const assistancePayments: ReadonlyArray<PaymentCase> = [
  ...assistanceTable.flatMap(([id, income, ...payments]) =>
    payments.map((payment, dependents) => ({
      id: `${id}.${dependents}`,
      what: `REPAYMENT ASSISTANCE, income ${income}, ${dependents} dependents`,
      scenario: rap(income, dependents),
      payment
    }))
  ),
  {
    id: 19,
    what: "joint return, 60,000 and 45,000, 2 dependents",
    scenario: { ...rap(60_000, 2), filingStatus: "MFJ", spouseAdjustedGrossIncome: 45_000 },
    payment: "775.00"
  },
  {
    id: 20,
    what: "the same couple filing separately",
    scenario: { ...rap(60_000, 2), filingStatus: "MFS", spouseAdjustedGrossIncome: 45_000 },
    payment: "150.00"
  },
  {
    id: 21,
    what: "joint return, own loans 30,000, the spouse's 10,000",
    scenario: { ...rap(80_000), filingStatus: "MarriedFilingJointly", spouseFederalLoanBalance: 10_000 },
    loans: [{ principalBalance: 30_000 }],
    payment: "350.00"
  },
  {
    id: 22,
    what: "a share of 5 percent leaves 2.50, lifted to the least payment",
    scenario: { ...rap(30_000), filingStatus: "MFJ", spouseFederalLoanBalance: 95_000 },
    loans: [{ principalBalance: 5_000 }],
    payment: "10.00"
  }
]

const ibr = (adjustedGrossIncome: number) => ({ planType: "INCOME BASED", adjustedGrossIncome })
const oldIbr = (adjustedGrossIncome: number) => ({ planType: "INCOME BASED (OLD)", adjustedGrossIncome })

export const discretionaryPayments: ReadonlyArray<PaymentCase> = [
  { id: 26, what: "15 percent", scenario: oldIbr(60_000), payment: "450.75" },
  { id: "27 IBR", what: "10 percent", scenario: ibr(60_000), payment: "300.50" },
  {
    id: "27 PAYE",
    what: "10 percent",
    scenario: { planType: "PAY AS YOU EARN", adjustedGrossIncome: 60_000 },
    payment: "300.50"
  },
  {
    id: "27 REPAYE",
    what: "10 percent",
    scenario: { planType: "REVISED PAY AS YOU EARN", adjustedGrossIncome: 60_000 },
    payment: "300.50"
  },
  { id: 28, what: "a small amount over 10 stands", scenario: oldIbr(25_000), payment: "13.25" },
  { id: 29, what: "exactly 5 becomes 10", scenario: ibr(24_540), payment: "10.00" },
  { id: 30, what: "4.99 becomes nothing", scenario: ibr(24_539), payment: "0.00" },
  { id: 31, what: "9.99 becomes 10", scenario: ibr(25_139), payment: "10.00" },
  {
    id: 32,
    what: "head of household, family of 3",
    scenario: { ...oldIbr(55_000), filingStatus: "HOH", dependents: 2 },
    payment: "175.25"
  },
  {
    id: 33,
    what: "joint return, family of 4",
    scenario: { ...ibr(70_000), spouseAdjustedGrossIncome: 50_000, filingStatus: "MFJ", dependents: 2 },
    payment: "587.50"
  },
  {
    id: 34,
    what: "separate returns, family of 3",
    scenario: { ...ibr(60_000), spouseAdjustedGrossIncome: 50_000, filingStatus: "MFS", dependents: 2 },
    payment: "158.50"
  },
  { id: 35, what: "Alaska", scenario: { ...oldIbr(60_000), state: "AK" }, payment: "375.94" },
  { id: 36, what: "Hawaii", scenario: { ...oldIbr(60_000), state: "hi" }, payment: "405.75" },
  {
    id: 37,
    what: "the ten-year amount caps",
    scenario: oldIbr(150_000),
    loans: [{ principalBalance: 30_000, interestRate: 0.06 }],
    payment: "333.06"
  },
  {
    id: 38,
    what: "the cap of two loans",
    scenario: oldIbr(150_000),
    loans: [
      { principalBalance: 10_000, interestRate: 0.05 },
      { principalBalance: 20_000, interestRate: 0.07 }
    ],
    payment: "338.28"
  },
  {
    id: 39,
    what: "joint return, own 40,000 at 6 percent, the spouse's 60,000",
    scenario: { ...oldIbr(120_000), filingStatus: "MFJ", spouseFederalLoanBalance: 60_000 },
    loans: [{ principalBalance: 40_000, interestRate: 0.06 }],
    payment: "437.70"
  },
  {
    id: 40,
    what: "SAVE, undergraduate",
    scenario: { planType: "SAVE", adjustedGrossIncome: 60_000 },
    payment: "100.38"
  },
  {
    id: 41,
    what: "SAVE, graduate",
    scenario: { planType: "SAVE", adjustedGrossIncome: 60_000 },
    loans: [{ loanType: "DIRECT PLUS GRADUATE" }],
    payment: "200.75"
  },
  {
    id: 42,
    what: "SAVE, 30,000 undergraduate and 70,000 graduate originally",
    scenario: { planType: "SAVE", adjustedGrossIncome: 60_000 },
    loans: [
      { principalBalance: 12_345, disbursedAmount: 30_000 },
      { loanType: "DIRECT PLUS GRADUATE", principalBalance: 70_000 }
    ],
    payment: "170.64"
  }
]

const icr = (adjustedGrossIncome: number) => ({ planType: "INCOME CONTINGENT", adjustedGrossIncome })
const joint = { filingStatus: "MFJ", spouseAdjustedGrossIncome: 49_146 }
const at6 = (principalBalance: number) => [{ principalBalance, interestRate: 0.06 }]

export const contingentPayments: ReadonlyArray<PaymentCase> = [
  { id: 43, what: "15,000 at 6 percent", scenario: icr(35_104), loans: at6(15_000), payment: "105.23" },
  { id: 44, what: "60,000 at 6 percent", scenario: icr(41_769), loans: at6(60_000), payment: "430.15" },
  {
    id: "45 together",
    what: "joint return, 25,000 at 6 percent",
    scenario: { ...icr(50_000), ...joint },
    loans: at6(25_000),
    payment: "266.90"
  },
  {
    id: "45 own 10,000",
    what: "joint return, the spouse owes 15,000",
    scenario: { ...icr(50_000), ...joint, spouseFederalLoanBalance: 15_000 },
    loans: at6(10_000),
    payment: "106.76"
  },
  {
    id: "45 own 15,000",
    what: "joint return, the spouse owes 10,000",
    scenario: { ...icr(50_000), ...joint, spouseFederalLoanBalance: 10_000 },
    loans: at6(15_000),
    payment: "160.14"
  },
  {
    // 20 % * (100,000 - 21,640) / 12 = 1,306.00; 829.47 in twelve years, times 109.80 %
    id: "45 no share",
    what: "joint return, the spouse owes 85,000",
    scenario: {
      ...icr(60_000),
      filingStatus: "MFJ",
      spouseAdjustedGrossIncome: 40_000,
      spouseFederalLoanBalance: 85_000
    },
    loans: at6(85_000),
    payment: "910.76"
  },
  { id: 46, what: "factor between rows", scenario: icr(50_000), loans: at6(30_000), payment: "254.20" },
  { id: 47, what: "factor between rows", scenario: icr(60_000), loans: at6(30_000), payment: "278.47" },
  {
    id: 48,
    what: "head of household, 1 dependent",
    scenario: { ...icr(60_000), filingStatus: "HOH", dependents: 1 },
    loans: at6(85_000),
    payment: "639.33"
  },
  { id: 49, what: "2.33 becomes 5", scenario: icr(16_100), loans: at6(30_000), payment: "5.00" },
  {
    id: 50,
    what: "100,000 at 7 percent",
    scenario: icr(250_000),
    loans: [{ principalBalance: 100_000, interestRate: 0.07 }],
    payment: "1716.37"
  }
]
