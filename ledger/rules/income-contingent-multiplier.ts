/**
 * The former chart of constant multipliers of Income-Contingent Repayment, for reference. The
 * engine computes the twelve-year payment by a formula.
 */
import { rule } from "../entry.ts"
import { educationDepartment } from "../sources.ts"

export const icrConstantMultiplier12Year = rule({
  id: "icr-constant-multiplier-12-year",
  label: "ICR constant multiplier for 12-year amortization",
  plan: "INCOME CONTINGENT",
  unit: "dimensionless, annual payment per dollar of principal",
  definition:
    "Annual multiplier = 12 i / (1 - (1 + i)^-144) with i = rate / 12; monthly payment = principal x multiplier / 12. Computed for any rate; the table is for checking only.",
  value: {
    months: 144,
    formula: "12*i/(1-(1+i)^-144), i=rate/12",
    publishedPoints: [
      { rate: 0.07, annualMultiplier: 0.123406 },
      { rate: 0.0725, annualMultiplier: 0.125011 },
      { rate: 0.0746, annualMultiplier: 0.126368 },
      { rate: 0.075, annualMultiplier: 0.126627 },
      { rate: 0.0775, annualMultiplier: 0.128255 },
      { rate: 0.08, annualMultiplier: 0.129894 },
      { rate: 0.0825, annualMultiplier: 0.131545 },
      { rate: 0.0838, annualMultiplier: 0.132408 },
      { rate: 0.085, annualMultiplier: 0.133207 },
      { rate: 0.0875, annualMultiplier: 0.13488 },
      { rate: 0.09, annualMultiplier: 0.136564 }
    ],
    computed: [
      { rate: 0.01, annualMultiplier: 0.088468, monthlyMultiplier: 0.00737233 },
      { rate: 0.0125, annualMultiplier: 0.089783, monthlyMultiplier: 0.0074819 },
      { rate: 0.015, annualMultiplier: 0.09111, monthlyMultiplier: 0.00759251 },
      { rate: 0.0175, annualMultiplier: 0.09245, monthlyMultiplier: 0.00770416 },
      { rate: 0.02, annualMultiplier: 0.093802, monthlyMultiplier: 0.00781684 },
      { rate: 0.0225, annualMultiplier: 0.095167, monthlyMultiplier: 0.00793055 },
      { rate: 0.025, annualMultiplier: 0.096544, monthlyMultiplier: 0.00804529 },
      { rate: 0.0275, annualMultiplier: 0.097933, monthlyMultiplier: 0.00816107 },
      { rate: 0.03, annualMultiplier: 0.099334, monthlyMultiplier: 0.00827787 },
      { rate: 0.0325, annualMultiplier: 0.100748, monthlyMultiplier: 0.00839569 },
      { rate: 0.035, annualMultiplier: 0.102174, monthlyMultiplier: 0.00851454 },
      { rate: 0.0375, annualMultiplier: 0.103613, monthlyMultiplier: 0.0086344 },
      { rate: 0.04, annualMultiplier: 0.105063, monthlyMultiplier: 0.00875528 },
      { rate: 0.0425, annualMultiplier: 0.106526, monthlyMultiplier: 0.00887718 },
      { rate: 0.045, annualMultiplier: 0.108001, monthlyMultiplier: 0.00900008 },
      { rate: 0.0475, annualMultiplier: 0.109488, monthlyMultiplier: 0.00912399 },
      { rate: 0.05, annualMultiplier: 0.110987, monthlyMultiplier: 0.0092489 },
      { rate: 0.0525, annualMultiplier: 0.112498, monthlyMultiplier: 0.00937482 },
      { rate: 0.055, annualMultiplier: 0.114021, monthlyMultiplier: 0.00950172 },
      { rate: 0.0575, annualMultiplier: 0.115555, monthlyMultiplier: 0.00962962 },
      { rate: 0.06, annualMultiplier: 0.117102, monthlyMultiplier: 0.0097585 },
      { rate: 0.0625, annualMultiplier: 0.11866, monthlyMultiplier: 0.00988837 },
      { rate: 0.065, annualMultiplier: 0.120231, monthlyMultiplier: 0.01001921 },
      { rate: 0.0675, annualMultiplier: 0.121812, monthlyMultiplier: 0.01015103 },
      { rate: 0.07, annualMultiplier: 0.123406, monthlyMultiplier: 0.01028381 },
      { rate: 0.0725, annualMultiplier: 0.125011, monthlyMultiplier: 0.01041756 },
      { rate: 0.075, annualMultiplier: 0.126627, monthlyMultiplier: 0.01055226 },
      { rate: 0.0775, annualMultiplier: 0.128255, monthlyMultiplier: 0.01068792 },
      { rate: 0.08, annualMultiplier: 0.129894, monthlyMultiplier: 0.01082453 },
      { rate: 0.0825, annualMultiplier: 0.131545, monthlyMultiplier: 0.01096207 },
      { rate: 0.085, annualMultiplier: 0.133207, monthlyMultiplier: 0.01110056 },
      { rate: 0.0875, annualMultiplier: 0.13488, monthlyMultiplier: 0.01123997 },
      { rate: 0.09, annualMultiplier: 0.136564, monthlyMultiplier: 0.01138031 },
      { rate: 0.0925, annualMultiplier: 0.138259, monthlyMultiplier: 0.01152156 },
      { rate: 0.095, annualMultiplier: 0.139965, monthlyMultiplier: 0.01166373 },
      { rate: 0.0975, annualMultiplier: 0.141682, monthlyMultiplier: 0.01180681 },
      { rate: 0.1, annualMultiplier: 0.143409, monthlyMultiplier: 0.01195078 },
      { rate: 0.1025, annualMultiplier: 0.145148, monthlyMultiplier: 0.01209565 },
      { rate: 0.105, annualMultiplier: 0.146897, monthlyMultiplier: 0.01224141 }
    ]
  },
  source: educationDepartment({
    url: "https://www.ecfr.gov/current/title-34/appendix-Appendix%20A%20to%20Part%20685",
    note: "A formula of this engine. 34 CFR 685.209(b)(1)(ii)(A), text of early 2023 read, says only standard amortization. The published points are from the older chart of Appendix A, read in a third party's copy, and the formula matches all eleven to 6 decimals (largest difference 1 in the last place)",
    evidence: "convention"
  }),
  effectiveDate: "1995-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})
