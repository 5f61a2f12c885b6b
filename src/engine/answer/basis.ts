/**
 * What an answer rests on, as lists that are kept: listing costs a sixth of a projection of one loan, and the same lists are
 * asked for again and again.
 */
import type { Circumstances } from "../../../ledger/circumstances.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { EnginePlan, Plan } from "../plans/plan.ts"
import { askedBy, citationsOf, namedState, omissionsThatBear } from "./citations.ts"

export interface Basis {
  /** Ids of the ledger constants used. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

/** What answers under one plan, in one state and filing status, rest on, by the circumstances that it asks for. */
interface Question {
  readonly asked: Circumstances
  readonly bases: Map<Circumstances, Basis>
}

/** Most bases that are kept for one law; when there are more, all are forgotten and listed again as they are asked for. */
const MOST_KEPT = 100_000

class Kept {
  private readonly law: Law
  /** Bases that are alike are one: there are a few hundred of them. */
  private readonly distinct = new Map<string, Basis>()
  /** Found by plan, state and filing status one after the other, which takes less time than a joined text. */
  private readonly questions = new Map<EnginePlan, Map<string | null, Map<FilingStatus, Question>>>()
  private size = 0

  constructor(law: Law) {
    this.law = law
  }

  of(plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis {
    const { asked, bases } = this.question(plan, scenario)
    return bases.get(circumstances & asked) ?? this.list(plan, scenario, circumstances)
  }

  private question(plan: Plan, scenario: HouseholdScenario): Question {
    const byStatus = branch(branch(this.questions, plan.planType), namedState(scenario))
    const known = byStatus.get(scenario.filingStatus)
    if (known !== undefined) return known
    const question = { asked: askedBy(this.law, plan, scenario), bases: new Map() }
    byStatus.set(scenario.filingStatus, question)
    return question
  }

  private list(plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis {
    if (this.size++ === MOST_KEPT) {
      this.questions.clear()
      this.distinct.clear()
      this.size = 1
    }
    const basis = this.only({
      citations: Object.freeze(citationsOf(this.law, plan, scenario, circumstances)),
      omissions: Object.freeze(omissionsThatBear(this.law, plan, scenario, circumstances))
    })
    const { asked, bases } = this.question(plan, scenario)
    bases.set(circumstances & asked, basis)
    return basis
  }

  private only(basis: Basis): Basis {
    const text = [...basis.citations, "", ...basis.omissions].join()
    const alike = this.distinct.get(text)
    if (alike !== undefined) return alike
    this.distinct.set(text, basis)
    return basis
  }
}

/** The map under a key, which is made when it is not there. */
const branch = <Key, K, V>(tree: Map<Key, Map<K, V>>, key: Key): Map<K, V> => {
  const found = tree.get(key)
  if (found !== undefined) return found
  const made = new Map<K, V>()
  tree.set(key, made)
  return made
}

const keptByLaw = new WeakMap<Law, Kept>()

const keptOf = (law: Law): Kept => {
  const kept = new Kept(law)
  keptByLaw.set(law, kept)
  return kept
}

/** Rules used and omissions that bear on an answer. */
export const basisOf = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis =>
  (keptByLaw.get(law) ?? keptOf(law)).of(plan, scenario, circumstances)
