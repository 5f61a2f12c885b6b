/**
 * Tests of unknown members at every level of every request: refused by name, over REST and as a
 * tool call.
 */
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { type RunningService, useService } from "../support/runningService.ts"
import { type Json, type Path, placesOf, routes, shownPath, VALID, withValue } from "./published.ts"

const TOOL_OF: Readonly<Record<string, string>> = {
  "/v1/projection": "run_projection",
  "/v1/comparison": "compare_scenarios",
  "/v1/plan-eligibility": "get_eligible_plans"
}

const callTool = async (service: RunningService, key: string, name: string, args: unknown) => {
  const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const response = await service.call("POST", "/mcp", { key, json, headers: { accept: "application/json" } })
  const { result } = (await response.json()) as {
    result: { isError?: boolean; content: ReadonlyArray<{ text: string }> }
  }
  return { isError: result.isError === true, document: JSON.parse(result.content[0]!.text) as Json }
}

describe("an unknown member [F45]", () => {
  const service = useService({ RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off" })
  const levels = routes.flatMap(({ path, schema }) =>
    placesOf(schema)
      .filter(({ node }) => node.type === "object")
      .map((place) => ({ path, level: [...place.path, "unknownMember"] as Path }))
  )

  it("is tested on every route that reads a body", () => {
    expect(routes.map(({ path }) => path).sort()).toEqual(Object.keys(VALID).sort())
    expect(levels.length).toBeGreaterThanOrEqual(11)
  })

  it.each(levels.map(({ level, path }) => [path, shownPath(level), level] as const))(
    "is refused by %s and named as %s, over REST and as a tool call",
    async (path, shown, level) => {
      const json = withValue(VALID[path], level, 1)
      const key = await service().mint()
      const { errors } = await expectProblem(await service().call("POST", path, { json, key }), 400, "validation")
      expect(Object.keys(errors!)).toEqual([shown])
      const tool = TOOL_OF[path]
      if (tool === undefined) return
      const refused = await callTool(service(), key, tool, json)
      expect([refused.isError, Object.keys(refused.document["errors"] as Json)]).toEqual([true, [shown]])
    }
  )

  it("is refused in the query of /v1/records too", async () => {
    const response = await service().call("GET", "/v1/records?limit=1&unknownMember=1", { key: await service().mint() })
    const { errors } = await expectProblem(response, 400, "validation")
    expect(Object.keys(errors!)).toEqual(["unknownMember"])
  })
})
