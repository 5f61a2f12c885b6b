/** Long work in slices, between which others have their turn. */
import { Clock, Effect } from "effect"
import type { Steps } from "../../engine/index.ts"

const SLICE_MILLIS = 1

/** Runs steps to their end, and waits for a turn after every slice of time. */
export const inSlices = (turn: Effect.Effect<void>) =>
  Effect.fnUntraced(function* <A>(steps: Steps<A>) {
    let until = (yield* Clock.currentTimeMillis) + SLICE_MILLIS
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      if ((yield* Clock.currentTimeMillis) < until) continue
      yield* turn
      until = (yield* Clock.currentTimeMillis) + SLICE_MILLIS
    }
  })
