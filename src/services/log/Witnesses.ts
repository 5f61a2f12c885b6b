/**
 * Background worker that asks the witnesses of LOG_WITNESSES to cosign the newest checkpoint. One
 * process of all replicas has the turn at a time. Each line is stored as it arrives, so a witness
 * that is offline, slow or dishonest delays only its own line.
 */
import { Cache, Clock, Effect, Layer, Metric, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../platform/config.ts"
import { sha256 } from "../../platform/sha256.ts"
import { counter, countersOf } from "../../platform/telemetry.ts"
import type { Witness } from "../../proof/policy.ts"
import { backgroundCall } from "../ledgerUnavailable.ts"
import { hashesAtEdges } from "./append.ts"
import { type Asked, askWitness, MAX_REPEATS, type Outcome } from "./askWitness.ts"
import { originOf, treeOf } from "./keys.ts"
import { LogKeys } from "./LogKeys.ts"
import { TransparencyLog } from "./TransparencyLog.ts"
import { consistencyProof } from "./tiles.ts"
import { hasQuorum, type OwnPolicy, ownPolicy, refusePolicy } from "./witnessPolicy.ts"

/** A killed process loses its turn after this time: enough for two requests and to store lines. */
const TURN_SECONDS = 15
/** A witness that fails is skipped for 1, 3, 7 and at most 15 rounds. */
const MAX_PASSED_ROUNDS = 15
const LEAST_PAUSE_SECONDS = 0.1
const MILLIS_PER_SECOND = 1000

const roundsAsked = counter(
  "log_witness_rounds_total",
  "Rounds in which this process asked the witnesses of the transparency log."
)
const failures = counter(
  "log_witness_failures_total",
  "Requests for which a witness did not cosign the transparency log."
)
const conflicts = counter(
  "log_witness_conflicts_total",
  "Refusals by a witness that has seen another history of the transparency log."
)
const witnessedAt = Metric.gauge("log_witnessed_timestamp_seconds", {
  description: "When the newest checkpoint was last known to have its quorum; at least the start of the process."
})

/** The state that this process keeps for a witness between rounds. */
interface Memory {
  readonly failed: number
  /** The number of rounds in which the witness is skipped. */
  readonly passing: number
  /** The witness is not asked again until the log has more entries than this. */
  readonly refusedSize: number
  readonly reason: string
}
const NEW: Memory = { failed: 0, passing: 0, refusedSize: -1, reason: "" }

/** Takes the turn to ask; null if another process has it. */
const takeTurn = Effect.fnUntraced(function* (seconds: number) {
  const sql = yield* SqlClient.SqlClient
  // A clock that went back must not keep the turn for longer than a pause.
  const [taken] = yield* sql<{ readonly freeAt: string }>`
    UPDATE log_witnessed SET free_at = clock_timestamp() + make_interval(secs => ${TURN_SECONDS}::float8)
    WHERE free_at NOT BETWEEN clock_timestamp()
      AND clock_timestamp() + make_interval(secs => ${Math.max(TURN_SECONDS, seconds)}::float8)
    RETURNING free_at::text AS "freeAt"`
  return taken?.freeAt ?? null
})

/** Frees the turn for the next round, unless another process has taken it meanwhile. */
const endTurn = (freeAt: string, seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
  UPDATE log_witnessed SET free_at = free_at + make_interval(secs => ${seconds - TURN_SECONDS}::float8)
  WHERE free_at = ${freeAt}::timestamptz`
  )

interface State {
  readonly secondsToWait: number
  readonly isNewest: boolean
  readonly seenAt: number | null
}

const readState = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [state] = yield* sql<State>`
    SELECT greatest(0, extract(epoch FROM free_at - clock_timestamp()))::float8 AS "secondsToWait",
      coalesce(starts_with(log_witnessed.checkpoint, log_head.checkpoint), false) AS "isNewest",
      extract(epoch FROM seen_at)::float8 AS "seenAt"
    FROM log_witnessed, log_head`
  return state ?? { secondsToWait: 0, isNewest: false, seenAt: null }
})

const storeLine = ({ verifierKey }: Witness, note: string, line: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
  INSERT INTO log_witness (verifier_key, size, checkpoint, line)
  VALUES (${verifierKey}, ${treeOf(note).size}::bigint, ${note}, ${line})
  ON CONFLICT (verifier_key) DO UPDATE
  SET size = excluded.size, checkpoint = excluded.checkpoint, line = excluded.line
  WHERE log_witness.size <= excluded.size`
  )

/** Keeps the checkpoint with all its lines if they fulfil the quorum. */
const storeWitnessed = Effect.fnUntraced(function* (policy: OwnPolicy, note: string) {
  const sql = yield* SqlClient.SqlClient
  const keys = [...policy.witnesses.values()].map(({ verifierKey }) => verifierKey)
  const lines = yield* sql<{ readonly line: string }>`
    SELECT line FROM log_witness WHERE checkpoint = ${note} AND verifier_key = ANY(${keys}::text[])
    ORDER BY verifier_key`
  const cosigned = note + lines.map(({ line }) => `${line}\n`).join("")
  if (!(yield* hasQuorum(cosigned, policy))) return
  const { size } = treeOf(note)
  yield* sql`
    UPDATE log_witnessed SET size = ${size}::bigint, checkpoint = ${cosigned}, seen_at = clock_timestamp()
    WHERE size <= ${size}::bigint AND checkpoint IS DISTINCT FROM ${cosigned}`
})

/** The log line for an outcome; none while the outcome stays the same. */
const lineOf = (outcome: Outcome, before: Memory, keys: TransparencyLog["Service"]["keys"]) => {
  if (outcome.kind === "conflict")
    return Effect.logError(
      "A witness refuses the transparency log: this log was restored from a backup, or forked; see docs/incidents.md"
    )
  if (outcome.kind === "cosigned")
    return before.failed > 0 ? Effect.logInfo("A witness cosigns the transparency log again") : Effect.void
  if (outcome.reason === before.reason) return Effect.void
  if (outcome.kind === "failed") return Effect.logWarning("A witness did not cosign the transparency log; retrying")
  return Effect.flatMap(keys, ([key]) =>
    Effect.logWarning(`A witness does not know this log or its key; its operator must add: ${key}`)
  )
}

const memoryAfter = (outcome: Outcome, before: Memory): Memory => {
  if (outcome.kind === "cosigned") return NEW
  const failed = before.failed + 1
  const { reason } = outcome
  return outcome.kind === "conflict"
    ? { ...NEW, failed, reason, refusedSize: outcome.size }
    : { ...NEW, failed, reason, passing: Math.min(MAX_PASSED_ROUNDS, 2 ** failed - 1) }
}

/**
 * Fails unless the log lines of the policy, if it has any, name a current key of this log. Before
 * the first checkpoint the log has the name that PUBLIC_URL gives it.
 */
export const checkLogLine = Effect.fnUntraced(function* ({ logs }: OwnPolicy) {
  if (logs.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const [head] = yield* sql<{ readonly origin: string | null }>`SELECT origin FROM log_head`.pipe(
    Effect.orElseSucceed(() => [])
  )
  const { keys } = yield* (yield* LogKeys).configured([head?.origin ?? originOf(publicUrl)])
  if (keys.length > 0 && !logs.some((key) => keys.includes(key)))
    return yield* refusePolicy(`its log line has no current key of this log; write log ${keys[0]}, or leave it out`)
})

/** The rounds of one process, and its state between them. */
export const makeRounds = Effect.fnUntraced(function* (policy: OwnPolicy) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* TransparencyLog
  const { logWitnessSeconds: seconds } = yield* AppConfig
  const asked = [...policy.witnesses.values()].filter(({ url }) => url !== null)
  const names = asked.map(({ name }) => name)
  const failed = yield* countersOf(failures, "witness", names)
  const conflicting = yield* countersOf(conflicts, "witness", names)
  yield* Metric.value(roundsAsked)
  const memories = new Map<string, Memory>()
  const storing = Semaphore.makeUnsafe(1)
  yield* Metric.update(witnessedAt, (yield* Clock.currentTimeMillis) / MILLIS_PER_SECOND)

  const ask = Effect.fnUntraced(function* (witness: Witness, asked: Asked) {
    const { name } = witness
    const before = memories.get(name) ?? NEW
    const outcome = yield* askWitness(witness, asked)
    if (outcome.kind !== "cosigned") yield* Metric.update(failed[name]!, 1)
    if (outcome.kind === "conflict") yield* Metric.update(conflicting[name]!, 1)
    const annotations = { witness: name, ...(outcome.kind === "cosigned" ? {} : { reason: outcome.reason }) }
    yield* Effect.annotateLogs(lineOf(outcome, before, log.keys), annotations)
    memories.set(name, memoryAfter(outcome, before))
    if (outcome.kind !== "cosigned") return
    yield* storeLine(witness, asked.note, outcome.line).pipe(
      Effect.andThen(storeWitnessed(policy, asked.note)),
      storing.withPermit,
      backgroundCall("witness")
    )
  })

  /** Fails only if the database failed, so that no witness is blamed for that. */
  const askAll = Effect.gen(function* () {
    const note = yield* log.signed
    const tree = treeOf(note)
    const rows = yield* sql<{ readonly key: string; readonly size: number; readonly isSame: boolean }>`
      SELECT verifier_key AS key, size::float8 AS size, checkpoint = ${note} AS "isSame" FROM log_witness`.pipe(
      backgroundCall("witnesses")
    )
    const proofs = yield* Cache.make({
      capacity: (1 + MAX_REPEATS) * asked.length,
      lookup: (old: number) =>
        old === 0
          ? Effect.succeed([])
          : hashesAtEdges(tree, old).pipe(
              Effect.flatMap((open) =>
                Effect.promise(async () => consistencyProof(await open(), old, tree.size, sha256))
              ),
              backgroundCall("witnesses")
            )
    })
    const due = asked.filter(({ name, verifierKey }) => {
      const memory = memories.get(name) ?? NEW
      if (memory.passing > 0) memories.set(name, { ...memory, passing: memory.passing - 1 })
      const isCosigned = rows.some(({ isSame, key }) => key === verifierKey && isSame)
      return memory.passing === 0 && memory.refusedSize < tree.size && !isCosigned
    })
    if (due.length === 0) yield* storeWitnessed(policy, note).pipe(backgroundCall("witnesses"))
    const sizeOf = ({ verifierKey }: Witness) => rows.find(({ key }) => key === verifierKey)?.size ?? 0
    const proofFrom = (old: number) => Cache.get(proofs, old)
    const [, unavailable] = yield* Effect.partition(
      due,
      (witness) => ask(witness, { ...tree, note, old: sizeOf(witness), proofFrom }),
      { concurrency: "unbounded" }
    )
    if (unavailable[0] !== undefined) return yield* unavailable[0]
    yield* Metric.update(roundsAsked, 1)
  })

  /** One turn, if it is free. Returns the seconds until the next turn. */
  const round = Effect.gen(function* () {
    const turn = yield* takeTurn(seconds).pipe(backgroundCall("witnesses"))
    if (turn !== null) {
      yield* Effect.catchTag(askAll, "NotYetLogged", () => Effect.void)
      yield* endTurn(turn, seconds).pipe(backgroundCall("witnesses"))
    }
    const { isNewest, secondsToWait, seenAt } = yield* readState.pipe(backgroundCall("witnesses"))
    const now = (yield* Clock.currentTimeMillis) / MILLIS_PER_SECOND
    if (isNewest || seenAt !== null) yield* Metric.update(witnessedAt, isNewest ? now : seenAt!)
    return Math.max(LEAST_PAUSE_SECONDS, Math.min(secondsToWait, seconds))
  })
  return { round, seconds }
})

/** Asks the witnesses while its scope is open; nothing without a policy. */
export const witnessWorkerLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const policy = yield* ownPolicy
    if (policy === null) return
    yield* checkLogLine(policy)
    const { round, seconds } = yield* makeRounds(policy)
    const work = round.pipe(
      Effect.orElseSucceed(() => seconds),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("Asking the witnesses of the transparency log failed; retrying", cause), seconds)
      ),
      Effect.flatMap((wait) => Effect.sleep(wait * MILLIS_PER_SECOND)),
      Effect.forever
    )
    yield* Effect.forkScoped(work)
  })
)
