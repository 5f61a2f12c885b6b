/** The fair queue: fair between clients, quick for small work, and bounded. */
import { Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FairQueue, ROUND_MILLIS, TurnQueue } from "../../../src/services/scheduling/FairQueue.ts"

/** A TurnQueue whose rounds are run by the test. */
const manualQueue = (maxWaiting?: number, maxWaitingCost?: number) => {
  const scheduled: Array<() => void> = []
  let now = 0
  // Every item takes longer than a round, so each round serves one.
  const turns = new TurnQueue(
    (next) => scheduled.push(next),
    () => (now += 10),
    maxWaiting,
    maxWaitingCost
  )
  const served: Array<string> = []
  const refused: Array<string> = []
  return {
    served,
    refused,
    waiting: () => turns.waiting(),
    /** Requests a turn; the client's name is added to `served` when it comes. */
    ask: (client: string, cost = 1) =>
      turns.request(
        client,
        cost,
        () => served.push(client),
        () => refused.push(client)
      ),
    finish: (client: string) => turns.request(client, 1, () => served.push(client)),
    /** Runs one round. */
    runRound: () => scheduled.shift()?.(),
    run: () => {
      while (scheduled.length > 0) scheduled.shift()!()
    }
  }
}

describe("a turn", () => {
  it("comes at once if the queue is idle, and then one at a time", () => {
    const { ask, runRound, served } = manualQueue()
    ask("a")
    expect(served).toEqual(["a"])
    ask("b")
    ask("c")
    expect(served).toEqual(["a"])
    runRound()
    expect(served).toEqual(["a", "b"])
    runRound()
    expect(served).toEqual(["a", "b", "c"])
    runRound()
    ask("d")
    expect(served).toEqual(["a", "b", "c", "d"])
  })

  it("goes to each client alternately, however much work one of them has", () => {
    const { ask, run, served } = manualQueue()
    for (let item = 0; item < 100; item++) ask("greedy", 10)
    for (let item = 0; item < 3; item++) ask("modest", 10)
    run()
    expect(served.indexOf("modest")).toBeLessThanOrEqual(2)
    expect(served.lastIndexOf("modest")).toBeLessThanOrEqual(7)
  })

  it("goes to small work before waiting large work of any client", () => {
    const { ask, run, served } = manualQueue()
    ask("first")
    for (let client = 0; client < 64; client++) ask(`large ${client}`, 300)
    ask("small", 9)
    run()
    expect(served.indexOf("small")).toBe(1)
  })

  it("goes to small work next, however many clients have large work waiting", () => {
    const { ask, runRound, served } = manualQueue()
    ask("first")
    for (let client = 0; client < 50; client++) for (let item = 0; item < 5; item++) ask(`large ${client}`, 300)
    for (let round = 0; round < 20; round++) {
      for (let turn = 0; turn < 5; turn++) runRound()
      const before = served.length
      ask("small", 9)
      runRound()
      expect(served.slice(before)).toEqual(["small"])
    }
  })

  it("goes to several small items in one round, but to no more than fit", () => {
    let now = 0
    const scheduled: Array<() => void> = []
    const turns = new TurnQueue(
      (next) => scheduled.push(next),
      () => now
    )
    let served = 0
    const work = () => {
      served++
      now += 1
    }
    for (let item = 0; item < 20; item++) turns.request("a", 1, work)
    scheduled.shift()!()
    expect(served).toBe(1 + ROUND_MILLIS)
  })

  it("goes to large work too while small work keeps arriving", () => {
    const { ask, runRound, served } = manualQueue()
    ask("first")
    ask("large", 300)
    for (let round = 0; round < 100 && !served.includes("large"); round++) {
      ask("small", 9)
      runRound()
    }
    expect(served.filter((client) => client === "small").length).toBeLessThanOrEqual(34)
    expect(served).toContain("large")
  })

  it("goes to large work too while new clients with small work keep arriving", () => {
    const { ask, runRound, served } = manualQueue()
    ask("first")
    ask("large", 300)
    for (let round = 0; round < 400 && !served.includes("large"); round++) {
      ask(`newcomer ${round}`, 9)
      runRound()
    }
    expect(served).toContain("large")
    expect(served.length).toBeLessThanOrEqual(2 + (2 * 2 * 300) / 9)
  })

  it("is refused beyond the limit of bytes: the client with the most waiting bytes loses items first", () => {
    const { ask, refused, run, served } = manualQueue(undefined, 1000)
    ask("first")
    for (let item = 0; item < 4; item++) ask("greedy", 250)
    ask("greedy", 1)
    expect(refused).toEqual(["greedy"])
    ask("modest", 300)
    expect(refused).toEqual(["greedy", "greedy", "greedy"])
    ask("modest", 500)
    expect(refused).toEqual(["greedy", "greedy", "greedy", "modest"])
    run()
    expect(served.toSorted()).toEqual(["first", "greedy", "greedy", "modest"])
    for (let item = 0; item < 4; item++) ask("later", 250)
    expect(refused).toHaveLength(4)
  })

  it("for large work ends its round, however quick it is", () => {
    const scheduled: Array<() => void> = []
    const turns = new TurnQueue(
      (next) => scheduled.push(next),
      () => 0
    )
    let served = 0
    for (let item = 0; item < 6; item++) turns.request("a", item === 3 ? 40 * 1024 : 1, () => served++)
    scheduled.shift()!()
    expect(served).toBe(1 + 3)
    scheduled.shift()!()
    expect(served).toBe(6)
  })

  it("is not given to withdrawn work", () => {
    const { ask, run, served, waiting } = manualQueue()
    ask("first")
    const withdraw = ask("gone")
    ask("stays")
    withdraw()
    withdraw()
    expect(waiting()).toBe(1)
    run()
    expect(served).toEqual(["first", "stays"])
  })

  it("is not delayed by work that the same client has withdrawn", () => {
    const { ask, run, served } = manualQueue()
    ask("first")
    const withdrawn = Array.from({ length: 50 }, () => ask("hasty", 100))
    ask("hasty", 10)
    for (let item = 0; item < 10; item++) ask("other", 10)
    for (const withdraw of withdrawn) withdraw()
    ask("hasty", 10)
    run()
    expect(served.lastIndexOf("hasty")).toBeLessThanOrEqual(5)
  })

  it("gives each client an equal share for any costs, to within one item", () => {
    const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(costs, costs, (ofA, ofB) => {
        const { ask, runRound, served } = manualQueue()
        ask("first")
        for (const cost of ofA) ask("a", cost)
        for (const cost of ofB) ask("b", cost)
        const done = { a: 0, b: 0 }
        for (;;) {
          runRound()
          const client = served.at(-1) as "a" | "b"
          const costsOf = { a: ofA, b: ofB }
          const count = served.filter((name) => name === client).length
          done[client] += costsOf[client][count - 1]!
          if (served.filter((name) => name === "a").length === 30) break
          if (served.filter((name) => name === "b").length === 30) break
          expect(Math.abs(done.a - done.b)).toBeLessThanOrEqual(50)
        }
      })
    )
  })
})

describe("a full queue", () => {
  it("evicts the last item of the client with the most waiting work", () => {
    const { ask, refused, run, served } = manualQueue(10)
    for (let item = 0; item < 11; item++) ask("greedy")
    ask("modest")
    expect(refused).toEqual(["greedy"])
    ask("greedy")
    expect(refused).toEqual(["greedy", "greedy"])
    run()
    expect(served.filter((client) => client === "modest")).toEqual(["modest"])
  })

  it("evicts no work that must be finished, but an item of another client", () => {
    const { ask, finish, refused } = manualQueue(6)
    ask("first")
    for (let item = 0; item < 4; item++) finish("charged")
    for (let item = 0; item < 3; item++) ask("greedy")
    ask("modest")
    expect(refused).toEqual(["greedy", "greedy"])
  })

  it("keeps work that must be finished, even beyond its limit", () => {
    const { ask, finish, refused, run, served } = manualQueue(2)
    for (let item = 0; item < 3; item++) ask("greedy")
    finish("charged")
    for (let client = 0; client < 5; client++) ask(`other ${client}`)
    run()
    expect(served).toContain("charged")
    expect(refused).not.toContain("charged")
  })

  it("accepts at most 512 waiting items per client", () => {
    const { ask, refused } = manualQueue()
    for (let item = 0; item < 600; item++) ask("greedy")
    expect(refused.length).toBe(600 - 513)
  })
})

describe("the FairQueue service", () => {
  it("frees the place of an interrupted caller", async () => {
    const program = Effect.gen(function* () {
      const fairQueue = yield* FairQueue
      yield* fairQueue.take("a", 1)
      const gone = yield* Effect.forkChild(fairQueue.take("b", 1), { startImmediately: true })
      yield* Fiber.interrupt(gone)
      yield* fairQueue.take("c", 1)
      return yield* Fiber.await(gone)
    })
    const exit = await Effect.runPromise(Effect.provide(program, FairQueue.layer))
    expect(Exit.hasInterrupts(exit)).toBe(true)
  })
})
