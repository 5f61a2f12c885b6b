/** The traits of each loan type, read from the ledger's lists, never from the type's spelling. */
import { type Circumstances, theseOf } from "../../../ledger/circumstances.ts"
import type { Json, Rule, ValueOf } from "../../../ledger/entry.ts"
import { directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import { ffelDirectPart } from "../../../ledger/rules/household.ts"
import { newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { pauseInterest } from "../../../ledger/rules/interest.ts"
import {
  consolidationLoanTypes,
  graduateLoanTypes,
  loanPrograms,
  loanTypeFamilies,
  parentPlusLoanTypes,
  subsidizedLoanTypes,
  undergraduateLoanTypes
} from "../../../ledger/rules/loan-types.ts"
import { planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import type { LoanType } from "../../../schema/loan.ts"
import type { PlanType } from "../../../schema/scenario.ts"

/** Reads the value in force of a rule. */
export type ReadRule = <V extends Json>(rule: Rule<V>) => V

interface ReadLaw {
  readonly read: ReadRule
}

/**
 * The loans that prove a borrower not new, by program and family, and the loans to which they close
 * a plan.
 */
interface NewBorrowerTest {
  readonly closedByPrograms: ReadonlyArray<string>
  readonly closedByFamilies: ReadonlyArray<string>
  readonly closes: Closed
}

/** The loans to which an older loan closes a plan: all loans of the request, or its FFEL loans. */
export type Closed = "all" | "ffel"

/** Whether a family may elect a plan. The rule plan-eligibility-matrix defines each word. */
export type Eligibility = "open" | "closed" | "above-balance" | "after-counted-month" | "vacated"

export type LoanFamily = keyof ValueOf<typeof planEligibilityMatrix>

export interface PausedTraits {
  /** Whether interest stands still in school, in the grace period and in a deferment. */
  readonly isInterestFree: boolean
  /** Whether there is a school period before the first payment. */
  readonly hasSchoolPeriod: boolean
  /** The pauses whose interest joins the principal at their end. */
  readonly joinsAfter: "every pause" | "deferment" | "none"
}

export interface LoanTraits {
  readonly family: LoanFamily
  readonly eligibility: Readonly<Record<PlanType, Eligibility>>
  readonly direct: boolean
  readonly ffel: boolean
  /** Whether STANDARD and GRADUATED follow the consolidation table. */
  readonly consolidation: boolean
  /** A DIRECT PLUS CONSOLIDATED, which keeps the fixed plans from before July 2006. */
  readonly directPlusConsolidation: boolean
  readonly subsidized: boolean
  readonly graduate: boolean
  /** A Parent PLUS loan, or a consolidation that repaid one or is assumed to have. */
  readonly parentPlus: boolean
  /** A student's FFEL loan, which reduces the payment of the plans in the rule ffel-direct-part. */
  readonly ffelStudent: boolean
  /** What a pause does to the loan. */
  readonly paused: PausedTraits
  /** Plans that the loan closes, because it proves that the borrower is not new. */
  readonly closes: Readonly<Partial<Record<string, Closed>>>
  /** Circumstances of every answer with such a loan in the plan. */
  readonly inPlan: Circumstances
  /** Circumstances of every answer with such a loan outside the plan. */
  readonly outsidePlan: Circumstances
}

/** @law 20 U.S.C. 1098e(e), 1071(d)(1)   @rule new-borrower-tests */
const closedBy = (law: ReadLaw, family: LoanFamily, isFfel: boolean): LoanTraits["closes"] =>
  Object.fromEntries(
    Object.entries<NewBorrowerTest>(law.read(newBorrowerTests))
      .filter(
        ([, { closedByFamilies, closedByPrograms }]) =>
          closedByFamilies.includes(family) || (isFfel && closedByPrograms.includes("ffel"))
      )
      .map(([plan, { closes }]) => [plan, closes])
  )

/** @rule pause-interest */
const pausedTraits = (
  law: ReadLaw,
  loanType: LoanType,
  {
    family,
    isDirect,
    isFfel,
    isSubsidized
  }: Readonly<Record<"isDirect" | "isFfel" | "isSubsidized", boolean>> & {
    readonly family: string
  }
): PausedTraits => {
  const { interestFreeFamilies, joinsPrincipalAfterDeferment, joinsPrincipalAlways, withoutSchoolPeriod } =
    law.read(pauseInterest)
  const names = [loanType, ...(isDirect ? ["direct"] : []), ...(isFfel ? ["ffel"] : [])]
  const isAmong = (listed: ReadonlyArray<string>) => names.some((name) => listed.includes(name))
  return {
    isInterestFree: isSubsidized || (interestFreeFamilies as ReadonlyArray<string>).includes(family),
    hasSchoolPeriod: !isAmong(withoutSchoolPeriod),
    joinsAfter: isAmong(joinsPrincipalAlways)
      ? "every pause"
      : isAmong(joinsPrincipalAfterDeferment)
        ? "deferment"
        : "none"
  }
}

/**
 * @rule loan-type-families, loan-programs, parent-plus-loan-types, consolidation-loan-types
 * @rule subsidized-loan-types, graduate-loan-types, undergraduate-loan-types
 * @rule direct-plus-consolidation-terms, ffel-direct-part
 */
const traitsOfType = (law: ReadLaw, loanType: LoanType): LoanTraits => {
  const family = law.read(loanTypeFamilies)[loanType]
  const { direct, ffel } = law.read(loanPrograms)
  const among = (types: ReadonlyArray<string>) => types.includes(loanType)
  const subsidized = among(law.read(subsidizedLoanTypes))
  const consolidation = among(law.read(consolidationLoanTypes))
  const graduate = among(law.read(graduateLoanTypes))
  const directPlusConsolidation = among(law.read(directPlusConsolidationTerms).loanTypes)
  const isParents = among(law.read(parentPlusLoanTypes))
  const ffelFamilies: ReadonlyArray<string> = law.read(ffelDirectPart).ffelFamilies
  const ffelStudent = ffelFamilies.includes(family)
  const isFfel = among(ffel)
  const isPerkins = family === "perkins"
  const isDirect = among(direct)
  return {
    family,
    eligibility: law.read(planEligibilityMatrix)[family].codes,
    direct: isDirect,
    ffel: isFfel,
    consolidation,
    directPlusConsolidation,
    subsidized,
    graduate,
    parentPlus: isParents,
    ffelStudent,
    paused: pausedTraits(law, loanType, { family, isDirect, isFfel, isSubsidized: subsidized }),
    closes: closedBy(law, family, isFfel),
    inPlan: theseOf({
      subsidizedLoan: subsidized,
      consolidation: consolidation || directPlusConsolidation,
      ffelConsolidation: consolidation && isFfel,
      unnamedConsolidation: consolidation && !isParents,
      directPlusConsolidation,
      perkins: isPerkins,
      mayBeGraduate: !graduate && !among(law.read(undergraduateLoanTypes))
    }),
    outsidePlan: theseOf({
      parentPlusOutsidePlan: isParents,
      directPlusConsolidation,
      ffelOutsidePlan: ffelStudent,
      perkins: isPerkins
    })
  }
}

export const traitsOfTypes = (law: ReadLaw): Readonly<Record<LoanType, LoanTraits>> => {
  const types = Object.keys(law.read(loanTypeFamilies)) as Array<LoanType>
  return Object.fromEntries(types.map((type) => [type, traitsOfType(law, type)])) as Record<LoanType, LoanTraits>
}

/** The ledger's sentence on the plans that a family may elect. */
export const ruleOfFamily = (law: ReadLaw, family: LoanFamily): string => law.read(planEligibilityMatrix)[family].rule
