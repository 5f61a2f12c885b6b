/**
 * The one door through which calculated answers leave: compute, charge and record, and only then hand out. A
 * RecordedAnswer cannot be made anywhere else, and the keyed calculation routes accept nothing else.
 */
import { createHash, randomUUID } from "node:crypto"
import { availableParallelism } from "node:os"
import { Context, Effect, Layer } from "effect"
import { ruleVersion } from "../../../ledger/index.ts"
import type { KeylessLoanRequest, LoanCalcResult } from "../../../schema/calculator.ts"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ProjectionRequest, ProjectionResult } from "../../../schema/projection.ts"
import { AppConfig } from "../../config.ts"
import { Engine, type PlanRefused } from "../../engine/Engine.ts"
import type { Caller, KeyRefused, Usage } from "../keys/Keys.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { AnswerLedger, type EventType, type Source } from "./AnswerLedger.ts"
import { makeCalculationGate, type Overloaded } from "./calculationGate.ts"
import { canonicalJson, InputsHash } from "./InputsHash.ts"
import {
  COMPUTED_BY,
  comparisonAnswer,
  eligibilityAnswer,
  identified,
  identifiedComparison,
  projectionAnswer,
  unrecorded
} from "./provenance.ts"
import { verifyUrlOf } from "./publicRecord.ts"
import { Quota, type QuotaSpent } from "./Quota.ts"

export type { PlanRefused } from "../../engine/Engine.ts"

export type { Source } from "./AnswerLedger.ts"

const Recorded: unique symbol = Symbol("repayment-of-record/RecordedAnswer")

/** An answer whose record is in the ledger. Only this module can make one. */
export interface RecordedAnswer<A> {
  readonly [Recorded]: true
  readonly answer: A
  /** The caller's figures after the charge. */
  readonly usage: Usage
}

/** An answer that is charged but not recorded, because it is no calculation. */
export interface ChargedAnswer<A> {
  readonly answer: A
  readonly usage: Usage
}

type Withheld = QuotaSpent | KeyRefused | LedgerUnavailable | Overloaded

/** A thousand callers at once are served within about a second, so they wait; those of the keyless one are fewer. */
const WAITING_KEYED = 1024
const WAITING_KEYLESS = 64

/** sha256 over what two computations of the same inputs under the same rules have in common. */
const answerHash = (answer: unknown): string => `a1-${createHash("sha256").update(canonicalJson(answer)).digest("hex")}`

export class Answers extends Context.Service<
  Answers,
  {
    readonly project: (
      caller: Caller,
      source: Source,
      request: ProjectionRequest
    ) => Effect.Effect<RecordedAnswer<ProjectionResult>, PlanRefused | Withheld>
    readonly compare: (
      caller: Caller,
      source: Source,
      request: ComparisonRequest
    ) => Effect.Effect<RecordedAnswer<ScenarioComparisonResult>, PlanRefused | Withheld>
    readonly eligiblePlans: (
      caller: Caller,
      request: EligibilityRequest
    ) => Effect.Effect<ChargedAnswer<EligibilityResult>, Withheld>
    /** The keyless calculator: neither charged nor recorded. */
    readonly calculate: (request: KeylessLoanRequest) => Effect.Effect<LoanCalcResult, Overloaded>
    /** A reference scenario: recorded under the service's own prefix, charged to nobody. */
    readonly reference: (
      scenarioId: string,
      request: ComparisonRequest
    ) => Effect.Effect<ScenarioComparisonResult, PlanRefused | LedgerUnavailable | Overloaded>
  }
>()("repayment-of-record/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const engine = yield* Engine
      const ledger = yield* AnswerLedger
      const hashes = yield* InputsHash
      const quota = yield* Quota
      const { publicUrl } = yield* AppConfig
      // The keyless calculator has turns of its own: a flood of it must not delay those who pay.
      const keyed = makeCalculationGate(availableParallelism(), WAITING_KEYED)
      const keyless = makeCalculationGate(availableParallelism(), WAITING_KEYLESS)

      const identityOf = (computedAt: Date) => {
        const answerId = randomUUID()
        return { answerId, computedAtUtc: computedAt.toISOString(), verifyUrl: verifyUrlOf(publicUrl, answerId) }
      }
      const recorded = <A>(answer: A, { usage }: { readonly usage: Usage }): RecordedAnswer<A> => ({
        [Recorded]: true,
        answer,
        usage
      })
      const entryOf = (
        eventType: EventType,
        endpoint: string,
        request: unknown,
        answerId: string,
        answer: unknown
      ) => ({
        answerId,
        endpoint,
        eventType,
        ruleVersion,
        inputsHash: hashes.of(eventType, request),
        answerHash: answerHash(answer)
      })

      return Answers.of({
        project: Effect.fn("Answers.project")(function* (caller, source, request) {
          const { computedAt, figures } = yield* keyed(engine.project(request))
          const identity = identityOf(computedAt)
          const answer = projectionAnswer(figures)
          const entry = entryOf("calc.projection.run", "POST /v1/projection", request, identity.answerId, answer)
          const receipt = yield* ledger.record(caller, { ...entry, source })
          return recorded(identified(answer, identity), receipt)
        }),
        compare: Effect.fn("Answers.compare")(function* (caller, source, request) {
          const { computedAt, figures } = yield* keyed(engine.compare(request))
          const identity = identityOf(computedAt)
          const answer = comparisonAnswer(figures)
          const entry = entryOf("calc.comparison.run", "POST /v1/comparison", request, identity.answerId, answer)
          const receipt = yield* ledger.record(caller, { ...entry, source })
          return recorded(identifiedComparison(answer, identity), receipt)
        }),
        eligiblePlans: Effect.fn("Answers.eligiblePlans")(function* (caller, request) {
          const { computedAt, figures } = yield* keyed(engine.eligiblePlans(request))
          const usage = yield* quota.charge(caller)
          return { answer: identified(eligibilityAnswer(figures), unrecorded(computedAt)), usage }
        }),
        calculate: Effect.fn("Answers.calculate")(function* (request) {
          const { figures } = yield* keyless(engine.calculate(request))
          return { ...figures, computedBy: COMPUTED_BY }
        }),
        reference: Effect.fn("Answers.reference")(function* (scenarioId, request) {
          const { computedAt, figures } = yield* keyless(engine.compare(request))
          const identity = identityOf(computedAt)
          const answer = comparisonAnswer(figures)
          const endpoint = `GET /v1/reference#${scenarioId}`
          const entry = entryOf("calc.comparison.run", endpoint, request, identity.answerId, answer)
          yield* ledger.recordOwn({ ...entry, source: "PublicApi" })
          return identifiedComparison(answer, identity)
        })
      })
    })
  )
}
