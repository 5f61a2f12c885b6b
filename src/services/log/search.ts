/**
 * The search for late records, beside the rounds: a step after each, which no round waits for longer than a moment, however
 * long it takes or whatever it fails of. What it has found is entered by a round of its own.
 */
import { Effect, Fiber, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { backgroundCall } from "../ledgerUnavailable.ts"
import type { Signed } from "./continuity.ts"
import { hasLate, MOST_QUESTION_MILLISECONDS, NEW_SWEEP, type Sweep, sweepOn } from "./sweep.ts"
import { makeRarely, tellHeldUp, tellNotWhole, tellSecond, tellStrays } from "./telling.ts"

/** The usual step takes some milliseconds; a round does not wait longer for one, and not at all for that of a round before. */
const PATIENCE = "1 second"
/** A step may ask all entries, and looks at some records and entries before. */
const STEP_MILLISECONDS = MOST_QUESTION_MILLISECONDS + 20_000
/** Steps that fail one after the other before it is told what that means: a database may be away a while. */
const FAILED_STEPS = 5

/** A round that is to enter what was found: how many records it took; null if it could not, and is to be asked again. */
type Enter<E> = (late: Sweep) => Effect.Effect<number | null, E>

type Rarely = ReturnType<typeof makeRarely>

/** `seen` is signed, and the log has come to `done`. How many records were entered, as far as is known in a moment. */
export const makeSearch = Effect.fnUntraced(function* <E>(
  sql: SqlClient.SqlClient,
  enter: Enter<E>,
  rarelySecond: Rarely
) {
  const scope = yield* Effect.scope
  const rarely = { strays: makeRarely(), notWhole: makeRarely(), heldUp: makeRarely() }
  let sweep = NEW_SWEEP
  let failedSteps = 0
  let isUnderWay = false

  const tell = Effect.gen(function* () {
    if (!sweep.isOver) return
    if (sweep.broken !== null) yield* rarely.notWhole(sweep.broken, tellNotWhole(sweep.broken))
    if (sweep.second.count > 0) yield* rarelySecond("second", tellSecond(sweep.second))
    if (sweep.strays.count > 0) yield* rarely.strays("strays", tellStrays(sweep.strays))
  })

  const goOn = Effect.fnUntraced(function* (done: number, seen: Signed) {
    if (!hasLate(sweep)) {
      const work = Effect.suspend(() => sweepOn(sql, sweep, done, seen))
      sweep = yield* sql.withTransaction(work).pipe(backgroundCall("sweep the log", STEP_MILLISECONDS))
    }
    const taken = hasLate(sweep) ? yield* enter(sweep) : 0
    if (taken !== null && sweep.isOver) sweep = { ...sweep, late: [] }
    failedSteps = 0
    yield* tell
    return taken ?? 0
  })

  /** What is late and cannot be entered is looked for again, for what was known of it grows old. */
  const failed = Effect.gen(function* () {
    if (++failedSteps < FAILED_STEPS) return 0
    yield* rarely.heldUp("held up", tellHeldUp(sweep.late.length))
    yield* tell
    if (sweep.isOver) sweep = { ...sweep, late: [] }
    return 0
  })

  return Effect.fnUntraced(function* (done: number, seen: Signed | null) {
    if (seen === null || isUnderWay) return 0
    isUnderWay = true
    const step = goOn(done, seen).pipe(
      Effect.catchCause(() => failed),
      Effect.ensuring(
        Effect.sync(() => {
          isUnderWay = false
        })
      )
    )
    const fiber = yield* Effect.forkIn(step, scope)
    return Option.getOrElse(yield* Effect.timeoutOption(Fiber.join(fiber), PATIENCE), () => 0)
  })
})
