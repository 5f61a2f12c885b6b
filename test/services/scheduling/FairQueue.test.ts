/** Who may use the thread next: fair between clients, quick for small work, and bounded. */
import { Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FairQueue, TurnQueue } from "../../../src/services/scheduling/FairQueue.ts"

/** A queue whose turns the test runs by hand. */
const byHand = (maxWaiting?: number, maxWaitingCost?: number) => {
  const scheduled: Array<() => void> = []
  let now = 0
  // Every piece of work takes longer than a round, so there is one a round.
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
    /** Asks for a turn; the client's name is noted when it comes. */
    ask: (client: string, cost = 1) =>
      turns.request(
        client,
        cost,
        () => served.push(client),
        () => refused.push(client)
      ),
    finish: (client: string) => turns.request(client, 1, () => served.push(client)),
    /** Lets the process look after everything else once. */
    pass: () => scheduled.shift()?.(),
    run: () => {
      while (scheduled.length > 0) scheduled.shift()!()
    }
  }
}

describe("a turn", () => {
  it("comes at once when nobody else has one, and one at a time", () => {
    const { ask, pass, served } = byHand()
    ask("a")
    expect(served).toEqual(["a"])
    ask("b")
    ask("c")
    expect(served).toEqual(["a"])
    pass()
    expect(served).toEqual(["a", "b"])
    pass()
    expect(served).toEqual(["a", "b", "c"])
    pass()
    ask("d")
    expect(served).toEqual(["a", "b", "c", "d"])
  })

  it("comes to each client in turn, however much one of them asks for", () => {
    const { ask, run, served } = byHand()
    for (let piece = 0; piece < 100; piece++) ask("greedy", 10)
    for (let piece = 0; piece < 3; piece++) ask("modest", 10)
    run()
    expect(served.indexOf("modest")).toBeLessThanOrEqual(2)
    expect(served.lastIndexOf("modest")).toBeLessThanOrEqual(7)
  })

  it("comes to small work before large work that waits, whoever's it is", () => {
    const { ask, run, served } = byHand()
    ask("first")
    for (let client = 0; client < 64; client++) ask(`large ${client}`, 300)
    ask("small", 9)
    run()
    expect(served.indexOf("small")).toBe(1)
  })

  it("comes to small work before all but one of the large pieces that many clients have", () => {
    const { ask, pass, served } = byHand()
    ask("first")
    for (let client = 0; client < 50; client++) for (let piece = 0; piece < 5; piece++) ask(`large ${client}`, 300)
    for (let round = 0; round < 20; round++) {
      for (let turn = 0; turn < 5; turn++) pass()
      const before = served.length
      ask("small", 9)
      pass()
      expect(served.slice(before)).toEqual(["small"])
    }
  })

  it("comes to several small pieces of one round, but to no more than fit it", () => {
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
    for (let piece = 0; piece < 20; piece++) turns.request("a", 1, work)
    scheduled.shift()!()
    expect(served).toBe(1 + 4)
  })

  it("comes to large work too, while small work keeps arriving", () => {
    const { ask, pass, served } = byHand()
    ask("first")
    ask("large", 300)
    for (let round = 0; round < 100 && !served.includes("large"); round++) {
      ask("small", 9)
      pass()
    }
    expect(served.filter((client) => client === "small").length).toBeLessThanOrEqual(34)
    expect(served).toContain("large")
  })

  it("comes to large work too, while one newcomer after the other asks for little", () => {
    const { ask, pass, served } = byHand()
    ask("first")
    ask("large", 300)
    for (let round = 0; round < 400 && !served.includes("large"); round++) {
      ask(`newcomer ${round}`, 9)
      pass()
    }
    expect(served).toContain("large")
    expect(served.length).toBeLessThanOrEqual(2 + (2 * 2 * 300) / 9)
  })

  it("waits with no more bytes than there is room for: who has most gives up for who has less", () => {
    const { ask, refused, run, served } = byHand(undefined, 1000)
    ask("first")
    for (let piece = 0; piece < 4; piece++) ask("greedy", 250)
    ask("greedy", 1)
    expect(refused).toEqual(["greedy"])
    ask("modest", 300)
    expect(refused).toEqual(["greedy", "greedy", "greedy"])
    ask("modest", 500)
    expect(refused).toEqual(["greedy", "greedy", "greedy", "modest"])
    run()
    expect(served.toSorted()).toEqual(["first", "greedy", "greedy", "modest"])
    for (let piece = 0; piece < 4; piece++) ask("later", 250)
    expect(refused).toHaveLength(4)
  })

  it("of large work ends its round, however quick it is", () => {
    const scheduled: Array<() => void> = []
    const turns = new TurnQueue(
      (next) => scheduled.push(next),
      () => 0
    )
    let served = 0
    for (let piece = 0; piece < 6; piece++) turns.request("a", piece === 3 ? 40 * 1024 : 1, () => served++)
    scheduled.shift()!()
    expect(served).toBe(1 + 3)
    scheduled.shift()!()
    expect(served).toBe(6)
  })

  it("is not taken by work that was withdrawn", () => {
    const { ask, run, served, waiting } = byHand()
    ask("first")
    const withdraw = ask("gone")
    ask("stays")
    withdraw()
    withdraw()
    expect(waiting()).toBe(1)
    run()
    expect(served).toEqual(["first", "stays"])
  })

  it("is not put off by what the same client has withdrawn", () => {
    const { ask, run, served } = byHand()
    ask("first")
    const withdrawn = Array.from({ length: 50 }, () => ask("hasty", 100))
    ask("hasty", 10)
    for (let piece = 0; piece < 10; piece++) ask("other", 10)
    for (const withdraw of withdrawn) withdraw()
    ask("hasty", 10)
    run()
    expect(served.lastIndexOf("hasty")).toBeLessThanOrEqual(5)
  })

  it("gives a client its share of the work for any costs, to within one piece", () => {
    const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(costs, costs, (ofA, ofB) => {
        const { ask, pass, served } = byHand()
        ask("first")
        for (const cost of ofA) ask("a", cost)
        for (const cost of ofB) ask("b", cost)
        const done = { a: 0, b: 0 }
        for (;;) {
          pass()
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

describe("when no place is left", () => {
  it("the client with most waiting gives up its last piece for another", () => {
    const { ask, refused, run, served } = byHand(10)
    for (let piece = 0; piece < 11; piece++) ask("greedy")
    ask("modest")
    expect(refused).toEqual(["greedy"])
    ask("greedy")
    expect(refused).toEqual(["greedy", "greedy"])
    run()
    expect(served.filter((client) => client === "modest")).toEqual(["modest"])
  })

  it("a client with unfinished work alone gives nothing up, and another does instead", () => {
    const { ask, finish, refused } = byHand(6)
    ask("first")
    for (let piece = 0; piece < 4; piece++) finish("charged")
    for (let piece = 0; piece < 3; piece++) ask("greedy")
    ask("modest")
    expect(refused).toEqual(["greedy", "greedy"])
  })

  it("work that was begun is finished all the same", () => {
    const { ask, finish, refused, run, served } = byHand(2)
    for (let piece = 0; piece < 3; piece++) ask("greedy")
    finish("charged")
    for (let client = 0; client < 5; client++) ask(`other ${client}`)
    run()
    expect(served).toContain("charged")
    expect(refused).not.toContain("charged")
  })

  it("a client has at most its own 512", () => {
    const { ask, refused } = byHand()
    for (let piece = 0; piece < 600; piece++) ask("greedy")
    expect(refused.length).toBe(600 - 513)
  })
})

describe("the service of turns", () => {
  it("leaves no place taken by a caller that is gone", async () => {
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
