/**
 * The basis of an answer, cached: the rules that it cites, and the omissions (rules knowingly not
 * applied) that bear on it. Building the lists takes a sixth of the time of a one-loan projection,
 * and the same lists recur.
 */
import type { Circumstances } from "../../../ledger/circumstances.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { EnginePlan, Plan } from "../plans/plan.ts"
import { circumstancesThatMatter, citationsOf, namedState, omissionsThatBear } from "./citations.ts"

export interface Basis {
  /** Ids of the ledger entries that the answer uses. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

/**
 * The bases under one plan, state and filing status. `relevant` is the set of circumstances that
 * matter there, and `bases` is keyed by those that are true.
 */
interface Question {
  readonly relevant: Circumstances
  readonly bases: Map<Circumstances, Basis>
}

/** Maximum number of cached bases for one law. Above it the cache is cleared. */
const MAX_CACHED = 100_000

class BasisCache {
  private readonly law: Law
  /** Equal bases are one object; there are a few hundred. */
  private readonly distinct = new Map<string, Basis>()
  /** By plan, state and filing status. Nested maps are faster than one map with a joined key. */
  private readonly questions = new Map<EnginePlan, Map<string | null, Map<FilingStatus, Question>>>()
  private size = 0

  constructor(law: Law) {
    this.law = law
  }

  of(plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis {
    const { relevant, bases } = this.question(plan, scenario)
    return bases.get(circumstances & relevant) ?? this.list(plan, scenario, circumstances)
  }

  private question(plan: Plan, scenario: HouseholdScenario): Question {
    const byStatus = branch(branch(this.questions, plan.planType), namedState(scenario))
    const known = byStatus.get(scenario.filingStatus)
    if (known !== undefined) return known
    const question = { relevant: circumstancesThatMatter(this.law, plan, scenario), bases: new Map() }
    byStatus.set(scenario.filingStatus, question)
    return question
  }

  private list(plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis {
    if (this.size++ === MAX_CACHED) {
      this.questions.clear()
      this.distinct.clear()
      this.size = 1
    }
    const basis = this.intern({
      citations: Object.freeze(citationsOf(this.law, plan, scenario, circumstances)),
      omissions: Object.freeze(omissionsThatBear(this.law, plan, scenario, circumstances))
    })
    const { relevant, bases } = this.question(plan, scenario)
    bases.set(circumstances & relevant, basis)
    return basis
  }

  private intern(basis: Basis): Basis {
    const text = [...basis.citations, "", ...basis.omissions].join()
    const equal = this.distinct.get(text)
    if (equal !== undefined) return equal
    this.distinct.set(text, basis)
    return basis
  }
}

/** The map under a key, created if missing. */
const branch = <Key, K, V>(tree: Map<Key, Map<K, V>>, key: Key): Map<K, V> => {
  const found = tree.get(key)
  if (found !== undefined) return found
  const made = new Map<K, V>()
  tree.set(key, made)
  return made
}

const cacheByLaw = new WeakMap<Law, BasisCache>()

const newCache = (law: Law): BasisCache => {
  const cache = new BasisCache(law)
  cacheByLaw.set(law, cache)
  return cache
}

/** The rules that an answer cites, and the omissions that bear on it. */
export const basisOf = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis =>
  (cacheByLaw.get(law) ?? newCache(law)).of(plan, scenario, circumstances)
