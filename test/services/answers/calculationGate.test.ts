/** What the service does when a part of it fails: crashes at the edge, floods at the gate, and HTTPS in front of it. */
import { Deferred, Effect, Fiber, Layer, References } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { OverloadedProblem } from "../../../schema/problems.ts"
import { edge } from "../../../src/http/edge.ts"
import { RouteTable } from "../../../src/http/routes.ts"
import { makeCalculationGate } from "../../../src/services/answers/calculationGate.ts"
import { expectProblem } from "../../support/answers.ts"
import { testConfig } from "../../support/settings.ts"

const PATHS = ["/defect", "/failure", "/problem", "/fine"] as const

const Routes = Layer.mergeAll(
  HttpRouter.add("GET", "/defect", Effect.die(new Error("balance 60000 of ada@example.org"))),
  HttpRouter.add("GET", "/failure", Effect.orDie(Effect.fail("balance 60000"))),
  HttpRouter.add("GET", "/problem", Effect.orDie(Effect.fail(new OverloadedProblem({})))),
  HttpRouter.add("GET", "/fine", HttpServerResponse.text("fine")),
  edge(
    RouteTable.of(
      HttpApi.make("none"),
      PATHS.map((path) => ({ method: "GET" as const, path }))
    )
  )
)

const ask = async (path: string, variables: Readonly<Record<string, string>> = {}) => {
  const app = Routes.pipe(
    Layer.provide(testConfig(variables)),
    Layer.provide(HttpServer.layerServices),
    // The defects of this file must not show in the log of the test run.
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
  const response = await handler(new Request(`http://localhost${path}`, { headers: { host: "localhost" } }))
  await dispose()
  return response
}

describe("a crash", () => {
  it.each(["/defect", "/failure"])("at %s is a problem document that tells nothing of it", async (path) => {
    const response = await ask(path)
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    const problem = await expectProblem(response, 500, "internal")
    expect(JSON.stringify(problem)).not.toMatch(/60000|ada@|Error/)
  })

  it("with a problem in hand is that problem", async () => {
    const response = await ask("/problem")
    expect(response.headers.get("retry-after")).toBe("1")
    await expectProblem(response, 503, "overloaded")
  })
})

describe("behind HTTPS", () => {
  it("says so to browsers", async () => {
    const response = await ask("/fine", { PUBLIC_URL: "https://api.example.test" })
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000")
  })
})

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
