/**
 * The path from a request to its answer: compute, charge and record, and only then return. Only
 * this module can create a RecordedAnswer, and the keyed calculation routes accept nothing else. So
 * no calculated answer leaves unrecorded.
 */
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { ruleVersion } from "../../../ledger/index.ts"
import type { BriefComparison, BriefEligibility, BriefProjection } from "../../../schema/brief.ts"
import type { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { ComparisonRequest, type ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ExplainRequest, ExplainResult } from "../../../schema/explanation.ts"
import { ProjectionRequest, type ProjectionResult } from "../../../schema/projection.ts"
import { Engine, type PlanRefused, type RequestContradicted } from "../../engine/Engine.ts"
import { AppConfig } from "../../platform/config.ts"
import { spanned } from "../../platform/telemetry.ts"
import { requestWriter } from "../../request/canonical.ts"
import type { Caller, Usage } from "../accounts/Keys.ts"
import { answerHashOf } from "./brief.ts"
import { type ChargeFailure, Charging } from "./Charging.ts"
import { type AnswerForms, comparisonForms, eligibilityForms, projectionForms } from "./forms.ts"
import { InputsHash } from "./InputsHash.ts"
import { explainedAnswer, type Identity, keylessText, newSalt, unrecorded } from "./provenance.ts"
import { verifyUrlOf } from "./publicRecord.ts"
import type { AnswerEntry, Source } from "./storedRows.ts"

export type { PlanRefused, RequestContradicted } from "../../engine/Engine.ts"

export type { Source } from "./storedRows.ts"

const canonicalProjection = requestWriter(ProjectionRequest)
const canonicalComparison = requestWriter(ComparisonRequest)

const Recorded: unique symbol = Symbol("repayment-of-record/RecordedAnswer")

/** An answer whose record is in the ledger. Only this module can create one. */
export interface RecordedAnswer<Whole, Brief> extends AnswerForms<Whole, Brief> {
  readonly [Recorded]: true
  /** The caller's usage after the charge. */
  readonly usage: Usage
}

/** An answer that is charged but not recorded, because it is not a calculation. */
export interface ChargedAnswer<A> {
  readonly answer: A
  readonly usage: Usage
}

/**
 * A UUIDv7: the millisecond and 74 random bits, without a counter within the millisecond. So the
 * index of ids grows at one end, and one id does not reveal another.
 */
export const newAnswerId = (at: Date): string => {
  const milliseconds = at.getTime().toString(16).padStart(12, "0")
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${randomUUID().slice(15)}`
}

export class Answers extends Context.Service<
  Answers,
  {
    readonly project: (
      caller: Caller,
      source: Source,
      request: ProjectionRequest
    ) => Effect.Effect<RecordedAnswer<ProjectionResult, BriefProjection>, PlanRefused | ChargeFailure>
    readonly compare: (
      caller: Caller,
      source: Source,
      request: ComparisonRequest
    ) => Effect.Effect<RecordedAnswer<ScenarioComparisonResult, BriefComparison>, PlanRefused | ChargeFailure>
    readonly eligiblePlans: (
      caller: Caller,
      request: EligibilityRequest
    ) => Effect.Effect<
      ChargedAnswer<AnswerForms<EligibilityResult, BriefEligibility>>,
      RequestContradicted | ChargeFailure
    >
    /** The keyless calculator's answer as JSON: neither charged nor recorded. */
    readonly calculate: (request: KeylessLoanRequest) => Effect.Effect<string, RequestContradicted>
    /** The explanation of a payment: neither charged nor recorded. */
    readonly explain: (request: ExplainRequest) => Effect.Effect<ExplainResult, PlanRefused>
    /** The answer of a reference scenario, and the entry that AnswerLedger.recordOwn records. */
    readonly reference: (
      scenarioId: string,
      request: ComparisonRequest
    ) => Effect.Effect<{ readonly answer: ScenarioComparisonResult; readonly entry: AnswerEntry }, PlanRefused>
  }
>()("repayment-of-record/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const engine = yield* Engine
      const hashes = yield* InputsHash
      const charging = yield* Charging
      const { publicUrl } = yield* AppConfig

      /** The forms of an answer with a new identity, and the entry that records it. */
      const identified = <Whole, Brief extends BriefProjection | BriefComparison>(
        { endpoint, eventType, inputs }: Pick<AnswerEntry, "endpoint" | "eventType"> & { readonly inputs: string },
        computedAt: Date,
        formsOf: (identity: Identity) => AnswerForms<Whole, Brief>
      ) => {
        const answerId = newAnswerId(computedAt)
        const verifyUrl = verifyUrlOf(publicUrl, answerId)
        const forms = formsOf({ answerId, verifyUrl, computedAtUtc: computedAt.toISOString(), answerSalt: newSalt() })
        const inputsHash = hashes.of(eventType, inputs)
        const entry = {
          answerId,
          endpoint,
          eventType,
          ruleVersion,
          inputsHash,
          answerHash: answerHashOf(forms.brief())
        }
        return { forms, entry }
      }
      const comparisonOf = (endpoint: string, request: ComparisonRequest) =>
        Effect.map(engine.compare(request), ({ computedAt, figures }) => {
          const about = { endpoint, eventType: "calc.comparison.run", inputs: canonicalComparison(request) } as const
          return identified(about, computedAt, (identity) => comparisonForms(figures, request.arms, identity))
        })
      const recordedAs =
        <Whole, Brief>(forms: AnswerForms<Whole, Brief>) =>
        (usage: Usage): RecordedAnswer<Whole, Brief> => ({ [Recorded]: true, ...forms, usage })

      return Answers.of({
        project: spanned("Answers.project", (caller, source, request) =>
          Effect.flatMap(engine.project(request), ({ computedAt, figures }) => {
            const inputs = canonicalProjection(request)
            const about = { endpoint: "POST /v1/projection", eventType: "calc.projection.run", inputs } as const
            const { entry, forms } = identified(about, computedAt, (identity) =>
              projectionForms(figures, request, identity)
            )
            return Effect.map(charging.record(caller, { ...entry, source }), recordedAs(forms))
          })
        ),
        compare: spanned("Answers.compare", (caller, source, request) =>
          Effect.flatMap(comparisonOf("POST /v1/comparison", request), ({ entry, forms }) =>
            Effect.map(charging.record(caller, { ...entry, source }), recordedAs(forms))
          )
        ),
        eligiblePlans: spanned("Answers.eligiblePlans", (caller, request) =>
          Effect.flatMap(engine.eligiblePlans(request), ({ computedAt, figures }) =>
            Effect.map(charging.charge(caller), (usage) => ({
              answer: eligibilityForms(figures, request, unrecorded(computedAt)),
              usage
            }))
          )
        ),
        calculate: spanned("Answers.calculate", (request) =>
          Effect.map(engine.calculate(request), ({ computedAt, figures }) => keylessText(figures, request, computedAt))
        ),
        explain: spanned("Answers.explain", (request) =>
          Effect.map(engine.explain(request), ({ computedAt, figures }) =>
            explainedAnswer(figures, request, computedAt)
          )
        ),
        reference: spanned("Answers.reference", (scenarioId, request) =>
          Effect.map(comparisonOf(`GET /v1/reference#${scenarioId}`, request), ({ entry, forms }) => ({
            answer: forms.value(),
            entry: { ...entry, source: "PublicApi" as const }
          }))
        )
      })
    })
  )
}
