/**
 * The basis of an answer, cached: the rules that it cites, and the omissions (rules knowingly not
 * applied) that affect it. Building the lists takes a sixth of the time of a one-loan projection,
 * and the same lists recur.
 */
import type { Circumstances } from "../../../ledger/circumstances.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Law } from "../law/law.ts"
import type { Plan } from "../plans/plan.ts"
import { CALCULATOR_PLANS } from "../plans/registry.ts"
import { FEDERAL_BRACKETS } from "../tax/federal.ts"
import {
  type Asked,
  circumstancesThatMatter,
  citationsOf,
  NAMED_STATES,
  omissionsThatBear,
  placeOf
} from "./citations.ts"

export interface Basis {
  /** Ids of the ledger entries that the answer uses. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

/**
 * The bases of one plan, state, list of filing statuses and set of additions. `relevant` is the set of
 * circumstances that matter there, and `bases` is keyed by those that are true.
 */
interface Question {
  readonly relevant: Circumstances
  readonly bases: Map<Circumstances, Basis>
}

/** Maximum number of cached bases for one law. Above it the cache is cleared. */
const MAX_CACHED = 100_000

const STATUSES: ReadonlyArray<string> = Object.keys(FEDERAL_BRACKETS)

/** The number of a list of filing statuses, each at most once: its digits are the statuses, from 1. */
const numberOf = (filingStatuses: ReadonlyArray<FilingStatus>): number => {
  let number = 0
  for (const status of filingStatuses) number = number * (STATUSES.length + 1) + STATUSES.indexOf(status) + 1
  return number
}

const LISTS_OF_STATUSES = (STATUSES.length + 1) ** STATUSES.length

/** The key of a question. It is a number, because that is faster than nested maps or joined texts. */
const keyOf = (plan: Plan, { additions, filingStatuses, state }: Asked): number => {
  const planned = additions * CALCULATOR_PLANS.length + CALCULATOR_PLANS.indexOf(plan)
  const placed = planned * (NAMED_STATES.length + 1) + placeOf(state)
  return placed * LISTS_OF_STATUSES + numberOf(filingStatuses)
}

class BasisCache {
  private readonly law: Law
  /** Equal bases are one object, because a few hundred make up nearly all answers. */
  private readonly distinct = new Map<string, Basis>()
  private readonly questions = new Map<number, Question>()
  private size = 0

  constructor(law: Law) {
    this.law = law
  }

  of(plan: Plan, asked: Asked, circumstances: Circumstances): Basis {
    const { bases, relevant } = this.question(plan, asked)
    return bases.get(circumstances & relevant) ?? this.list(plan, asked, circumstances)
  }

  private question(plan: Plan, asked: Asked): Question {
    const key = keyOf(plan, asked)
    const known = this.questions.get(key)
    if (known !== undefined) return known
    const question = { relevant: circumstancesThatMatter(this.law, plan, asked), bases: new Map() }
    this.questions.set(key, question)
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

const cacheOf = (law: Law) => new BasisCache(law)

/** The rules that an answer cites, and the omissions that bear on it. */
export const basisOf = (law: Law, plan: Plan, asked: Asked, circumstances: Circumstances): Basis =>
  law.derived(cacheOf).of(plan, asked, circumstances)
