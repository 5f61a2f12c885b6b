/** The calculation gate: who waits, who is turned away, and whose place becomes free. */
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeCalculationGate } from "../../../src/services/answers/calculationGate.ts"

describe("the calculation gate", () => {
  it("turns away what comes on top of those who run and wait, and lets the others in", async () => {
    const program = Effect.gen(function* () {
      const gate = makeCalculationGate(2, 3)
      const open = yield* Deferred.make<void>()
      const calculation = gate(Effect.as(Deferred.await(open), "done"))
      const inside = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(calculation))
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(calculation)
      yield* Deferred.succeed(open, undefined)
      const answers = yield* Effect.forEach(inside, Fiber.join)
      return { refused: refused._tag, answers, later: yield* calculation }
    })
    expect(await Effect.runPromise(program)).toEqual({
      refused: "Overloaded",
      answers: ["done", "done", "done", "done", "done"],
      later: "done"
    })
  })

  it("frees the place of one that fails", async () => {
    const program = Effect.gen(function* () {
      const gate = makeCalculationGate(1, 0)
      for (let round = 0; round < 5; round++) yield* Effect.flip(gate(Effect.fail("no")))
      return yield* gate(Effect.succeed("yes"))
    })
    expect(await Effect.runPromise(program)).toBe("yes")
  })
})
