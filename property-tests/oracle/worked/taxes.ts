/**
 * Hand-worked taxes of 2026 on forgiven balances, in dollars and cents (examples 1 to 14).
 * `forgiven` is the time-based part: 0 for PSLF and teacher forgiveness (9, 10), which add no
 * income.
 */
interface TaxCase {
  readonly id: number
  readonly filingStatus: string
  readonly income: number
  readonly spouseIncome?: number
  readonly growth?: number
  readonly year?: number
  readonly dependents?: number
  readonly state: string
  readonly forgiven: number
  readonly federal: string
  readonly stateTax: string
}

export const taxCases: ReadonlyArray<TaxCase> = [
  {
    id: 1,
    filingStatus: "Single",
    income: 60_000,
    state: "TX",
    forgiven: 50_000,
    federal: "10350.00",
    stateTax: "0.00"
  },
  {
    id: 2,
    filingStatus: "MFJ",
    income: 70_000,
    spouseIncome: 50_000,
    state: "IN",
    forgiven: 80_000,
    federal: "16300.00",
    stateTax: "2360.00"
  },
  {
    id: 3,
    filingStatus: "MFS",
    income: 55_000,
    spouseIncome: 90_000,
    state: "NC",
    forgiven: 100_000,
    federal: "21514.00",
    stateTax: "3990.00"
  },
  {
    id: 4,
    filingStatus: "HOH",
    income: 48_000,
    dependents: 2,
    state: "WI",
    forgiven: 60_000,
    federal: "8840.00",
    stateTax: "3461.71"
  },
  {
    id: 5,
    filingStatus: "Single",
    income: 60_000,
    state: "AR",
    forgiven: 80_000,
    federal: "17314.00",
    stateTax: "3247.30"
  },
  {
    id: 6,
    filingStatus: "Single",
    income: 40_000,
    dependents: 1,
    state: "MS",
    forgiven: 45_000,
    federal: "7250.00",
    stateTax: "1800.00"
  },
  { id: 7, filingStatus: "Single", income: 0, state: "IN", forgiven: 30_000, federal: "1420.00", stateTax: "855.50" },
  {
    id: 8,
    filingStatus: "MFJ",
    income: 110_000,
    state: "WI",
    forgiven: 150_000.25,
    federal: "31028.06",
    stateTax: "8470.88"
  },
  { id: 9, filingStatus: "Single", income: 65_000, state: "MS", forgiven: 0, federal: "0.00", stateTax: "0.00" },
  { id: 10, filingStatus: "Single", income: 52_000, state: "AR", forgiven: 0, federal: "0.00", stateTax: "0.00" },
  {
    id: 11,
    filingStatus: "Single",
    income: 50_000,
    state: "AR",
    forgiven: 48_500,
    federal: "9020.00",
    stateTax: "1921.80"
  },
  {
    id: 12,
    filingStatus: "MFJ",
    income: 80_000,
    growth: 0.03,
    year: 19,
    state: "WI",
    forgiven: 75_000.4,
    federal: "16500.09",
    stateTax: "4178.48"
  },
  {
    id: 13,
    filingStatus: "Single",
    income: 600_000,
    state: "NC",
    forgiven: 200_000,
    federal: "72866.00",
    stateTax: "7980.00"
  },
  {
    id: 14,
    filingStatus: "HOH",
    income: 70_000,
    state: "CA",
    forgiven: 64_000,
    federal: "12003.00",
    stateTax: "0.00"
  }
]
