/**
 * Agreement of a tool and its route on random requests that aim at the edges. The brief answer of
 * the tool is the same answer, and that of the route.
 */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../../property-tests/generators/requests.ts"
import { answerHashOf } from "../../src/proof/commitment.ts"
import { runs, seedOr } from "../support/random.ts"
import { type ToolServer, useToolServer } from "../support/toolServer.ts"

const service = useToolServer({ SANDBOX_MONTHLY_CALLS: "1000000" })

const RUNS = runs(25, 200)
const seed = seedOr(20261121)

/** Removes the fields that differ between two answers to one request. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, part) =>
      ["computedAtUtc", "answerId", "answerSalt", "verifyUrl", "textsHash", "instance"].includes(name)
        ? undefined
        : part
    )
  )

const overRest = async ({ post }: ToolServer, key: string, path: string, request: unknown) => {
  const response = await post(path, key, request)
  return { refused: response.status !== 200, body: comparable(await response.json()) }
}

const overTool = async ({ rpc }: ToolServer, key: string, tool: string, request: object) => {
  const response = await rpc(key, "tools/call", { name: tool, arguments: { ...request, detail: "full" } })
  const { result } = await response.json()
  const { text } = result.content[0]
  const { structuredContent: brief } = result
  if (brief?.provenance.textsHash !== undefined)
    expect(await answerHashOf(JSON.stringify(brief))).toBe(await answerHashOf(text))
  return { refused: result.isError === true, body: comparable(JSON.parse(text)), brief }
}

const agree = async <R extends object>(requests: fc.Arbitrary<R>, tool: string, path: string, hasBrief = true) => {
  const key = await service().mint()
  let answered = 0
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const rest = await overRest(service(), key, path, request)
      const { brief, ...whole } = await overTool(service(), key, tool, request)
      expect(whole).toEqual(rest)
      expect(brief === undefined).toBe(rest.refused)
      if (rest.refused) return
      answered++
      if (hasBrief)
        expect((await overRest(service(), key, `${path}?detail=brief`, request)).body).toEqual(comparable(brief))
    }),
    { numRuns: RUNS, seed }
  )
  expect(answered).toBeGreaterThan(RUNS / 4)
  expect(await service().used(key)).toBe((hasBrief ? 3 : 2) * answered)
  return { key, answered }
}

describe("over both surfaces [F55]", () => {
  it("a projection has the same figures, and its two records the same inputs", async () => {
    const { answered, key } = await agree(projectionRequests({ additions: true }), "run_projection", "/v1/projection")
    const rows = await service().query<{ source: string; inputs: number; answers: number }>(
      `SELECT source, count(DISTINCT inputs_hash)::int AS inputs, count(*)::int AS answers
       FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}' GROUP BY source ORDER BY source`
    )
    expect(rows.map(({ answers, source }) => [source, answers])).toEqual([
      ["McpServer", answered],
      ["PublicApi", 2 * answered]
    ])
    expect(rows[0]!.inputs).toBe(rows[1]!.inputs)
  })

  it("a comparison has the same figures", async () => {
    await agree(comparisonRequests({ maxLoans: 3, additions: true }), "compare_scenarios", "/v1/comparison")
  })

  it("eligibility has the same plans", async () => {
    await agree(eligibilityRequests({ additions: true }), "get_eligible_plans", "/v1/plan-eligibility", false)
  })
})
