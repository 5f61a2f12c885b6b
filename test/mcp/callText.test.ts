/** Plain tool calls, answered without a server of the SDK: the bytes equal those of the SDK. */
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TOOL_NAMES } from "../../schema/tools.ts"
import { answerOverHttp, callText, plainCall } from "../../src/mcp/protocol.ts"
import type { ToolAnswer } from "../../src/mcp/toolAnswers.ts"

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }))
const id = fc.oneof(fc.maxSafeInteger(), text)
/** No answer has a member named __proto__, which the SDK drops. */
const body = fc
  .dictionary(text, fc.jsonValue())
  .map((value) => JSON.stringify(value))
  .filter((json) => !json.includes("__proto__"))
  .map((json) => JSON.parse(json) as object)

const answers: fc.Arbitrary<ToolAnswer> = fc
  .record({ structured: fc.option(body, { nil: undefined }), text, notice: fc.option(text, { nil: undefined }) })
  .map(({ notice, ...answer }) => ({ ...answer, ...(notice === undefined ? {} : { notice }) }))

const bySdk = async (answer: ToolAnswer, message: object, headers: object) => {
  const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
  const server = { instructions: "", call: () => Effect.succeed(answer), run }
  return Effect.runPromise(
    answerOverHttp(server, { accept: undefined, protocolVersion: undefined, ...headers, message } as never)
  )
}

const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "get_plan_types" } }

describe("the answer to a plain call", () => {
  it("equals that of the SDK, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(id, fc.constantFrom(...TOOL_NAMES), answers, async (id, name, answer) => {
        const message = { ...call, id, params: { name, arguments: {} } }
        const sent = await bySdk(answer, message, {})
        expect({ status: 200, body: callText(id, answer) }).toEqual(sent)
      }),
      { numRuns: 200 }
    )
  })
})

describe("a call", () => {
  const plainCallOf = (message: object, headers: object = {}) =>
    plainCall({ accept: undefined, protocolVersion: undefined, ...headers, message } as never)

  it.each([
    ["another method", { ...call, method: "tools/list" }, {}],
    ["an unknown tool", { ...call, params: { name: "toString" } }, {}],
    ["a notification", { ...call, id: undefined }, {}],
    ["a response as well", { ...call, result: {} }, {}],
    ["a task", { ...call, params: { ...call.params, task: {} } }, {}],
    ["no metadata but null", { ...call, params: { ...call.params, _meta: null } }, {}],
    ["other metadata", { ...call, params: { ...call.params, _meta: { "a/b": 1 } } }, {}],
    ["an unknown protocol version", call, { protocolVersion: "1999-01-01" }],
    ["another form of answer", call, { accept: "text/html" }]
  ])("is left to the SDK if it is or has %s", (_, message, headers) => {
    expect(plainCallOf(message, headers)).toBeUndefined()
  })

  it("is plain with a progress token and a known protocol version", () => {
    const params = { ...call.params, _meta: { progressToken: 1 } }
    const headers = { protocolVersion: "2025-06-18", accept: "application/json, text/event-stream" }
    expect(plainCallOf({ ...call, params }, headers)).toEqual({ id: 7, tool: "get_plan_types" })
  })
})
