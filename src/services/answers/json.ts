/** Answers as JSON, made faster than by serializing their values. */
import type { KeylessLoanRequest, LoanCalcResult } from "../../../schema/calculator.ts"
import { type Calculation, currentLaw } from "../../engine/index.ts"
import { calculatorAnswer, calculatorAssumptions } from "../../messages/calculator.ts"
import { dayOf } from "../../messages/figures.ts"
import { calculatorNotes } from "../../messages/notes.ts"
import {
  type Basis,
  COMPUTED_BY,
  type CommittedComparison,
  type CommittedProjection,
  citation,
  type Identity,
  memoize,
  memoizeList,
  omissionNote
} from "./provenance.ts"

const textOfAssumptions = (isDated: boolean): string =>
  calculatorAssumptions(currentLaw, isDated)
    .map((sentence) => JSON.stringify(sentence))
    .join(",")
const UNDATED = textOfAssumptions(false)
const DATED = textOfAssumptions(true)

/**
 * The keyless calculator's answer as JSON, with properties in the contract's order. The text of the
 * assumptions, half of the answer, is always the same.
 */
export const keylessText = (calculation: Calculation, request: KeylessLoanRequest, computedAt: Date): string => {
  const figures: Omit<LoanCalcResult, "assumptions"> = {
    ...calculatorAnswer(currentLaw, calculation, dayOf(computedAt)),
    computedBy: COMPUTED_BY
  }
  const notes = calculatorNotes(currentLaw, request).map((note) => `${JSON.stringify(note)},`)
  const assumptions = request.firstBorrowedOn === null ? UNDATED : DATED
  return `${JSON.stringify(figures).slice(0, -1)},"assumptions":[${notes.join("")}${assumptions}]}`
}

const citationText = memoize((id) => JSON.stringify(citation(id)))
const omissionText = memoize((id) => JSON.stringify(omissionNote(id)))
const citationsBytes = memoizeList((ids) => Buffer.from(ids.map(citationText).join(",")))
const omissionsBytes = memoizeList((ids) => Buffer.from(ids.map(omissionText).join(",")))

/** A piece of JSON, as text or as cached UTF-8. */
type Piece = string | Buffer

const bytesOf = (pieces: ReadonlyArray<Piece>): Uint8Array => {
  const all: Array<Buffer> = []
  let text = ""
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece
    else {
      all.push(Buffer.from(text), piece)
      text = ""
    }
  }
  return Buffer.concat([...all, Buffer.from(text)])
}

/**
 * The provenance of an answer as JSON. The rules' texts are most of its length. They are cached as
 * bytes, because encoding them takes longer than all other work on a projection.
 */
const provenancePieces = (basis: Basis, { answerId, answerSalt, computedAtUtc, verifyUrl }: Identity) => {
  const { engine, knownOmissions, notes, parityVerified, ruleVersion } = basis
  const before = JSON.stringify({ computedBy: COMPUTED_BY, engine, parityVerified, computedAtUtc, ruleVersion })
  const omissions: ReadonlyArray<Piece> =
    knownOmissions === undefined ? [] : [',"knownOmissions":[', omissionsBytes(knownOmissions), "]"]
  const notesText = notes === undefined ? "" : `"notes":${JSON.stringify(notes)},`
  return [
    `${before.slice(0, -1)},"citations":[`,
    citationsBytes(basis.citations),
    "]",
    ...omissions,
    `,${notesText}${JSON.stringify({ answerId, verifyUrl, answerSalt }).slice(1)}`
  ]
}

const projectionPieces = (
  { provenance, ...figures }: CommittedProjection,
  identity: Identity
): ReadonlyArray<Piece> => [
  `${JSON.stringify(figures).slice(0, -1)},"provenance":`,
  ...provenancePieces(provenance, identity),
  "}"
]

/** The JSON of `identified`, in UTF-8. */
export const projectionBytes = (answer: CommittedProjection, identity: Identity): Uint8Array =>
  bytesOf(projectionPieces(answer, identity))

/** The JSON of `identifiedComparison`, in UTF-8. */
export const comparisonBytes = (
  { lowestCostLabel, projections, provenance }: CommittedComparison,
  identity: Identity
): Uint8Array =>
  bytesOf([
    '{"projections":[',
    ...projections.flatMap((projection, index) => [index === 0 ? "" : ",", ...projectionPieces(projection, identity)]),
    `],"lowestCostLabel":${JSON.stringify(lowestCostLabel)},"provenance":`,
    ...provenancePieces(provenance, identity),
    "}"
  ])
