/**
 * Where the numbers of an answer come from, written from the ids that the engine reports and the texts of the ledger.
 * Which record an answer has is added last, so that the rest can be hashed.
 */
import { omissionById, ruleById, ruleVersion } from "../../../ledger/index.ts"
import type { LoanCalcResult } from "../../../schema/calculator.ts"
import type { ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityResult } from "../../../schema/eligibility.ts"
import type { EngineProvenance, ProjectionResult, RuleCitation, RuleOmissionNote } from "../../../schema/projection.ts"
import type { Calculation } from "../../engine/calculator.ts"
import type { Comparison } from "../../engine/comparison.ts"
import { currentLaw } from "../../engine/law/law.ts"
import type { Projection } from "../../engine/projection.ts"
import { calculatorAnswer } from "../../wording/calculator.ts"

const COMPUTED_BY = "repayment-of-record"

/** The part of an answer's provenance that differs between two computations of the same inputs. */
interface Identity {
  readonly computedAtUtc: string
  readonly answerId: string | null
  readonly verifyUrl: string | null
}

/** What two computations of the same inputs have in common, which is what an answer's hash covers. */
type Unidentified<A> = Omit<A, "provenance"> & { readonly provenance: Omit<EngineProvenance, keyof Identity> }
type Basis = Unidentified<ProjectionResult>["provenance"]

const citation = (id: string): RuleCitation => {
  const { label, source, effectiveDate, lastVerified } = ruleById(id)
  return { id, label, authority: source.authority, url: source.url, effectiveDate, lastVerified }
}

const omissionNote = (id: string): RuleOmissionNote => {
  const { detail, effectiveDate, expiresDate, label, lastVerified, source } = omissionById(id)
  return { id, label, detail, authority: source.authority, url: source.url, effectiveDate, expiresDate, lastVerified }
}

interface Used {
  readonly engine: string
  readonly parityVerified: boolean
  readonly citations: Iterable<string>
  readonly omissions?: Iterable<string>
}

const basis = ({ citations, engine, omissions, parityVerified }: Used): Basis => ({
  computedBy: COMPUTED_BY,
  engine,
  parityVerified,
  ruleVersion,
  citations: Array.from(citations, citation),
  ...(omissions === undefined ? {} : { knownOmissions: Array.from(omissions, omissionNote) })
})

const TYPE_CODES = { Pslf: 0, TimeBased: 1, Teacher: 2, None: 3 } as const

export const projectionAnswer = (projection: Projection): Unidentified<ProjectionResult> => ({
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
  weightedAverageInterestRate: projection.weightedAverageInterestRate,
  ...(projection.yearly === undefined ? {} : { yearly: projection.yearly }),
  provenance: basis({
    engine: "projection",
    parityVerified: projection.parityVerified,
    citations: projection.citations,
    omissions: projection.omissions
  })
})

interface UnidentifiedComparison extends Omit<Unidentified<ScenarioComparisonResult>, "projections"> {
  readonly projections: ReadonlyArray<Unidentified<ProjectionResult>>
}

export const comparisonAnswer = ({ lowestCostLabel, projections }: Comparison): UnidentifiedComparison => ({
  projections: projections.map(projectionAnswer),
  lowestCostLabel,
  provenance: basis({
    engine: "comparison",
    parityVerified: projections.every(({ parityVerified }) => parityVerified),
    citations: new Set(projections.flatMap(({ citations }) => citations)),
    omissions: new Set(projections.flatMap(({ omissions }) => omissions))
  })
})

/** Eligibility is decided by rule, not computed, so no parity case applies to it. */
const ELIGIBILITY_BASIS = basis({
  engine: "eligibility",
  parityVerified: false,
  citations: ["loan-type-families", "plan-eligibility-matrix"]
})

export const eligibilityAnswer = (loans: EligibilityResult["loans"]) => ({ loans, provenance: ELIGIBILITY_BASIS })

/** The keyless calculator's answer, which has no record. */
export const keylessAnswer = (calculation: Calculation, computedAt: Date): LoanCalcResult => ({
  ...calculatorAnswer(currentLaw, calculation, computedAt.toISOString().slice(0, "YYYY-MM-DD".length)),
  computedBy: COMPUTED_BY
})

/** The identity of an answer that has no record. */
export const unrecorded = (computedAt: Date): Identity => ({
  computedAtUtc: computedAt.toISOString(),
  answerId: null,
  verifyUrl: null
})

/** Adds which record an answer has. */
export const identified = <A extends { readonly provenance: Basis }>(answer: A, identity: Identity) => {
  const { citations, knownOmissions, ...stated } = answer.provenance
  const provenance: EngineProvenance = {
    ...stated,
    computedAtUtc: identity.computedAtUtc,
    citations,
    ...(knownOmissions === undefined ? {} : { knownOmissions }),
    answerId: identity.answerId,
    verifyUrl: identity.verifyUrl
  }
  return { ...answer, provenance }
}

export const identifiedComparison = (answer: UnidentifiedComparison, identity: Identity): ScenarioComparisonResult => ({
  ...identified(answer, identity),
  projections: answer.projections.map((projection) => identified(projection, identity))
})
