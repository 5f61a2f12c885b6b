/**
 * Provenance of an answer: the rules and omissions behind its figures, and its record. Within the
 * service an answer cites by id. When an answer is sent, the identity of its record and the
 * ledger's texts are added: here as a value, in json.ts as JSON, in brief.ts without texts.
 */
import { randomFillSync } from "node:crypto"
import { omissionById, ruleById, ruleVersion } from "../../../ledger/index.ts"
import type { ComparisonArm, ComparisonRequest, ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ExplainResult } from "../../../schema/explanation.ts"
import type { PlansRequest, PlansResult } from "../../../schema/plans.ts"
import type { EngineProvenance, ProjectionResult, RuleCitation, RuleOmissionNote } from "../../../schema/projection.ts"
import type { Computed, Plans } from "../../engine/Engine.ts"
import {
  type Comparison,
  currentLaw,
  dateOfMonth,
  type Explanation,
  hasDates,
  type Projection,
  startMonthOf
} from "../../engine/index.ts"
import { eligibilityNotes } from "../../messages/eligibility.ts"
import { explanationAnswer } from "../../messages/explanation.ts"
import { dayOf } from "../../messages/figures.ts"
import type { Naming } from "../../messages/naming.ts"
import { comparisonNotes, projectionNotes, remarkNotes, requestNotes } from "../../messages/notes.ts"
import { plansAnswer } from "../../messages/plansAnswer.ts"

export const COMPUTED_BY = "repayment-of-record"

/** The part of an answer's provenance that differs between two computations of the same inputs. */
export interface Identity {
  readonly computedAtUtc: string
  readonly answerId: string | null
  readonly verifyUrl: string | null
  /** Sent with the answer and stored nowhere. */
  readonly answerSalt: string | null
}

/** The part of an answer's provenance that is equal for equal inputs. */
export interface Basis {
  readonly engine: string
  readonly ruleVersion: string
  readonly parityVerified: boolean
  /** Ids of rules. */
  readonly citations: ReadonlyArray<string>
  /** Ids of omissions. */
  readonly knownOmissions?: ReadonlyArray<string>
  /** Sentences about the request; absent if there are none. */
  readonly notes?: ReadonlyArray<string>
}

const withNotes = (notes: ReadonlyArray<string>): Pick<Basis, "notes"> => (notes.length === 0 ? {} : { notes })

/** An answer without the texts of its rules and without its identity. */
type Committed<A> = Omit<A, "provenance"> & { readonly provenance: Basis }

export const memoize = <A>(make: (id: string) => A): ((id: string) => A) => {
  const cache = new Map<string, A>()
  return (id) => {
    const known = cache.get(id) ?? make(id)
    cache.set(id, known)
    return known
  }
}

export const citation = memoize((id): RuleCitation => {
  const { label, source, effectiveDate, lastVerified } = ruleById(id)
  return { id, label, authority: source.authority, url: source.url, effectiveDate, lastVerified }
})
type Ids = ReadonlyArray<string>

/** Maximum number of cached lists, of 20 KB each. Requests decide which lists exist. */
const MAX_LISTS = 512

/**
 * Caches the value made from a list of ids. The engine gives equal lists as one frozen array, and a
 * few hundred make up nearly all answers.
 */
export const memoizeList = <A>(make: (ids: Ids) => A): ((ids: Ids) => A) => {
  let cache = new WeakMap<Ids, A>()
  let size = 0
  return (ids) => {
    const known = cache.get(ids)
    if (known !== undefined) return known
    if (size === MAX_LISTS) {
      cache = new WeakMap()
      size = 0
    }
    const made = make(ids)
    cache.set(ids, made)
    size++
    return made
  }
}

const unions = new Map<string, Ids>()

/** Every id of the lists once, in order. Equal unions are one frozen array while it is kept. */
export const unionOf = (lists: ReadonlyArray<Ids>): Ids => {
  const [first, ...others] = lists
  if (others.every((list) => list === first)) return first!
  const union = Object.freeze([...new Set(lists.flat())])
  const key = union.join()
  const known = unions.get(key)
  if (known !== undefined) return known
  if (unions.size === MAX_LISTS) unions.clear()
  unions.set(key, union)
  return union
}

export const omissionNote = memoize((id): RuleOmissionNote => {
  const { detail, effectiveDate, expiresDate, label, lastVerified, source } = omissionById(id)
  return { id, label, detail, authority: source.authority, url: source.url, effectiveDate, expiresDate, lastVerified }
})
const TYPE_CODES = { Pslf: 0, TimeBased: 1, Teacher: 2, None: 3 } as const

export type CommittedProjection = Committed<ProjectionResult>

/** @param request for the notes in the answer */
export const projectionAnswer = (projection: Projection, request: ComparisonArm): CommittedProjection => ({
  label: projection.label,
  planType: projection.planType,
  year1MonthlyPayment: projection.year1MonthlyPayment,
  payoffOrForgivenessDate: projection.payoffOrForgivenessDate,
  monthsToFinish: projection.monthsToFinish,
  totalOutOfPocket: projection.totalOutOfPocket,
  amountForgiven: projection.amountForgiven,
  forgivenessTaxesOwed: projection.forgivenessTaxesOwed,
  forgivenessType: projection.forgivenessType,
  forgivenessTypeCode: TYPE_CODES[projection.forgivenessType],
  ...(projection.presentValue === undefined ? {} : { presentValue: projection.presentValue }),
  weightedAverageInterestRate: projection.weightedAverageInterestRate,
  ...(projection.yearly === undefined ? {} : { yearly: projection.yearly }),
  provenance: {
    engine: "projection",
    ruleVersion,
    parityVerified: projection.parityVerified,
    citations: projection.citations,
    knownOmissions: projection.omissions,
    ...withNotes(projectionNotes(currentLaw, projection, request))
  }
})

export interface CommittedComparison extends Omit<Committed<ScenarioComparisonResult>, "projections"> {
  readonly projections: ReadonlyArray<CommittedProjection>
}

export const comparisonAnswer = (comparison: Comparison, arms: ComparisonRequest["arms"]): CommittedComparison => {
  const { lowestCostLabel, projections } = comparison
  return {
    projections: projections.map((projection, arm) => projectionAnswer(projection, arms[arm]!)),
    lowestCostLabel,
    provenance: {
      engine: "comparison",
      ruleVersion,
      parityVerified: projections.every(({ parityVerified }) => parityVerified),
      citations: unionOf(projections.map(({ citations }) => citations)),
      knownOmissions: unionOf(projections.map(({ omissions }) => omissions)),
      ...withNotes(comparisonNotes(currentLaw, comparison, arms))
    }
  }
}

/** Eligibility is decided by rule, not computed, so no parity case applies to it. */
const ELIGIBILITY_BASIS: Basis = {
  engine: "eligibility",
  ruleVersion,
  parityVerified: false,
  citations: ["loan-type-families", "plan-eligibility-matrix"]
}

/** Cited where dates were sent. */
const DATE_RULES = ["new-borrower-tests", "loan-types-ended", "new-loan-plans-2026-07"]

export const eligibilityAnswer = (loans: EligibilityResult["loans"], request: EligibilityRequest) => {
  const citations = hasDates(request.firstBorrowedOn, request.loans)
    ? [...ELIGIBILITY_BASIS.citations, ...DATE_RULES]
    : ELIGIBILITY_BASIS.citations
  return { loans, provenance: { ...ELIGIBILITY_BASIS, citations, ...withNotes(eligibilityNotes(loans, request)) } }
}

/** The explanation of a payment, which has no record either. */
export const explainedAnswer = (explanation: Explanation, request: ComparisonArm, computedAt: Date): ExplainResult => {
  const { notes, ...answer } = explanationAnswer(currentLaw, explanation)
  return {
    ...answer,
    knownOmissions: explanation.projected.omissions.map(omissionNote),
    ...withNotes([...notes, ...remarkNotes(explanation.projected.remarks), ...requestNotes(currentLaw, request)]),
    computedBy: COMPUTED_BY,
    computedAtUtc: computedAt.toISOString(),
    ruleVersion
  }
}

/** A whole book under every plan, which has no record either. */
export const plansAnswerOf = (
  { computedAt, figures }: Computed<Plans>,
  request: PlansRequest,
  naming?: Naming
): PlansResult =>
  plansAnswer(
    figures,
    request,
    { asOf: dayOf(computedAt), ruleVersion },
    dateOfMonth(startMonthOf(computedAt), 0),
    naming
  )

/** The identity of an answer that has no record. */
export const unrecorded = (computedAt: Date): Identity => ({
  computedAtUtc: computedAt.toISOString(),
  answerId: null,
  verifyUrl: null,
  answerSalt: null
})

const SALT_BYTES = 16
/** Random bytes for the next salts. Drawing many at once takes a fraction of the time per salt. */
const pool = Buffer.alloc(SALT_BYTES * 256)
let drawn = pool.length

/** Without the salt, anyone with an answer's id could test guessed figures against its record. */
export const newSalt = (): string => {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += SALT_BYTES
  return pool.toString("base64url", drawn - SALT_BYTES, drawn)
}

const provenanceOf = (
  basis: Basis,
  { answerId, answerSalt, computedAtUtc, verifyUrl }: Identity
): EngineProvenance => ({
  computedBy: COMPUTED_BY,
  engine: basis.engine,
  parityVerified: basis.parityVerified,
  computedAtUtc,
  ruleVersion: basis.ruleVersion,
  citations: basis.citations.map(citation),
  ...(basis.knownOmissions === undefined ? {} : { knownOmissions: basis.knownOmissions.map(omissionNote) }),
  ...(basis.notes === undefined ? {} : { notes: basis.notes }),
  answerId,
  verifyUrl,
  answerSalt
})

/** The answer with its full provenance, as it is sent. */
export const identified = <A extends { readonly provenance: Basis }>(answer: A, identity: Identity) => ({
  ...answer,
  provenance: provenanceOf(answer.provenance, identity)
})

export const identifiedComparison = (answer: CommittedComparison, identity: Identity): ScenarioComparisonResult => ({
  ...identified(answer, identity),
  projections: answer.projections.map((projection) => identified(projection, identity))
})
