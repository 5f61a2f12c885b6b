/** The HHS poverty guidelines, and the region that applies to a residence. */
import { rule, series } from "../entry.ts"
import { document, educationDepartment, healthDepartment } from "../sources.ts"

export const povertyGuideline = series(
  {
    plan: "ALL",
    unit: "USD per year",
    definition:
      "Guideline for a one-person household and the amount added for each further person, by region. Residences outside Alaska and Hawaii use the 48-state figure."
  },
  {
    "2024-01-11": {
      id: "poverty-guideline-2024",
      label: "HHS poverty guidelines 2024",
      value: {
        year: 2024,
        contiguous48AndDC: { firstPerson: 15060, eachAdditional: 5380 },
        alaska: { firstPerson: 18810, eachAdditional: 6730 },
        hawaii: { firstPerson: 17310, eachAdditional: 6190 },
        published: "2024-01-17"
      },
      source: healthDepartment({
        url: "https://www.federalregister.gov/documents/2024/01/17/2024-00796/annual-update-of-the-hhs-poverty-guidelines",
        note: "89 FR 2961-2963, FR Doc. 2024-00796. Figures from policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026. Heading of the notice read, its table not. The day on which it took effect was not read",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2025-01-15": {
      id: "poverty-guideline-2025",
      label: "HHS poverty guidelines 2025",
      value: {
        year: 2025,
        contiguous48AndDC: { firstPerson: 15650, eachAdditional: 5500 },
        alaska: { firstPerson: 19550, eachAdditional: 6880 },
        hawaii: { firstPerson: 17990, eachAdditional: 6330 },
        published: "2025-01-17"
      },
      source: healthDepartment({
        url: "https://www.govinfo.gov/content/pkg/FR-2025-01-17/html/2025-01377.htm",
        note: "90 FR 5917, FR Doc. 2025-01377. Figures from policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026. Heading of the notice with its effective day read, its table not",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: true
    },
    "2026-01-13": {
      id: "poverty-guideline-2026",
      label: "HHS poverty guidelines 2026",
      value: {
        year: 2026,
        contiguous48AndDC: { firstPerson: 15960, eachAdditional: 5680 },
        alaska: { firstPerson: 19950, eachAdditional: 7100 },
        hawaii: { firstPerson: 18360, eachAdditional: 6530 },
        published: "2026-01-15"
      },
      source: healthDepartment({
        url: "https://www.govinfo.gov/content/pkg/FR-2026-01-15/html/2026-00755.htm",
        note: "91 FR 1797-1798, FR Doc. 2026-00755. Figures from policyengine-us (https://github.com/PolicyEngine/policyengine-us) as of 19 August 2026 and two further open models. Heading of the notice with its effective day read, its table not",
        evidence: "open-model"
      }),
      lastVerified: "2026-11-21",
      parityLocked: true
    }
  }
)

export const povertyGuidelineRegionRule = rule({
  id: "poverty-guideline-region-rule",
  label: "Which poverty guideline applies to a residence",
  plan: "ALL",
  unit: "rule",
  definition:
    "Alaska and Hawaii have their own guideline; every other state, DC, territories and foreign addresses use the 48-state guideline.",
  value: { AK: "alaska", HI: "hawaii", other: "contiguous48AndDC" },
  source: educationDepartment({
    url: document.incomeDrivenRule,
    note: "34 CFR 685.209(a)(1)(vi) and 685.221(a)(6), text of early 2023 read, (b)(14) in the later numbering. In force by then: its first day was not read",
    evidence: "statute"
  }),
  effectiveDate: "2023-01-01",
  lastVerified: "2026-11-21",
  parityLocked: true
})
