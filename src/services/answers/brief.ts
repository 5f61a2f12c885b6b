/**
 * An answer in brief, as the tools send it: citations and omissions as their ids, the arms of a comparison without their
 * provenance, and one hash in place of all that. It is what the record of an answer commits to, so that it proves its
 * figures as the whole answer does (`proof/commitment`).
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
  ofEach,
  omissionNote
} from "./provenance.ts"

const hashOf = (value: unknown): string => hash("sha256", canonicalJson(value))
const citationHash = ofEach((id) => hashOf(citation(id)))
const omissionHash = ofEach((id) => hashOf(omissionNote(id)))

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

/** Its hash is over that of each text, which is made once and not for each answer, and over all of each provenance. */
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

/** Nothing is recorded of it, so there is nothing to prove. */
export const briefEligibility = (
  loans: EligibilityResult["loans"],
  { computedAtUtc }: Pick<Identity, "computedAtUtc">
): BriefEligibility => {
  const { citations, notes, ruleVersion } = eligibilityAnswer(loans).provenance
  return { loans, provenance: { computedAtUtc, ruleVersion, citations, ...(notes === undefined ? {} : { notes }) } }
}

/** What the record of an answer has: whoever has the answer, whole or in brief, can compute the same. */
export const answerHashOf = (brief: BriefProjection | BriefComparison): string => `a2-${hashOf(brief)}`
