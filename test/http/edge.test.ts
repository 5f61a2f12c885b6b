/** The edge middleware: crashes behind it, and HTTPS in front of it. */
import { Effect, Layer, ManagedRuntime, References } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { OverloadedProblem } from "../../schema/problems.ts"
import { nothingDirect } from "../../src/http/direct.ts"
import { edge } from "../../src/http/edge.ts"
import { RouteTable } from "../../src/http/routes.ts"
import { served } from "../../src/http/server.ts"
import { expectProblem } from "../support/answers.ts"
import { portOf } from "../support/runningService.ts"
import { testConfig } from "../support/settings.ts"

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
    ),
    nothingDirect
  )
)

const ask = async (path: string, variables: Readonly<Record<string, string>> = {}) => {
  const server = ManagedRuntime.make(
    served(Routes).pipe(
      Layer.provide(testConfig({ PORT: "0", ...variables })),
      // Keeps the expected defects out of the log of the test run.
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
    )
  )
  const port = portOf(await server.context())
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  const answered = new Response(await response.arrayBuffer(), response)
  await server.dispose()
  return answered
}

describe("a crash [F48]", () => {
  it.each(["/defect", "/failure"])("at %s becomes a problem document without its details", async (path) => {
    const response = await ask(path)
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    const problem = await expectProblem(response, 500, "internal")
    expect(JSON.stringify(problem)).not.toMatch(/60000|ada@|Error/)
  })

  it("caused by a problem is answered with that problem", async () => {
    const response = await ask("/problem")
    expect(response.headers.get("retry-after")).toBe("1")
    await expectProblem(response, 503, "overloaded")
  })
})

describe("a service behind HTTPS [F48]", () => {
  it("sends Strict-Transport-Security", async () => {
    const response = await ask("/fine", { PUBLIC_URL: "https://api.example.test" })
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000")
  })
})
