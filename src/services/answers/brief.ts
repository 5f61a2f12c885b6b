/**
 * The brief form of an answer, as the tools send it: ids of citations and omissions, comparison
 * arms without provenance, and one hash in place of all that. The record of an answer commits to
 * this form, so it proves its figures as the full answer does (`proof/commitment`).
 */
import { hash } from "node:crypto"
import type { BriefComparison, BriefEligibility, BriefProjection, BriefProvenance } from "../../../schema/brief.ts"
import type { EligibilityResult } from "../../../schema/eligibility.ts"
import { canonicalJson } from "./InputsHash.ts"
import {
  type Basis,
  COMPUTED_BY,
  type CommittedComparison,
  type CommittedProjection,
  citation,
  eligibilityAnswer,
  type Identity,
  memoize,
  omissionNote
} from "./provenance.ts"

const hashOf = (value: unknown): string => hash("sha256", canonicalJson(value))
const citationHash = memoize((id) => hashOf(citation(id)))
const omissionHash = memoize((id) => hashOf(omissionNote(id)))

const textHashes = ({ citations, knownOmissions = [] }: Basis): ReadonlyArray<string> => [
  ...citations.map(citationHash),
  ...knownOmissions.map(omissionHash)
]

const withIds = (basis: Basis, { answerId, answerSalt, computedAtUtc, verifyUrl }: Identity) => ({
  computedBy: COMPUTED_BY,
  engine: basis.engine,
  parityVerified: basis.parityVerified,
  computedAtUtc,
  ruleVersion: basis.ruleVersion,
  citations: basis.citations,
  ...(basis.knownOmissions === undefined ? {} : { knownOmissions: basis.knownOmissions }),
  ...(basis.notes === undefined ? {} : { notes: basis.notes }),
  answerId,
  verifyUrl,
  answerSalt
})

/** `textsHash` covers the (cached) hash of each text and the full provenance of each part. */
const briefProvenance = (basis: Basis, identity: Identity, arms: ReadonlyArray<Basis> = []): BriefProvenance => {
  const parts = [basis, ...arms]
  const { computedBy: _, engine: __, parityVerified: ___, ...brief } = withIds(basis, identity)
  return { ...brief, textsHash: hashOf([parts.flatMap(textHashes), parts.map((part) => withIds(part, identity))]) }
}

export const briefProjection = (answer: CommittedProjection, identity: Identity): BriefProjection => ({
  ...answer,
  provenance: briefProvenance(answer.provenance, identity)
})

export const briefComparison = (
  { lowestCostLabel, projections, provenance }: CommittedComparison,
  identity: Identity
): BriefComparison => ({
  projections: projections.map(({ provenance: _, ...figures }) => figures),
  lowestCostLabel,
  provenance: briefProvenance(
    provenance,
    identity,
    projections.map((projection) => projection.provenance)
  )
})

/** An eligibility answer is not recorded, so it carries no hash. */
export const briefEligibility = (
  loans: EligibilityResult["loans"],
  { computedAtUtc }: Pick<Identity, "computedAtUtc">
): BriefEligibility => {
  const { citations, notes, ruleVersion } = eligibilityAnswer(loans).provenance
  return { loans, provenance: { computedAtUtc, ruleVersion, citations, ...(notes === undefined ? {} : { notes }) } }
}

/** The answer hash in a record. Anyone with the answer, full or brief, can compute it. */
export const answerHashOf = (brief: BriefProjection | BriefComparison): string => `a2-${hashOf(brief)}`
