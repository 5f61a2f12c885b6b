/**
 * The brief form of an answer, as the MCP tools send it: ids of citations and omissions, comparison
 * arms without provenance, and one hash in place of those texts. The record of an answer commits to
 * this form, so it proves its figures as the full answer does (`proof/commitment`).
 */
import { hash } from "node:crypto"
import {
  BriefComparison,
  type BriefEligibility,
  type BriefExplanation,
  BriefProjection,
  BriefProvenance
} from "../../../schema/brief.ts"
import type { ExplainResult } from "../../../schema/explanation.ts"
import { EngineProvenance, YearlyPoint } from "../../../schema/projection.ts"
import { canonicalJson } from "../../proof/commitment.ts"
import { listWriter, objectWriter, type Writer } from "../../request/canonical.ts"
import {
  type Basis,
  COMPUTED_BY,
  type CommittedComparison,
  type CommittedProjection,
  citation,
  type eligibilityAnswer,
  type Identity,
  memoize,
  memoizeList,
  omissionNote
} from "./provenance.ts"

const sha256 = (text: string): string => hash("sha256", text)
const citationHash = memoize((id) => `"${sha256(canonicalJson(citation(id)))}"`)
const omissionHash = memoize((id) => `"${sha256(canonicalJson(omissionNote(id)))}"`)
const citationHashes = memoizeList((ids) => ids.map(citationHash).join(","))
const omissionHashes = memoizeList((ids) => ids.map(omissionHash).join(","))

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

/** The writer of a struct's fields, which is JSON.stringify unless `others` names another. */
const structWriter = (fields: object, others: Readonly<Record<string, Writer>> = {}) =>
  objectWriter({ ...Object.fromEntries(Object.keys(fields).map((name) => [name, JSON.stringify])), ...others })

const idsWriter = memoizeList((ids) => JSON.stringify(ids))
const ids = { citations: idsWriter, knownOmissions: idsWriter }
const writeWithIds = structWriter(EngineProvenance.fields, ids)
const writeProvenance = structWriter(BriefProvenance.fields, ids)
const yearly = listWriter(structWriter(YearlyPoint.fields))
const writeProjection = structWriter(BriefProjection.fields, { yearly, provenance: writeProvenance })
const projections = listWriter(writeProjection)
const writeComparison = structWriter(BriefComparison.fields, { projections, provenance: writeProvenance })

/** Covers the (cached) hash of each text, and the full provenance of each part. */
const textsHashOf = (parts: ReadonlyArray<Basis>, identity: Identity): string => {
  const hashes = parts.flatMap(({ citations, knownOmissions = [] }) => [
    citationHashes(citations),
    omissionHashes(knownOmissions)
  ])
  const provenances = parts.map((part) => writeWithIds(withIds(part, identity)))
  return sha256(`[[${hashes.filter((text) => text !== "").join(",")}],[${provenances.join(",")}]]`)
}

const briefProvenance = (basis: Basis, identity: Identity, arms: ReadonlyArray<Basis> = []): BriefProvenance => {
  const { computedBy: _, engine: __, parityVerified: ___, ...brief } = withIds(basis, identity)
  return { ...brief, textsHash: textsHashOf([basis, ...arms], identity) }
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
  { loans, provenance: { citations, notes, ruleVersion } }: ReturnType<typeof eligibilityAnswer>,
  { computedAtUtc }: Pick<Identity, "computedAtUtc">
): BriefEligibility => ({
  loans,
  provenance: { computedAtUtc, ruleVersion, citations, ...(notes === undefined ? {} : { notes }) }
})

export const briefExplanation = (answer: ExplainResult): BriefExplanation => ({
  ...answer,
  rules: answer.rules.map(({ id }) => id),
  knownOmissions: answer.knownOmissions.map(({ id }) => id)
})

/** The answer hash in a record. Anyone with the answer, full or brief, can compute it. */
export const answerHashOf = (brief: BriefProjection | BriefComparison): string =>
  `a2-${sha256("projections" in brief ? writeComparison(brief) : writeProjection(brief))}`
