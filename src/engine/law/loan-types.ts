/** What the loan type string alone decides, read from the ledger's lists: never from the spelling of a type. */
import type { ValueOf } from "../../../ledger/entry.ts"
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
import type { Law } from "./law.ts"

/** Whether a family of loan types may elect a plan; the rule plan-eligibility-matrix says what each word means. */
export type Eligibility = "open" | "closed" | "above-balance" | "after-counted-month" | "vacated"

export type LoanFamily = keyof ValueOf<typeof planEligibilityMatrix>

export interface LoanTraits {
  readonly family: LoanFamily
  readonly eligibility: Readonly<Record<PlanType, Eligibility>>
  readonly direct: boolean
  readonly ffel: boolean
  readonly consolidation: boolean
  readonly subsidized: boolean
  readonly graduate: boolean
  /** A loan that may have been for graduate study without saying so. */
  readonly mayBeGraduate: boolean
  /** A Parent PLUS loan, or a consolidation that repaid one or is taken to have. */
  readonly parentPlus: boolean
  /** A consolidation that repaid a PLUS loan and does not say whose. */
  readonly plusConsolidation: boolean
  /** A consolidation that names no PLUS loan. */
  readonly unnamedConsolidation: boolean
}

const traitsOfType = (law: Pick<Law, "read">, loanType: LoanType): LoanTraits => {
  const family = law.read(loanTypeFamilies)[loanType]
  const { direct, ffel } = law.read(loanPrograms)
  const { parentPlus, takenAsParentPlus } = law.read(parentPlusLoanTypes)
  const among = (types: ReadonlyArray<string>) => types.includes(loanType)
  const consolidation = among(law.read(consolidationLoanTypes))
  const graduate = among(law.read(graduateLoanTypes))
  const plusConsolidation = among(takenAsParentPlus)
  const isParents = plusConsolidation || among(parentPlus)
  return {
    family,
    eligibility: law.read(planEligibilityMatrix)[family].codes,
    direct: among(direct),
    ffel: among(ffel),
    consolidation,
    subsidized: among(law.read(subsidizedLoanTypes)),
    graduate,
    mayBeGraduate: !graduate && !among(law.read(undergraduateLoanTypes)),
    parentPlus: isParents,
    plusConsolidation,
    unnamedConsolidation: consolidation && !isParents
  }
}

/** The traits of every loan type. */
export const traitsOfTypes = (law: Pick<Law, "read">): Readonly<Record<LoanType, LoanTraits>> => {
  const types = Object.keys(law.read(loanTypeFamilies)) as Array<LoanType>
  return Object.fromEntries(types.map((type) => [type, traitsOfType(law, type)])) as Record<LoanType, LoanTraits>
}

/** In the words of the law, what a family may elect. */
export const ruleOfFamily = (law: Law, family: LoanFamily): string => law.read(planEligibilityMatrix)[family].rule
