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
import type { PlansRequest, PlansResult } from "../../../schema/plans.ts"
import { ProjectionRequest, type ProjectionResult } from "../../../schema/projection.ts"
import { type Computed, Engine, type PlanRefused, type RequestContradicted } from "../../engine/Engine.ts"
import type { Comparison, Projection } from "../../engine/index.ts"
import { AppConfig } from "../../platform/config.ts"
import { spanned } from "../../platform/telemetry.ts"
import { requestWriter } from "../../request/canonical.ts"
import type { Caller, Usage } from "../accounts/index.ts"
import { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { answerHashOf } from "./brief.ts"
import { type ChargeFailure, Charging } from "./Charging.ts"
import { type AnswerForms, comparisonForms, eligibilityForms, projectionForms, type RecordedForms } from "./forms.ts"
import {
  IdempotencyKeyReused,
  IdempotencyKeys,
  type IdempotentCall,
  isRepeated,
  type RepeatedCall,
  type RepeatRefused,
  RulesChanged
} from "./IdempotencyKeys.ts"
import { inputsHashOf } from "./inputsHash.ts"
import { keylessText } from "./json.ts"
import { explainedAnswer, type Identity, newSalt, plansAnswerOf, unrecorded } from "./provenance.ts"
import { verifyUrlOf } from "./publicRecord.ts"
import type { AnswerEntry, Source } from "./storedRows.ts"

export type { Source } from "./storedRows.ts"

const canonicalProjection = requestWriter(ProjectionRequest)
const canonicalComparison = requestWriter(ComparisonRequest)

const Recorded: unique symbol = Symbol("repayment-of-record/RecordedAnswer")

/** An answer whose record is in the ledger. Only this module can create one. */
export interface RecordedAnswer<Whole, Brief> extends RecordedForms<Whole, Brief> {
  readonly [Recorded]: true
  /** The caller's usage after the charge; null if an earlier call was charged for this answer. */
  readonly usage: Usage | null
}

/** The reasons why a projection or a comparison gets no answer. */
type AnswerFailure = PlanRefused | ChargeFailure | RepeatRefused

/**
 * Computes, charges and records a request.
 * @param call the call's identity, if it has an Idempotency-Key
 */
export type RecordedCalculation<Request, Whole, Brief> = (
  caller: Caller,
  source: Source,
  request: Request,
  call?: IdempotentCall
) => Effect.Effect<RecordedAnswer<Whole, Brief>, AnswerFailure>

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

const newIdentity = (at: Date) => ({ answerId: newAnswerId(at), answerSalt: newSalt() })

/** A calculation that is recorded: how it is computed and put into words. */
interface Calculation<Request, Figures, Whole, Brief> extends Pick<AnswerEntry, "endpoint" | "eventType"> {
  readonly compute: (request: Request, at?: Date) => Effect.Effect<Computed<Figures>, PlanRefused>
  readonly canonical: (request: Request) => string
  readonly formsOf: (figures: Figures, request: Request, identity: Identity) => RecordedForms<Whole, Brief>
}

export class Answers extends Context.Service<
  Answers,
  {
    readonly project: RecordedCalculation<ProjectionRequest, ProjectionResult, BriefProjection>
    readonly compare: RecordedCalculation<ComparisonRequest, ScenarioComparisonResult, BriefComparison>
    readonly eligiblePlans: (
      caller: Caller,
      request: EligibilityRequest
    ) => Effect.Effect<
      ChargedAnswer<AnswerForms<EligibilityResult, BriefEligibility>>,
      RequestContradicted | ChargeFailure
    >
    /** The keyless calculator's answer as JSON: neither charged nor recorded. */
    readonly calculate: (request: KeylessLoanRequest) => Effect.Effect<string, RequestContradicted>
    /** A whole book under every plan: neither charged nor recorded. @param pause lets others have their turn */
    readonly plans: (
      request: PlansRequest,
      pause: Effect.Effect<void>
    ) => Effect.Effect<PlansResult, PlanRefused | RequestContradicted>
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
      const charging = yield* Charging
      const idempotencyKeys = yield* IdempotencyKeys
      const { pepper: present, publicUrl } = yield* AppConfig

      /** The forms of an answer, and the entry that records it. */
      const formed = <Request, Figures, Whole, Brief extends BriefProjection | BriefComparison>(
        { canonical, endpoint, eventType, formsOf }: Calculation<Request, Figures, Whole, Brief>,
        request: Request,
        { computedAt, figures }: Computed<Figures>,
        { answerId, answerSalt } = newIdentity(computedAt)
      ) => {
        const verifyUrl = verifyUrlOf(publicUrl, answerId)
        const forms = formsOf(figures, request, {
          answerId,
          verifyUrl,
          computedAtUtc: computedAt.toISOString(),
          answerSalt
        })
        const inputsHash = inputsHashOf(present, eventType, canonical(request))
        const answerHash = answerHashOf(forms.brief())
        return { forms, entry: { answerId, endpoint, eventType, ruleVersion, inputsHash, answerHash } }
      }
      const recordedAs =
        <Whole, Brief>(forms: RecordedForms<Whole, Brief>) =>
        (usage: Usage | null): RecordedAnswer<Whole, Brief> => ({ [Recorded]: true, ...forms, usage })

      /**
       * The recorded answer of a repeated call, computed again for the time of its record. It is
       * returned only if it is the recorded one, to the last word.
       */
      const repeated = <Request, Figures, Whole, Brief extends BriefProjection | BriefComparison>(
        calculation: Calculation<Request, Figures, Whole, Brief>,
        request: Request,
        call: RepeatedCall
      ): Effect.Effect<RecordedAnswer<Whole, Brief>, RepeatRefused> => {
        const { pepper, recorded } = call
        if (inputsHashOf(pepper, calculation.eventType, calculation.canonical(request)) !== recorded.inputsHash)
          return Effect.fail(new IdempotencyKeyReused({ recorded }))
        const changed = new RulesChanged({ recorded })
        if (recorded.ruleVersion !== ruleVersion) return Effect.fail(changed)
        return calculation.compute(request, recorded.recordedAtUtc).pipe(
          Effect.mapError(() => changed),
          Effect.flatMap((computed) => {
            const { entry, forms } = formed(calculation, request, computed, call)
            return entry.answerHash === recorded.answerHash
              ? Effect.succeed(recordedAs(forms)(null))
              : Effect.fail(changed)
          })
        )
      }

      /** The recorded answer of a call, which is charged once however often it is sent. */
      const answered =
        <Request, Figures, Whole, Brief extends BriefProjection | BriefComparison>(
          calculation: Calculation<Request, Figures, Whole, Brief>
        ): RecordedCalculation<Request, Whole, Brief> =>
        (caller, source, request, call) => {
          if (isRepeated(call)) return repeated(calculation, request, call)
          /** The same call may have been recorded meanwhile, and may have used up the month. */
          const unlessRepeated = (failure: ChargeFailure) =>
            Effect.gen(function* () {
              const found = call && (yield* idempotencyKeys.findAgain(call))
              return isRepeated(found) ? yield* repeated(calculation, request, found) : yield* Effect.fail(failure)
            })
          return Effect.flatMap(calculation.compute(request), (computed) => {
            const { entry, forms } = formed(calculation, request, computed, call)
            return charging.record(caller, { ...entry, source }, computed.computedAt).pipe(
              Effect.map(recordedAs(forms)),
              Effect.catchTags({
                AlreadyRecorded: () => unlessRepeated(new LedgerUnavailable()),
                QuotaSpent: unlessRepeated
              })
            )
          })
        }

      const projection: Calculation<ProjectionRequest, Projection, ProjectionResult, BriefProjection> = {
        endpoint: "POST /v1/projection",
        eventType: "calc.projection.run",
        compute: engine.project,
        canonical: canonicalProjection,
        formsOf: projectionForms
      }
      const comparison: Calculation<ComparisonRequest, Comparison, ScenarioComparisonResult, BriefComparison> = {
        endpoint: "POST /v1/comparison",
        eventType: "calc.comparison.run",
        compute: engine.compare,
        canonical: canonicalComparison,
        formsOf: (figures, { arms }, identity) => comparisonForms(figures, arms, identity)
      }

      return Answers.of({
        project: spanned("Answers.project", answered(projection)),
        compare: spanned("Answers.compare", answered(comparison)),
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
        plans: spanned("Answers.plans", (request, pause) =>
          Effect.map(engine.plans(request, pause), (computed) => plansAnswerOf(computed, request))
        ),
        explain: spanned("Answers.explain", (request) =>
          Effect.map(engine.explain(request), ({ computedAt, figures }) =>
            explainedAnswer(figures, request, computedAt)
          )
        ),
        reference: spanned("Answers.reference", (scenarioId, request) =>
          Effect.map(engine.compare(request), (computed) => {
            const endpoint = `GET /v1/reference#${scenarioId}`
            const { entry, forms } = formed({ ...comparison, endpoint }, request, computed)
            return { answer: forms.value(), entry: { ...entry, source: "PublicApi" as const } }
          })
        )
      })
    })
  )
}
