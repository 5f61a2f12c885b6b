/**
 * The few facts of a projection that decide its basis, and a bounded memory of what was made for facts seen before. What
 * follows from the facts is in basis.ts.
 */
import type { Facts } from "../../ledger/omissions.ts"
import { FILING_STATUSES, type FilingStatus, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import {
  countsOnStandard,
  type Forgiven,
  factsOf,
  isFixed,
  onConsolidationTable,
  some,
  someLoan,
  totalDebtOf
} from "./answer/circumstances.ts"
import type { EnginePlan, HouseholdScenario } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { standardPrior, standardTerm } from "./plans/standard.ts"
import type { Books } from "./schedule/book.ts"

/** All that a basis depends on: facts for the omissions, and what citations hang on besides. */
export interface Grounds {
  readonly law: Law
  readonly planType: EnginePlan
  readonly filingStatus: FilingStatus
  readonly state: string | null
  readonly facts: Facts
  readonly hasDependents: boolean
  /** The books are not empty. */
  readonly hasLoans: boolean
  /** One payment is split over own loans. */
  readonly hasSeveralLoans: boolean
  readonly hasSubsidizedLoan: boolean
  /** A Parent PLUS loan is repaid beside the plan. */
  readonly hasParentPlusBeside: boolean
  /** A consolidation loan has a term by the consolidation table. */
  readonly usesConsolidationTable: boolean
  /** Months already counted shorten the term of a fixed plan. */
  readonly isShortened: boolean
  /** The borrower works toward public-service forgiveness, and it can reach a loan of the books. */
  readonly pslfReaches: boolean
}

const isShortened = (law: Law, planType: EnginePlan, books: Books): boolean => {
  const { own } = books
  if (planType !== "STANDARD") return isFixed(planType) && someLoan(own, (slot) => own.priorIdrMonths[slot]! > 0)
  const totalDebt = totalDebtOf(books)
  return someLoan(own, (slot) => standardPrior(law, own, slot, standardTerm(law, own.traits[slot]!, totalDebt)) > 0)
}

const pslfReaches = (law: Law, { planType, workingTowardsPslf }: HouseholdScenario, books: Books): boolean => {
  if (!workingTowardsPslf) return false
  const totalDebt = totalDebtOf(books)
  return (
    (!isFixed(planType) && some(books.own, ({ direct }) => direct)) ||
    some(books.beside, (traits) => countsOnStandard(law, traits, totalDebt))
  )
}

export const groundsOf = (law: Law, scenario: HouseholdScenario, books: Books, forgiven: Forgiven): Grounds => {
  const { beside, own } = books
  const { filingStatus, planType } = scenario
  return {
    law,
    planType,
    filingStatus,
    state: scenario.state,
    facts: factsOf(law, scenario, books, forgiven),
    hasDependents: scenario.dependents > 0,
    hasLoans: own.size + beside.size > 0,
    hasSeveralLoans: own.size > 1,
    hasSubsidizedLoan: some(own, ({ subsidized }) => subsidized),
    hasParentPlusBeside: some(beside, ({ parentPlus }) => parentPlus),
    usesConsolidationTable: onConsolidationTable(planType, books).length > 0,
    isShortened: isShortened(law, planType, books),
    pslfReaches: pslfReaches(law, scenario, books)
  }
}

/** A number for everything in the grounds but the law, the plan and the state: one bit a fact, below the status. */
const digestOf = (grounds: Grounds): number => {
  const { facts } = grounds
  let digest = FILING_STATUSES.indexOf(grounds.filingStatus)
  digest = withBit(digest, facts.taxed)
  digest = withBit(digest, facts.pslfForgiven)
  digest = withBit(digest, facts.pslfUncounted)
  digest = withBit(digest, facts.mixed)
  digest = withBit(digest, facts.growth)
  digest = withBit(digest, facts.prorated)
  digest = withBit(digest, facts.priorMonths)
  digest = withBit(digest, facts.consolidation)
  digest = withBit(digest, facts.unnamedConsolidation)
  digest = withBit(digest, facts.ffelConsolidation)
  digest = withBit(digest, facts.plusConsolidation)
  digest = withBit(digest, facts.outweighedConsolidation)
  digest = withBit(digest, facts.windowOpened)
  digest = withBit(digest, facts.smallProgram)
  digest = withBit(digest, facts.mayBeGraduate)
  digest = withBit(digest, grounds.hasDependents)
  digest = withBit(digest, grounds.hasLoans)
  digest = withBit(digest, grounds.hasSeveralLoans)
  digest = withBit(digest, grounds.hasSubsidizedLoan)
  digest = withBit(digest, grounds.hasParentPlusBeside)
  digest = withBit(digest, grounds.usesConsolidationTable)
  digest = withBit(digest, grounds.isShortened)
  digest = withBit(digest, grounds.pslfReaches)
  return digest
}

const withBit = (digest: number, fact: boolean): number => (digest << 1) | (fact ? 1 : 0)

const MOST_KEPT = PLAN_TYPES.length * STATES.length * FILING_STATUSES.length

/** Values by grounds. When there are too many, all are forgotten and made again as they are asked for. */
export class ByGrounds<A> {
  private readonly byLaw = new Map<Law, Map<EnginePlan, Map<string | null, Map<number, A>>>>()
  private size = 0

  find(grounds: Grounds): A | undefined {
    return this.byLaw.get(grounds.law)?.get(grounds.planType)?.get(grounds.state)?.get(digestOf(grounds))
  }

  keep(grounds: Grounds, value: A): void {
    if (this.size === MOST_KEPT) {
      this.byLaw.clear()
      this.size = 0
    }
    const byPlan = branch(this.byLaw, grounds.law)
    branch(branch(byPlan, grounds.planType), grounds.state).set(digestOf(grounds), value)
    this.size++
  }
}

/** The map under a key, which is made when it is not there. */
const branch = <K, Key, V>(tree: Map<K, Map<Key, V>>, key: K): Map<Key, V> => {
  const found = tree.get(key) ?? new Map<Key, V>()
  tree.set(key, found)
  return found
}
