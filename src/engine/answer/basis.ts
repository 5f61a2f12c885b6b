/**
 * The basis of an answer, cached: the rules that it cites, and the omissions (rules knowingly not
 * applied) that bear on it. Building the lists takes a sixth of the time of a one-loan projection,
 * and the same lists recur.
 */
import type { Additions, Circumstances } from "../../../ledger/circumstances.ts"
import type { Law } from "../law/law.ts"
import type { EnginePlan, Plan } from "../plans/plan.ts"
import { type Asked, circumstancesThatMatter, citationsOf, namedState, omissionsThatBear } from "./citations.ts"

export interface Basis {
  /** Ids of the ledger entries that the answer uses. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

/**
 * The bases under one plan, state, filing status and set of additions. `relevant` is the set of circumstances that
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
  /** Equal bases are one object; a few hundred make up nearly all answers. */
  private readonly distinct = new Map<string, Basis>()
  /** By plan, state, filing statuses and additions. Nested maps are faster than one map with a joined key. */
  private readonly questions = new Map<EnginePlan, Map<string | null, Map<string, Map<Additions, Question>>>>()
  private size = 0

  constructor(law: Law) {
    this.law = law
  }

  of(plan: Plan, asked: Asked, circumstances: Circumstances): Basis {
    const { bases, relevant } = this.question(plan, asked)
    return bases.get(circumstances & relevant) ?? this.list(plan, asked, circumstances)
  }

  private question(plan: Plan, asked: Asked): Question {
    const { additions, filingStatuses } = asked
    const statuses = filingStatuses.length === 1 ? filingStatuses[0]! : filingStatuses.join()
    const byAdditions = branch(branch(branch(this.questions, plan.planType), namedState(asked)), statuses)
    const known = byAdditions.get(additions)
    if (known !== undefined) return known
    const question = { relevant: circumstancesThatMatter(this.law, plan, asked), bases: new Map() }
    byAdditions.set(additions, question)
    return question
  }

  private list(plan: Plan, asked: Asked, circumstances: Circumstances): Basis {
    if (this.size++ === MAX_CACHED) {
      this.questions.clear()
      this.distinct.clear()
      this.size = 1
    }
    const basis = this.intern({
      citations: Object.freeze(citationsOf(this.law, plan, asked, circumstances)),
      omissions: Object.freeze(omissionsThatBear(this.law, plan, asked, circumstances))
    })
    const { relevant, bases } = this.question(plan, asked)
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
export const basisOf = (law: Law, plan: Plan, asked: Asked, circumstances: Circumstances): Basis =>
  (cacheByLaw.get(law) ?? newCache(law)).of(plan, asked, circumstances)
