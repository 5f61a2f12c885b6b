/**
 * Computes an answer, charges and records it, and only then returns it. Only this module can make a RecordedAnswer, and
 * the keyed calculation routes accept nothing else, so no calculated answer leaves unrecorded.
 */
import { hash, randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { ruleVersion } from "../../../ledger/index.ts"
import type { KeylessLoanRequest, LoanCalcResult } from "../../../schema/calculator.ts"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ProjectionRequest, ProjectionResult } from "../../../schema/projection.ts"
import { AppConfig } from "../../config.ts"
import { Engine, type PlanRefused } from "../../engine/Engine.ts"
import { spanned } from "../../telemetry.ts"
import type { Caller, Usage } from "../keys/Keys.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { AnswerLedger } from "./AnswerLedger.ts"
import { type ChargeFailure, Charging } from "./Charging.ts"
import type { EventType, Source } from "./charges.ts"
import { InputsHash } from "./InputsHash.ts"
import {
  type CommittedComparison,
  type CommittedProjection,
  committedText,
  comparisonAnswer,
  comparisonText,
  eligibilityAnswer,
  type Identity,
  identified,
  identifiedComparison,
  keylessAnswer,
  newSalt,
  projectionAnswer,
  projectionText,
  unrecorded
} from "./provenance.ts"
import { verifyUrlOf } from "./publicRecord.ts"

export type { PlanRefused } from "../../engine/Engine.ts"

export type { Source } from "./charges.ts"

const Recorded: unique symbol = Symbol("repayment-of-record/RecordedAnswer")

/** An answer whose record is in the ledger. Only this module can make one. */
export interface RecordedAnswer<A> {
  readonly [Recorded]: true
  readonly value: () => A
  /** The JSON text of the value, in less time than it takes to write the value out. */
  readonly text: () => string
  /** The caller's usage after the charge. */
  readonly usage: Usage
}

/** An answer that is charged but not recorded, because it is not a calculation. */
export interface ChargedAnswer<A> {
  readonly answer: A
  readonly usage: Usage
}

/**
 * A UUID of version 7: the millisecond, and 74 random bits of its own, however many ids that millisecond has. So the
 * index of ids grows at one end, and from one id no other can be reached.
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
    ) => Effect.Effect<RecordedAnswer<ProjectionResult>, PlanRefused | ChargeFailure>
    readonly compare: (
      caller: Caller,
      source: Source,
      request: ComparisonRequest
    ) => Effect.Effect<RecordedAnswer<ScenarioComparisonResult>, PlanRefused | ChargeFailure>
    readonly eligiblePlans: (
      caller: Caller,
      request: EligibilityRequest
    ) => Effect.Effect<ChargedAnswer<EligibilityResult>, ChargeFailure>
    /** The keyless calculator: neither charged nor recorded. */
    readonly calculate: (request: KeylessLoanRequest) => Effect.Effect<LoanCalcResult>
    /** A reference scenario: recorded under the service's own prefix, charged to nobody. */
    readonly reference: (
      scenarioId: string,
      request: ComparisonRequest
    ) => Effect.Effect<ScenarioComparisonResult, PlanRefused | LedgerUnavailable>
  }
>()("repayment-of-record/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const engine = yield* Engine
      const ledger = yield* AnswerLedger
      const hashes = yield* InputsHash
      const charging = yield* Charging
      const { publicUrl } = yield* AppConfig

      const identityOf = (computedAt: Date) => {
        const answerId = newAnswerId(computedAt)
        const verifyUrl = verifyUrlOf(publicUrl, answerId)
        return { answerId, computedAtUtc: computedAt.toISOString(), verifyUrl, answerSalt: newSalt() }
      }
      const entryOf = (
        eventType: EventType,
        endpoint: string,
        request: unknown,
        answer: CommittedProjection | CommittedComparison,
        identity: Identity & { readonly answerId: string }
      ) => ({
        answerId: identity.answerId,
        endpoint,
        eventType,
        ruleVersion,
        inputsHash: hashes.of(eventType, request),
        answerHash: `a2-${hash("sha256", committedText(answer, identity))}`
      })

      return Answers.of({
        project: spanned(
          "Answers.project",
          Effect.fnUntraced(function* (caller, source, request) {
            const { computedAt, figures } = yield* engine.project(request)
            const identity = identityOf(computedAt)
            const answer = projectionAnswer(figures)
            const entry = entryOf("calc.projection.run", "POST /v1/projection", request, answer, identity)
            const usage = yield* charging.record(caller, { ...entry, source })
            return {
              [Recorded]: true,
              value: () => identified(answer, identity),
              text: () => projectionText(answer, identity),
              usage
            }
          })
        ),
        compare: spanned(
          "Answers.compare",
          Effect.fnUntraced(function* (caller, source, request) {
            const { computedAt, figures } = yield* engine.compare(request)
            const identity = identityOf(computedAt)
            const answer = comparisonAnswer(figures)
            const entry = entryOf("calc.comparison.run", "POST /v1/comparison", request, answer, identity)
            const usage = yield* charging.record(caller, { ...entry, source })
            return {
              [Recorded]: true,
              value: () => identifiedComparison(answer, identity),
              text: () => comparisonText(answer, identity),
              usage
            }
          })
        ),
        eligiblePlans: spanned(
          "Answers.eligiblePlans",
          Effect.fnUntraced(function* (caller, request) {
            const { computedAt, figures } = yield* engine.eligiblePlans(request)
            const usage = yield* charging.charge(caller)
            return { answer: identified(eligibilityAnswer(figures), unrecorded(computedAt)), usage }
          })
        ),
        calculate: spanned(
          "Answers.calculate",
          Effect.fnUntraced(function* (request) {
            const { computedAt, figures } = yield* engine.calculate(request)
            return keylessAnswer(figures, computedAt)
          })
        ),
        reference: spanned(
          "Answers.reference",
          Effect.fnUntraced(function* (scenarioId, request) {
            const { computedAt, figures } = yield* engine.compare(request)
            const identity = identityOf(computedAt)
            const answer = comparisonAnswer(figures)
            const endpoint = `GET /v1/reference#${scenarioId}`
            const entry = entryOf("calc.comparison.run", endpoint, request, answer, identity)
            yield* ledger.recordOwn({ ...entry, source: "PublicApi" })
            return identifiedComparison(answer, identity)
          })
        )
      })
    })
  )
}
