/** The income percentage factors of Income-Contingent Repayment, announced each year. */
import { series } from "../entry.ts"
import { federalStudentAid } from "../sources.ts"

export const icrIncomePercentageFactors = series(
  {
    plan: "INCOME CONTINGENT",
    unit: "percent by AGI in USD",
    definition:
      "Percentage of the 12-year amortized payment by AGI. Between points interpolate linearly and round to two decimals of a percent; beyond the ends use the nearest point. The ICR payment is the lesser of 20% of discretionary income and this percentage of the 12-year payment."
  },
  {
    "2025-07-01": {
      id: "icr-income-percentage-factors-2025",
      label: "ICR income percentage factors, July 2025 to June 2026",
      value: {
        from: "2025-07-01",
        to: "2026-06-30",
        single: [
          { agi: 13722, percent: 55 },
          { agi: 18881, percent: 57.79 },
          { agi: 24295, percent: 60.57 },
          { agi: 29831, percent: 66.23 },
          { agi: 35118, percent: 71.89 },
          { agi: 41786, percent: 80.33 },
          { agi: 52483, percent: 88.77 },
          { agi: 65824, percent: 100 },
          { agi: 79170, percent: 100 },
          { agi: 95150, percent: 111.8 },
          { agi: 121836, percent: 123.5 },
          { agi: 172561, percent: 141.2 },
          { agi: 197858, percent: 150 },
          { agi: 352418, percent: 200 }
        ],
        marriedOrHeadOfHousehold: [
          { agi: 13722, percent: 50.52 },
          { agi: 21650, percent: 56.68 },
          { agi: 25800, percent: 59.56 },
          { agi: 33730, percent: 67.79 },
          { agi: 41786, percent: 75.22 },
          { agi: 52483, percent: 87.61 },
          { agi: 65823, percent: 100 },
          { agi: 79170, percent: 100 },
          { agi: 99186, percent: 109.4 },
          { agi: 132534, percent: 125 },
          { agi: 179230, percent: 140.6 },
          { agi: 250660, percent: 150 },
          { agi: 409597, percent: 200 }
        ]
      },
      source: federalStudentAid({
        url: "https://www.federalregister.gov/d/2025-14806",
        note: "Notice of 5 August 2025, FR Doc. 2025-14806, not found in a copy. Table as held in the TISLA calculator, which reproduces the notice's example of $435.60",
        evidence: "third-party",
        cadence: "annually, April-August, applied 1 July to 30 June (Federal Register notice)"
      }),
      lastVerified: "2026-11-20",
      parityLocked: true
    },
    "2026-07-01": {
      id: "icr-income-percentage-factors-2026",
      label: "ICR income percentage factors, July 2026 to June 2027",
      value: {
        from: "2026-07-01",
        to: "2027-06-30",
        single: [
          { agi: 13717, percent: 55 },
          { agi: 18873, percent: 57.79 },
          { agi: 24285, percent: 60.57 },
          { agi: 29819, percent: 66.23 },
          { agi: 35104, percent: 71.89 },
          { agi: 41769, percent: 80.33 },
          { agi: 52462, percent: 88.77 },
          { agi: 65798, percent: 100 },
          { agi: 79138, percent: 100 },
          { agi: 95112, percent: 111.8 },
          { agi: 121787, percent: 123.5 },
          { agi: 172492, percent: 141.2 },
          { agi: 197779, percent: 150 },
          { agi: 352277, percent: 200 }
        ],
        marriedOrHeadOfHousehold: [
          { agi: 13717, percent: 50.52 },
          { agi: 21641, percent: 56.68 },
          { agi: 25790, percent: 59.56 },
          { agi: 33717, percent: 67.79 },
          { agi: 41769, percent: 75.22 },
          { agi: 52462, percent: 87.61 },
          { agi: 65797, percent: 100 },
          { agi: 79138, percent: 100 },
          { agi: 99146, percent: 109.4 },
          { agi: 132481, percent: 125 },
          { agi: 179158, percent: 140.6 },
          { agi: 250560, percent: 150 },
          { agi: 409433, percent: 200 }
        ]
      },
      source: federalStudentAid({
        url: "https://www.govinfo.gov/content/pkg/FR-2026-06-09/pdf/2026-11540.pdf",
        note: "Notice of 9 June 2026, FR Doc. 2026-11540, not found in a copy. Table as held in https://github.com/nothinginfinity/student-loan-idr-mcp, which reproduces the notice's examples of $105.23 and $430.15",
        evidence: "third-party",
        cadence: "annually, April-August, applied 1 July to 30 June (Federal Register notice)"
      }),
      lastVerified: "2026-11-20",
      parityLocked: true
    }
  }
)
