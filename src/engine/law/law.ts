/**
 * The constants of the ledger as the engine reads them: picked by year, named by what they do, with the ids to cite.
 * The only file of the engine that knows ledger entries; no number of the law is written here or elsewhere in it.
 */
import {
  federalIncomeTaxBrackets2025Hoh,
  federalIncomeTaxBrackets2025Mfj,
  federalIncomeTaxBrackets2025Mfs,
  federalIncomeTaxBrackets2025Single,
  federalStandardDeduction2025
} from "../../../ledger/rules/federal-tax-2025.ts"
import {
  federalIncomeTaxBrackets2026Hoh,
  federalIncomeTaxBrackets2026Mfj,
  federalIncomeTaxBrackets2026Mfs,
  federalIncomeTaxBrackets2026Single,
  federalStandardDeduction2026
} from "../../../ledger/rules/federal-tax-2026.ts"
import {
  consolidationStandardTerms,
  extendedPlanTerms,
  graduatedSchedule,
  standardPlanTerms,
  tieredStandardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import { ibrNewTerms, ibrOldTerms, idrSmallPaymentRule, tenYearCapFloor } from "../../../ledger/rules/income-based.ts"
import { icrMinimumPayment, icrTerms } from "../../../ledger/rules/income-contingent.ts"
import {
  icrIncomePercentageFactors2025,
  icrIncomePercentageFactors2026
} from "../../../ledger/rules/income-contingent-factors.ts"
import { idrSubsidizedInterestMonths } from "../../../ledger/rules/interest.ts"
import {
  consolidationLoanTypes,
  graduateLoanTypes,
  loanPrograms,
  loanTypeFamilies,
  subsidizedLoanTypes
} from "../../../ledger/rules/loan-types.ts"
import { payeTerms } from "../../../ledger/rules/pay-as-you-earn.ts"
import { planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import {
  povertyGuideline2024,
  povertyGuideline2025,
  povertyGuideline2026,
  povertyGuidelineRegionRule
} from "../../../ledger/rules/poverty-guideline.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import {
  rapBasePaymentBands,
  rapDependentReduction,
  rapForgivenessTerm,
  rapMinimumPayment,
  rapPrincipalMatch
} from "../../../ledger/rules/repayment-assistance.ts"
import { repayeInterestSubsidy, repayeTerms } from "../../../ledger/rules/revised-pay-as-you-earn.ts"
import { saveEarlyForgiveness, saveTerms, saveVacatur } from "../../../ledger/rules/save.ts"
import {
  stateForgivenessTreatmentAr,
  stateIncomeTaxAr2025,
  stateIncomeTaxAr2026
} from "../../../ledger/rules/state-tax-ar.ts"
import {
  stateForgivenessTreatmentIn,
  stateIncomeTaxIn2025,
  stateIncomeTaxIn2026
} from "../../../ledger/rules/state-tax-in.ts"
import {
  stateForgivenessTreatmentMs,
  stateIncomeTaxMs2025,
  stateIncomeTaxMs2026
} from "../../../ledger/rules/state-tax-ms.ts"
import {
  stateForgivenessTreatmentNc,
  stateIncomeTaxNc2025,
  stateIncomeTaxNc2026
} from "../../../ledger/rules/state-tax-nc.ts"
import {
  stateForgivenessTreatmentWi,
  stateIncomeTaxWi2025,
  stateIncomeTaxWi2026
} from "../../../ledger/rules/state-tax-wi.ts"
import { LOAN_TYPES, type LoanType } from "../../../schema/loan.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { EnginePlan } from "./household.ts"

export type EligibilityCode = "Y" | "N" | "Y30" | "C1" | "n*"

/** What the loan type string alone decides. */
export interface LoanTraits {
  readonly family: keyof typeof planEligibilityMatrix.value
  /** Eligibility by plan: yes, no, over 30,000, one counted month, closed by law. */
  readonly codes: Readonly<Record<EnginePlan, EligibilityCode>>
  readonly direct: boolean
  readonly ffel: boolean
  readonly consolidation: boolean
  readonly subsidized: boolean
  readonly graduate: boolean
  /** A loan that may have been for graduate study without saying so: any but those of the undergraduate SULA limit. */
  readonly mayBeGraduate: boolean
  /** A Parent PLUS loan, or a consolidation that repaid one. */
  readonly parentPlus: boolean
  /** A consolidation that repaid a PLUS loan and does not say whose. */
  readonly plusConsolidation: boolean
  /** A consolidation that names no PLUS loan. */
  readonly unnamedConsolidation: boolean
}

export interface TermTier {
  /** Balances below this many dollars; null for the rest. */
  readonly below: number | null
  readonly months: number
}

export interface CappedPlanTerms {
  readonly discretionaryRate: number
  readonly povertyMultiple: number
  readonly forgivenessMonths: number
}

export interface IncomePercentageRow {
  readonly agi: number
  readonly percent: number
}

export interface GuidelineTable {
  readonly firstPerson: number
  readonly eachAdditional: number
}

export interface TaxBracket {
  readonly rate: number
  readonly over: number
  readonly notOver: number | null
}

export interface AssistanceBand {
  readonly notOver: number | null
  readonly flatAnnual: number | undefined
  readonly rate: number
}

type ByStatus<A> = Readonly<Record<FilingStatus, A>>

export interface Law {
  readonly ids: {
    readonly guideline: string
    readonly icrFactors: string
    readonly federalBrackets: ByStatus<string>
    readonly standardDeduction: string
    readonly stateTax: Readonly<Record<"AR" | "IN" | "MS" | "NC" | "WI", string>>
    readonly stateTreatment: Readonly<Record<"AR" | "IN" | "MS" | "NC" | "WI", string>>
  }
  readonly guidelineOf: (state: string | null) => GuidelineTable
  readonly traitsOf: Readonly<Record<LoanType, LoanTraits>>
  readonly families: Readonly<Record<LoanTraits["family"], { readonly rule: string }>>
  /** Plans that cannot be elected any more. */
  readonly notElectable: ReadonlyArray<EnginePlan>
  readonly standardMonths: number
  readonly standardMinimum: number
  readonly consolidationTiers: ReadonlyArray<TermTier>
  readonly tieredStandardTiers: ReadonlyArray<TermTier>
  readonly extendedMonths: number
  readonly extendedBalanceOver: number
  readonly graduated: { readonly stepMonths: number; readonly lastOverFirst: number }
  readonly tenYearCapFloor: number
  readonly smallPayment: {
    readonly below: number
    readonly reducedTo: number
    readonly raisedBelow: number
    readonly raisedTo: number
  }
  readonly subsidizedInterestMonths: number
  readonly ibrNew: CappedPlanTerms
  readonly ibrOld: CappedPlanTerms
  readonly paye: CappedPlanTerms
  readonly icr: CappedPlanTerms & {
    readonly amortizationMonths: number
    readonly minimumWhenPositive: number
    readonly single: ReadonlyArray<IncomePercentageRow>
    readonly marriedOrHeadOfHousehold: ReadonlyArray<IncomePercentageRow>
  }
  readonly repaye: {
    readonly discretionaryRate: number
    readonly povertyMultiple: number
    readonly forgivenessMonthsUndergraduate: number
    readonly forgivenessMonthsGraduate: number
    readonly subsidizedFullMonths: number
    readonly otherwiseShare: number
  }
  readonly save: {
    readonly discretionaryRateUndergraduate: number
    readonly discretionaryRateGraduate: number
    readonly povertyMultiple: number
    readonly forgivenessMonthsUndergraduate: number
    readonly forgivenessMonthsGraduate: number
    readonly early: {
      readonly baseBalance: number
      readonly baseMonths: number
      readonly stepBalance: number
      readonly stepMonths: number
    }
  }
  readonly rap: {
    readonly bands: ReadonlyArray<AssistanceBand>
    readonly minimumMonthly: number
    readonly perDependentMonthly: number
    readonly forgivenessMonths: number
    readonly matchMax: number
  }
  readonly pslfPayments: number
  readonly federalTax: ByStatus<{ readonly brackets: ReadonlyArray<TaxBracket>; readonly standardDeduction: number }>
  readonly stateTax: {
    readonly AR: {
      readonly rows: ReadonlyArray<{ readonly from: number; readonly rate: number; readonly subtract: number }>
      readonly standardDeduction: ByStatus<number>
    }
    readonly IN: { readonly rate: number; readonly exemptionPerPerson: number }
    readonly MS: {
      readonly rate: number
      readonly zeroBracket: number
      readonly standardDeduction: ByStatus<number>
      readonly exemption: ByStatus<number>
      readonly exemptionPerDependent: number
    }
    readonly NC: { readonly rate: number; readonly standardDeduction: ByStatus<number> }
    readonly WI: {
      readonly brackets: ByStatus<ReadonlyArray<TaxBracket>>
      readonly standardDeduction: ByStatus<{
        readonly max: number
        readonly phaseOutStart: number
        readonly rate: number
      }>
      readonly exemptionPerPerson: number
    }
  }
}

const GUIDELINES = { 2024: povertyGuideline2024, 2025: povertyGuideline2025, 2026: povertyGuideline2026 }
const ICR_FACTORS = { 2025: icrIncomePercentageFactors2025, 2026: icrIncomePercentageFactors2026 }
const TAX_TABLES = {
  2025: {
    brackets: {
      Single: federalIncomeTaxBrackets2025Single,
      MarriedFilingJointly: federalIncomeTaxBrackets2025Mfj,
      MarriedFilingSeparately: federalIncomeTaxBrackets2025Mfs,
      HeadOfHousehold: federalIncomeTaxBrackets2025Hoh
    },
    deduction: federalStandardDeduction2025,
    AR: stateIncomeTaxAr2025,
    IN: stateIncomeTaxIn2025,
    MS: stateIncomeTaxMs2025,
    NC: stateIncomeTaxNc2025,
    WI: stateIncomeTaxWi2025
  },
  2026: {
    brackets: {
      Single: federalIncomeTaxBrackets2026Single,
      MarriedFilingJointly: federalIncomeTaxBrackets2026Mfj,
      MarriedFilingSeparately: federalIncomeTaxBrackets2026Mfs,
      HeadOfHousehold: federalIncomeTaxBrackets2026Hoh
    },
    deduction: federalStandardDeduction2026,
    AR: stateIncomeTaxAr2026,
    IN: stateIncomeTaxIn2026,
    MS: stateIncomeTaxMs2026,
    NC: stateIncomeTaxNc2026,
    WI: stateIncomeTaxWi2026
  }
}

/** Years of the tables that change; the ledger may hold several of each. */
export interface LawYears {
  readonly guidelineYear: keyof typeof GUIDELINES
  readonly icrFactorYear: keyof typeof ICR_FACTORS
  readonly taxYear: keyof typeof TAX_TABLES
}

/** Families of Parent PLUS loans and of the consolidations that repaid them. */
const PARENT_PLUS_FAMILIES: ReadonlySet<LoanTraits["family"]> = new Set(["C", "D", "F"])

/** Tables of the keyed plans do not know Tiered Standard: any loan type may take it. */
const traitsOfType = (loanType: LoanType): LoanTraits => {
  const family = loanTypeFamilies.value[loanType]
  const among = (types: ReadonlyArray<string>) => types.includes(loanType)
  const consolidation = among(consolidationLoanTypes.value)
  const graduate = among(graduateLoanTypes.value)
  return {
    family,
    codes: { ...planEligibilityMatrix.value[family].codes, "TIERED STANDARD": "Y" },
    direct: among(loanPrograms.value.direct),
    ffel: among(loanPrograms.value.ffel),
    consolidation,
    subsidized: among(subsidizedLoanTypes.value),
    graduate,
    mayBeGraduate: !graduate && !loanType.includes("SULA"),
    parentPlus: PARENT_PLUS_FAMILIES.has(family),
    plusConsolidation: loanType === "DIRECT PLUS CONSOLIDATED",
    unnamedConsolidation: consolidation && !loanType.includes("PLUS")
  }
}

const guidelineLookup = (year: LawYears["guidelineYear"]) => {
  const tables = GUIDELINES[year].value
  const { AK, HI, other } = povertyGuidelineRegionRule.value
  return (state: string | null): GuidelineTable => {
    if (state === "AK") return tables[AK]
    return state === "HI" ? tables[HI] : tables[other]
  }
}

const idsOf = ({ guidelineYear, icrFactorYear, taxYear }: LawYears): Law["ids"] => {
  const { AR, brackets, deduction, IN, MS, NC, WI } = TAX_TABLES[taxYear]
  return {
    guideline: GUIDELINES[guidelineYear].id,
    icrFactors: ICR_FACTORS[icrFactorYear].id,
    federalBrackets: {
      Single: brackets.Single.id,
      MarriedFilingJointly: brackets.MarriedFilingJointly.id,
      MarriedFilingSeparately: brackets.MarriedFilingSeparately.id,
      HeadOfHousehold: brackets.HeadOfHousehold.id
    },
    standardDeduction: deduction.id,
    stateTax: { AR: AR.id, IN: IN.id, MS: MS.id, NC: NC.id, WI: WI.id },
    stateTreatment: {
      AR: stateForgivenessTreatmentAr.id,
      IN: stateForgivenessTreatmentIn.id,
      MS: stateForgivenessTreatmentMs.id,
      NC: stateForgivenessTreatmentNc.id,
      WI: stateForgivenessTreatmentWi.id
    }
  }
}

const federalTaxOf = (year: LawYears["taxYear"]): Law["federalTax"] => {
  const { brackets, deduction } = TAX_TABLES[year]
  const of = (status: FilingStatus) => ({
    brackets: brackets[status].value.brackets,
    standardDeduction: deduction.value[status]
  })
  return {
    Single: of("Single"),
    MarriedFilingJointly: of("MarriedFilingJointly"),
    MarriedFilingSeparately: of("MarriedFilingSeparately"),
    HeadOfHousehold: of("HeadOfHousehold")
  }
}

const assistanceBands = rapBasePaymentBands.value.bands.map(
  (band): AssistanceBand => ({
    notOver: band.notOver,
    flatAnnual: "flatAnnual" in band ? band.flatAnnual : undefined,
    rate: "rate" in band ? band.rate : 0
  })
)

const plansOfLaw = (icrFactorYear: LawYears["icrFactorYear"]) => {
  const { single, marriedOrHeadOfHousehold } = ICR_FACTORS[icrFactorYear].value
  return {
    ibrNew: ibrNewTerms.value,
    ibrOld: ibrOldTerms.value,
    paye: payeTerms.value,
    icr: { ...icrTerms.value, ...icrMinimumPayment.value, single, marriedOrHeadOfHousehold },
    repaye: { ...repayeTerms.value, ...repayeInterestSubsidy.value },
    save: { ...saveTerms.value, early: saveEarlyForgiveness.value },
    rap: {
      bands: assistanceBands,
      minimumMonthly: rapMinimumPayment.value.monthly,
      perDependentMonthly: rapDependentReduction.value.perDependentMonthly,
      forgivenessMonths: rapForgivenessTerm.value.months,
      matchMax: rapPrincipalMatch.value.cap
    }
  }
}

const traitsOf = Object.fromEntries(LOAN_TYPES.map((type) => [type, traitsOfType(type)])) as Law["traitsOf"]

/** The law with the tables of the given years, everything else as it stands in the ledger. */
export const lawOf = (years: LawYears): Law => {
  const { AR, IN, MS, NC, WI } = TAX_TABLES[years.taxYear]
  const { below5, from5Below10, raisedBelow, zeroBelow } = idrSmallPaymentRule.value
  return {
    ids: idsOf(years),
    guidelineOf: guidelineLookup(years.guidelineYear),
    traitsOf,
    families: planEligibilityMatrix.value,
    notElectable: saveVacatur.value.notElectable,
    standardMonths: standardPlanTerms.value.months,
    standardMinimum: standardPlanTerms.value.minimumMonthly,
    consolidationTiers: consolidationStandardTerms.value.tiers,
    tieredStandardTiers: tieredStandardPlanTerms.value.tiers,
    extendedMonths: extendedPlanTerms.value.months,
    extendedBalanceOver: extendedPlanTerms.value.balanceOver,
    graduated: graduatedSchedule.value,
    tenYearCapFloor: tenYearCapFloor.value.monthly,
    smallPayment: { below: zeroBelow, reducedTo: below5, raisedBelow, raisedTo: from5Below10 },
    subsidizedInterestMonths: idrSubsidizedInterestMonths.value.months,
    ...plansOfLaw(years.icrFactorYear),
    pslfPayments: pslfTerms.value.payments,
    federalTax: federalTaxOf(years.taxYear),
    stateTax: { AR: AR.value, IN: IN.value, MS: MS.value, NC: NC.value, WI: WI.value }
  }
}

/** The law that answers are computed with: the newest tables, held for the whole projection. */
export const currentLaw: Law = lawOf({ guidelineYear: 2026, icrFactorYear: 2026, taxYear: 2026 })
